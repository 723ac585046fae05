/** Where numbers were said, found by what they begin with. Side by side, since a table holds many. */
import { beginningsIn, sameNumber } from "./numbers.ts";

const FIELDS = 4;
/** The text, where in it, the place before this one that begins in the same way, and how many such places there are. */
const [TEXT, FROM, NEXT, COUNT] = [0, 1, 2, 3];
/** Numbers that begin in the same way may still be others. */
const MAX_SAME = 64;

export interface SharedNumber {
  /** The number of the text that was added. */
  readonly text: number;
  /** Where it stands there, and in what was looked up. */
  readonly from: number;
  readonly over: number;
  readonly at: number;
  readonly end: number;
}

export class NumberIndex {
  readonly #texts: string[] = [];
  /** The newest place of each beginning; places are counted from 1 on. */
  readonly #newest = new Map<number, number>();
  #fields = new Uint32Array(64 * FIELDS);
  #size = 0;

  /** Gives the number of the text; nothing where no number begins in it. */
  add(text: string): number | undefined {
    const beginnings = beginningsIn(text);
    if (beginnings.length === 0) return undefined;
    const number = this.#texts.push(text) - 1;
    for (const { at, key } of beginnings) this.#write(key, number, at);
    return number;
  }

  find(text: string): SharedNumber[] {
    const found: SharedNumber[] = [];
    if (this.#size === 0) return found;
    // The same number of the same text is told once.
    let seen: Set<string> | undefined;
    let over = 0;
    const fields = this.#fields;
    for (const { at, key } of beginningsIn(text)) {
      // What stands inside of one that is known is told by it.
      if (at < over) continue;
      for (
        let place = this.#newest.get(key) ?? 0;
        place > 0;
        place = fields[place * FIELDS + NEXT] as number
      ) {
        const number = fields[place * FIELDS + TEXT] as number;
        const from = fields[place * FIELDS + FROM] as number;
        const same = sameNumber(text, at, this.#texts[number] as string, from);
        if (!same) continue;
        over = Math.max(over, same.end);
        const name = `${number} ${text.slice(at, same.end)}`;
        seen ??= new Set();
        if (seen.has(name)) continue;
        seen.add(name);
        found.push({ text: number, from, over: same.otherEnd, at, end: same.end });
      }
    }
    return found;
  }

  #write(key: number, number: number, from: number): void {
    const before = this.#newest.get(key) ?? 0;
    const count = before === 0 ? 0 : (this.#fields[before * FIELDS + COUNT] as number);
    if (count >= MAX_SAME) return;
    this.#size += 1;
    if ((this.#size + 1) * FIELDS > this.#fields.length) {
      const longer = new Uint32Array(this.#fields.length * 2);
      longer.set(this.#fields);
      this.#fields = longer;
    }
    this.#fields.set([number, from, before, count + 1], this.#size * FIELDS);
    this.#newest.set(key, this.#size);
  }
}
