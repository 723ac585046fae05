/** Texts to try for a place: what its format, its name and its pattern suggest, fitted to the lengths allowed. */
import type { Part } from "./expand.ts";
import { formatText } from "./format-texts.ts";
import { isMatch, limit, operands } from "./members.ts";
import { readPattern } from "./regex-read.ts";
import { writePattern } from "./regex-write.ts";
import { likelyText } from "./words.ts";
import type { Wish, Work } from "./work.ts";

/** No text is made longer than this, whatever a schema asks for. */
const MAX_CHARS = 10_000;

/** So many ways to write a pattern are tried. */
const MAX_TURNS = 8;

/** Texts that patterns often mean. */
const COMMON = [
  ...["example", "hello", "1", "a", "A", "en", "2025-01-15", "2025-01-15T12:00:00Z", "12:00", "1.0.0"],
  ...["example.com", "https://example.com/", "user@example.com", "/example", "example.txt", "+15550100"],
  ...["123e4567-e89b-42d3-a456-426614174000", "#336699", "en-US", "EXAMPLE", "owner/example", ""],
];

export interface Lengths {
  readonly min: number;
  readonly max: number;
}

export function lengthsOf(parts: readonly Part[]): Lengths {
  return {
    min: Math.max(0, limit(parts, "minLength", Math.max) ?? 0),
    max: limit(parts, "maxLength", Math.min) ?? Number.POSITIVE_INFINITY,
  };
}

/** Texts to try, the most plausible first. Nothing is promised of them but their length. */
export function* texts(work: Work, parts: readonly Part[], wish: Wish): Generator<string> {
  const lengths = lengthsOf(parts);
  if (lengths.min > MAX_CHARS || lengths.min > lengths.max) return;
  for (const format of operands(parts, "format")) {
    const text = typeof format === "string" ? formatText(format, wish.turn) : undefined;
    if (text !== undefined) yield text;
  }
  for (const encoding of operands(parts, "contentEncoding"))
    if (encoding === "base64") yield formatText("base64", wish.turn) ?? "";
  const sources = [...operands(parts, "pattern")].filter((source) => typeof source === "string");
  // Nobody can check a text by a pattern that cannot be read, so the one written after it comes first.
  for (const source of sources.slice(0, 4).filter((one) => isMatch(work, one, "") === undefined)) {
    if (source.includes("(?=")) yield fitted(formatText("password", wish.turn) ?? "", lengths);
    yield* written(work, source, lengths, wish.turn);
  }
  const likely = likelyText(wish.hint);
  const other = `${likely}-${wish.turn + 1}`;
  if (wish.turn === 0) yield fitted(likely, lengths);
  // What makes it another text must not be cut off.
  else yield fitted(other.length <= lengths.max ? other : `${wish.turn + 1}${likely}`, lengths);
  if (sources.length > 0) {
    if (wish.turn === 0) for (const text of COMMON) if (isWithin(text, lengths)) yield text;
    for (const source of sources.slice(0, 4)) yield* written(work, source, lengths, wish.turn);
  }
  yield fitted("example", lengths);
  if (wish.turn > 0) yield fitted(String.fromCodePoint(0x61 + (wish.turn % 26)), lengths);
  else yield* [5, 1, 3, 20, 200, 0].map((size) => fitted("hello", { ...lengths, min: size, max: size }));
}

/** Texts written after a pattern; room that it leaves open is filled at its end, then at its start. */
function* written(work: Work, source: string, lengths: Lengths, turn: number): Generator<string> {
  const tree = work.spend(source.length >> 2) ? readPattern(source) : undefined;
  if (tree === undefined) return;
  const maxChars = Math.min(MAX_CHARS, lengths.max);
  for (let at = turn; at < turn + MAX_TURNS; at++) {
    const shortest = writePattern(tree, { turn: at, extra: 0, maxChars }, work.spend);
    if (shortest === undefined) continue;
    const extra = lengths.min - sizeOf(shortest);
    const text = extra > 0 ? writePattern(tree, { turn: at, extra, maxChars }, work.spend) : shortest;
    if (text === undefined) continue;
    yield text;
    const missing = Math.max(lengths.min - sizeOf(text), 0);
    if (missing > 0) yield* [text + "a".repeat(missing), "a".repeat(missing) + text];
    // A pattern without anchors takes more before and after: that makes many of one.
    if (turn > 0) yield* [`${text}${turn}`, `${turn}${text}`];
  }
}

const isWithin = (text: string, { min, max }: Lengths): boolean => text.length >= min && text.length <= max;

/** In code points, as JSON Schema counts. */
const sizeOf = (text: string): number => [...text].length;

/** A text repeated or cut until its length is right. Never longer than what we are willing to make. */
export function fitted(text: string, { min, max }: Lengths): string {
  const size = sizeOf(text);
  const least = Math.min(min, MAX_CHARS);
  if (size > max) return [...text].slice(0, max).join("");
  if (size >= least) return text;
  const one = size === 0 ? "a" : text;
  return [...one.repeat(Math.ceil(least / Math.max(size, 1)))].slice(0, least).join("");
}
