/** Takes one server entry out of a client config, or puts one in, and touches nothing else. Each change says what it did to the
 *  text, so that it can be taken back later, also from a text that was changed elsewhere since. */
import { isDeepStrictEqual } from "node:util";
import { shown, TrustError } from "../../core/index.ts";
import type { Document } from "./document.ts";
import { withItsLines } from "./layout.ts";
import { jsonText, plain, read, tomlText, without } from "./rewrite.ts";
import type { Format } from "./table.ts";
import { isObject, type Path, valueAt } from "./values.ts";

/** At this place of the text as it is now, `after` stands where `before` stood. */
export interface Edit {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

export interface Edited {
  readonly text: string;
  /** In the order in which they were made; each place is that of its own moment. */
  readonly edits: readonly Edit[];
}

/** An entry as a value, or as the text of it that a file had, its key included. */
export type Piece = { readonly value: Readonly<Record<string, unknown>> } | { readonly piece: string };

type Refuse = (reason: string) => TrustError;

const refusal =
  (path: Path): Refuse =>
  (reason) =>
    new TrustError("TGT_NOT_REWRITABLE", `${shown(path.join("."))}: ${reason}`);

/** The text of an entry with its key, as it can be put in again. */
export async function pieceOf(text: string, format: Format, path: Path): Promise<string> {
  const refuse = refusal(path);
  const whole = (await readOnce(text, format, path, refuse)).whole(path);
  if ("reason" in whole) throw refuse(whole.reason);
  return text.slice(whole.start, whole.end);
}

export async function removeEntry(text: string, format: Format, path: Path): Promise<Edited> {
  const refuse = refusal(path);
  const document = await readOnce(text, format, path, refuse);
  const whole = document.whole(path);
  if ("reason" in whole) throw refuse(whole.reason);
  const { start, end, comma } = whole;
  // Comments between the entry and its comma belong to nobody: they stay.
  const isOne = comma !== undefined && comma >= end && text.slice(end, comma).trim() === "";
  const piece = withItsLines(text, start, isOne ? comma + 1 : end);
  const others = isOne || comma === undefined ? [] : [{ start: comma, end: comma + 1 }];
  // The later one first: so the place of the other stays.
  const edited = [piece, ...others]
    .sort((a, b) => b.start - a.start)
    .reduce<Edited>((done, { start: from, end: to }) => replaced(done, from, to, ""), { text, edits: [] });
  const after = await read(edited.text, format, refuse);
  const isRest = isSameBut(document, after, path, format);
  if (!isRest || valueAt(after.value, path) !== undefined) throw refuse("it cannot be taken out exactly");
  return edited;
}

/** Puts it before all others of its group; in JSON, where `isAbove` says so, before the comments of the first one too. */
export async function insertEntry(
  text: string,
  format: Format,
  path: Path,
  entry: Piece,
  isAbove = false,
): Promise<Edited> {
  const refuse = refusal(path);
  const document = await readOnce(text, format, path, refuse);
  if (valueAt(document.value, path) !== undefined) throw refuse("there is one of this name");
  const isTables = format === "toml" && ("value" in entry || entry.piece.startsWith("["));
  const room = document.room(path.slice(0, -1), isTables ? "tables" : "value", isAbove);
  if ("reason" in room) throw refuse(room.reason);
  const written =
    "piece" in entry
      ? entry.piece
      : format === "toml"
        ? await tomlText(entry.value, path, "tables", text)
        : `${JSON.stringify(path.at(-1))}: ${jsonText(entry.value, text, room.margin)}`;
  const edited = replaced({ text, edits: [] }, room.at, room.at, `${room.before}${written}${room.after}`);
  const after = await read(edited.text, format, refuse);
  const found = valueAt(after.value, path);
  const isWanted = "value" in entry ? isDeepStrictEqual(found, plain(entry.value)) : isObject(found);
  if (!isWanted || !isSameBut(document, after, path, format)) throw refuse("it cannot be put in exactly");
  return edited;
}

/** Takes edits back in a text that may have been changed since. Undefined where it was changed in their midst: what is written
 *  between them is not ours to move. */
export function takeBack(current: string, { text, edits }: Edited): string | undefined {
  let { same: head, tail } = commonEnds(text, current);
  const shift = current.length - text.length;
  let result = current;
  for (const { at, before, after } of [...edits].reverse()) {
    const isBefore = at + after.length <= head;
    if (!isBefore && at < tail) return undefined;
    const place = isBefore ? at : at + shift;
    result = result.slice(0, place) + before + result.slice(place + after.length);
    if (!isBefore) continue;
    head += before.length - after.length;
    tail += before.length - after.length;
  }
  return result;
}

/** How far two texts are the same from the beginning, and from where on in the first they are the same to the end. */
function commonEnds(one: string, other: string): { same: number; tail: number } {
  const least = Math.min(one.length, other.length);
  let same = 0;
  while (same < least && one[same] === other[same]) same += 1;
  let tail = 0;
  while (tail < least - same && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return { same, tail: one.length - tail };
}

function replaced({ text, edits }: Edited, start: number, end: number, after: string): Edited {
  return {
    text: text.slice(0, start) + after + text.slice(end),
    edits: [...edits, { at: start, before: text.slice(start, end), after }],
  };
}

/** A document in which the path means one thing. */
async function readOnce(text: string, format: Format, path: Path, refuse: Refuse): Promise<Document> {
  const document = await read(text, format, refuse);
  if (document.duplicates.some((twice) => twice.path.every((key, index) => path[index] === key)))
    throw refuse("its key stands twice");
  return document;
}

/** The proof: the two texts say the same, but for this entry. A table of TOML that has no head of its own is there only while
 *  something is in it. */
function isSameBut(one: Document, other: Document, path: Path, format: Format): boolean {
  const rest = ({ value }: Document): unknown => {
    const others = without(value, path);
    const group = path.slice(0, -1);
    const isNone = format === "toml" && isEmpty(valueAt(others, group));
    return isNone ? without(others, group) : others;
  };
  return one.duplicates.length === other.duplicates.length && isDeepStrictEqual(rest(one), rest(other));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.keys(value).length === 0);
