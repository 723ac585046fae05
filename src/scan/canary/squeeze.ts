/** A text with nothing left but its letters and digits, in lower case, as bytes: case, white space, separators and characters
 *  nobody sees fall away. */

const KEEP = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 65 && code <= 90) return code + 32;
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) ? code : 0;
});

/** The byte a UTF-16 unit is kept as, or 0. Full-width letters are read as what they look like. */
function kept(code: number): number {
  if (code < 128) return KEEP[code] ?? 0;
  return code >= 0xff01 && code <= 0xff5e ? (KEEP[code - 0xfee0] ?? 0) : 0;
}

export function squeezed(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const byte = kept(text.charCodeAt(index));
    if (byte !== 0) bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** Where the squeezed bytes from `start` up to `end` stand in the text they come from. */
export function unsqueezed(text: string, start: number, end: number): { start: number; end: number } {
  const span = { start: 0, end: text.length };
  let seen = 0;
  for (let index = 0; index < text.length; index++) {
    if (kept(text.charCodeAt(index)) === 0) continue;
    if (seen === start) span.start = index;
    if (++seen === end) {
      span.end = index + 1;
      break;
    }
  }
  return span;
}
