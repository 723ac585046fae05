/** Writes DER, the binary form of certificates: each value is a tag, a length and its bytes. */

function value(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const size = contents.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag, ...length(size)]), ...contents]);
}

/** One byte up to 127; else how many bytes follow, and those. */
function length(size: number): readonly number[] {
  if (size < 0x80) return [size];
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => value(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => value(0x31, ...parts);
export const octets = (...parts: readonly Uint8Array[]): Buffer => value(0x04, ...parts);
export const text = (characters: string): Buffer => value(0x0c, Buffer.from(characters, "utf8"));
export const yes = (): Buffer => value(0x01, Buffer.from([0xff]));

/** A value whose meaning comes from its place: `[number]` in the grammar. It holds other values, or bytes alone. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Buffer =>
  value(0xa0 | number, ...parts);
export const taggedBytes = (number: number, bytes: Uint8Array): Buffer => value(0x80 | number, bytes);

/** Whole bytes. */
export const bits = (bytes: Uint8Array): Buffer => value(0x03, Buffer.from([0]), bytes);

/** Bits that have names, by their numbers: bit 0 is the highest of its byte, and zeros at the end are left out. */
export function namedBits(...numbers: readonly number[]): Buffer {
  const last = Math.max(...numbers);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const number of numbers) bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (0x80 >> (number & 7));
  return value(0x03, Buffer.from([7 - (last & 7)]), bytes);
}

/** A number of zero or more, highest byte first, in as few bytes as it takes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  // A first byte from 0x80 on would make it negative.
  return (shortest[0] ?? 0) < 0x80 ? value(0x02, shortest) : value(0x02, Buffer.from([0]), shortest);
}

/** A name out of numbers, "2.5.29.17": the first two in one, then seven bits a byte. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const groups = [number & 0x7f];
    for (let high = number >> 7; high > 0; high >>= 7) groups.unshift(0x80 | (high & 0x7f));
    return groups;
  });
  return value(0x06, Buffer.from(bytes));
}

/** To the second, UTC. Certificates write two digits for a year until 2049 and four from then on (RFC 5280, 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`;
  return date.getUTCFullYear() < 2050
    ? value(0x17, Buffer.from(digits.slice(2), "ascii"))
    : value(0x18, Buffer.from(digits, "ascii"));
}
