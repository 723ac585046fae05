/** Finds where texts share a run of characters. Of what is kept only every n-th run of eight is written down; of what is looked up
 *  every run is asked for: whatever is shared over `GRAM + step - 1` characters is found, in time linear in what is looked up. */

export const GRAM = 8;
const BASE = 0x01000193;
/** BASE to the power of GRAM - 1: what the first character of a run weighs. */
const TOP = Array.from({ length: GRAM - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);
/** A run that occurs everywhere leads to a few places only, and to any one text twice at most. */
const MAX_PLACES = 16;
const MAX_PLACES_OF_TEXT = 2;
/** Where more than these lie side by side somebody has made them so. */
const MAX_PROBES = 64;
const NONE = 0;
const FIELDS = 5;
const HASH = 0;
/** The text, and where in it. */
const [TEXT, FROM] = [1, 4];
/** The entry of the same hash before this one. */
const NEXT = 2;
/** What stands on each side of a run. One that is long enough goes on at one side at least: others need not be looked at. */
const SIDES = 3;
/** How far what is looked up is covered by runs with one text: as of which look-up, up to where, how far apart the two lie, and
 *  how many others were looked at. */
const COVERED = 4;
const [OF, END, SHIFT, OTHERS] = [0, 1, 2, 3];
/** Inside a run that is known, a few others with the same text are looked at: it may repeat itself. */
const MAX_SHIFTS = 4;
const MAX_LOOKUPS = 2 ** 31 - 1;

export interface Shared {
  /** The number of the text that was added. */
  readonly text: number;
  /** Where it begins there, and in what was looked up. */
  readonly from: number;
  readonly at: number;
  readonly length: number;
}

export class GramIndex {
  readonly #step: number;
  readonly #texts: string[] = [];
  #size = 0;
  /** By hash, the newest entry of each, and how many there are; entries are counted from 1 on. */
  #heads = new Uint32Array(1024);
  #counts = new Uint8Array(1024);
  #used = 0;
  #entries = 0;
  /** Side by side, since they are read together. */
  #fields = new Uint32Array(512 * FIELDS);
  readonly #sideChars: number;
  /** While something is looked up, for each text that shares a run with it. */
  #covered = new Int32Array(64 * COVERED);
  #lookups = 0;

  constructor(step: number) {
    this.#step = step;
    this.#sideChars = step >> 1;
  }

  get chars(): number {
    return this.#size;
  }

  text(number: number): string {
    return this.#texts[number] ?? "";
  }

  /** Gives the number of the text. */
  add(text: string): number {
    const number = this.#texts.length;
    const step = this.#step;
    this.#texts.push(text);
    /** Runs before this one, for when it leads to too many places already: then its neighbours stand for it. */
    const before = new Uint32Array(16);
    let isWanted = false;
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = rolled(hash, text, at);
      const from = at - GRAM + 1;
      if (from < 0) continue;
      before[from & 15] = hash;
      if (from % step === 0) {
        isWanted = !this.#write(hash >>> 0, from, text, number);
        if (isWanted) this.#writeBefore(before, from, text, number);
      } else if (isWanted) isWanted = !this.#write(hash >>> 0, from, text, number);
    }
    this.#size += text.length;
    return number;
  }

  #writeBefore(hashes: Uint32Array, from: number, text: string, number: number): void {
    for (let back = 1; back < this.#step && back <= from; back++)
      if (this.#write(hashes[(from - back) & 15] as number, from - back, text, number)) return;
  }

  /** Every longest run that a text shares with one that was added, from `least` characters on. */
  find(text: string, least: number): Shared[] {
    const found: Shared[] = [];
    if (this.#entries === 0) return found;
    this.#beginLookup();
    // What is compared in all stays linear, whatever the texts are.
    let left = text.length * 256 + 65_536;
    let hash = 0;
    for (let at = 0; at < text.length && left > 0; at++) {
      hash = rolled(hash, text, at);
      const here = at - GRAM + 1;
      if (here < 0) continue;
      let entry = this.#heads[this.#slotOf(hash >>> 0)] ?? NONE;
      if (entry === NONE) continue;
      const sides = this.#sidesOf(text, here);
      const fields = this.#fields;
      for (; entry !== NONE; entry = fields[entry * FIELDS + NEXT] as number) {
        const differ = (fields[entry * FIELDS + SIDES] as number) ^ sides;
        if (differ >>> 16 !== 0 && (differ & 0xffff) !== 0) continue;
        const number = fields[entry * FIELDS + TEXT] as number;
        const from = fields[entry * FIELDS + FROM] as number;
        if (!this.#isNew(number, here, from - here)) continue;
        const other = this.#texts[number] as string;
        const before = sharedBefore(text, here, other, from);
        const length = before + sharedFrom(text, here, other, from);
        left -= length + GRAM;
        if (length === before) continue;
        const at = here - before;
        this.#cover(number, here, at + length, from - here);
        if (length >= least) found.push({ text: number, from: from - before, at, length });
      }
    }
    return found;
  }

  /** Two sums of 16 bits: of what stands before a run and of what comes after it. */
  #sidesOf(text: string, from: number): number {
    const size = this.#sideChars;
    const [begin, end] = [Math.max(0, from - size), from + GRAM];
    const last = Math.min(text.length, end + size);
    let [left, right] = [from - begin, last - end];
    for (let at = begin; at < from; at++) left = Math.imul(left, 0x6b43) + text.charCodeAt(at);
    for (let at = end; at < last; at++) right = Math.imul(right, 0x6b43) + text.charCodeAt(at);
    return (((left ^ (left >>> 16)) << 16) | ((right ^ (right >>> 16)) & 0xffff)) >>> 0;
  }

  /** Where the entries of a hash begin, or would; -1 where too many others stand already. */
  #slotOf(hash: number): number {
    const [heads, fields] = [this.#heads, this.#fields];
    const mask = heads.length - 1;
    let slot = spread(hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const entry = heads[slot] as number;
      if (entry === NONE || fields[entry * FIELDS + HASH] === hash) return slot;
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
    const newest = this.#heads[slot] as number;
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
    this.#heads[slot] = this.#newEntry();
    const at = this.#entries * FIELDS;
    this.#fields[at + HASH] = hash;
    this.#fields[at + TEXT] = number;
    this.#fields[at + FROM] = from;
    this.#fields[at + NEXT] = newest;
    this.#fields[at + SIDES] = this.#sidesOf(text, from);
    if (newest !== NONE) return true;
    this.#used += 1;
    if (this.#used * 2 > this.#heads.length) this.#grow();
    return true;
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
    this.#counts = new Uint8Array(heads.length * 2);
    for (const [old, entry] of heads.entries()) {
      if (entry === NONE) continue;
      const slot = this.#slotOf(this.#fields[entry * FIELDS + HASH] as number);
      if (slot < 0) continue;
      this.#heads[slot] = entry;
      this.#counts[slot] = counts[old] as number;
    }
  }
}

function rolled(hash: number, text: string, at: number): number {
  const gone = at >= GRAM ? Math.imul(text.charCodeAt(at - GRAM), TOP) : 0;
  return (Math.imul(hash - gone, BASE) + text.charCodeAt(at)) | 0;
}

function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) >>> 0;
}

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
