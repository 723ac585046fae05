/** Reads the common syntax of ECMAScript patterns into a tree to write texts from. Approximate: every text is checked. */
import { complement, DIGITS, everything, propertySet, type Ranges, SPACES, WORDS } from "./regex-sets.ts";

export type Term =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "sequence" | "choice"; readonly terms: readonly Term[] }
  | { readonly kind: "repeat"; readonly term: Term; readonly min: number; readonly max: number };

const MAX_CHARS = 4096;
const MAX_NESTING = 60;

/** Stops the reading below; never leaves this file. */
class Unreadable extends Error {}

const NOTHING: Term = { kind: "sequence", terms: [] };
const LINE_ENDS: Ranges = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];
const CLASSES: ReadonlyMap<string, Ranges> = new Map([
  ["d", DIGITS],
  ["D", complement(DIGITS)],
  ["w", WORDS],
  ["W", complement(WORDS)],
  ["s", SPACES],
  ["S", complement(SPACES)],
]);
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ["0", 0],
]);

/** The tree of a pattern; `undefined` for what is not understood here, such as back-references. */
export function readPattern(source: string): Term | undefined {
  if (source.length > MAX_CHARS) return undefined;
  try {
    return read([...source]);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function read(text: readonly string[]): Term {
  let at = 0;

  const take = (wanted: string): boolean => {
    if (text[at] !== wanted) return false;
    at++;
    return true;
  };
  const upTo = (close: string): string => {
    const end = text.indexOf(close, at);
    if (end === -1) throw new Unreadable();
    const inside = text.slice(at, end).join("");
    at = end + 1;
    return inside;
  };
  const hex = (count: number): number => {
    const digits = text.slice(at, at + count).join("");
    if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length !== count) throw new Unreadable();
    at += count;
    return Number.parseInt(digits, 16);
  };

  function choice(nesting: number): Term {
    if (nesting > MAX_NESTING) throw new Unreadable();
    const terms = [sequence(nesting)];
    while (take("|")) terms.push(sequence(nesting));
    return terms.length === 1 ? (terms[0] ?? NOTHING) : { kind: "choice", terms };
  }

  function sequence(nesting: number): Term {
    const terms: Term[] = [];
    while (at < text.length && text[at] !== "|" && text[at] !== ")") terms.push(quantified(term(nesting)));
    return { kind: "sequence", terms };
  }

  function term(nesting: number): Term {
    const character = text[at++] ?? "";
    if (character === "^" || character === "$") return NOTHING;
    if (character === "(") return group(nesting);
    if (character === "[") return { kind: "set", ranges: classBody() };
    if (character === ".") return { kind: "set", ranges: complement(LINE_ENDS) };
    if (character === "\\") {
      if (take("b") || take("B")) return NOTHING;
      return { kind: "set", ranges: escaped() };
    }
    return { kind: "set", ranges: single(character.codePointAt(0)) };
  }

  /** What looks ahead or behind writes nothing itself. */
  function group(nesting: number): Term {
    let isLook = false;
    if (take("?") && !take(":")) {
      const isBehind = take("<");
      isLook = take("=") || take("!");
      if (!isLook && !isBehind) throw new Unreadable();
      if (!isLook) upTo(">");
    }
    const inside = choice(nesting + 1);
    if (!take(")")) throw new Unreadable();
    return isLook ? NOTHING : inside;
  }

  function escaped(): Ranges {
    const letter = text[at++] ?? "";
    const known = CLASSES.get(letter);
    if (known !== undefined) return known;
    if (letter === "p" || letter === "P") {
      if (!take("{")) throw new Unreadable();
      const set = propertySet(upTo("}"));
      return letter === "P" ? complement(set) : set;
    }
    if (/^[1-9k]$/.test(letter)) throw new Unreadable();
    if (letter === "x") return single(hex(2));
    if (letter === "u") return single(unicodeEscape());
    if (letter === "c") return single((text[at++] ?? "").charCodeAt(0) % 32);
    return single(CONTROLS.get(letter) ?? letter.codePointAt(0));
  }

  function unicodeEscape(): number {
    if (take("{")) return Number.parseInt(upTo("}"), 16);
    const high = hex(4);
    if ((high & 0xfc00) !== 0xd800 || text[at] !== "\\" || text[at + 1] !== "u") return high;
    at += 2;
    return ((high - 0xd800) << 10) + hex(4) - 0xdc00 + 0x10000;
  }

  function single(codePoint: number | undefined): Ranges {
    if (codePoint === undefined || !(codePoint >= 0 && codePoint <= 0x10ffff)) throw new Unreadable();
    return [[codePoint, codePoint]];
  }

  function classBody(): Ranges {
    const isNegated = take("^");
    const ranges: (readonly [number, number])[] = [];
    while (!take("]")) {
      if (at >= text.length) throw new Unreadable();
      const from = classAtom();
      const isRange = from.length === 1 && text[at] === "-" && at + 1 < text.length && text[at + 1] !== "]";
      if (!isRange) ranges.push(...from);
      else {
        at++;
        ranges.push([from[0]?.[0] ?? 0, classAtom()[0]?.[1] ?? 0]);
      }
    }
    if (isNegated) return ranges.length === 0 ? everything : complement(ranges);
    return ranges;
  }

  function classAtom(): Ranges {
    const next = text[at++] ?? "";
    if (next !== "\\") return single(next.codePointAt(0));
    return take("b") ? single(8) : escaped();
  }

  function quantified(inner: Term): Term {
    const counts = /^(?:([*+?])|\{(\d{1,6})(?:(,)(\d{0,6}))?\})/.exec(text.slice(at, at + 16).join(""));
    if (counts === null) return inner;
    at += counts[0].length;
    take("?");
    const [, sign, from, comma, to] = counts;
    const many = Number.POSITIVE_INFINITY;
    if (sign !== undefined)
      return { kind: "repeat", term: inner, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : many };
    const min = Number(from);
    const max = comma === undefined ? min : to === "" ? many : Number(to);
    return { kind: "repeat", term: inner, min, max };
  }

  const whole = choice(0);
  if (at < text.length) throw new Unreadable();
  return whole;
}
