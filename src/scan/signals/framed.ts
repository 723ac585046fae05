/** Frames: signs whose ideas all stand close together, in whatever order their language puts them. What each sentence
 *  holds is gathered as bits, so that a frame is looked for only where nothing of it is missing. */
import type { Concept, Lexicon } from "../words/lexicon.ts";
import type { Tokens } from "../words/tokens.ts";
import { anyOf, type Span } from "./pattern.ts";
import type { Sign } from "./sign.ts";

/** What undoes a match of a sign. */
export interface Undoing {
  /** Ideas that do when they stand so many words before. */
  readonly unless: readonly (readonly [Uint8Array, number])[];
  /** An idea that does when it stands within. */
  readonly within: Uint8Array | undefined;
}

export interface Frame extends Undoing {
  readonly index: number;
  readonly sign: Sign;
  readonly roles: readonly Uint8Array[];
  /** Most words between a role and the one named before it. */
  readonly ties: readonly number[];
  readonly words: number;
  readonly reach: number;
  /** The bits of its roles. */
  readonly low: number;
  readonly high: number;
}

export interface Frames {
  /** By how many sentences they reach back. */
  readonly byReach: readonly (readonly Frame[])[];
  /** By class of a token: which roles it can take. */
  readonly low: Int32Array;
  readonly high: Int32Array;
}

const DEFAULT_WORDS = 24;
const BITS = 31;
const MAX_REACH = 3;

export function undoing(sign: Sign, lexicon: Lexicon): Undoing {
  const unless = (Object.entries(sign.unlessAfter ?? {}) as [Concept, number][]).map(
    ([concept, words]) => [lexicon.carriers(concept), words] as const,
  );
  return { unless, within: sign.unlessWithin ? lexicon.carriers(sign.unlessWithin) : undefined };
}

const nameOf = (role: string): string => role.split(" ~")[0] ?? role;

export function framesOf(signs: readonly Sign[], lexicon: Lexicon): Frames {
  const low = new Int32Array(lexicon.classes);
  const high = new Int32Array(lexicon.classes);
  const uses = new Map<string, number>();
  for (const { roles = [] } of signs)
    for (const role of roles) uses.set(nameOf(role), (uses.get(nameOf(role)) ?? 0) + 1);
  // The roles that most frames have come first: there are more roles than bits.
  const bits = new Map<string, number>();
  const bitOf = (role: string): number => {
    const known = bits.get(role);
    if (known !== undefined) return known;
    const bit = bits.size;
    bits.set(role, bit);
    // What has no bit is only looked for where the other roles of its frame are.
    if (bit >= 2 * BITS) return bit;
    const accepted = anyOf(role.split("|") as Concept[], lexicon);
    const half = bit < BITS ? low : high;
    for (const [id, isAccepted] of accepted.entries())
      if (isAccepted) half[id] = (half[id] ?? 0) | (1 << (bit % BITS));
    return bit;
  };
  for (const [role] of [...uses].sort(([, a], [, b]) => b - a)) bitOf(role);
  const all = signs.flatMap((sign, index): Frame[] => {
    if (!sign.roles) return [];
    const names = sign.roles.map(nameOf);
    const places = names.map(bitOf);
    const sum = (isIn: (bit: number) => boolean): number =>
      places.filter(isIn).reduce((mask, bit) => mask | (1 << (bit % BITS)), 0);
    return [
      {
        ...undoing(sign, lexicon),
        index,
        sign,
        roles: names.map((role) => anyOf(role.split("|") as Concept[], lexicon)),
        ties: sign.roles.map((role) => Number(role.split(" ~")[1] ?? Number.POSITIVE_INFINITY)),
        words: sign.within ?? DEFAULT_WORDS,
        reach: sign.reach ?? 0,
        low: sum((bit) => bit < BITS),
        high: sum((bit) => bit >= BITS && bit < 2 * BITS),
      },
    ];
  });
  const byReach = Array.from({ length: MAX_REACH + 1 }, (_, reach) =>
    all.filter((one) => one.reach === reach),
  );
  return { byReach, low, high };
}

/** What the sentence at hand and those before it hold: bits, and the first token of each. */
const lows = new Int32Array(MAX_REACH + 1);
const highs = new Int32Array(MAX_REACH + 1);
const starts = new Int32Array(MAX_REACH + 1);

/** Every frame that a text fills, sentence by sentence. */
export function eachFrame(
  { byReach, low, high }: Frames,
  tokens: Tokens,
  visit: (frame: Frame, span: Span) => void,
): void {
  lows.fill(0);
  highs.fill(0);
  starts.fill(0);
  const { count } = tokens;
  let sentence = 0;
  let lowNow = 0;
  let highNow = 0;
  for (let i = 0; i < count; i++) {
    const id = tokens.classAt(i);
    const lowHere = low[id] ?? 0;
    const highHere = high[id] ?? 0;
    if ((lowHere | highHere) === 0) continue;
    const here = tokens.sentenceAt(i);
    if (here !== sentence) {
      // Not every role has a bit: the sentence may have begun before.
      let first = i;
      while (first > 0 && tokens.sentenceAt(first - 1) === here) first--;
      ended(byReach, tokens, first, lowNow, highNow, visit);
      for (let passed = 0; passed <= MAX_REACH && sentence < here; passed++, sentence++) moveOn(first);
      sentence = here;
      lowNow = highNow = 0;
    }
    lowNow |= lowHere;
    highNow |= highHere;
  }
  ended(byReach, tokens, count, lowNow, highNow, visit);
}

function moveOn(at: number): void {
  for (let reach = MAX_REACH; reach > 0; reach--) {
    lows[reach] = lows[reach - 1] ?? 0;
    highs[reach] = highs[reach - 1] ?? 0;
    starts[reach] = starts[reach - 1] ?? 0;
  }
  lows[0] = highs[0] = 0;
  starts[0] = at;
}

function ended(
  byReach: Frames["byReach"],
  tokens: Tokens,
  end: number,
  lowNow: number,
  highNow: number,
  visit: (frame: Frame, span: Span) => void,
): void {
  if ((lowNow | highNow) === 0) return;
  lows[0] = lowNow;
  highs[0] = highNow;
  let low = 0;
  let high = 0;
  for (let reach = 0; reach <= MAX_REACH; reach++) {
    low |= lows[reach] ?? 0;
    high |= highs[reach] ?? 0;
    const frames = byReach[reach] ?? [];
    for (let n = 0; n < frames.length; n++) {
      const frame = frames[n];
      if (!frame || (frame.low & ~low) !== 0 || (frame.high & ~high) !== 0) continue;
      const span = filled(frame, tokens, starts[reach] ?? 0, end);
      if (span) visit(frame, span);
    }
  }
}

/** The last two tokens that can take each role of the frame at hand. */
const MAX_ROLES = 6;
const last = new Int32Array(MAX_ROLES);
const former = new Int32Array(MAX_ROLES);
const taken = new Int32Array(MAX_ROLES);

/** Where every role has a token of its own, close enough together. */
function filled({ roles, ties, words }: Frame, tokens: Tokens, from: number, end: number): Span | undefined {
  last.fill(-1);
  former.fill(-1);
  let missing = roles.length;
  for (let i = from; i < end; i++) {
    const id = tokens.classAt(i);
    let isPart = false;
    for (let role = 0; role < roles.length; role++) {
      if (!roles[role]?.[id]) continue;
      if (last[role] === -1) missing -= 1;
      former[role] = last[role] ?? -1;
      last[role] = i;
      isPart = true;
    }
    if (!isPart || missing > 0 || !isCast(ties, tokens, 0)) continue;
    let first = i;
    for (let role = 0; role < roles.length; role++) first = Math.min(first, taken[role] ?? i);
    if (tokens.lastWordAt(i) - tokens.wordAt(first) <= words) return [first, i];
  }
  return undefined;
}

/** Gives each role a token that no other has, near enough to the one before it. */
function isCast(ties: readonly number[], tokens: Tokens, role: number): boolean {
  const tie = ties[role];
  if (tie === undefined) return true;
  const before = role > 0 ? tokens.wordAt(taken[role - 1] ?? 0) : 0;
  for (let n = 0; n < 2; n++) {
    const at = (n === 0 ? last[role] : former[role]) ?? -1;
    if (at < 0 || (role > 0 && Math.abs(tokens.wordAt(at) - before) > tie)) continue;
    let isFree = true;
    for (let other = 0; other < role; other++) if (taken[other] === at) isFree = false;
    if (!isFree) continue;
    taken[role] = at;
    if (isCast(ties, tokens, role + 1)) return true;
  }
  return false;
}
