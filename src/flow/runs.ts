/** Texts, and which runs of characters another one shares with them. A short run counts only where it is all of one of the two, or
 *  where something is in it that nobody writes by chance; so two long texts are compared by long runs, of which few are kept. */
import { GramIndex, type Part, type Shared } from "./grams.ts";
import { GRAM, gramsOf } from "./hashes.ts";
import type { Work } from "./work.ts";

export class RunIndex {
  readonly #least: number;
  readonly #partial: number;
  readonly #texts: string[] = [];
  #chars = 0;
  /** Of short texts. */
  readonly #brief: GramIndex;
  /** Of long texts, to compare with short ones and with long ones. */
  readonly #fine: GramIndex;
  readonly #coarse: GramIndex;

  /** Runs count from `least` characters on, or from `partial` on where they are part of both texts. */
  constructor(least: number, partial: number) {
    this.#least = least;
    this.#partial = partial;
    this.#fine = new GramIndex(least - GRAM + 1, this.#texts);
    this.#brief = new GramIndex(least - GRAM + 1, this.#texts);
    this.#coarse = new GramIndex(partial - GRAM + 1, this.#texts);
  }

  get chars(): number {
    return this.#chars;
  }

  text(number: number): string {
    return this.#texts[number] ?? "";
  }

  add(text: string): void {
    const number = this.#texts.push(text) - 1;
    this.#chars += text.length;
    const grams = gramsOf(text, roomFor(text));
    if (this.#isBrief(text)) return this.#brief.add(number, grams);
    this.#fine.add(number, grams);
    this.#coarse.add(number, grams);
  }

  /** `parts` are where a short run counts as well. A run may be given twice. */
  find(text: string, work: Work, parts: readonly Part[] = []): Shared[] {
    const grams = gramsOf(text, roomFor(text));
    // What is compared in all stays linear, whatever the texts are.
    const allowed = { left: text.length * COMPARED_OF_CHAR + SPARE };
    const found = [this.#brief.find(text, grams, this.#least, work, allowed)];
    if (this.#isBrief(text)) found.push(this.#fine.find(text, grams, this.#least, work, allowed));
    else {
      found.push(this.#coarse.find(text, grams, this.#partial, work, allowed));
      for (const part of joined(parts, this.#least))
        found.push(this.#fine.find(text, grams, this.#least, work, allowed, part));
    }
    return found.flat();
  }

  /** White space around it does not count. */
  #isBrief(text: string): boolean {
    return text.trim().length < this.#partial;
  }
}

const [COMPARED_OF_CHAR, SPARE] = [1024, 64 * 1024];

/** Grams are used up before others are made, so they share a room; what is larger gets its own. */
const ROOM = new Uint32Array(16 * 1024);
const roomFor = ({ length }: string): Uint32Array | undefined => (length <= ROOM.length ? ROOM : undefined);

/** Parts with what stands up to so many characters before them; those that meet are one. */
function joined(parts: readonly Part[], before: number): Part[] {
  const found: { from: number; end: number }[] = [];
  for (const { from, end } of parts) {
    const last = found.at(-1);
    const begin = Math.max(0, from - before);
    if (last && begin <= last.end) last.end = end;
    else found.push({ from: begin, end });
  }
  return found;
}
