/** How often each idea occurs in honest texts: the table in src/scan/signals/pattern.ts that anchors are chosen by. */
import { grammar, readTokens } from "../../src/scan/signals/grammar.ts";
import { fold } from "../../src/scan/views/fold.ts";
import { english } from "../../src/scan/words/english.ts";
import type { Concept } from "../../src/scan/words/lexicon.ts";
import type { Text } from "./corpus.ts";

const SHAPES = ["IDENTIFIER", "QUOTED", "URL", "EMAIL", "SECRET_PATH"] as const;
const WORDS = 500_000;
/** Rarer ideas need no row. */
const LEAST = 250;

/** Counts in half a million words, rounded, the commonest first. */
export function frequencies(texts: readonly Text[]): [Concept, number][] {
  const { lexicon } = grammar();
  const byClass = new Float64Array(lexicon.classes);
  let words = 0;
  for (const { text } of texts) {
    const tokens = readTokens(fold(text).text);
    words += tokens.lastWordAt(tokens.count - 1);
    for (let i = 0; i < tokens.count; i++) {
      const id = tokens.classAt(i);
      byClass[id] = (byClass[id] ?? 0) + 1;
    }
  }
  const concepts: readonly Concept[] = [...(Object.keys(english) as Concept[]), ...SHAPES];
  return concepts
    .map((concept): [Concept, number] => {
      const carriers = lexicon.carriers(concept);
      const seen = byClass.reduce((sum, count, id) => sum + (carriers[id] ? count : 0), 0);
      return [concept, Math.round((seen * WORDS) / words / 50) * 50];
    })
    .filter(([, count]) => count >= LEAST)
    .sort(([, a], [, b]) => b - a);
}
