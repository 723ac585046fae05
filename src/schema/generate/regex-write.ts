/** Writes a text that a pattern describes: as few repetitions as it may, more where a length asks for them. */
import type { Term } from "./regex-read.ts";
import { characterOf } from "./regex-sets.ts";

export interface Writing {
  /** Other branches and other characters for each turn. */
  readonly turn: number;
  /** So many characters more than the shortest text, where repetitions allow them. */
  readonly extra: number;
  readonly maxChars: number;
}

/** The text, or `undefined` when it would be too long or a set is empty. */
export function writePattern(
  term: Term,
  writing: Writing,
  spend: (steps: number) => boolean,
): string | undefined {
  const pieces: string[] = [];
  let [length, extra, isLost] = [0, writing.extra, false];

  function write(next: Term): void {
    if (isLost || !spend(1)) {
      isLost = true;
      return;
    }
    if (next.kind === "set") add(characterOf(next.ranges, writing.turn));
    else if (next.kind === "repeat") repeat(next);
    else if (next.kind === "sequence") next.terms.forEach(write);
    else
      next.terms
        .slice(writing.turn % next.terms.length)
        .slice(0, 1)
        .forEach(write);
  }

  function add(character: string | undefined): void {
    if (character === undefined || ++length > writing.maxChars) isLost = true;
    else pieces.push(character);
  }

  function repeat({ term: inner, min, max }: Extract<Term, { kind: "repeat" }>): void {
    for (let times = 0; times < max && !isLost; times++) {
      const isExtra = times >= min;
      if (isExtra && extra <= 0) return;
      const before = length;
      write(inner);
      // What writes nothing once writes nothing ever.
      if (length === before) return;
      if (isExtra) extra -= length - before;
    }
  }

  write(term);
  return isLost ? undefined : pieces.join("");
}
