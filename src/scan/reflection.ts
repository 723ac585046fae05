/** What an output merely echoes of what this run sent. An echo is recognised by the marker of the run inside it and reaches as
 *  far as the output goes on like the sent text, to the left and to the right; nothing is excused by its words alone. */

import type { Hit } from "./hit.ts";
import { composed, unescapeOnce } from "./search/unescape.ts";

/** A text that was sent in this call or chain. Its marker is unique to the run and stands in the text. */
export interface Sent {
  readonly text: string;
  readonly marker: string;
}

/** A stretch of an output that is an echo, in UTF-8 bytes of the output. */
export interface Reflection {
  readonly offset: number;
  readonly bytes: number;
  /** Which of the sent texts it repeats. */
  readonly sent: number;
}

/** Shorter markers are words anybody may utter: they excuse nothing. */
const MIN_MARKER_CHARS = 8;

/** Every echo in an output, in order, without overlaps. Case, white space and escapes may differ from what was sent. */
export function reflections(output: string, sent: readonly Sent[]): Reflection[] {
  let [last, offset] = [0, 0];
  return echoSpans(output, sent).map(({ start, end, sent: index }) => {
    const bytes = Buffer.byteLength(output.slice(start, end));
    const reflection = { offset: offset + Buffer.byteLength(output.slice(last, start)), bytes, sent: index };
    [last, offset] = [end, reflection.offset + bytes];
    return reflection;
  });
}

/** Whether all of a hit lies in one echo. A hit that reaches beyond it is the server's own. */
export function isReflected(
  hit: Pick<Hit, "offset" | "bytes">,
  echoes: readonly Pick<Reflection, "offset" | "bytes">[],
): boolean {
  return echoes.some(
    ({ offset, bytes }) => offset <= hit.offset && hit.offset + hit.bytes <= offset + bytes && hit.bytes > 0,
  );
}

/** The output with its echoes blanked: what the server says itself. Bytes keep their places, so offsets stay true. */
export function withoutReflections(output: string, sent: readonly Sent[]): string {
  let [own, last] = ["", 0];
  for (const { start, end } of echoSpans(output, sent)) {
    // Full stops at both ends, so that what stands before and behind is not read as one sentence.
    const size = Buffer.byteLength(output.slice(start, end));
    own += output.slice(last, start) + (size < 2 ? "." : `.${" ".repeat(size - 2)}.`);
    last = end;
  }
  return own + output.slice(last);
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly sent: number;
}

function echoSpans(output: string, sent: readonly Sent[]): Span[] {
  if (output === "" || sent.length === 0) return [];
  const said = folded(output);
  const spans = sent.flatMap((one, index) => echoesOf(said, one, index));
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  for (const span of spans) {
    const last = kept.at(-1);
    // Two echoes that meet are told by the longer one; of the other only what lies behind is left.
    const start = Math.max(span.start, last?.end ?? 0);
    if (start < span.end) kept.push({ ...span, start });
  }
  return kept.map((span) => ({ ...span, ...wholeCharacters(output, span.start, span.end) }));
}

/** More places of a marker in one sent text are not tried. */
const MAX_PLACES = 8;

function echoesOf(said: Folded, { text, marker }: Sent, sent: number): Span[] {
  const ours = folded(text).text;
  const sign = folded(marker).text;
  if (sign.length < MIN_MARKER_CHARS) return [];
  const places: number[] = [];
  for (let at = ours.indexOf(sign); at >= 0 && places.length < MAX_PLACES; at = ours.indexOf(sign, at + 1))
    places.push(at);
  const spans: Span[] = [];
  let done = 0;
  let seen = places.length === 0 ? -1 : said.text.indexOf(sign);
  while (seen >= 0) {
    let [from, to] = [seen, seen];
    for (const place of places) {
      let left = 0;
      while (left < place && seen - left > done && ours[place - left - 1] === said.text[seen - left - 1])
        left++;
      let right = sign.length;
      while (place + right < ours.length && ours[place + right] === said.text[seen + right]) right++;
      if (left + right > to - from) [from, to] = [seen - left, seen + right];
    }
    spans.push({ start: said.rawStart(from), end: said.rawEnd(to), sent });
    done = to;
    seen = said.text.indexOf(sign, to);
  }
  return spans;
}

interface Folded {
  readonly text: string;
  rawStart(index: number): number;
  rawEnd(index: number): number;
}

/** What an honest way through JSON, HTML, a URL or a wrapped line may change is taken away: escapes, case, white space.
 *  Markup and characters nobody sees stay, so that an echo ends where a server puts some of its own into it. */
function folded(raw: string): Folded {
  const once = unescapeOnce(raw, { markup: "kept" });
  const again = once === undefined ? undefined : unescapeOnce(once.text, { markup: "kept" });
  const view = once !== undefined && again !== undefined ? composed(once, again) : once;
  const source = lowered(view?.text ?? raw);
  // Runs of what is kept: from `news[k]` on, the folded text is a copy of the source from `olds[k]` on.
  const [news, olds]: [number[], number[]] = [[], []];
  let text = "";
  for (const { 0: run, index } of source.matchAll(/[^ \t\r\n\f\v\u00a0\\]+/g)) {
    news.push(text.length);
    olds.push(index);
    text += run;
  }
  const place = (index: number): number => {
    let [low, high] = [0, news.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((news[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return (olds[low] ?? 0) + index - (news[low] ?? 0);
  };
  return {
    text,
    rawStart: (index) => view?.rawStart(place(index)) ?? place(index),
    rawEnd: (index) => {
      if (index === 0) return 0;
      const end = place(index - 1) + 1;
      return view?.rawEnd(end) ?? end;
    },
  };
}

/** Lower case that keeps every character where it is. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** An echo may end inside a surrogate pair, where the server goes on with a neighbour of that character. */
function wholeCharacters(text: string, start: number, end: number): { start: number; end: number } {
  const splits = (index: number): boolean =>
    (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
  return { start: splits(start) ? start + 1 : start, end: splits(end) ? end - 1 : end };
}
