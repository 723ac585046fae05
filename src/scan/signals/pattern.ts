/** Patterns over ideas: `OVERRIDE <3 PRIOR <3 RULES` is a word of the first kind, within three words one of the second,
 *  within three more one of the third, all in one sentence. `A|B` takes either. A match is looked for around the step
 *  whose words are rarest. */
import type { Concept, Lexicon } from "../words/lexicon.ts";
import type { Tokens } from "../words/tokens.ts";

export interface Pattern {
  readonly steps: readonly Uint8Array[];
  /** Most words from one step to the next; the first is unused. */
  readonly gaps: readonly number[];
  /** Sentences the match may reach over. */
  readonly reach: number;
  /** The step a search begins at. */
  readonly anchor: number;
}

const DEFAULT_GAP = 1;

/** How often ideas occur in half a million honest words, roughly; those not named are rare. */
const FREQUENCY: Readonly<Partial<Record<Concept, number>>> = {
  IDENTIFIER: 18_000,
  QUOTED: 4000,
  PARAMETER: 12_000,
  DOCUMENT: 11_000,
  CONTENT: 9500,
  AND: 6000,
  TOOL: 6000,
  THIS: 6000,
  PRIOR: 6000,
  LABEL: 6000,
  CALL: 6000,
  READ: 5000,
  FROM: 4000,
  WHEN: 2800,
  ATTACH: 2700,
  SAY: 2500,
  SEND: 2500,
  NOT: 2400,
  SHELL: 2400,
  WHOLE: 2300,
  RUN: 2100,
  YOU: 2100,
  MESSAGE: 2000,
  NEW: 2000,
  REVEAL: 1900,
  URL: 1700,
  PRINCIPAL: 1600,
  SECRET: 1500,
  USER: 1400,
  COMMAND: 1300,
  MUST: 1300,
  RULES: 1250,
  YOUR: 1200,
  TASK: 1200,
  GRANTED: 1000,
  FIRST: 1000,
  STATE: 1000,
  EMAIL: 950,
  SHOW: 800,
  AI: 800,
  CHANGE: 700,
  PREFER: 700,
  ERROR: 700,
  AFTER: 650,
  INVOKE: 600,
  ME: 500,
  REASON: 470,
  SAFETY: 450,
  BCC: 400,
  DISPATCH: 375,
};
const RARE = 200;

/** Reads `A <3 B|C <5 D`; `~1` at the end lets it reach into the next sentence. */
export function compile(source: string, lexicon: Lexicon): Pattern {
  const steps: Uint8Array[] = [];
  const gaps: number[] = [];
  const costs: number[] = [];
  let gap = DEFAULT_GAP;
  let reach = 0;
  for (const word of source.trim().split(/\s+/)) {
    if (word.startsWith("<")) gap = Number(word.slice(1));
    else if (word.startsWith("~")) reach = Number(word.slice(1));
    else {
      const concepts = word.split("|") as Concept[];
      steps.push(anyOf(concepts, lexicon));
      costs.push(concepts.reduce((sum, concept) => sum + (FREQUENCY[concept] ?? RARE), 0));
      gaps.push(gap);
      gap = DEFAULT_GAP;
    }
  }
  return { steps, gaps, reach, anchor: costs.indexOf(Math.min(...costs)) };
}

export function anyOf(concepts: readonly Concept[], lexicon: Lexicon): Uint8Array {
  const accepted = new Uint8Array(lexicon.classes);
  for (const concept of concepts) {
    const carriers = lexicon.carriers(concept);
    for (let id = 0; id < accepted.length; id++) if (carriers[id]) accepted[id] = 1;
  }
  return accepted;
}

/** First and last token of a match. */
export type Span = readonly [first: number, last: number];

/** A match whose anchor is token `at`. */
export function matchAround(pattern: Pattern, tokens: Tokens, at: number): Span | undefined {
  return backward(pattern, tokens, pattern.anchor - 1, at, at);
}

function backward(
  pattern: Pattern,
  tokens: Tokens,
  step: number,
  from: number,
  anchor: number,
): Span | undefined {
  if (step < 0) {
    const last = forward(
      pattern,
      tokens,
      pattern.anchor + 1,
      anchor,
      (tokens.sentences[from] ?? 0) + pattern.reach,
    );
    return last < 0 ? undefined : [from, last];
  }
  const { classes, lasts, words, sentences } = tokens;
  const accepted = pattern.steps[step];
  const lowest = (words[from] ?? 0) - (pattern.gaps[step + 1] ?? 1);
  const firstSentence = (sentences[anchor] ?? 0) - pattern.reach;
  for (let i = from - 1; i >= 0 && (lasts[i] ?? 0) >= lowest && (sentences[i] ?? 0) >= firstSentence; i--) {
    if (!accepted?.[classes[i] ?? 0]) continue;
    const span = backward(pattern, tokens, step - 1, i, anchor);
    if (span) return span;
  }
  return undefined;
}

/** The last token of the steps after the anchor; -1 when they do not follow. */
function forward(pattern: Pattern, tokens: Tokens, step: number, from: number, lastSentence: number): number {
  const accepted = pattern.steps[step];
  if (accepted === undefined) return from;
  const { count, classes, lasts, words, sentences } = tokens;
  const highest = (lasts[from] ?? 0) + (pattern.gaps[step] ?? 1);
  for (
    let i = from + 1;
    i < count && (words[i] ?? 0) <= highest && (sentences[i] ?? 0) <= lastSentence;
    i++
  ) {
    if (!accepted[classes[i] ?? 0]) continue;
    const last = forward(pattern, tokens, step + 1, i, lastSentence);
    if (last >= 0) return last;
  }
  return -1;
}
