/** Finds where texts share a run of characters. Of what is kept only every n-th run of eight is written down; of what is looked up
 *  every run is asked for: whatever is shared over `GRAM + step - 1` characters is found, in time linear in what is looked up. */
import { GRAM, type Grams } from "./hashes.ts";
import type { Work } from "./work.ts";

/** A run that occurs everywhere leads to a few places only, and to any one text twice at most. */
const MAX_PLACES = 8;
const MAX_PLACES_OF_TEXT = 2;
/** Where more than these lie side by side somebody has made them so. */
const MAX_PROBES = 64;
const NONE = 0;
/** By hash, the newest entry of it; entries are counted from 1 on. */
const [HEAD, NEWEST, HASH] = [2, 0, 1];
const FIELDS = 4;
/** The text, and where in it. */
const [TEXT, FROM] = [0, 1];
/** The entry of the same hash before this one. */
const NEXT = 2;
/** A few bits of each character on both sides of a run, the nearest lowest: how far it may go on is told by them, and where that is
 *  not far enough nothing else needs to be looked at. */
const SIDES = 3;
const SIDE_BITS = 16;
/** How far what is looked up is covered by runs with one text: as of which look-up, up to where, how far apart the two lie, and
 *  how many others were looked at. */
const COVERED = 4;
const [OF, END, SHIFT, OTHERS] = [0, 1, 2, 3];
/** Inside a run that is known, a few others with the same text are looked at: it may repeat itself. */
const MAX_SHIFTS = 4;
const MAX_LOOKUPS = 2 ** 31 - 1;
/** What a comparison costs beside its characters. */
const COMPARE_CHARS = 32;

export interface Shared {
  /** The number of the text that was added. */
  readonly text: number;
  /** Where it begins there, and in what was looked up. */
  readonly from: number;
  readonly at: number;
  readonly length: number;
}

/** Where eight characters have to begin to be looked up. */
export interface Part {
  readonly from: number;
  readonly end: number;
}

export class GramIndex {
  readonly #step: number;
  /** Several indexes may be made of the same texts, each of some of them. */
  readonly #texts: readonly string[];
  #heads = new Uint32Array(1024 * HEAD);
  /** How many entries each hash has. */
  #counts = new Uint8Array(1024);
  /** Two bits for each hash that is there, and for a few that are not: small enough to be asked first. */
  #marks = new Uint32Array(256);
  #used = 0;
  #entries = 0;
  /** Side by side, since they are read together. */
  #fields = new Uint32Array(512 * FIELDS);
  /** How many characters a run of interest has beside the eight, on both sides together, and how many are known on each. */
  readonly #beside: number;
  readonly #sideChars: number;
  readonly #charBits: number;
  /** While something is looked up, for each text that shares a run with it. */
  #covered = new Int32Array(64 * COVERED);
  #lookups = 0;

  constructor(step: number, texts: readonly string[]) {
    this.#step = step;
    this.#texts = texts;
    this.#beside = step - 1;
    this.#sideChars = Math.min(this.#beside, SIDE_BITS / 2);
    this.#charBits = Math.floor(SIDE_BITS / Math.max(1, this.#sideChars));
  }

  add(number: number, grams: Grams): void {
    const text = this.#texts[number] as string;
    const step = this.#step;
    // Where a run leads to too many places already its neighbours stand for it.
    let isWanted = false;
    for (let from = 0; from < grams.length; from++) {
      if (from % step === 0) {
        isWanted = !this.#write(grams[from] as number, from, text, number);
        if (isWanted) this.#writeBefore(grams, from, text, number);
      } else if (isWanted) isWanted = !this.#write(grams[from] as number, from, text, number);
    }
  }

  #writeBefore(grams: Grams, from: number, text: string, number: number): void {
    for (let back = 1; back < this.#step && back <= from; back++)
      if (this.#write(grams[from - back] as number, from - back, text, number)) return;
  }

  /** Every longest run of at least so many characters that a text shares with one that was added; in a part of it, those with eight
   *  characters that begin there. */
  find(
    text: string,
    grams: Grams,
    least: number,
    work: Work,
    allowed: { left: number },
    { from: begin, end }: Part = { from: 0, end: grams.length },
  ): Shared[] {
    const runs: Shared[] = [];
    if (this.#entries === 0) return runs;
    this.#beginLookup();
    const marks = this.#marks;
    const mask = marks.length - 1;
    const last = Math.min(grams.length, end);
    const most = Math.min(allowed.left, work.compared);
    let left = most;
    for (let here = begin; here < last && left > 0; here++) {
      const hash = grams[here] as number;
      const bits = markOf(hash);
      if (((marks[(hash >>> 7) & mask] as number) & bits) !== bits) continue;
      const slot = this.#slotOf(hash);
      if (slot < 0) continue;
      let entry = this.#heads[slot * HEAD + NEWEST] as number;
      if (entry === NONE) continue;
      const sides = this.#sidesOf(text, here);
      const fields = this.#fields;
      for (; entry !== NONE; entry = fields[entry * FIELDS + NEXT] as number) {
        if (!this.#goesOn((fields[entry * FIELDS + SIDES] as number) ^ sides)) continue;
        const number = fields[entry * FIELDS + TEXT] as number;
        const from = fields[entry * FIELDS + FROM] as number;
        if (!this.#isNew(number, here, from - here)) continue;
        const other = this.#texts[number] as string;
        const before = sharedBefore(text, here, other, from);
        const length = before + sharedFrom(text, here, other, from);
        left -= length + COMPARE_CHARS;
        if (length === before) continue;
        const at = here - before;
        this.#cover(number, here, at + length, from - here);
        if (length >= least) runs.push({ text: number, from: from - before, at, length });
      }
    }
    allowed.left -= most - left;
    work.compared -= most - left;
    if (left <= 0) work.leave("text that repeats itself");
    return runs;
  }

  #sidesOf(text: string, from: number): number {
    const bits = this.#charBits;
    const mask = (1 << bits) - 1;
    const [size, end] = [this.#sideChars, from + GRAM];
    let [left, right] = [0, 0];
    for (let far = size - 1; far >= 0; far--) {
      left = (left << bits) | (from > far ? mixed(text.charCodeAt(from - 1 - far)) & mask : 0);
      right = (right << bits) | (end + far < text.length ? mixed(text.charCodeAt(end + far)) & mask : 0);
    }
    return ((right << SIDE_BITS) | left) >>> 0;
  }

  /** Whether a run goes on far enough, by the bits in which its sides differ. */
  #goesOn(differ: number): boolean {
    const [left, right] = [differ & 0xffff, differ >>> SIDE_BITS];
    return left === 0 || right === 0 || this.#same(left) + this.#same(right) >= this.#beside;
  }

  /** How many characters are the same up to the first that is not. */
  #same(differ: number): number {
    return Math.trunc((31 - Math.clz32(differ & -differ)) / this.#charBits);
  }

  /** Where the entries of a hash begin, or would; -1 where too many others stand already. */
  #slotOf(hash: number): number {
    const heads = this.#heads;
    const mask = this.#counts.length - 1;
    let slot = hash & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      if (heads[slot * HEAD + NEWEST] === NONE || heads[slot * HEAD + HASH] === hash) return slot;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  #beginLookup(): void {
    const size = this.#texts.length * COVERED;
    this.#lookups += 1;
    if (this.#covered.length >= size && this.#lookups < MAX_LOOKUPS) return;
    this.#covered = new Int32Array(size * 2);
    this.#lookups = 1;
  }

  /** Inside a run that is known only a few others are looked at. */
  #isNew(number: number, here: number, shift: number): boolean {
    const covered = this.#covered;
    const own = number * COVERED;
    if (covered[own + OF] !== this.#lookups || here >= (covered[own + END] as number)) return true;
    if (covered[own + SHIFT] === shift || (covered[own + OTHERS] as number) >= MAX_SHIFTS) return false;
    covered[own + OTHERS] = (covered[own + OTHERS] as number) + 1;
    return true;
  }

  #cover(number: number, here: number, end: number, shift: number): void {
    const covered = this.#covered;
    const own = number * COVERED;
    const isKnown = covered[own + OF] === this.#lookups;
    if (isKnown && end <= (covered[own + END] as number)) return;
    if (!isKnown || here >= (covered[own + END] as number)) covered[own + OTHERS] = 0;
    covered[own + OF] = this.#lookups;
    covered[own + END] = end;
    covered[own + SHIFT] = shift;
  }

  /** Whether the place is written down. */
  #write(hash: number, from: number, text: string, number: number): boolean {
    const slot = this.#slotOf(hash);
    if (slot < 0) return false;
    const newest = this.#heads[slot * HEAD + NEWEST] as number;
    const fields = this.#fields;
    // The newest come first, so those of this text do.
    let entry = newest;
    for (let own = 0; entry !== NONE && fields[entry * FIELDS + TEXT] === number; own++) {
      if (fields[entry * FIELDS + FROM] === from) return true;
      if (own + 1 >= MAX_PLACES_OF_TEXT) return false;
      entry = fields[entry * FIELDS + NEXT] as number;
    }
    if ((this.#counts[slot] as number) >= MAX_PLACES) return false;
    this.#counts[slot] = (this.#counts[slot] as number) + 1;
    this.#heads[slot * HEAD + NEWEST] = this.#newEntry();
    this.#heads[slot * HEAD + HASH] = hash;
    const at = this.#entries * FIELDS;
    this.#fields[at + TEXT] = number;
    this.#fields[at + FROM] = from;
    this.#fields[at + NEXT] = newest;
    this.#fields[at + SIDES] = this.#sidesOf(text, from);
    if (newest !== NONE) return true;
    this.#mark(hash);
    this.#used += 1;
    if (this.#used * 2 > this.#counts.length) this.#grow();
    return true;
  }

  #mark(hash: number): void {
    const at = (hash >>> 7) & (this.#marks.length - 1);
    this.#marks[at] = (this.#marks[at] as number) | markOf(hash);
  }

  #newEntry(): number {
    this.#entries += 1;
    if ((this.#entries + 1) * FIELDS > this.#fields.length) {
      const longer = new Uint32Array(this.#fields.length * 2);
      longer.set(this.#fields);
      this.#fields = longer;
    }
    return this.#entries;
  }

  #grow(): void {
    const [heads, counts] = [this.#heads, this.#counts];
    this.#heads = new Uint32Array(heads.length * 2);
    this.#counts = new Uint8Array(counts.length * 2);
    this.#marks = new Uint32Array(this.#marks.length * 2);
    for (let old = 0; old < counts.length; old++) {
      const newest = heads[old * HEAD + NEWEST] as number;
      if (newest === NONE) continue;
      const hash = heads[old * HEAD + HASH] as number;
      const slot = this.#slotOf(hash);
      if (slot < 0) continue;
      this.#mark(hash);
      this.#heads[slot * HEAD + NEWEST] = newest;
      this.#heads[slot * HEAD + HASH] = hash;
      this.#counts[slot] = counts[old] as number;
    }
  }
}

/** Two bits of one word. */
const markOf = (hash: number): number => (1 << (hash & 31)) | (1 << (hash >>> 27));

/** Letters that follow one another in the alphabet are not to be alike in their lowest bits. */
const mixed = (unit: number): number => (Math.imul(unit, 0x9e37) >>> 8) ^ unit;

function sharedBefore(text: string, here: number, other: string, from: number): number {
  const most = Math.min(here, from);
  let size = 0;
  while (size < most && text.charCodeAt(here - size - 1) === other.charCodeAt(from - size - 1)) size += 1;
  return size;
}

function sharedFrom(text: string, here: number, other: string, from: number): number {
  const most = Math.min(text.length - here, other.length - from);
  let size = 0;
  while (size < most && text.charCodeAt(here + size) === other.charCodeAt(from + size)) size += 1;
  return size;
}
