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
/** Inside a run that is known, a few others with the same text are looked at: it may repeat itself. */
const MAX_SHIFTS = 4;

export interface Shared {
  /** The number of the text that was added. */
  readonly text: number;
  /** Where it begins there, and in what was looked up. */
  readonly from: number;
  readonly at: number;
  readonly length: number;
}

/** How far what is looked up is covered by runs with one text. */
interface Covered {
  end: number;
  shift: number;
  others: number;
}

export class GramIndex {
  readonly #step: number;
  readonly #texts: string[] = [];
  readonly #starts: number[] = [];
  #size = 0;
  /** By hash, the first entry of each; entries are counted from 1 on. */
  #heads = new Uint32Array(1024);
  #used = 0;
  #entries = 0;
  #hashes = new Uint32Array(512);
  #places = new Uint32Array(512);
  /** The next entry of the same hash. */
  #nexts = new Uint32Array(512);
  /** What stands on each side of a run. One that is long enough goes on at one side at least: others need not be looked at. */
  #sides = new Uint32Array(512);
  readonly #sideChars: number;

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
    const start = this.#size;
    const step = this.#step;
    this.#texts.push(text);
    this.#starts.push(start);
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
        isWanted = !this.#write(hash >>> 0, from, text, start);
        if (isWanted) this.#writeBefore(before, from, text, start);
      } else if (isWanted) isWanted = !this.#write(hash >>> 0, from, text, start);
    }
    this.#size += text.length;
    return number;
  }

  #writeBefore(hashes: Uint32Array, from: number, text: string, start: number): void {
    for (let back = 1; back < this.#step && back <= from; back++)
      if (this.#write(hashes[(from - back) & 15] as number, from - back, text, start)) return;
  }

  /** Every longest run that a text shares with one that was added, from `least` characters on. */
  find(text: string, least: number): Shared[] {
    const found: Shared[] = [];
    if (this.#entries === 0) return found;
    const covered = new Map<number, Covered>();
    // What is compared in all stays linear, whatever the texts are.
    let left = text.length * 256 + 65_536;
    let hash = 0;
    for (let at = 0; at < text.length && left > 0; at++) {
      hash = rolled(hash, text, at);
      const here = at - GRAM + 1;
      if (here < 0) continue;
      let entry = this.#first(hash >>> 0);
      if (entry === NONE) continue;
      const sides = this.#sidesOf(text, here);
      for (; entry !== NONE; entry = this.#nexts[entry] as number) {
        const differ = (this.#sides[entry] as number) ^ sides;
        if (differ >>> 16 !== 0 && (differ & 0xffff) !== 0) continue;
        const run = this.#runAt(text, here, this.#places[entry] as number, covered);
        if (!run) continue;
        left -= run.length + GRAM;
        if (run.length >= least) found.push(run);
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

  /** The first entry of a hash. */
  #first(hash: number): number {
    const heads = this.#heads;
    const mask = heads.length - 1;
    let slot = spread(hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const entry = heads[slot] as number;
      if (entry === NONE || this.#hashes[entry] === hash) return entry;
      slot = (slot + 1) & mask;
    }
    return NONE;
  }

  #runAt(text: string, here: number, place: number, covered: Map<number, Covered>): Shared | undefined {
    const number = this.#textAt(place);
    const from = place - (this.#starts[number] as number);
    const known = covered.get(number);
    if (known && here < known.end) {
      if (known.shift === from - here || known.others >= MAX_SHIFTS) return undefined;
      known.others += 1;
    }
    const run = this.#extend(text, here, number, from);
    const end = run.at + run.length;
    if (!known) covered.set(number, { end, shift: from - here, others: 0 });
    else if (end > known.end) {
      if (here >= known.end) known.others = 0;
      known.end = end;
      known.shift = from - here;
    }
    return run;
  }

  #extend(text: string, here: number, number: number, from: number): Shared {
    const other = this.#texts[number] as string;
    const mostLeft = Math.min(here, from);
    let left = 0;
    while (left < mostLeft && text.charCodeAt(here - left - 1) === other.charCodeAt(from - left - 1))
      left += 1;
    const mostRight = Math.min(text.length - here, other.length - from);
    let right = 0;
    while (right < mostRight && text.charCodeAt(here + right) === other.charCodeAt(from + right)) right += 1;
    return { text: number, from: from - left, at: here - left, length: right === 0 ? 0 : left + right };
  }

  /** The text that a place lies in, by halving. */
  #textAt(place: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Whether the place is written down; `start` is where its text begins. */
  #write(hash: number, from: number, text: string, start: number): boolean {
    const place = start + from;
    const first = this.#first(hash);
    if (first === NONE) return this.#writeFirst(hash, place, this.#sidesOf(text, from));
    let [same, own, last] = [0, 0, first];
    for (let entry = first; entry !== NONE; entry = this.#nexts[entry] as number) {
      const known = this.#places[entry] as number;
      if (known === place) return true;
      same += 1;
      if (known >= start) own += 1;
      last = entry;
    }
    if (same >= MAX_PLACES || own >= MAX_PLACES_OF_TEXT) return false;
    const entry = this.#entry(hash, place, this.#sidesOf(text, from));
    this.#nexts[last] = entry;
    return true;
  }

  #writeFirst(hash: number, place: number, sides: number): boolean {
    if (this.#used * 2 >= this.#heads.length) this.#grow();
    const slot = freeSlot(this.#heads, hash);
    if (slot < 0) return false;
    const entry = this.#entry(hash, place, sides);
    this.#heads[slot] = entry;
    this.#used += 1;
    return true;
  }

  #entry(hash: number, place: number, sides: number): number {
    this.#entries += 1;
    if (this.#entries >= this.#places.length) {
      this.#hashes = doubled(this.#hashes);
      this.#places = doubled(this.#places);
      this.#nexts = doubled(this.#nexts);
      this.#sides = doubled(this.#sides);
    }
    this.#hashes[this.#entries] = hash;
    this.#places[this.#entries] = place;
    this.#sides[this.#entries] = sides;
    return this.#entries;
  }

  #grow(): void {
    const old = this.#heads;
    this.#heads = new Uint32Array(old.length * 2);
    for (const entry of old) {
      if (entry === NONE) continue;
      const slot = freeSlot(this.#heads, this.#hashes[entry] as number);
      if (slot >= 0) this.#heads[slot] = entry;
    }
  }
}

/** Where a hash that is not there yet may stand; -1 where too many stand already. */
function freeSlot(heads: Uint32Array, hash: number): number {
  const mask = heads.length - 1;
  let slot = spread(hash) & mask;
  for (let probes = 0; probes < MAX_PROBES; probes++) {
    if (heads[slot] === NONE) return slot;
    slot = (slot + 1) & mask;
  }
  return -1;
}

function doubled(list: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(list.length * 2);
  longer.set(list);
  return longer;
}

function rolled(hash: number, text: string, at: number): number {
  const gone = at >= GRAM ? Math.imul(text.charCodeAt(at - GRAM), TOP) : 0;
  return (Math.imul(hash - gone, BASE) + text.charCodeAt(at)) | 0;
}

function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) >>> 0;
}
