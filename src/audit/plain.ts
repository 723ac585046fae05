/** Texts that stand in an entry as they are: what ids and digests are made of. JSON writes them as they are, and they have nothing to hide. */

declare const isPlain: unique symbol;
/** Digits, small letters and hyphens, no more of them than a text of an entry may have. */
export type Plain = string & { readonly [isPlain]: true };

const PLAIN = /^[0-9a-z-]{0,512}$/;

export function plain(text: string): Plain {
  if (!PLAIN.test(text))
    throw new RangeError(`${JSON.stringify(text)} is more than a few digits, small letters and hyphens`);
  return text as Plain;
}
