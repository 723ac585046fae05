/** A text made ready for scanning: every view of it that its own words call for, each with its tokens. */
import { BACKWARDS, grammar, readTokens } from "./signals/sum.ts";
import { decoded } from "./views/decode.ts";
import { fold } from "./views/fold.ts";
import { joined, reversed, rotated, unleeted } from "./views/rewritten.ts";
import type { View } from "./views/view.ts";
import type { Tokens } from "./words/tokens.ts";

export interface Reading {
  readonly raw: string;
  readonly views: readonly { readonly view: View; readonly tokens: Tokens }[];
}

/** So many different common words in a moved or turned form are no accident. */
const MIN_CIPHER_WORDS = 3;
const MIN_DIGIT_WORDS = 2;
const MIN_LETTERS = 5;

export function read(text: string | Reading): Reading {
  if (typeof text !== "string") return text;
  const views: { view: View; tokens: Tokens }[] = [];
  const add = (view: View | undefined): void => {
    if (!view) return;
    const tokens = readTokens(view.text);
    views.push({ view, tokens });
    for (const other of rewritings(view, tokens)) views.push({ view: other, tokens: readTokens(other.text) });
  };
  const plain = fold(text);
  add(plain);
  add(decoded(plain, views[0]?.tokens.hints));
  return { raw: text, views };
}

function rewritings(view: View, tokens: Tokens): View[] {
  const views: View[] = [];
  const { letters, underscored, digitWords } = tokens.hints;
  const words = letters >= MIN_LETTERS || underscored > 0 ? joined(view) : undefined;
  if (words) views.push(words);
  if (digitWords >= MIN_DIGIT_WORDS && digitWords * 400 > view.text.length) views.push(unleeted(view));
  for (const cipher of ciphersIn(view, tokens)) views.push(cipher === BACKWARDS ? reversed(view) : rotated(view, cipher));
  return views;
}

/** The ciphers that at least three different common words of the text are written in. */
function ciphersIn({ text }: View, { count, classes, starts, ends }: Tokens): number[] {
  const { ciphers } = grammar();
  let seen: Map<number, Set<string>> | undefined;
  for (let i = 0; i < count; i++) {
    const cipher = ciphers[classes[i] ?? 0];
    if (!cipher) continue;
    seen ??= new Map();
    seen.set(cipher, (seen.get(cipher) ?? new Set()).add(text.slice(starts[i], ends[i]).toLowerCase()));
  }
  return [...(seen ?? [])].filter(([, words]) => words.size >= MIN_CIPHER_WORDS).map(([cipher]) => cipher);
}
