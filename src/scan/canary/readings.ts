/** The ways a text is read in when a canary is looked for: as it stands, unescaped once and twice, with its encoded runs
 *  opened, turned round, its letters gathered. What is left of the dressing after that, the canary's own forms match. */

import { composed, type Unescaped, unescapeOnce } from "../search/unescape.ts";
import { compressedIn, inflated, newBudget } from "./inflate.ts";

export interface Reading {
  readonly text: string;
  /** What was undone; empty for the text as it stands. */
  readonly name: string;
  /** Where a span of `text` stands in the raw text. */
  span(start: number, end: number): Span;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export function* readings(raw: string): Generator<Reading> {
  const plain: Reading = { text: raw, name: "", span: (start, end) => ({ start, end }) };
  const layers = unescapedTwice(raw);
  const deepest = layers.at(-1) ?? plain;
  yield plain;
  yield* layers;
  if (SHORT_MEMBERS.test(deepest.text))
    yield { ...deepest, text: withoutNames(deepest.text), name: "names removed" };
  // Each of these takes one dress off; one more may be below it.
  const isTurned = TURNED.test(raw);
  for (const outer of [
    opened(plain),
    layers[0] && opened(layers[0]),
    gathered(plain),
    isTurned && turned(plain),
    isTurned && rotated(plain),
  ])
    if (outer) {
      yield outer;
      yield* undressed(outer);
    }
}

function unescapedTwice(raw: string): Reading[] {
  const found: Reading[] = [];
  let layer: Unescaped | undefined;
  for (let depth = 1; depth <= 2; depth++) {
    const inner = unescapeOnce(layer?.text ?? raw);
    if (inner === undefined) break;
    const whole = layer === undefined ? inner : composed(layer, inner);
    layer = whole;
    found.push({
      text: whole.text,
      name: "unescaped",
      span: (start, end) => ({ start: whole.rawStart(start), end: whole.rawEnd(end) }),
    });
  }
  return found;
}

/** The reading below another one: its escapes undone. */
function* undressed(outer: Reading): Generator<Reading> {
  const inner = unescapeOnce(outer.text);
  if (inner === undefined) return;
  const { text, rawStart, rawEnd } = inner;
  yield { text, name: outer.name, span: (start, end) => outer.span(rawStart(start), rawEnd(end)) };
}

const ESCAPES = /[\\&%]/;
/** What escapes are made of when letters are moved or turned round; `0x` among them. */
const TURNED = /[\\&%]|0k|x0/i;

/** Two members of an object side by side whose values are short: what they part may belong together. */
const SHORT_MEMBERS = /(?:"[^"\\\n]{1,64}"\s{0,8}:\s{0,8}"[^"\n]{1,24}"[,\s{}[\]]{1,8}){2}/;

/** The names of members made blank: of `"a": "POLY", "b": "GRAPH"` the values are left. */
const withoutNames = (text: string): string =>
  text.replace(/"[^"\\\n]{1,64}"\s{0,8}:/g, (name) => " ".repeat(name.length));

/** Bounded, so that no text exhausts the matcher's stack; the squeezed pieces of a longer run join again. */
const RUNS: readonly {
  readonly run: RegExp;
  readonly open: (run: string) => Buffer;
  /** How gzip begins in this code. */
  readonly head: string;
}[] = [
  {
    // In lines, too: Node's decoder skips white space and takes both alphabets.
    run: /[A-Za-z0-9+/_-]{16,4096}={0,2}(?:\s{1,3}[A-Za-z0-9+/_-]{4,80}={0,2}){0,400}/g,
    open: (run) => Buffer.from(run, "base64"),
    head: "H4sI",
  },
  {
    run: /(?:0x|\\x)?[0-9a-fA-F]{2}(?:(?:[\s:,-]|0x|\\x){0,3}[0-9a-fA-F]{2}){9,1999}/g,
    open: (run) => Buffer.from(run.replace(/0x|[^0-9a-fA-F]/g, ""), "hex"),
    head: "1f8b08",
  },
];

/** Runs as long as they go: the pieces that a bounded pattern makes of a long one are joined. */
function* wholeRuns(text: string, run: RegExp): Generator<Span> {
  let whole: Span | undefined;
  for (const { index, 0: piece } of text.matchAll(run)) {
    const end = index + piece.length;
    if (whole?.end === index && end - whole.start <= MAX_RUN_CHARS) whole = { start: whole.start, end };
    else {
      if (whole) yield whole;
      whole = { start: index, end };
    }
  }
  if (whole) yield whole;
}

const MAX_RUN_CHARS = 1024 * 1024;

/** What the encoded runs of a text say, one after another, and what is compressed in it; a place in it is that of the whole
 *  run. */
function opened(outer: Reading): Reading | undefined {
  const pieces: string[] = [];
  const places: { readonly from: number; readonly span: Span }[] = [];
  const budget = newBudget();
  let length = 0;
  const add = (words: string, start: number, end: number): void => {
    const text = `${words}\n`;
    places.push({ from: length, span: outer.span(start, end) });
    pieces.push(text);
    length += text.length;
  };
  for (const { run, open, head } of RUNS)
    for (const { start, end } of wholeRuns(outer.text, run)) {
      const code = outer.text.slice(start, end);
      const bytes = open(code);
      add(bytes.toString(), start, end);
      // A run may begin with something else: a path, a name.
      const from = code.indexOf(head);
      const inner = inflated(from > 0 ? open(code.slice(from)) : bytes, budget);
      if (inner !== undefined) add(inner, start, end);
    }
  for (const { text, start, end } of compressedIn(outer.text, budget)) add(text, start, end);
  if (pieces.length === 0) return undefined;
  const spanAt = (index: number): Span | undefined => {
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((places[middle]?.from ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return places[low]?.span;
  };
  return {
    text: pieces.join(""),
    name: "decoded",
    span: (start, end) => around(spanAt(start), spanAt(Math.max(start, end - 1))),
  };
}

const around = (first: Span | undefined, last: Span | undefined): Span => ({
  start: Math.min(first?.start ?? 0, last?.start ?? 0),
  end: Math.max(first?.end ?? 0, last?.end ?? 0),
});

function turned(outer: Reading): Reading {
  const { length } = outer.text;
  return {
    text: Array.from({ length }, (_, index) => outer.text[length - 1 - index]).join(""),
    name: "reversed",
    span: (start, end) => outer.span(length - end, length - start),
  };
}

function rotated(outer: Reading): Reading {
  const text = outer.text.replace(/[A-Za-z]/g, (letter) => {
    const base = letter < "a" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
  return { ...outer, text, name: "rot13" };
}

/** `% 3 3 % 3 f`, `&.#.5.1.;`: characters that stand alone, with one and the same sign between all of them. */
const STRETCHED = /(?:[!-~][ \n.\-_\u200b-\u200d\u2060\ufeff]){12}/;
/** Signs as wide as a Chinese character. */
const WIDE_SIGN = /[\uff05\uff06\uff3c]/;

/** Letters gathered that something stands between, and wide ones made narrow, where escapes may be among them. */
function gathered(outer: Reading): Reading | undefined {
  const isStretched = STRETCHED.test(outer.text) && ESCAPES.test(outer.text);
  if (!isStretched && !WIDE_SIGN.test(outer.text)) return undefined;
  const places: number[] = [];
  let text = "";
  for (let index = 0; index < outer.text.length; index++) {
    const unit = outer.text.charCodeAt(index);
    // Every second character is dropped where the one before it was kept.
    if (isStretched && isBetween(unit) && places.at(-1) === index - 1) continue;
    places.push(index);
    text += String.fromCharCode(unit >= 0xff01 && unit <= 0xff5e ? unit - 0xfee0 : unit);
  }
  return {
    text,
    name: "gathered",
    span: (start, end) => outer.span(places[start] ?? 0, (places[end - 1] ?? outer.text.length - 1) + 1),
  };
}

const isBetween = (unit: number): boolean =>
  unit === 32 ||
  unit === 10 ||
  unit === 45 ||
  unit === 46 ||
  unit === 95 ||
  (unit >= 0x200b && unit <= 0x200d) ||
  unit === 0x2060 ||
  unit === 0xfeff;
