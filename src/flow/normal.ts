/** A text without what people change when they copy: case, white space, invisible characters, forms of letters. */

const INVISIBLE = /(?:[\s\p{Cf}\p{Zs}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0|[\ufe00-\ufe0f])+/gu;
const PLAIN = /^[!-@[-~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are part of what has one form only.
const ASCII = /^[\u0000-\u007f]*$/;

export function normalized(text: string): string {
  if (PLAIN.test(text)) return text;
  if (ASCII.test(text)) return text.toLowerCase().replace(/\s+/g, "");
  // Letters first: some capitals fold to more than one character.
  return text.normalize("NFKC").toLowerCase().normalize("NFKC").replace(INVISIBLE, "");
}

/** In plain letters and digits, and without characters that are not seen; case and white space stay. */
export const folded = (text: string): string =>
  ASCII.test(text) ? text : text.normalize("NFKC").replace(/\p{Cf}+/gu, "");
