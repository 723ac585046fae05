/** ECMAScript patterns rewritten for RE2. What RE2 cannot express has no translation; nothing is approximated. */
import { ANYTHING, classEscape, DOT, literal, NOTHING, propertyClass } from "./classes.ts";

/** A part of the translation, with the size of the program it becomes and its counted repetition. */
interface Piece {
  readonly text: string;
  readonly size: number;
  readonly repeats: number;
}

/** One thing inside a class: a character, which can bound a range, or a set, which cannot. */
type Atom = { readonly codePoint: number } | { readonly set: string };

const MAX_CHARS = 4096;
const MAX_NESTING = 100;
/** Compiling takes some microseconds for each unit: this many stay within milliseconds. */
const MAX_SIZE = 5000;
/** RE2 refuses to repeat more often in one go, and counts repeats of repeats. */
const MAX_REPEATS = 1000;

const CONTROLS: ReadonlyMap<string, number> = new Map(
  Object.entries({ t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }).map(([letter, code]) => [letter, code]),
);

const single = (text: string): Piece => ({ text, size: 1, repeats: 1 });

/** Stops the reading below; never leaves this file. */
class Inexpressible extends Error {}

/** The pattern in RE2 syntax, or `undefined` if it is no pattern or RE2 has no words for it. */
export function translate(source: string): string | undefined {
  if (source.length > MAX_CHARS) return undefined;
  const mode = modeOf(source);
  if (mode === undefined) return undefined;
  try {
    return read(source, mode).text;
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

/** Whether it is a pattern, by asking the engine to read it: it is never run there. */
function modeOf(source: string): "unicode" | "legacy" | undefined {
  for (const [mode, flags] of [["unicode", "u"] as const, ["legacy", ""] as const]) {
    try {
      new RegExp(source, flags);
      return mode;
    } catch {}
  }
  return undefined;
}

function read(source: string, mode: "unicode" | "legacy"): Piece {
  const text = [...source];
  let at = 0;

  const take = (wanted: string): boolean => {
    if (text[at] !== wanted) return false;
    at++;
    return true;
  };
  const digits = (count: number): number | undefined => {
    const hex = text.slice(at, at + count).join("");
    if (hex.length !== count || !/^[0-9a-fA-F]+$/.test(hex)) return undefined;
    at += count;
    return Number.parseInt(hex, 16);
  };
  const upTo = (close: string): string => {
    const end = text.indexOf(close, at);
    if (end === -1) throw new Inexpressible();
    const inside = text.slice(at, end).join("");
    at = end + 1;
    return inside;
  };

  function alternatives(nesting: number): Piece {
    if (nesting > MAX_NESTING) throw new Inexpressible();
    const branches = [sequence(nesting)];
    while (take("|")) branches.push(sequence(nesting));
    return combined(branches, "|");
  }

  function sequence(nesting: number): Piece {
    const pieces: Piece[] = [];
    while (at < text.length && text[at] !== "|" && text[at] !== ")") pieces.push(quantified(term(nesting)));
    return combined(pieces, "");
  }

  function term(nesting: number): Piece {
    const character = text[at++] ?? "";
    if (character === "(") return group(nesting);
    if (character === "[") return single(classBody());
    if (character === ".") return single(DOT);
    if (character === "^" || character === "$") return single(character);
    if (character === "\\") return escaped();
    return single(literal(character.codePointAt(0) ?? 0));
  }

  /** Only whether there is a match is asked, so no group captures. */
  function group(nesting: number): Piece {
    if (take("?") && !take(":")) {
      if (!take("<") || text[at] === "=" || text[at] === "!") throw new Inexpressible();
      upTo(">");
    }
    const inside = alternatives(nesting + 1);
    if (!take(")")) throw new Inexpressible();
    return { ...inside, text: `(?:${inside.text})` };
  }

  function escaped(): Piece {
    if (text[at] === "b" || text[at] === "B") return single(`\\${text[at++]}`);
    const atom = escapedAtom();
    return single("set" in atom ? `[${atom.set}]` : literal(atom.codePoint));
  }

  function escapedAtom(): Atom {
    const letter = text[at++] ?? "";
    const set = classEscape(letter);
    if (set !== undefined) return { set };
    if (letter === "p" || letter === "P") return property(letter === "P");
    if (letter === "0" && /^\d$/.test(text[at] ?? "")) throw new Inexpressible();
    const control = CONTROLS.get(letter);
    if (control !== undefined) return { codePoint: control };
    if (letter === "c" && /^[A-Za-z]$/.test(text[at] ?? ""))
      return { codePoint: (text[at++] ?? "").charCodeAt(0) % 32 };
    if (letter === "x") return character(digits(2));
    if (letter === "u") return character(unicodeEscape());
    // Letters and digits left over are back-references or mean different things in different places.
    if (/^[A-Za-z0-9]$/.test(letter)) throw new Inexpressible();
    return character(letter.codePointAt(0));
  }

  function unicodeEscape(): number | undefined {
    if (mode === "unicode" && take("{")) return Number.parseInt(upTo("}"), 16);
    const high = digits(4);
    if (high === undefined || (high & 0xfc00) !== 0xd800) return high;
    if (!take("\\") || !take("u")) return undefined;
    const low = digits(4);
    return low === undefined || (low & 0xfc00) !== 0xdc00
      ? undefined
      : ((high - 0xd800) << 10) + low - 0xdc00 + 0x10000;
  }

  /** A surrogate alone is no character to RE2. */
  function character(codePoint: number | undefined): Atom {
    if (codePoint === undefined || (codePoint >= 0xd800 && codePoint <= 0xdfff)) throw new Inexpressible();
    return { codePoint };
  }

  function property(isNegated: boolean): Atom {
    if (mode !== "unicode" || !take("{")) throw new Inexpressible();
    const set = propertyClass(upTo("}"), isNegated);
    if (set === undefined) throw new Inexpressible();
    return { set };
  }

  function classBody(): string {
    const isNegated = take("^");
    const parts: string[] = [];
    while (!take("]")) {
      if (at >= text.length) throw new Inexpressible();
      const from = classAtom();
      if ("set" in from) parts.push(from.set);
      else if (text[at] === "-" && text[at + 1] !== "]") parts.push(rangeFrom(from.codePoint));
      else parts.push(literal(from.codePoint));
    }
    if (parts.length === 0) return isNegated ? ANYTHING : NOTHING;
    return `[${isNegated ? "^" : ""}${parts.join("")}]`;
  }

  function rangeFrom(from: number): string {
    at++;
    const to = classAtom();
    // Only the legacy mode reads `a-\d` at all: as three members.
    return "set" in to
      ? `${literal(from)}${literal(0x2d)}${to.set}`
      : `${literal(from)}-${literal(to.codePoint)}`;
  }

  function classAtom(): Atom {
    const next = text[at++] ?? "";
    if (next !== "\\") return character(next.codePointAt(0));
    if (take("b")) return { codePoint: 8 };
    return escapedAtom();
  }

  function quantified(piece: Piece): Piece {
    const repeated = quantifier(piece);
    if (repeated === undefined) return piece;
    // Lazy or greedy: the answer is the same.
    take("?");
    return repeated;
  }

  function quantifier(piece: Piece): Piece | undefined {
    const sign = text[at];
    if (sign === "*" || sign === "+" || sign === "?") {
      at++;
      return bounded({ ...piece, text: `(?:${piece.text})${sign}`, size: piece.size + 1 });
    }
    const counts = /^\{(\d{1,6})(?:(,)(\d{1,6})?)?\}/.exec(text.slice(at, at + 16).join(""));
    if (counts === null) {
      if (sign === "{" && /^\{\d/.test(text.slice(at, at + 2).join("")) && mode === "unicode")
        throw new Inexpressible();
      return undefined;
    }
    at += counts[0].length;
    const min = Number(counts[1]);
    const max = counts[2] === undefined ? min : counts[3] === undefined ? undefined : Number(counts[3]);
    return repeat(piece, min, max);
  }

  const whole = alternatives(0);
  if (at < text.length) throw new Inexpressible();
  return whole;
}

function combined(pieces: readonly Piece[], separator: string): Piece {
  return bounded({
    text: pieces.map((piece) => piece.text).join(separator),
    size: pieces.reduce((sum, piece) => sum + piece.size, 1),
    repeats: pieces.reduce((most, piece) => Math.max(most, piece.repeats), 1),
  });
}

/** `x{min,max}` in runs short enough for RE2. */
function repeat(piece: Piece, min: number, max: number | undefined): Piece {
  const times = Math.max(1, max ?? min);
  const size = piece.size * times + 1;
  bounded({ ...piece, size });
  const longest = Math.floor(MAX_REPEATS / piece.repeats);
  const runs = (count: number, write: (length: number) => string): string => {
    let text = "";
    for (let left = count; left > 0; left -= longest) text += write(Math.min(left, longest));
    return text;
  };
  const inner = `(?:${piece.text})`;
  const must = runs(min, (length) => `${inner}{${length}}`);
  const may = max === undefined ? `${inner}*` : runs(max - min, (length) => `${inner}{0,${length}}`);
  return { text: `(?:${must}${may})`, size, repeats: piece.repeats * Math.min(times, longest) };
}

function bounded(piece: Piece): Piece {
  if (piece.size > MAX_SIZE || piece.text.length > MAX_SIZE * 40) throw new Inexpressible();
  return piece;
}
