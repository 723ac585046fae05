/** Hosts in one spelling, so that two of them can be compared, and which names never leave the machine's own network. */
import { addressBytes, canonicalAddress } from "../parse/address.ts";

export const isAddress = (host: string): boolean => addressBytes(host) !== undefined;

/** A name in lower case without the dot at its end, or the one spelling of an address. */
export function plainHost(text: string): string {
  return isAddress(text) ? canonicalAddress(text) : text.toLowerCase().replace(/\.$/, "");
}

const LOCAL_ENDING = /(?:^|\.)(?:localhost|local|localdomain|internal|home\.arpa)$/;

/** `localhost`, `db`, `printer.local`: what such a name means is settled by the machine or its network. */
export function isLocalName(name: string): boolean {
  return !name.includes(".") || LOCAL_ENDING.test(name);
}
