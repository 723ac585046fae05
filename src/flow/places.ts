/** Where values were said that stand by themselves, so that the same ones are found in other texts. Implements spec/flow.md, FLW-4. */
import { isOwn, runsIn } from "./alone.ts";
import { DEFAULT_MIN_CHARS } from "./model.ts";
import { folded, normalized } from "./normal.ts";
import { NumberIndex } from "./number-index.ts";
import { MIN_DIGITS } from "./numbers.ts";
import { MIN_TOKEN_CHARS } from "./significance.ts";
import type { Said } from "./store.ts";
import type { Work } from "./work.ts";

export interface Same {
  readonly said: Said;
  /** As it was asked for. */
  readonly text: string;
  /** No character of it differs. */
  readonly isExact: boolean;
  /** Where it begins on each side, where that is known. */
  readonly from?: number;
  readonly at?: number;
}

/** A text as it was said, or folded. */
interface Form {
  readonly said: Said;
  readonly text: string;
}

interface Place extends Form {
  readonly from: number;
}

const MAX_SAME = 16;

export class Places {
  readonly #least: number;
  readonly #hasNumbers: boolean;
  readonly #runs = new Map<string, Place[]>();
  /** Of all runs: most that are asked for were never said. */
  readonly #hashes = new Set<number>();
  readonly #numbers = new NumberIndex();
  /** By the numbers of their texts. */
  readonly #forms: Form[] = [];

  constructor(minChars: number) {
    this.#least = Math.max(minChars, MIN_TOKEN_CHARS);
    this.#hasNumbers = minChars <= DEFAULT_MIN_CHARS;
  }

  add(said: Said): void {
    for (const text of formsOf(said.text)) {
      for (const { from, end } of runsIn(text, this.#least)) {
        const run = text.slice(from, end);
        if (isOwn(run)) this.#run(normalized(run), { said, text, from });
      }
      if (this.#hasNumbers && this.#numbers.add(text) !== undefined) this.#forms.push({ said, text });
    }
  }

  /** A text says a value once, however often it stands there. */
  #run(key: string, place: Place): void {
    if (this.#runs.get(key)?.at(-1)?.said === place.said) return;
    push(this.#runs, key, place);
    this.#hashes.add(hashOf(key, 0, key.length));
  }

  /** Each value of a text that was said. */
  find(text: string, work: Work): Same[] {
    const found: Same[] = [];
    if (text.length < MIN_DIGITS && text.length < this.#least) return found;
    for (const form of formsOf(text)) {
      this.#findRuns(form, text, found);
      this.#findNumbers(form, text, found, work);
    }
    return found;
  }

  #findRuns(form: string, text: string, found: Same[]): void {
    if (this.#runs.size === 0) return;
    let seen: Set<string> | undefined;
    for (const { from: at, end } of runsIn(form, this.#least)) {
      if (!this.#mayHold(form, at, end)) continue;
      const run = form.slice(at, end);
      seen ??= new Set();
      if (seen.has(run)) continue;
      seen.add(run);
      for (const place of this.#runs.get(normalized(run)) ?? [])
        found.push(sameAt(place, run.length, { form, at, end }, text));
    }
  }

  #mayHold(text: string, from: number, end: number): boolean {
    const hash = hashOf(text, from, end);
    return hash === UNKNOWN || this.#hashes.has(hash);
  }

  #findNumbers(form: string, text: string, found: Same[], work: Work): void {
    for (const { text: number, from, over, at, end } of this.#numbers.find(form, work)) {
      const place = { ...(this.#forms[number] as Form), from };
      found.push(sameAt(place, over - from, { form, at, end }, text));
    }
  }
}

interface Asked {
  readonly form: string;
  readonly at: number;
  readonly end: number;
}

function sameAt(place: Place, length: number, { form, at, end }: Asked, text: string): Same {
  const { said, from } = place;
  const isAsIs = form === text && place.text === said.text;
  const isExact = isAsIs && length === end - at && said.text.startsWith(form.slice(at, end), from);
  return { said, text: form.slice(at, end), isExact, ...(isAsIs ? { from, at } : {}) };
}

/** What is not plain may be written in many ways. */
const UNKNOWN = -1;

/** Blind to case. */
function hashOf(text: string, from: number, end: number): number {
  let hash = 0;
  for (let at = from; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 128) return UNKNOWN;
    hash = (Math.imul(hash, 31) + (unit >= 65 && unit <= 90 ? unit + 32 : unit)) | 0;
  }
  return hash & 0x3fffffff;
}

/** As it is, and in plain letters and digits where it is written in others. */
function formsOf(text: string): readonly string[] {
  const plain = folded(text);
  return plain === text ? [text] : [text, plain];
}

function push(map: Map<string, Place[]>, key: string, place: Place): void {
  const list = map.get(key);
  if (!list) map.set(key, [place]);
  else if (list.length < MAX_SAME) list.push(place);
}
