/** A config file as text, value and places at once. Text comes from outside: a fault is a value, never an exception. */
import type { Place } from "./place.ts";
import type { Format } from "./table.ts";
import type { Path } from "./values.ts";

/** The text that makes up one entry. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** A TOML entry is a table of its own or a value in line; JSON only knows the second. */
  readonly form: "value" | "tables";
}

/** An entry with its key, and the comma that goes with it: behind it, or before it where it is the last. */
export interface Whole {
  readonly start: number;
  readonly end: number;
  readonly comma?: number;
}

/** Where the first entry of a group may be put, and what has to stand around it there. */
export interface Room {
  readonly at: number;
  readonly before: string;
  readonly after: string;
  /** What its lines begin with. */
  readonly margin: string;
}

export interface Document {
  readonly text: string;
  readonly value: unknown;
  placeOf(offset: number): Place;
  /** Where the key of a path stands. */
  keyOffset(path: Path): number | undefined;
  /** The text of a value, or why it is not one piece of text. */
  span(path: Path): Span | { readonly reason: string };
  /** All the text that makes an entry, its key included. */
  whole(path: Path): Whole | { readonly reason: string };
  /** Room for one more entry in the group that has this path; `isAbove`: before the comments of the first one, where the format can. */
  room(path: Path, form: Span["form"], isAbove: boolean): Room | { readonly reason: string };
  /** Keys that stand twice in one object, by the path of the second one. */
  readonly duplicates: readonly { readonly path: Path; readonly offset: number }[];
}

export interface Flaw extends Place {
  readonly message: string;
}

export type Parsed =
  | { readonly kind: "document"; readonly document: Document }
  | { readonly kind: "flaw"; readonly flaw: Flaw };

/** Parsers are loaded when a file is there to be read: most commands never need them. */
export async function parseDocument(text: string, format: Format): Promise<Parsed> {
  try {
    if (format === "toml") return (await import("./toml.ts")).parseToml(text);
    return (await import("./jsonc.ts")).parseJsonc(text);
  } catch (thrown) {
    // A file of brackets only ends the recursion of any parser.
    if (!(thrown instanceof RangeError)) throw thrown;
    return { kind: "flaw", flaw: { line: 1, column: 1, message: "nested too deeply" } };
  }
}
