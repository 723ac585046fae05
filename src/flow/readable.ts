/** Bytes as texts: what decoding brought to light, where that is something. */

/** Nothing shorter is a value. */
export const MIN_CHARS = 8;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is no text is what is looked for.
const UNREADABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]+/;

/** Bytes as a text; undefined when they are none. What stands around it may belong to something else. */
export function readable(bytes: Buffer): string | undefined {
  if (isNoise(bytes)) return undefined;
  const wide = wideIn(bytes);
  return cleaned(wide === undefined ? bytes.toString("utf8") : wide.toString("utf16le"));
}

/** A text without what nobody writes; undefined where nothing else is long enough. */
export function cleaned(text: string): string | undefined {
  if (!UNREADABLE.test(text)) return text.length > 0 ? text : undefined;
  const clean = text.split(UNREADABLE).filter((stretch) => stretch.length >= MIN_CHARS - 1);
  return clean.length === 0 ? undefined : `\n${clean.join("\n")}\n`;
}

/** The stretches of at least so many bytes that are a text, one a line; undefined where there is none. */
export function stretchesIn(bytes: Buffer, least: number): string | undefined {
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at <= bytes.length; ) {
    const size = at < bytes.length ? charSize(bytes, at) : 0;
    if (size > 0) {
      at += size;
      continue;
    }
    if (at - from >= least) found.push(bytes.toString("utf8", from, at));
    at += 1;
    from = at;
  }
  return found.length === 0 ? undefined : found.join("\n");
}

/** How many bytes the character has that begins here; 0 where none does that anybody writes. */
function charSize(bytes: Buffer, at: number): number {
  const byte = bytes[at] as number;
  if (byte < 0x80)
    return byte >= 0x20 ? Number(byte !== 0x7f) : Number(byte === 9 || byte === 10 || byte === 13);
  const size = sizeBy(byte);
  for (let next = 1; next < size; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}

/** By its first byte, in UTF-8; 0 where none begins with it. */
const sizeBy = (byte: number): number =>
  byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;

/** No UTF-8, and nowhere in it as many characters in a row as a value has. Most of what is decoded by chance ends here. */
function isNoise(bytes: Buffer): boolean {
  let [row, isBroken] = [0, false];
  for (let at = 0; at < bytes.length; at++) {
    // Nothing is taken for broken that may be whole: what is left is read properly.
    const size = sizeBy(bytes[at] as number);
    let isWhole = size > 0;
    for (let next = 1; next < size && isWhole; next++) isWhole = ((bytes[at + next] ?? 0) & 0xc0) === 0x80;
    if (isWhole) {
      row += 1;
      at += size - 1;
    } else {
      isBroken = true;
      row = 0;
    }
    if (row >= MIN_CHARS - 1) return false;
  }
  return isBroken;
}

/** Every second byte of a plain text is nothing in UTF-16. Given with the lower byte first; undefined where it is none. */
function wideIn(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 2 * MIN_CHARS) return undefined;
  const empty = [0, 0];
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] === 0) empty[at % 2] = (empty[at % 2] as number) + 1;
  const [first = 0, second = 0] = empty;
  if (Math.max(first, second) * 4 < bytes.length) return undefined;
  return second >= first ? bytes : Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
}
