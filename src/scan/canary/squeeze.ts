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

/** How many squeezed bytes lie between two places that are kept. */
const STEP = 1024;

/** Where squeezed bytes from `start` up to `end` stand in the text they come from. The text is walked through once, however
 *  many places are asked for. */
export function unsqueezed(text: string): (start: number, end: number) => { start: number; end: number } {
  let marks: readonly number[] | undefined;
  const placeOf = (wanted: number): number | undefined => {
    marks ??= marksOf(text);
    let seen = Math.floor(wanted / STEP) * STEP;
    for (let index = marks[seen / STEP] ?? text.length; index < text.length; index++)
      if (kept(text.charCodeAt(index)) !== 0 && seen++ === wanted) return index;
    return undefined;
  };
  return (start, end) => {
    const last = placeOf(end - 1);
    return { start: placeOf(start) ?? 0, end: last === undefined ? text.length : last + 1 };
  };
}

/** The place of every byte whose number is a multiple of `STEP`. */
function marksOf(text: string): number[] {
  const marks: number[] = [];
  let seen = 0;
  for (let index = 0; index < text.length; index++)
    if (kept(text.charCodeAt(index)) !== 0 && seen++ % STEP === 0) marks.push(index);
  return marks;
}
