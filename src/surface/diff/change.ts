/** One difference between two surfaces, in words. Texts in it come from the server: show them as data only. */
import { comparable } from "../digest.ts";

export type ChangeKind =
  /** An item of a list is new, gone, or looks like one that is gone under another name. */
  | "added"
  | "removed"
  | "renamed"
  /** A text that people or models read. */
  | "prose"
  /** What a schema takes: more than before, less than before, or something that cannot be decided. */
  | "schema-widened"
  | "schema-narrowed"
  | "schema-changed"
  /** A hint by which clients decide whether to ask. */
  | "annotation"
  | "capability"
  /** The server's own name and version, or the protocol's. */
  | "version"
  | "instructions"
  /** Any other member of an item. */
  | "member"
  /** Items of one name in another order: which one a client takes may depend on it. */
  | "order"
  /** How the server is started or where it is reached. */
  | "start";

export interface Change {
  readonly kind: ChangeKind;
  /** What it is about: `tool look_up`, `server`. */
  readonly subject: string;
  /** What it means, in one line. */
  readonly message: string;
  /** The old and the new text around the first difference, bounded. */
  readonly before?: string;
  readonly after?: string;
}

const BEFORE_CHARS = 60;
const MAX_CHARS = 400;

/** Both texts from shortly before the place where they part: a change behind much equal text is not hidden by it. */
export function excerpts(before: string, after: string): { before: string; after: string } {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  const from = Math.max(0, same - BEFORE_CHARS);
  const cut = (text: string): string => {
    const part = text.slice(from, from + MAX_CHARS);
    const left = text.length - from - part.length;
    return `${from > 0 ? "…" : ""}${part}${left > 0 ? `… (+${left} characters)` : ""}`;
  };
  return { before: cut(before), after: cut(after) };
}

/** A value as text; JSON in its canonical form, so that the order of members is no difference. */
export const written = (value: unknown): string => (typeof value === "string" ? value : comparable(value));

/** A text alone, bounded the same way. */
export function excerpt(text: string): string {
  return text.length > MAX_CHARS
    ? `${text.slice(0, MAX_CHARS)}… (+${text.length - MAX_CHARS} characters)`
    : text;
}
