/** Whether a JSON text can be read in one way only, found out in one walk. For texts that `JSON.parse` has taken: nothing is checked
 *  twice. Implements spec/wire.md, WIR-32. */
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  nameOf,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  type Span,
  skipBlank,
  stringEnd,
  valueEnd,
} from "./tokens.ts";

/** `twins`: a name stands twice in one object, and readers differ on which of the two counts. `case`: a name is one of the protocol but for
 *  its case, and some readers take it for that one. `deep`: it is nested deeper than others can follow. */
export type Ambiguity = "twins" | "case" | "deep";

/** As deep as the canonical form of a value may be: what is deeper has no digest. */
const MAX_DEPTH = 200;

export interface ReadTerms {
  /** Where the member stands that is reached by these names, one object inside another. */
  readonly path?: readonly string[];
  /** Names of the protocol. Below a member of `free` everybody names things as they like. */
  readonly names?: ReadonlySet<string>;
  readonly free?: ReadonlySet<string>;
}

export function readOnce(
  text: string,
  { path = [], names: known, free }: ReadTerms = {},
): { readonly ambiguity?: Ambiguity; readonly found?: Span } {
  const open: (Names | undefined)[] = [];
  let found: Span | undefined;
  /** So many of the objects that are open are on the way. */
  let onWay = 1;
  /** Objects at this depth and below are anybody's. */
  let freeFrom = known ? Number.POSITIVE_INFINITY : 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      if (open.push(unit === OPEN_OBJECT ? new Names() : undefined) > MAX_DEPTH) return { ambiguity: "deep" };
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      open.pop();
      if (onWay > open.length) onWay = Math.max(1, open.length);
      if (known && freeFrom > open.length) freeFrom = Number.POSITIVE_INFINITY;
    } else if (unit === QUOTE) {
      const end = stringEnd(text, at);
      const names = open.at(-1);
      const colon = skipBlank(text, end);
      if (names && text.charCodeAt(colon) === COLON) {
        const name = nameOf(text, at, end);
        const depth = open.length;
        const isOurs = depth < freeFrom;
        if (isOurs && known && !known.has(name) && isSpelled(name, known)) return { ambiguity: "case" };
        if (!names.isNew(isOurs ? folded(name) : name)) return { ambiguity: "twins" };
        const from = skipBlank(text, colon + 1);
        if (isOurs && free?.has(name) && isOpening(text.charCodeAt(from))) freeFrom = depth + 1;
        if (depth === onWay && name === path[onWay - 1]) {
          if (onWay === path.length) found = { from, end: valueEnd(text, from) };
          else if (text.charCodeAt(from) === OPEN_OBJECT) onWay += 1;
        }
      }
      at = end - 1;
    }
  }
  return found ? { found } : {};
}

const isOpening = (unit: number): boolean => unit === OPEN_OBJECT || unit === OPEN_LIST;

/** As readers fold that do not tell cases apart: the long s and the sign for Kelvin are letters to them too. */
export const folded = (name: string): string => (PLAIN.test(name) ? name : name.toUpperCase().toLowerCase());
const PLAIN = /^[a-z_]*$/;

function isSpelled(name: string, known: ReadonlySet<string>): boolean {
  const one = folded(name);
  for (const other of known) if (other.length === name.length && folded(other) === one) return true;
  return false;
}

/** The names of one object. Most have few: those are sooner looked through than hashed. */
class Names {
  #few: string[] = [];
  #many: Set<string> | undefined;

  isNew(name: string): boolean {
    if (this.#many) return this.#many.size < this.#many.add(name).size;
    if (this.#few.includes(name)) return false;
    this.#few.push(name);
    if (this.#few.length > FEW) this.#many = new Set(this.#few);
    return true;
  }
}
const FEW = 12;
