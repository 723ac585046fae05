/** What an output merely echoes of what this run sent. An echo is recognised by the marker of the run inside it and reaches as
 *  far as the output goes on like the sent text, to the left and to the right; nothing is excused by its words alone. */

import { rot13 } from "./canary/encode.ts";
import { squeezed } from "./canary/squeeze.ts";
import { type Folded, folded } from "./echo/folded.ts";
import { apart, blanked, type Excuse, type Stretch } from "./echo/stretch.ts";
import type { Hit } from "./hit.ts";
import { literalSearch } from "./search/literals.ts";

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
  return blanked(output, echoSpans(output, sent), "bytes");
}

/** Echoes of any of the sent texts, by their markers; also of texts that come back read backwards or moved by thirteen letters.
 *  Prepared once for many outputs. */
export function echoesOfMarked(sent: readonly Sent[]): Excuse {
  const tags = sent.flatMap((one) =>
    DRESSES.flatMap((dress) => {
      const bytes = squeezed(dress(one.marker));
      return bytes.length < MIN_MARKER_CHARS ? [] : [{ bytes, tag: { one, dress } }];
    }),
  );
  const search = literalSearch(tags);
  return (text) => {
    const seen = new Set<(typeof tags)[number]["tag"]>();
    search(squeezed(text), (_, { tag }) => {
      seen.add(tag);
      return false;
    });
    if (seen.size === 0) return [];
    return echoSpans(
      text,
      [...seen].map(({ one, dress }) => ({ text: dress(one.text), marker: dress(one.marker) })),
    );
  };
}

const DRESSES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => [...text].reverse().join(""),
  (text) => rot13.encode(text)[0] ?? "",
];

interface Echo extends Stretch {
  readonly sent: number;
}

function echoSpans(output: string, sent: readonly Sent[]): Echo[] {
  if (output === "" || sent.length === 0) return [];
  const said = folded(output);
  return apart(
    output,
    sent.flatMap((one, index) => echoesOf(said, one, index)),
  );
}

/** More places of a marker in one sent text are not tried. */
const MAX_PLACES = 8;

function echoesOf(said: Folded, { text, marker }: Sent, sent: number): Echo[] {
  const ours = folded(text).text;
  const sign = folded(marker).text;
  if (sign.length < MIN_MARKER_CHARS) return [];
  const places: number[] = [];
  for (let at = ours.indexOf(sign); at >= 0 && places.length < MAX_PLACES; at = ours.indexOf(sign, at + 1))
    places.push(at);
  const spans: Echo[] = [];
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
