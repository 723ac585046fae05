/** Draws from a source of random bytes. The source is passed in, so that the same one gives the same canaries. */

export type Random = (bytes: number) => Buffer;

export const DIGITS = "0123456789";
export const HEX = `${DIGITS}abcdef`;
export const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
export const BASE36 = `${DIGITS}abcdefghijklmnopqrstuvwxyz`;
/** In the order in which GitHub and npm count. */
export const BASE62 = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz`;

/** A number from 0 up to `below`. */
export function number(random: Random, below: number): number {
  return random(6).readUIntBE(0, 6) % below;
}

export function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[number(random, items.length)] ?? items[0];
}

export function word(random: Random, alphabet: string, chars: number): string {
  return Array.from({ length: chars }, () => alphabet.charAt(number(random, alphabet.length))).join("");
}

/** A UUID of version 4. */
export function uuid(random: Random): string {
  const bytes = Buffer.from(random(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
