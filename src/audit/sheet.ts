/** The bytes of a line of which the next one differs in few places: its values are put over the old ones where they stand. Nothing is joined
 *  and nothing copied, since every call of an agent waits for it. Implements spec/audit-log.md, AUD-2 and AUD-7. */
import { hash as digest } from "node:crypto";
import { instant } from "./moment.ts";
import type { Plain } from "./plain.ts";
import type { Placed } from "./write-entry.ts";

/** Where something stands; of a text, between its quotes. */
interface Place {
  readonly from: number;
  readonly chars: number;
  readonly isText: boolean;
}

const ZERO = 48;
/** In `2026-11-15T12:00:00.000Z`. */
const MS = { from: 20, chars: 3 } as const;

export class Sheet {
  /** With its LF. Good until the next one is put over it. */
  readonly line: Buffer;
  readonly #bytes: Buffer;
  readonly #leaf: Buffer;
  readonly #at: Place;
  readonly #values: readonly Place[];
  readonly #id: Place;
  readonly #n: Place;
  readonly #prev: Place;
  #second = Number.NaN;

  private constructor(bytes: Buffer, [_actor, at, ...others]: readonly Place[]) {
    this.#bytes = bytes;
    this.#leaf = bytes.subarray(0, -1);
    this.line = bytes.subarray(1);
    this.#at = at as Place;
    [this.#id, this.#n, this.#prev] = others.splice(-3) as [Place, Place, Place];
    this.#values = others;
  }

  /** Of what stands between its values, and of these as they are written: who asks (which stays), its instant, the values of the
   *  event, id, number and the entry before. Undefined where it is not ASCII: then places are not counted in characters. */
  static of(pieces: readonly string[], texts: readonly string[]): Sheet | undefined {
    // As a leaf is hashed, and as a line ends.
    let written = "\0";
    const places = texts.map((text, each): Place => {
      written += pieces[each];
      const from = written.length;
      written += text;
      const isText = text.startsWith('"');
      return isText
        ? { from: from + 1, chars: text.length - 2, isText }
        : { from, chars: text.length, isText };
    });
    const bytes = Buffer.from(`${written}${pieces.at(-1)}\n`);
    const isAscii = bytes.every((byte) => byte < 128);
    return isAscii ? new Sheet(bytes, places) : undefined;
  }

  /** False where something has not the length of what stands there, or is written otherwise than it is: then the sheet is spoilt. */
  put(values: readonly (Plain | number)[], { now, id, n, prev }: Omit<Placed, "redact">): boolean {
    const places = this.#values;
    if (values.length !== places.length) return false;
    for (let each = 0; each < places.length; each++)
      if (!this.#value(values[each], places[each] as Place)) return false;
    if (!this.#text(id, this.#id) || !this.#number(n, this.#n)) return false;
    this.#bytes.write(prev, this.#prev.from, this.#prev.chars, "latin1");
    this.#instant(now);
    return true;
  }

  leafHash(): string {
    return digest("sha256", this.#leaf, "hex");
  }

  #value(value: Plain | number | undefined, place: Place): boolean {
    if (typeof value === "string") return place.isText && this.#text(value, place);
    return typeof value === "number" && !place.isText && this.#number(value, place);
  }

  #text(text: string, { from, chars }: Place): boolean {
    if (text.length !== chars) return false;
    this.#bytes.write(text, from, chars, "latin1");
    return true;
  }

  #number(value: number, { from, chars }: Place): boolean {
    if (!Number.isSafeInteger(value) || value < 0 || this.#digits(value, from, chars) !== 0) return false;
    return chars === 1 || this.#bytes[from] !== ZERO;
  }

  /** Many in a row are of the same second. */
  #instant(now: number): void {
    const { from } = this.#at;
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#digits(now - second * 1000, from + MS.from, MS.chars);
      return;
    }
    this.#bytes.write(instant(now), from, "latin1");
    this.#second = second;
  }

  /** From the last one on; gives what there was no room for. */
  #digits(value: number, from: number, chars: number): number {
    const bytes = this.#bytes;
    let rest = value;
    for (let place = from + chars - 1; place >= from; place--) {
      const higher = Math.floor(rest / 10);
      bytes[place] = ZERO + (rest - higher * 10);
      rest = higher;
    }
    return rest;
  }
}
