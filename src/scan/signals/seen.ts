/** Every sign in one view of a text. */
import { isHidden, type View } from "../views/view.ts";
import type { Hints, Tokens } from "../words/tokens.ts";
import { eachFrame, type Undoing } from "./framed.ts";
import { grammar, type Shape } from "./grammar.ts";
import { matchAround, type Span } from "./pattern.ts";
import type { Sign } from "./sign.ts";
import { FOREIGN_TOOL, SIGNS } from "./table.ts";
import { namesForeignTool } from "./tools.ts";

export type Kind = "description" | "output";

/** What is known of the place a text stands in. */
export interface Place {
  readonly kind: Kind;
  /** Names of the tool itself and of the other tools of its server: to name these is no trespass. */
  readonly ownTools?: ReadonlySet<string>;
  /** Names of tools of other servers: to name one is a sign by itself. */
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
  readonly isForeign: boolean;
}

/** More of one sign in one piece of text tells nothing new. */
const MAX_PER_SIGN = 16;
const WORD_CHARS = 7;
/** How far what follows is looked at. */
const FOLLOWING_CHARS = 100;
const PRECEDING_CHARS = 40;
const HIDDEN_BONUS = 1;
const QUOTED_WEIGHT = 0.4;
/** No threshold is lower. */
const LEAST_SUM = 2;

/** How often each sign was seen in the view at hand; the last place is for FOREIGN_TOOL. */
const counts = new Uint8Array(SIGNS.length + 1);

/** In the order of the text. */
export function signsIn(view: View, tokens: Tokens, place: Place): Seen[] {
  const { byClass, frames, wants, capitalBits, tagBits, shapes } = grammar();
  const { text } = view;
  const { hints } = tokens;
  const found: Seen[] = [];
  counts.fill(0);
  const note = (index: number, sign: Sign, start: number, end: number): void => {
    if (sign.weight[place.kind] === 0 || (counts[index] ?? 0) >= MAX_PER_SIGN) return;
    counts[index] = (counts[index] ?? 0) + 1;
    found.push(weighed(sign, start, end, view, tokens, place));
  };
  let wanted = 0;
  for (let i = 0; i < tokens.count; i++) {
    const id = tokens.classAt(i);
    let bits = wants[id] ?? 0;
    if (bits !== 0) {
      const start = tokens.startAt(i);
      if (bits & capitalBits && !isCapital(text, start)) bits &= ~capitalBits;
      if (bits & tagBits && !isTagged(text, start)) bits &= ~tagBits;
      wanted |= bits;
    }
    const candidates = byClass[id];
    if (candidates === undefined) continue;
    let before = -1;
    for (let n = 0; n < candidates.length; n++) {
      const candidate = candidates[n];
      if (!candidate || candidate.index === before || (counts[candidate.index] ?? 0) >= MAX_PER_SIGN)
        continue;
      const { index, sign, pattern } = candidate;
      const span = matchAround(pattern, tokens, i);
      if (!span || !holdsGood(sign, candidate, text, tokens, span, place)) continue;
      note(index, sign, tokens.startAt(span[0]), tokens.endAt(span[1]));
      before = index;
    }
  }
  eachFrame(frames, tokens, (frame, span) => {
    if ((counts[frame.index] ?? 0) < MAX_PER_SIGN && holdsGood(frame.sign, frame, text, tokens, span, place))
      note(frame.index, frame.sign, tokens.startAt(span[0]), tokens.endAt(span[1]));
  });
  if (wanted !== 0 || hints.headings > 0) {
    const called = shapes.filter((shape) => isCalledFor(shape, wanted, hints, text));
    if (mayMatter(found, called, view))
      for (const { sign, pattern } of called) {
        pattern.lastIndex = 0;
        for (
          let n = 0, match = pattern.exec(text);
          match && n < MAX_PER_SIGN;
          match = pattern.exec(text), n++
        )
          note(sign, SIGNS[sign] ?? FOREIGN_TOOL, match.index, pattern.lastIndex);
      }
  }
  if (place.foreignTools)
    for (let i = 0; i < tokens.count; i++) {
      const [start, end] = [tokens.startAt(i), tokens.endAt(i)];
      const name = text.slice(start, end);
      if (place.foreignTools.has(name) && !place.ownTools?.has(name))
        note(SIGNS.length, FOREIGN_TOOL, start, end);
    }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether a sign is what its words make it look like: nothing undoes it, and what it asks for besides is there. */
function holdsGood(
  sign: Sign,
  { unless, within }: Undoing,
  text: string,
  tokens: Tokens,
  span: Span,
  place: Place,
): boolean {
  if (unless.length > 0 && isUndone(unless, tokens, span[0])) return false;
  if (within && holds(within, tokens, span)) return false;
  const [start, end] = [tokens.startAt(span[0]), tokens.endAt(span[1])];
  const { following, preceding, around } = sign;
  if (following && !following.test(text.slice(end, end + FOLLOWING_CHARS))) return false;
  if (preceding && !preceding.test(text.slice(Math.max(0, start - PRECEDING_CHARS), start))) return false;
  if (around && !around.pattern.test(text.slice(Math.max(0, start - around.before), end + around.after)))
    return false;
  return !sign.isTrespass || namesForeignTool(text, tokens, start, end, place.ownTools);
}

/** Shapes that no word calls for are called for by a heading. */
function isCalledFor({ bit, hint, contains }: Shape, wanted: number, hints: Hints, text: string): boolean {
  if (bit !== 0 && (wanted & bit) === 0) return false;
  return (!hint || hints[hint] > 0) && (!contains || text.includes(contains));
}

/** Whether the shapes could add up to anything with what was found: most texts are done without looking for them. */
function mayMatter(found: readonly Seen[], called: readonly Shape[], { hidden }: View): boolean {
  if (called.length === 0) return false;
  if (hidden.length > 0) return true;
  let most = 0;
  for (const { addressed } of found) most += addressed;
  for (const { sign } of called) most += heaviestOf(SIGNS[sign]);
  return most >= LEAST_SUM;
}

const heaviestOf = (sign: Sign | undefined): number =>
  sign ? Math.max(sign.weight.description, sign.weight.output) : 0;

function weighed(sign: Sign, start: number, end: number, view: View, tokens: Tokens, place: Place): Seen {
  const weight = sign.weight[place.kind];
  const bonus = isHidden(view, start, end) ? HIDDEN_BONUS : 0;
  const isQuoted =
    bonus === 0 &&
    ((sign.group === "command" && isNamedExample(view.text, start)) ||
      (!sign.isSoft && isExample(view, tokens, start, end)));
  return {
    sign,
    start,
    end,
    weight: isQuoted ? Math.min(weight, QUOTED_WEIGHT) : weight + bonus,
    addressed: isQuoted
      ? Math.min(weight, QUOTED_WEIGHT)
      : (sign.family === "poisoning" ? Math.max(weight, sign.weight.description) : weight) + bonus,
    isForeign:
      sign === FOREIGN_TOOL ||
      sign.isTrespass === true ||
      (sign.name === "names-tool" && namesForeignTool(view.text, tokens, start, end, place.ownTools)),
  };
}

/** A word in capitals: its first two letters are. */
function isCapital(text: string, start: number): boolean {
  const [first, second] = [text.charCodeAt(start), text.charCodeAt(start + 1)];
  return first >= 65 && first <= 90 && second >= 65 && second <= 90;
}

/** A word that may stand in a tag: `<system`, `[SYSTEM`, `</system`, `<to_ai`. */
const isTagged = (text: string, start: number): boolean => "<[/_-".includes(text[start - 1] ?? " ");

/** From the end of a phrase, whose words count as one token: about seven characters a word. */
function isUndone(unless: readonly (readonly [Uint8Array, number])[], tokens: Tokens, at: number): boolean {
  for (const [accepted, within] of unless)
    for (let i = at - 1; i >= 0 && tokens.startAt(at) - tokens.endAt(i) <= within * WORD_CHARS; i--)
      if (tokens.sentenceAt(i) === tokens.sentenceAt(at) && accepted[tokens.classAt(i)]) return true;
  return false;
}

/** Whether one of the ideas stands between the first and the last token of a match. */
function holds(accepted: Uint8Array, tokens: Tokens, [first, last]: Span): boolean {
  for (let i = first; i <= last; i++) if (accepted[tokens.classAt(i)]) return true;
  return false;
}

/** A command right behind `for example`: it shows what is meant, and nobody is to run it. */
const isNamedExample = (text: string, start: number): boolean =>
  /\b(?:for example|e\.g\.|for instance|examples?|such as)[:,]? ?[^.\n]{0,40}(?::\s{0,4}(?:`{3}\w{0,12}\s)?)?$/i.test(
    text.slice(Math.max(0, start - 72), start),
  );

/** A phrase in quotes where attacks are spoken about is an example of one, and so is one that a report shows in its tag. */
function isExample({ text }: View, tokens: Tokens, start: number, end: number): boolean {
  // `(ignore|disregard) (all|any)`: what somebody looks for.
  if (ALTERNATIVES.test(text.slice(Math.max(0, start - 1), end + 16))) return true;
  if (
    !isQuotedSpan(text, start, end) &&
    !/(?:such as|like|e\.g\.|markers?) ?$/.test(text.slice(Math.max(0, start - 12), start)) &&
    !isReportedTag(text, start, end)
  )
    return false;
  const { detects } = grammar();
  for (let i = 0; i < tokens.count && tokens.startAt(i) < end + NEAR_CHARS; i++)
    if (tokens.endAt(i) > start - NEAR_CHARS && detects[tokens.classAt(i)]) return true;
  return false;
}

const ALTERNATIVES = /^.?[^\n]{0,80}\((?:\?:)?[\w ]{2,24}\|[\w |]{2,60}\)/;

/** How near to a quotation something is said about it. */
const NEAR_CHARS = 160;

/** Whether a span lies within quotation marks around a phrase; a whole speech in quotes is no example. */
function isQuotedSpan(text: string, start: number, end: number): boolean {
  // The mark itself may be part of the span.
  const before = text.slice(Math.max(0, start - NEAR_CHARS), start + 1).replace(/[^"'`“‘«„「『]$/, "");
  // In JSON a quotation mark has a backslash before it.
  const opening = /(?:(?:^|[\s([{=:,>\\])["'`]|[“‘«„「『])([^"'`“”‘’«»「」『』\n]{0,159})$/.exec(before);
  if (!opening) return false;
  const closing = text.slice(end, end + MAX_QUOTED).search(/["'`”’»“」』]/);
  return closing >= 0 && (opening[1]?.length ?? 0) + (end - start) + closing <= MAX_QUOTED;
}

const MAX_QUOTED = 120;

/** `the page contained <NOTE>…</NOTE>`: text in a tag, as a report tells it. */
function isReportedTag(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2 * NEAR_CHARS), end);
  if (!before.includes("<")) return false;
  const tag = REPORTED_TAG.exec(before)?.[1] ?? REPORTED_TAG.exec(before.slice(0, start - end))?.[1];
  return tag !== undefined && text.slice(start, start + 2 * NEAR_CHARS).includes(`</${tag}>`);
}

const REPORTED_TAG =
  /\b(?:contain(?:s|ed|ing)|includ(?:es|ed|ing)|reads?|said|says|carried|held|hid|was|were) (?:an? |the |this )?\\?["'`]?<([A-Za-z][\w-]{1,23})>[^<>]{0,200}$/;
