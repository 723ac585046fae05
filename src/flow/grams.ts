/** Finds where texts share a run of characters. Of what is kept only every n-th run of eight is written down; of what is looked up
 *  every run is asked for: whatever is shared over `GRAM + step - 1` characters is found, in time linear in what is looked up. */

const GRAM = 8;
const BASE = 0x01000193;
/** BASE to the power of GRAM - 1: what the first character of a run weighs. */
const TOP = Array.from({ length: GRAM - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);
/** A run that occurs everywhere leads to a few places only, and to any one text twice at most. */
const MAX_PLACES = 24;
const MAX_PLACES_OF_TEXT = 2;
const FREE = 0xffffffff;

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
  readonly #starts: number[] = [];
  #size = 0;
  #entries = 0;
  #hashes = new Uint32Array(1024);
  #places = new Uint32Array(1024).fill(FREE);

  constructor(step: number) {
    this.#step = step;
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
    this.#texts.push(text);
    this.#starts.push(this.#size);
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = rolled(hash, text, at);
      const from = at - GRAM + 1;
      if (from >= 0 && from % this.#step === 0) this.#write(hash >>> 0, this.#size + from, number);
    }
    this.#size += text.length;
    return number;
  }

  /** Every longest run that a text shares with one that was added, from `least` characters on. `budget` bounds what is compared. */
  find(text: string, least: number, budget: { left: number }): Shared[] {
    const found: Shared[] = [];
    /** How far the text is covered already by runs with each other text, and by which shift. */
    const covered = new Map<string, number>();
    let hash = 0;
    for (let at = 0; at < text.length && budget.left > 0; at++) {
      hash = rolled(hash, text, at);
      const here = at - GRAM + 1;
      if (here < 0) continue;
      for (const place of this.#read(hash >>> 0)) {
        const number = this.#textAt(place);
        const from = place - (this.#starts[number] ?? 0);
        const key = `${number} ${from - here}`;
        if ((covered.get(key) ?? 0) > here) continue;
        const run = this.#extend(text, here, number, from, budget);
        covered.set(key, run.at + run.length);
        if (run.length >= least) found.push(run);
      }
    }
    return found;
  }

  #extend(text: string, here: number, number: number, from: number, budget: { left: number }): Shared {
    const other = this.#texts[number] as string;
    let left = 0;
    while (left < here && left < from && text[here - left - 1] === other[from - left - 1]) left += 1;
    let right = 0;
    while (
      here + right < text.length &&
      from + right < other.length &&
      text[here + right] === other[from + right]
    )
      right += 1;
    budget.left -= left + right + GRAM;
    return { text: number, from: from - left, at: here - left, length: left + right };
  }

  /** The text that a place lies in, by halving. */
  #textAt(place: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #read(hash: number): number[] {
    const places: number[] = [];
    const mask = this.#places.length - 1;
    for (let slot = spread(hash) & mask; this.#places[slot] !== FREE; slot = (slot + 1) & mask)
      if (this.#hashes[slot] === hash) places.push(this.#places[slot] as number);
    return places;
  }

  #write(hash: number, place: number, number: number): void {
    const mask = this.#places.length - 1;
    let [same, own] = [0, 0];
    let slot = spread(hash) & mask;
    for (; this.#places[slot] !== FREE; slot = (slot + 1) & mask) {
      if (this.#hashes[slot] !== hash) continue;
      same += 1;
      if ((this.#places[slot] as number) >= (this.#starts[number] ?? 0)) own += 1;
      if (same >= MAX_PLACES || own >= MAX_PLACES_OF_TEXT) return;
    }
    this.#hashes[slot] = hash;
    this.#places[slot] = place;
    this.#entries += 1;
    if (this.#entries * 2 > this.#places.length) this.#grow();
  }

  #grow(): void {
    const [hashes, places] = [this.#hashes, this.#places];
    this.#hashes = new Uint32Array(hashes.length * 2);
    this.#places = new Uint32Array(places.length * 2).fill(FREE);
    const mask = this.#places.length - 1;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      if (place === FREE) continue;
      let slot = spread(hashes[at] as number) & mask;
      while (this.#places[slot] !== FREE) slot = (slot + 1) & mask;
      this.#hashes[slot] = hashes[at] as number;
      this.#places[slot] = place;
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
