/** A text without what people change when they copy: case, white space, invisible characters, forms of letters and marks on them. */

const INVISIBLE =
  /(?:[\s\p{Cf}\p{Zs}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])+/gu;
const PLAIN = /^[!-@[-~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are part of what has one form only.
const ASCII = /^[\u0000-\u007f]*$/;

/** Marks that any letter may carry. Those that are letters of their script stay. */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g;

export function normalized(text: string): string {
  if (PLAIN.test(text)) return text;
  if (ASCII.test(text)) return text.toLowerCase().replace(/\s+/g, "");
  // Letters first: some capitals fold to more than one character.
  return inPlainForm(inPlainForm(text).toLowerCase()).replace(INVISIBLE, "");
}

/** In plain letters and digits, and without characters that are not seen; case and white space stay. */
export const folded = (text: string): string =>
  ASCII.test(text)
    ? text
    : inPlainForm(text).replace(/(?:\p{Cf}|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])+/gu, "");

const inPlainForm = (text: string): string => text.normalize("NFKD").replace(MARKS, "").normalize("NFKC");
