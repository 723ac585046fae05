/** A text made ready for scanning: every view of it that its own words call for, each with its tokens. */
import { grammar, readTokens } from "./signals/sum.ts";
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
  add(decoded(plain));
  return { raw: text, views };
}

function rewritings(view: View, tokens: Tokens): View[] {
  const views: View[] = [];
  const { backwards, shifted } = grammar();
  const words = joined(view);
  if (words) views.push(words);
  if (tokens.digitWords >= MIN_DIGIT_WORDS) views.push(unleeted(view));
  if (distinct(view, tokens, backwards) >= MIN_CIPHER_WORDS) views.push(reversed(view));
  const ciphers = shifted.map((accepted, shift) => [distinct(view, tokens, accepted), shift] as const).filter(([count]) => count >= MIN_CIPHER_WORDS);
  for (const [, shift] of ciphers) views.push(rotated(view, shift));
  return views;
}

function distinct({ text }: View, tokens: Tokens, accepted: Uint8Array): number {
  const words = new Set<string>();
  for (let i = 0; i < tokens.count && words.size < MIN_CIPHER_WORDS; i++)
    if (accepted[tokens.classes[i] ?? 0]) words.add(text.slice(tokens.starts[i], tokens.ends[i]).toLowerCase());
  return words.size;
}
