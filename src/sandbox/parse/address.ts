/** IP addresses: one spelling for each, and which of them lie inside somebody's network. */
import { isIPv4, isIPv6 } from "node:net";

/** The 4 or 16 bytes of an address, or nothing when the text is none. An IPv4 address inside an IPv6 one (`::ffff:1.2.3.4`)
 *  has the 4 bytes of the IPv4 address. */
export function addressBytes(text: string): readonly number[] | undefined {
  if (isIPv4(text)) return text.split(".").map(Number);
  const zone = text.indexOf("%");
  const address = zone > 0 && zone < text.length - 1 ? text.slice(0, zone) : text;
  if (!isIPv6(address)) return undefined;
  const [before = "", after] = address.split("::");
  const left = bytesOfGroups(before);
  const right = bytesOfGroups(after ?? "");
  const zeros = Math.max(0, 16 - left.length - right.length);
  const bytes = [...left, ...new Array<number>(zeros).fill(0), ...right];
  return isMapped(bytes) ? bytes.slice(12) : bytes;
}

function bytesOfGroups(groups: string): number[] {
  if (groups === "") return [];
  return groups.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

const isMapped = (bytes: readonly number[]): boolean =>
  bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;

/** The one spelling of an address (RFC 5952), without its zone. Any other text comes back as it is. */
export function canonicalAddress(text: string): string {
  const bytes = addressBytes(text);
  if (bytes === undefined) return text;
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  ).join(":");
  let longest = "";
  for (const [zeros] of groups.matchAll(/\b0(?::0)+\b/g)) if (zeros.length > longest.length) longest = zeros;
  if (longest === "") return groups;
  const start = groups.search(new RegExp(`\\b${longest}\\b`));
  const [before, after] = [groups.slice(0, start), groups.slice(start + longest.length)];
  return `${before.replace(/:$/, "")}::${after.replace(/^:/, "")}`;
}

interface Range {
  readonly bytes: readonly number[];
  readonly bits: number;
}

function range(text: string): Range {
  const [address = "", bits] = text.split("/");
  return { bytes: addressBytes(address) ?? [], bits: Number(bits) };
}

function isWithin(bytes: readonly number[], { bytes: first, bits }: Range): boolean {
  if (bytes.length !== first.length) return false;
  return bytes.every((byte, index) => {
    const counted = Math.min(8, Math.max(0, bits - 8 * index));
    return (byte ^ (first[index] ?? 0)) >> (8 - counted) === 0;
  });
}

const LOOPBACK = ["127.0.0.0/8", "::1/128"].map(range);

/** Leads back to the machine itself. */
export function isLoopback(address: string): boolean {
  const bytes = addressBytes(address);
  return bytes !== undefined && LOOPBACK.some((each) => isWithin(bytes, each));
}

/** All public IPv6 addresses. What lies outside is private without being listed: loopback, link-local, site-local and unique
 *  local addresses, multicast, the discard prefix, NAT64, and IPv4 addresses in old disguises. */
const GLOBAL_V6 = range("2000::/3");

const PRIVATE = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8",
  "100.64.0.0/10", // shared by the customers of a provider
  "127.0.0.0/8",
  "168.63.129.16/32", // the host of a machine at Azure, on a public address
  "169.254.0.0/16", // link-local, and the metadata of cloud machines
  "172.16.0.0/12",
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16",
  "198.18.0.0/15", // benchmarks, and the names of this sandbox
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
  "2001::/23", // protocol assignments, Teredo among them
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3fff::/20", // documentation
].map(range);

/** Lies where a name declared by a package must not lead: inside the machine, inside its network, or nowhere. What is no
 *  address at all counts as private. */
export function isPrivateAddress(address: string): boolean {
  const bytes = addressBytes(address);
  if (bytes === undefined) return true;
  if (bytes.length === 16 && !isWithin(bytes, GLOBAL_V6)) return true;
  return PRIVATE.some((each) => isWithin(bytes, each));
}
