/** Where numbers were said, found by what they begin with. Side by side, since a table holds many. */
import { beginningsIn, CHARS_AFTER, CHARS_BEFORE, sameNumber } from "./numbers.ts";
import type { Work } from "./work.ts";

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
    for (const { at, key } of beginnings)
      if (!this.#repeats(key, text, number, at)) this.#write(key, number, at);
    return number;
  }

  find(text: string, work: Work): SharedNumber[] {
    const found: SharedNumber[] = [];
    if (this.#size === 0) return found;
    // What repeats itself comes to the same: how far it is known by what is there already.
    const repeats = new Map<string, number>();
    // The same number of the same text is told once.
    let seen: Set<string> | undefined;
    let over = 0;
    const fields = this.#fields;
    for (const { at, key } of beginningsIn(text)) {
      // What stands inside of one that is known is told by it.
      if (at < over) continue;
      const newest = this.#newest.get(key) ?? 0;
      if (newest === 0) continue;
      const around = surroundings(text, at);
      const known = repeats.get(around);
      if (known !== undefined) {
        over = Math.max(over, at + known);
        continue;
      }
      if (work.steps <= 0) {
        work.leave("numbers that are nearly alike");
        break;
      }
      for (let place = newest; place > 0; place = fields[place * FIELDS + NEXT] as number) {
        const number = fields[place * FIELDS + TEXT] as number;
        const from = fields[place * FIELDS + FROM] as number;
        const same = sameNumber(text, at, this.#texts[number] as string, from, work);
        if (!same) continue;
        over = Math.max(over, same.end);
        const name = `${number} ${text.slice(at, same.end)}`;
        seen ??= new Set();
        if (seen.has(name)) continue;
        seen.add(name);
        found.push({ text: number, from, over: same.otherEnd, at, end: same.end });
      }
      repeats.set(around, Math.max(0, over - at));
    }
    return found;
  }

  /** Whether what begins in the same way stands before it in the same text, with the same around it. */
  #repeats(key: number, text: string, number: number, at: number): boolean {
    const newest = (this.#newest.get(key) ?? 0) * FIELDS;
    if (newest === 0 || this.#fields[newest + TEXT] !== number) return false;
    return surroundings(text, at) === surroundings(text, this.#fields[newest + FROM] as number);
  }

  /** Where it leads to enough places already it is left out. */
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

/** All that is looked at where a number may begin. */
const surroundings = (text: string, at: number): string =>
  text.slice(Math.max(0, at - CHARS_BEFORE), at + CHARS_AFTER);
