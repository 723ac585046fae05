/** Addresses that a document of strangers must not lead us to, unless the operator says so. */
import { BlockList, isIPv6 } from "node:net";

const local = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  local.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  local.addSubnet(network, prefix, "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4 address in the clothes of an IPv6 one is what it is. */
const plain = (address: string): string => MAPPED.exec(address)?.[1] ?? address;
const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

export const isLoopback = (address: string): boolean =>
  loopback.check(plain(address), familyOf(plain(address)));

/** Of this machine, of its network, or of no single place. */
export const isLocal = (address: string): boolean => local.check(plain(address), familyOf(plain(address)));
