/** A text made ready for scanning: every view of it that its own words call for, each with its tokens. */
import { BACKWARDS, grammar, readTokens, segment } from "./signals/grammar.ts";
import { decoded } from "./views/decode.ts";
import { fold } from "./views/fold.ts";
import { joined, reversed, rotated, SPLIT_BY_MARKUP, unleeted, unmarked } from "./views/rewritten.ts";
import type { View } from "./views/view.ts";
import type { Tokens } from "./words/tokens.ts";

export interface Reading {
  readonly raw: string;
  readonly views: readonly TokenView[];
}

export interface TokenView {
  readonly view: View;
  readonly tokens: Tokens;
}

/** So many different common words in a moved or turned form are no accident. */
const MIN_CIPHER_WORDS = 3;
const MIN_DIGIT_WORDS = 3;
/** One such word in so many characters. */
const DIGIT_WORD_SPREAD = 150;
const MIN_LETTERS = 5;
/** Encodings inside encodings deeper than this are left alone. */
const MAX_DEPTH = 2;
/** Long texts are read in pieces, so that one encoded line calls for views of its surroundings only. */
const PIECE_CHARS = 8192;
const OVERLAP_CHARS = 512;

export function read(text: string | Reading): Reading {
  if (typeof text !== "string") return text;
  const views: TokenView[] = [];
  for (let start = 0; start === 0 || start < text.length; ) {
    const end = pieceEnd(text, start);
    readPiece(start === 0 && end === text.length ? text : text.slice(start, end), start, views);
    start = end < text.length ? end - OVERLAP_CHARS : text.length;
    if (text.length === 0) break;
  }
  return { raw: text, views };
}

/** At a line end or a space, where there is one. */
function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_CHARS;
  if (end >= text.length) return text.length;
  // Only the overlap is searched: a text without line ends must not be walked back to its start for every piece.
  const tail = text.slice(end - OVERLAP_CHARS, end);
  const gap = Math.max(tail.lastIndexOf("\n"), tail.lastIndexOf(" "));
  if (gap >= 0) return end - OVERLAP_CHARS + gap + 1;
  const unit = text.charCodeAt(end);
  return unit >= 0xdc00 && unit <= 0xdfff ? end + 1 : end;
}

function readPiece(piece: string, base: number, views: TokenView[]): void {
  let view: View | undefined = plain(piece, base) ?? fold(piece, base);
  for (let depth = 0; view && depth <= MAX_DEPTH; depth++) {
    let tokens = readTokens(view.text);
    // Control characters are ASCII too, and nobody sees them.
    if (depth === 0 && tokens.hints.controls > 0 && view.how.length === 0) {
      view = fold(piece, base);
      tokens = readTokens(view.text);
    }
    views.push({ view, tokens });
    for (const other of rewritings(view, tokens)) views.push({ view: other, tokens: readTokens(other.text) });
    view = decoded(view, tokens.hints);
  }
}

/** The text itself where it is ASCII: there is nothing to fold but control characters. */
function plain(piece: string, base: number): View | undefined {
  return Buffer.byteLength(piece) === piece.length
    ? { text: piece, how: NONE, base, map: undefined, hidden: NONE }
    : undefined;
}

const NONE: readonly never[] = [];

/** Views with the letters put right, as far as the words of the text call for them: seldom any. */
function rewritings(view: View, tokens: Tokens): readonly View[] {
  const { letters, underscored, digitWords, tags } = tokens.hints;
  const ciphers = ciphersIn(view, tokens);
  const isJoinable = letters >= MIN_LETTERS || underscored > 0;
  const isMarked = tags > 0 && SPLIT_BY_MARKUP.test(view.text);
  const isLeet = digitWords >= MIN_DIGIT_WORDS && digitWords * DIGIT_WORD_SPREAD > view.text.length;
  if (!isJoinable && !isMarked && !isLeet && ciphers.length === 0) return NONE;
  const words = isJoinable ? joined(view, segment) : undefined;
  return [
    ...(words ? [words] : []),
    ...(isMarked ? [unmarked(view)] : []),
    ...(isLeet ? [unleeted(view)] : []),
    ...ciphers.map((cipher) => (cipher === BACKWARDS ? reversed(view) : rotated(view, cipher))),
  ];
}

/** The ciphers that at least three different common words of the text are written in. */
function ciphersIn({ text }: View, tokens: Tokens): readonly number[] {
  const { ciphers } = grammar();
  let seen: Map<number, Set<string>> | undefined;
  for (let i = 0; i < tokens.count; i++) {
    const cipher = ciphers[tokens.classAt(i)];
    if (!cipher) continue;
    seen ??= new Map();
    const word = text.slice(tokens.startAt(i), tokens.endAt(i)).toLowerCase();
    seen.set(cipher, (seen.get(cipher) ?? new Set()).add(word));
  }
  if (!seen) return NONE;
  return [...seen].filter(([, words]) => words.size >= MIN_CIPHER_WORDS).map(([cipher]) => cipher);
}
