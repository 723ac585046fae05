/** Patterns over ideas: `OVERRIDE <3 PRIOR <3 RULES` is a word of the first kind, within three words one of the second,
 *  within three more one of the third, all in one sentence. `A|B` takes either. */
import type { Concept, Lexicon } from "../words/lexicon.ts";
import type { Tokens } from "../words/tokens.ts";

export interface Pattern {
  readonly steps: readonly Uint8Array[];
  /** Most words from one step to the next; the first is unused. */
  readonly gaps: readonly number[];
  /** Sentences the match may reach over. */
  readonly reach: number;
}

const DEFAULT_GAP = 1;

/** Reads `A <3 B|C <5 D`; `~1` at the end lets it reach into the next sentence. */
export function compile(source: string, lexicon: Lexicon): Pattern {
  const steps: Uint8Array[] = [];
  const gaps: number[] = [];
  let gap = DEFAULT_GAP;
  let reach = 0;
  for (const word of source.trim().split(/\s+/)) {
    if (word.startsWith("<")) gap = Number(word.slice(1));
    else if (word.startsWith("~")) reach = Number(word.slice(1));
    else {
      steps.push(anyOf(word.split("|") as Concept[], lexicon));
      gaps.push(gap);
      gap = DEFAULT_GAP;
    }
  }
  return { steps, gaps, reach };
}

export function anyOf(concepts: readonly Concept[], lexicon: Lexicon): Uint8Array {
  const accepted = new Uint8Array(lexicon.classes);
  for (const concept of concepts) {
    const carriers = lexicon.carriers(concept);
    for (let id = 0; id < accepted.length; id++) if (carriers[id]) accepted[id] = 1;
  }
  return accepted;
}

/** The last token of a match that begins at token `first`; -1 when there is none. */
export function matchAt({ steps, gaps, reach }: Pattern, tokens: Tokens, first: number, step = 0, from = first): number {
  const { count, classes, words, sentences } = tokens;
  if (step === 0) return steps[0]?.[classes[first] ?? 0] ? matchAt({ steps, gaps, reach }, tokens, first, 1, first) : -1;
  const accepted = steps[step];
  if (accepted === undefined) return from;
  const limit = (words[from] ?? 0) + (gaps[step] ?? 1);
  const lastSentence = (sentences[first] ?? 0) + reach;
  for (let i = from + 1; i < count && (words[i] ?? 0) <= limit && (sentences[i] ?? 0) <= lastSentence; i++) {
    if (!accepted[classes[i] ?? 0]) continue;
    const end = matchAt({ steps, gaps, reach }, tokens, first, step + 1, i);
    if (end >= 0) return end;
  }
  return -1;
}
