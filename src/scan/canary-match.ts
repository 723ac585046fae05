/** Planted secrets that came back, whatever they were dressed in. Each canary is encoded in every form once; the text is only
 *  stripped of case and separators, in each of its readings. */
import { type Canary, type CanaryForms, canaryForms, type Form } from "./canary/forms.ts";
import { PIECE_CHARS, piecesEnd } from "./canary/pieces.ts";
import { type Reading, readings, type Span } from "./canary/readings.ts";
import { squeezed, unsqueezed } from "./canary/squeeze.ts";
import { byteOffsets, type Hit, hit } from "./hit.ts";
import { type LiteralSearch, literalSearch } from "./search/literals.ts";

export { type Canary, canaryForms } from "./canary/forms.ts";

export interface CanaryHit extends Hit {
  /** The id of the canary. */
  readonly canary: string;
  /** How it was written: `exact`, `case`, `spaced`, `separators`, `base64`, `base64 of hex`, `split`, `hash`, `tail` … */
  readonly form: string;
  /** Which of the texts it begins in; 0 when there is one. Offsets count in the texts joined by one line feed each. */
  readonly block: number;
}

/** A prepared search, for many texts and the same canaries. */
export type CanaryMatcher = (text: string | readonly string[]) => CanaryHit[];

const prepared = new WeakMap<readonly Canary[], CanaryMatcher>();

/** Every canary that shows in the text, once a form. Several texts are read as one, in their order. */
export function canaryMatch(text: string | readonly string[], canaries: readonly Canary[]): CanaryHit[] {
  let matcher = prepared.get(canaries);
  if (matcher === undefined) {
    matcher = canaryMatcher(canaries);
    prepared.set(canaries, matcher);
  }
  return matcher(text);
}

interface Sighting {
  readonly of: CanaryForms;
  readonly form: Pick<Form, "name" | "severity">;
  readonly start: number;
  readonly end: number;
}

interface Search {
  readonly whole: LiteralSearch<{ of: CanaryForms; form: Form }>;
  readonly piece: LiteralSearch<{ of: CanaryForms; secret: Buffer; skipped: number }>;
}

export function canaryMatcher(canaries: readonly Canary[]): CanaryMatcher {
  const all = canaries.map(canaryForms);
  const search: Search = {
    whole: literalSearch(
      all.flatMap((of) => of.forms.map((form) => ({ bytes: form.bytes, tag: { of, form } }))),
    ),
    piece: literalSearch(
      all.flatMap((of) =>
        of.secrets.flatMap((text) => {
          const secret = Buffer.from(text);
          return Array.from({ length: PIECE_CHARS }, (_, skipped) => ({
            bytes: secret.subarray(skipped, skipped + PIECE_CHARS),
            tag: { of, secret, skipped },
          }));
        }),
      ),
    ),
  };
  return (text) => {
    const blocks = typeof text === "string" ? [text] : text;
    const raw = blocks.join("\n");
    const found = new Map<string, CanaryHit>();
    const places: Places = { raw, offsetOf: byteOffsets(raw), blockOf: blockAt(blocks) };
    for (const reading of readings(raw)) {
      const inReading = unsqueezed(reading.text);
      for (const sighting of sightings(squeezed(reading.text), search)) {
        const result = asHit(places, reading, inReading(sighting.start, sighting.end), sighting);
        const key = `${result.canary}\n${result.form}`;
        if (!found.has(key)) found.set(key, result);
      }
    }
    return settled([...found.values()]);
  };
}

function sightings(bytes: Buffer, { whole, piece }: Search): Sighting[] {
  const found = new Map<string, Sighting>();
  const add = (sighting: Sighting): void => {
    const key = `${sighting.of.canary.id}\n${sighting.form.name}`;
    if (!found.has(key)) found.set(key, sighting);
  };
  whole(bytes, (start, { bytes: { length }, tag: { of, form } }) => {
    add({ of, form, start, end: start + length });
    return false;
  });
  for (const first of [...found.values()].filter(({ form }) => form.name === "first half"))
    if (found.has(`${first.of.canary.id}\nsecond half`))
      add({ ...first, form: { name: "halves", severity: "fail" } });
  let attempts = MAX_ATTEMPTS;
  piece(bytes, (start, { tag: { of, secret, skipped } }) => {
    const end = piecesEnd(bytes, start, secret, skipped);
    if (end !== undefined && end - start > secret.length)
      add({ of, form: { name: "split", severity: "fail" }, start, end });
    return --attempts === 0;
  });
  return [...found.values()];
}

/** A text full of beginnings of a secret is not followed for ever. */
const MAX_ATTEMPTS = 100_000;

/** One text may hold thousands of canaries: no place costs a walk through all of it. */
interface Places {
  readonly raw: string;
  /** Where a UTF-16 index lies in the UTF-8 bytes. */
  offsetOf(index: number): number;
  blockOf(index: number): number;
}

/** Which of the blocks an index of the joined text is in. */
function blockAt(blocks: readonly string[]): (index: number) => number {
  let end = -1;
  const ends = blocks.map(({ length }) => (end += 1 + length));
  return (index) => {
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) >= index) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

function asHit(
  { raw, offsetOf, blockOf }: Places,
  reading: Reading,
  inReading: Span,
  { of, form }: Sighting,
): CanaryHit {
  const { start: from, end: last } = reading.span(inReading.start, inReading.end);
  const to = Math.max(from, last);
  const name = nameOf(form.name, of.canary.value, raw.slice(from, to), reading);
  const message = `the canary ${of.canary.id} came back, written as: ${name}`;
  const written = name === "exact" ? [] : [name];
  const offset = offsetOf(from);
  return {
    ...hit("SCAN-06", raw, from, to, message, { severity: form.severity, views: written, offset }),
    canary: of.canary.id,
    form: name,
    block: blockOf(from),
  };
}

/** Squeezing makes one form of several: the raw text says which it was. */
function nameOf(form: string, value: string, raw: string, { name }: Reading): string {
  if (form === "hex" && /%[0-9a-f]{2}/i.test(raw)) return "percent";
  if ((form === "char-codes" || form === "escapes") && raw.includes("&#")) return "entities";
  if (name === "names removed" && (form === "plain" || form === "part")) return "split";
  if (OPENED.has(name)) return form === "plain" ? name : `${name}: ${form}`;
  if (form !== "plain") return form;
  const bare = (text: string): string => text.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");
  if (raw === bare(value)) return "exact";
  const [a, b] = [raw.toLowerCase(), bare(value).toLowerCase()];
  if (a === b) return "case";
  if (a.replace(/\s/g, "") === b.replace(/\s/g, "")) return "spaced";
  if (name === "") return "separators";
  if (/%[0-9a-f]{2}/i.test(raw)) return "percent";
  return /&(?:#|[a-z])/i.test(raw) ? "entities" : "escapes";
}

/** Readings whose name says more than the form found in them. */
const OPENED: ReadonlySet<string> = new Set(["decoded", "reversed", "rot13", "gathered"]);

/** The best first: what comes later in this list says less. */
const PARTS: readonly string[] = ["part", "split", "halves", "first half", "second half", "tail"];

/** A canary seen whole needs no word about its parts, and of the parts the one that says most is enough; what is seen without
 *  opening anything says more than the same behind a dress. */
function settled(hits: readonly CanaryHit[]): CanaryHit[] {
  const rank = ({ form }: CanaryHit): number => {
    const dress = form.indexOf(": ");
    const isOpened = dress > 0 || OPENED.has(form);
    return 2 * PARTS.indexOf(form.slice(dress > 0 ? dress + 2 : 0)) + (isOpened ? 1 : 0);
  };
  const best = new Map<string, number>();
  for (const found of hits)
    best.set(found.canary, Math.min(best.get(found.canary) ?? Number.POSITIVE_INFINITY, rank(found)));
  return hits
    .filter((found) => rank(found) === best.get(found.canary))
    .sort((a, b) => a.offset - b.offset || a.bytes - b.bytes);
}
