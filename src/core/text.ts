/** Foreign text made fit for a terminal or a message: no control character acts, no length surprises. */

// Control characters, bidirectional overrides, invisible and tag characters: shown by number, never sent to a terminal.
const UNSAFE = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** One line of printable text. Attacker-controlled bytes become `\u{…}`; what is cut off is counted. */
export function shown(text: string, maxChars = 400): string {
  const cut = text.length > maxChars ? text.slice(0, maxChars) : text;
  const safe = cut.replace(UNSAFE, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
  return text.length > maxChars ? `${safe}… (+${text.length - maxChars} characters)` : safe;
}

/** A URL without what may be a secret there, its user and what stands behind its path; any other text as it is. */
export function urlTold(text: string): string {
  const [, scheme, user, place, behind] = /^(https?:\/\/)([^/?#]*@)?([^?#]*)([?#].*)?$/is.exec(text) ?? [];
  if (scheme === undefined) return text;
  return `${scheme}${user ? "…@" : ""}${place}${behind ? "?…" : ""}`;
}

/** A count with its noun: `1 tool`, `3 tools`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}
