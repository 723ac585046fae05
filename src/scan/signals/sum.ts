/** Adds up the signs that stand close together in one view of a text. */
import type { Signal } from "../hit.ts";
import { fold } from "../views/fold.ts";
import { isHidden, rawIndex, type View } from "../views/view.ts";
import { buildLexicon, type Concept, type Lexicon } from "../words/lexicon.ts";
import { partWords } from "../words/part.ts";
import { type Tokens, tokenize } from "../words/tokens.ts";
import { anyOf, compile, matchAround, type Pattern } from "./pattern.ts";
import { FOREIGN_WORKFLOW_LIMIT, GROUP_LIMITS, type Group, SIGNS, type Sign } from "./table.ts";

export type Kind = "description" | "output";

/** What is known of the place a text stands in. */
export interface Place {
  readonly kind: Kind;
  /** Names of the tool itself and of the other tools of its server: to name these is no trespass. */
  readonly ownTools?: ReadonlySet<string>;
  /** Names of tools of other servers: to name these is a sign by itself. */
  readonly foreignTools?: ReadonlySet<string>;
}

/** A sign where it was seen, by indexes of the view. */
export interface Seen {
  readonly sign: Sign;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  /** What it weighs where the text speaks to the agent. */
  readonly addressed: number;
  /** For a sign that names a tool: it is none of the server's own. */
  readonly isForeign?: boolean;
}

/** What adds up to one suspicion: signs no further apart than the window. */
export interface Sum {
  readonly total: number;
  /** Whether a sign is among them that honest authors do not write. */
  readonly isHard: boolean;
  readonly seen: readonly Seen[];
  readonly start: number;
  readonly end: number;
}

interface Compiled {
  readonly lexicon: Lexicon;
  /** By class of a token: the patterns that are anchored there, each with its sign. */
  readonly byClass: readonly (readonly (readonly [sign: number, Pattern])[])[];
  readonly unless: readonly (readonly (readonly [Uint8Array, number])[])[];
  /** By class of a token: which shapes it calls for, one bit each in the order of SHAPED. */
  readonly wants: Int32Array;
  readonly identifiers: Uint8Array;
  readonly detects: Uint8Array;
  readonly programs: Uint8Array;
  /** By class of a token: by how many places its letters were moved, or BACKWARDS; 0 for words in the clear. */
  readonly ciphers: Uint8Array;
}

/** The signs that have a shape. There is a bit for each in an integer, so 31 at most. */
const SHAPED = SIGNS.flatMap(({ shape }, index) => (shape ? [index] : []));

export const BACKWARDS = 26;

let compiled: Compiled | undefined;

/** Built once, when the first text is scanned. */
export function grammar(): Compiled {
  if (compiled) return compiled;
  const lexicon = buildLexicon((text) => fold(text).text);
  const byClass: (readonly [number, Pattern])[][] = Array.from({ length: lexicon.classes }, () => []);
  SIGNS.forEach(({ ideas }, index) => {
    for (const source of ideas ?? []) {
      const pattern = compile(source, lexicon);
      pattern.steps[pattern.anchor]?.forEach((isAccepted, id) => {
        if (isAccepted) byClass[id]?.push([index, pattern]);
      });
    }
  });
  const unless = SIGNS.map(({ unlessAfter = {} }) =>
    (Object.entries(unlessAfter) as [Concept, number][]).map(
      ([concept, words]) => [lexicon.carriers(concept), words] as const,
    ),
  );
  const wants = new Int32Array(lexicon.classes);
  SHAPED.forEach((index, order) => {
    const needs = SIGNS[index]?.needs;
    if (needs)
      lexicon.carriers(needs).forEach((isCarrier, id) => {
        if (isCarrier) wants[id] = (wants[id] ?? 0) | (1 << order);
      });
  });
  const ciphers = new Uint8Array(lexicon.classes);
  const mark = (concept: Concept, cipher: number) =>
    lexicon.carriers(concept).forEach((isCarrier, id) => {
      if (isCarrier && lexicon.isLone(id)) ciphers[id] = cipher;
    });
  mark("BACKWARDS", BACKWARDS);
  for (let shift = 1; shift < 26; shift++) mark(`SHIFTED_${shift}`, shift);
  compiled = {
    lexicon,
    byClass,
    unless,
    wants,
    identifiers: anyOf(["IDENTIFIER", "QUOTED"], lexicon),
    detects: lexicon.carriers("DETECT"),
    programs: lexicon.carriers("SHELL"),
    ciphers,
  };
  return compiled;
}

export const readTokens = (text: string): Tokens => tokenize(text, grammar().lexicon);

/** Letters without spaces parted into the words that are known; the rest stays together. */
export const segment = (letters: string): string => partWords(letters, grammar().lexicon);

const WINDOW_CHARS = 700;
const MAX_PER_SIGN = 40;
const WORD_CHARS = 7;
/** How far `then` looks. */
const THEN_CHARS = 100;
const HIDDEN_BONUS = 1;
const QUOTED_WEIGHT = 0.5;
/** A sign of this weight shows that the text speaks to the agent. */
const ADDRESSING_WEIGHT = 1.5;

/** Every sign in the view, in order. */
export function signsIn(view: View, tokens: Tokens, { kind, ownTools }: Place): Seen[] {
  const { byClass, unless, wants, programs } = grammar();
  const found: Seen[] = [];
  const counts = new Uint8Array(SIGNS.length);
  const note = (index: number, start: number, end: number): void => {
    const sign = SIGNS[index];
    if (!sign || (counts[index] ?? 0) >= MAX_PER_SIGN) return;
    const weight = sign.weight[kind];
    if (weight === 0) return;
    counts[index] = (counts[index] ?? 0) + 1;
    const bonus = isHidden(view, start, end) ? HIDDEN_BONUS : 0;
    const isForeign = sign.name === "names-tool" && isForeignTool(view, tokens, start, end, ownTools);
    const isQuoted = sign.family === "mimicry" && isExample(view, tokens, start);
    found.push({
      sign,
      start,
      end,
      weight: isQuoted ? QUOTED_WEIGHT : weight + bonus,
      addressed: (sign.family === "poisoning" ? Math.max(weight, sign.weight.description) : weight) + bonus,
      isForeign,
    });
  };
  let needed = 0;
  for (let i = 0; i < tokens.count; i++) {
    const id = tokens.classes[i] ?? 0;
    if (!programs[id] || tokens.hints.pipes > 0 || hasArgument(view.text, tokens.ends[i] ?? 0))
      needed |= wants[id] ?? 0;
    const candidates = byClass[id];
    if (!candidates || candidates.length === 0) continue;
    let lastSign = -1;
    for (const [index, pattern] of candidates) {
      if (index === lastSign) continue;
      const span = matchAround(pattern, tokens, i);
      if (!span || isAfter(unless[index], tokens, span[0])) continue;
      const then = SIGNS[index]?.then;
      if (then && !then.test(view.text.slice(tokens.ends[span[1]], (tokens.ends[span[1]] ?? 0) + THEN_CHARS))) continue;
      note(index, tokens.starts[span[0]] ?? 0, tokens.ends[span[1]] ?? 0);
      lastSign = index;
    }
  }
  for (const [order, index] of SHAPED.entries()) {
    const { shape, hint, needs } = SIGNS[index] ?? {};
    if (!shape || (needs && !(needed & (1 << order))) || (hint && tokens.hints[hint] === 0)) continue;
    const match = shape.exec(view.text);
    if (match) note(index, match.index, match.index + match[0].length);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether what follows the name of a program is an argument: a flag, a path, a variable, an address, a number. */
function hasArgument(text: string, end: number): boolean {
  return (
    text.charCodeAt(end) === 32 &&
    (/[-~/$.+0-9"'`(]/.test(text[end + 1] ?? "") ||
      text.startsWith("http", end + 1) ||
      /^\w+ ?[:=-]/.test(text.slice(end + 1, end + 20)))
  );
}

function isAfter(
  unless: readonly (readonly [Uint8Array, number])[] | undefined,
  tokens: Tokens,
  at: number,
): boolean {
  const { classes, starts, ends, sentences } = tokens;
  // From the end of a phrase, whose words count as one token: about seven characters a word.
  for (const [accepted, within] of unless ?? [])
    for (let i = at - 1; i >= 0 && (starts[at] ?? 0) - (ends[i] ?? 0) <= within * WORD_CHARS; i--)
      if (sentences[i] === sentences[at] && accepted[classes[i] ?? 0]) return true;
  return false;
}

/** The window with the greatest sum; each sign counts once, with its strongest sighting. */
export function heaviest(seen: readonly Seen[]): Sum | undefined {
  let best: Sum | undefined;
  for (let first = 0; first < seen.length; first++) {
    const from = seen[first]?.start ?? 0;
    const strongest = new Map<string, Seen>();
    for (let i = first; i < seen.length && (seen[i]?.start ?? 0) <= from + WINDOW_CHARS; i++) {
      const one = seen[i];
      if (one && Math.abs(one.weight) > Math.abs(strongest.get(one.sign.name)?.weight ?? 0))
        strongest.set(one.sign.name, one);
    }
    const all = [...strongest.values()];
    const total = totalOf(all);
    if (!best || total > best.total)
      best = {
        total,
        isHard: all.some(({ sign }) => !sign.isSoft),
        seen: all,
        start: from,
        end: Math.max(...all.map(({ end }) => end)),
      };
  }
  return best;
}

/** Groups count up to their limit: five ways to say "call X first" are one. */
function totalOf(seen: readonly Seen[]): number {
  let total = 0;
  const isAddressed = seen.some(
    ({ sign, weight }) => sign.family === "mimicry" && weight >= ADDRESSING_WEIGHT,
  );
  const groups: Partial<Record<Group, number>> = {};
  for (const { sign, addressed, ...one } of seen) {
    const weight = isAddressed ? Math.max(addressed, one.weight) : one.weight;
    if (sign.group) groups[sign.group] = (groups[sign.group] ?? 0) + weight;
    else total += weight;
  }
  const limits = seen.some(({ isForeign }) => isForeign)
    ? { ...GROUP_LIMITS, workflow: FOREIGN_WORKFLOW_LIMIT }
    : GROUP_LIMITS;
  for (const [group, sum] of Object.entries(groups)) total += Math.min(sum, limits[group as Group]);
  return total;
}

/** A phrase in quotes in a sentence about attacks is an example of one. */
function isExample({ text }: View, tokens: Tokens, start: number): boolean {
  if (!/["'`“‘«]/.test(text.slice(Math.max(0, start - 2), start))) return false;
  const { detects } = grammar();
  const at = tokens.starts.subarray(0, tokens.count).findIndex((from) => from >= start);
  for (let i = at - 1; i >= 0 && tokens.sentences[i] === tokens.sentences[at]; i--)
    if (detects[tokens.classes[i] ?? 0]) return true;
  return false;
}

/** One of the server's tools, or named like them: a server may show more tools to other clients. */
function isOwn(name: string, ownTools: ReadonlySet<string> = new Set()): boolean {
  if (ownTools.has(name)) return true;
  const words = new Set(name.toLowerCase().split(/[_-]/));
  for (const own of ownTools) {
    const shared = own
      .toLowerCase()
      .split(/[_-]/)
      .filter((word) => word.length > 3 && words.has(word));
    if (shared.length > 1 || shared.some((word) => word.length > 7 && own.startsWith(word))) return true;
  }
  return false;
}

function isForeignTool(
  { text }: View,
  tokens: Tokens,
  start: number,
  end: number,
  ownTools: ReadonlySet<string> | undefined,
): boolean {
  const identifiers = grammar().identifiers;
  for (let i = 0; i < tokens.count; i++) {
    if (
      (tokens.starts[i] ?? 0) < start ||
      (tokens.ends[i] ?? 0) > end ||
      !identifiers[tokens.classes[i] ?? 0]
    )
      continue;
    const name = text.slice(tokens.starts[i], tokens.ends[i]);
    // A parameter of the tool itself stands in its own line.
    if (!isOwn(name, ownTools) && !text.includes(`\n- ${name}`)) return true;
  }
  return false;
}

export function asSignals(view: View, { seen }: Sum, toBytes: (rawIndex: number) => number): Signal[] {
  return seen
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ sign, start, end, weight }) => ({
      name: sign.name,
      words: sign.words,
      weight,
      evidence: view.text.slice(start, Math.min(end, start + 100)),
      offset: toBytes(rawIndex(view, start)),
    }));
}
