/** What an answer repeats of the arguments of its own call, without their marker: a sentence of them, their last words. */
import { type Folded, folded } from "./folded.ts";
import type { Excuse, Stretch } from "./stretch.ts";

/** Shorter stretches are words that anybody says. White space does not count. */
export const MIN_GIVEN_CHARS = 12;
/** The most that is compared of what was given. */
const MAX_GIVEN_CHARS = 256 * 1024;
/** An answer in more pieces than this makes its own text of them. */
const MAX_REPEATS = 500;
/** More places with the same beginning are not tried. */
const MAX_PLACES = 8;

/** Stretches that stand in the same words in one of the given texts and are no part of a longer sentence, but for words that
 *  `isOwn` says are the server's own. */
export function repeatedFrom(given: readonly string[], isOwn: (words: string) => boolean): Excuse {
  let places: Places | undefined;
  return (text) => {
    places ??= placesIn(given);
    if (places.at.size === 0) return [];
    const said = folded(text);
    return [...repeats(said, places)].filter(
      ({ start, end, words }) => standsAlone(text, start, end) && !isOwn(words),
    );
  };
}

interface Places {
  readonly text: string;
  /** By their first characters. */
  readonly at: ReadonlyMap<string, readonly number[]>;
}

function placesIn(given: readonly string[]): Places {
  // A line feed is in no folded text: nothing reaches from one given text into the next.
  const text = given
    .map((one) => folded(one.slice(0, MAX_GIVEN_CHARS)).text)
    .join("\n")
    .slice(0, MAX_GIVEN_CHARS);
  const at = new Map<string, number[]>();
  for (let start = 0; start + MIN_GIVEN_CHARS <= text.length; start++) {
    const head = text.slice(start, start + MIN_GIVEN_CHARS);
    const known = at.get(head);
    if (known === undefined) at.set(head, [start]);
    else if (known.length < MAX_PLACES) known.push(start);
  }
  return { text, at };
}

function* repeats(said: Folded, { text, at }: Places): Generator<Stretch & { readonly words: string }> {
  let left = MAX_REPEATS;
  for (let from = 0; left > 0 && from + MIN_GIVEN_CHARS <= said.text.length; ) {
    const starts = at.get(said.text.slice(from, from + MIN_GIVEN_CHARS)) ?? [];
    let length = 0;
    for (const start of starts) {
      let same = MIN_GIVEN_CHARS;
      while (start + same < text.length && text[start + same] === said.text[from + same]) same++;
      length = Math.max(length, same);
    }
    if (length > 0) {
      const end = from + length;
      left -= 1;
      yield { start: said.rawStart(from), end: said.rawEnd(end), words: said.text.slice(from, end) };
    }
    from += Math.max(1, length);
  }
}

/** A repeated sentence that goes on in other words is another sentence. */
function standsAlone(text: string, start: number, end: number): boolean {
  return (
    BEFORE.test(text.slice(Math.max(0, start - EDGE_CHARS), start)) &&
    BEHIND.test(text.slice(end, end + EDGE_CHARS))
  );
}

const EDGE_CHARS = 8;
const BEFORE = /(?:^|[\n:.!?…|"'`“”‘’«»<>()[\]{}*#>•-]|\\[nt"])[ \t\r]*$/;
const BEHIND = /^[.!?]?[ \t\r]*(?:$|[\n…|"'`“”‘’«»<>()[\]{}]|\.\.|\\[nt"])/;
