/** Stretches of a text that are no speech of the server's, and the text without them. */

/** By indexes of the text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Which stretches of a text, as it stands or as it can be read, are nothing the server says itself. */
export type Excuse = (text: string) => readonly Stretch[];

/** In the order of the text, without overlaps, and no character in two. */
export function apart<T extends Stretch>(text: string, stretches: readonly T[]): T[] {
  const kept: T[] = [];
  let last = 0;
  for (const stretch of [...stretches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    // Two that meet are told by the longer one; of the other only what lies behind is left.
    const start = Math.max(stretch.start, last);
    if (start >= stretch.end) continue;
    kept.push({ ...stretch, ...wholeCharacters(text, start, stretch.end) });
    last = stretch.end;
  }
  return kept;
}

/** What the server says itself, at the same places as before. */
export const withoutExcused = (text: string, excuse: Excuse): string =>
  blanked(text, apart(text, excuse(text)), "bytes");

/** The text with blanks in place of what is excused: as many bytes, so that offsets stay true, or as many characters where it is
 *  a view, whose way back counts those. */
export function blanked(text: string, stretches: readonly Stretch[], unit: "bytes" | "characters"): string {
  let [own, last] = ["", 0];
  for (const { start, end } of stretches) {
    const size = unit === "bytes" ? Buffer.byteLength(text.slice(start, end)) : end - start;
    // Full stops at both ends, so that what stands before and behind is not read as one sentence.
    own += text.slice(last, start) + (size < 2 ? ".".repeat(size) : `.${" ".repeat(size - 2)}.`);
    last = end;
  }
  return own + text.slice(last);
}

/** An echo may end inside a surrogate pair, where the server goes on with a neighbour of that character. */
function wholeCharacters(text: string, start: number, end: number): { start: number; end: number } {
  const splits = (index: number): boolean =>
    (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
  return { start: splits(start) ? start + 1 : start, end: splits(end) ? end - 1 : end };
}
