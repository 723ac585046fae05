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

/** How often ideas occur in half a million honest words, roughly; those not named are rarer. Printed by
 *  `npm run bench:scan -- --frequencies`. */
const FREQUENCY: Readonly<Partial<Record<Concept, number>>> = {
  FOR: 19550,
  IDENTIFIER: 11550,
  PARAMETER: 11150,
  DOCUMENT: 10750,
  CONTENT: 9250,
  AND: 6150,
  TOOL: 6050,
  BE: 5800,
  PRIOR: 5550,
  CALL: 5550,
  LABEL: 5450,
  THIS: 5200,
  THEM: 5200,
  BELONGINGS: 5150,
  RELATIVE: 4900,
  READ: 4300,
  PORTRAY: 4200,
  FROM: 4100,
  SUPPLY: 3550,
  PEOPLE: 3400,
  QUOTED: 3100,
  WHEN: 2750,
  HANDLES: 2600,
  ACT: 2600,
  ATTACH: 2550,
  SHELL: 2500,
  SAY: 2450,
  RUN: 2400,
  NOT: 2350,
  SEND: 2250,
  WHOLE: 2250,
  NEW: 2050,
  YOU: 2000,
  GAVE: 1800,
  REVEAL: 1800,
  MESSAGE: 1650,
  URL: 1650,
  AI: 1600,
  PRINCIPAL: 1550,
  USER: 1500,
  COMMAND: 1400,
  SECRET: 1400,
  THAT: 1400,
  SEES: 1350,
  UTTERANCE: 1350,
  MUST: 1300,
  AWARE: 1300,
  AS: 1300,
  WISHES: 1250,
  RULES: 1200,
  PAYEE: 1200,
  SPEAK: 1200,
  YOUR: 1150,
  DOES: 1150,
  TASK: 1100,
  FINE: 1100,
  MONEY: 1100,
  TREAT: 1050,
  FIRST: 1000,
  CHANGE: 1000,
  GRANTED: 1000,
  STATE: 950,
  EMAIL: 950,
  VISIT: 850,
  ERASE: 850,
  WANT: 850,
  SHOW: 800,
  TURN: 800,
  PERMITS: 800,
  ERROR: 750,
  CONFIRM: 750,
  SHELLWORD: 750,
  DETECT: 750,
  PREFER: 700,
  PRIVATE: 700,
  NO: 700,
  SET: 700,
  AFTER: 650,
  REPLY: 600,
  INVOKE: 550,
  CHATWORD: 550,
  SAFETY: 550,
  REPORTED: 550,
  OFF: 500,
  NOTEFOR: 500,
  INSTRUCTIONS: 500,
  FOLLOWEDBY: 500,
  ME: 450,
  DISPATCH: 450,
  REASON: 450,
  SESSION: 450,
  BCC: 400,
  USERS: 400,
  PUT: 350,
  ACCOUNT: 350,
  FORBID: 350,
  SWAP: 350,
  MACHINE: 350,
  CHATMARK: 350,
  RESTRICTIONS: 350,
  ALWAYS: 300,
  BEFORE: 300,
  PLEASE: 300,
  DEPRECATED: 300,
  DISABLE: 300,
  TRACES: 300,
  PERMIT: 300,
  DEVELOPER: 300,
  CALLMARK: 300,
  OBEYS: 300,
  OMIT: 250,
  ORDERS: 250,
  WITHOUT: 250,
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
      tokens.sentenceAt(from) + pattern.reach,
    );
    return last < 0 ? undefined : [from, last];
  }
  const accepted = pattern.steps[step];
  const lowest = tokens.wordAt(from) - (pattern.gaps[step + 1] ?? 1);
  const firstSentence = tokens.sentenceAt(anchor) - pattern.reach;
  for (
    let i = from - 1;
    i >= 0 && tokens.lastWordAt(i) >= lowest && tokens.sentenceAt(i) >= firstSentence;
    i--
  ) {
    if (!accepted?.[tokens.classAt(i)]) continue;
    const span = backward(pattern, tokens, step - 1, i, anchor);
    if (span) return span;
  }
  return undefined;
}

/** The last token of the steps after the anchor; -1 when they do not follow. */
function forward(pattern: Pattern, tokens: Tokens, step: number, from: number, lastSentence: number): number {
  const accepted = pattern.steps[step];
  if (accepted === undefined) return from;
  const highest = tokens.lastWordAt(from) + (pattern.gaps[step] ?? 1);
  for (
    let i = from + 1;
    i < tokens.count && tokens.wordAt(i) <= highest && tokens.sentenceAt(i) <= lastSentence;
    i++
  ) {
    if (!accepted[tokens.classAt(i)]) continue;
    const last = forward(pattern, tokens, step + 1, i, lastSentence);
    if (last >= 0) return last;
  }
  return -1;
}
