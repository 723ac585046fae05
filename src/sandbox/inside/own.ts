/** Addresses that a process in the sandbox has for its own. */
import { INTERFACE } from "../namespaces/rules.ts";
import { isLoopback } from "../parse/address.ts";

export const isOwnAddress = (address: string): boolean =>
  isLoopback(address) || (INTERFACE as readonly string[]).includes(address);
