/** Replaces one server entry of a client config and nothing else: comments, order, indentation, line ends and every
 *  other byte stay. The old text comes back with the new, so that the change can be undone byte for byte. */
import { isDeepStrictEqual } from "node:util";
import { shown, TrustError } from "../../core/index.ts";
import { type Document, parseDocument } from "./document.ts";
import { indentOf, lineBreak, marginAt } from "./layout.ts";
import type { Format } from "./table.ts";
import { isObject, type Path, valueAt } from "./values.ts";

/** An entry as a value, or as the exact text an earlier replacement took out. */
export type NewEntry = { readonly value: Readonly<Record<string, unknown>> } | { readonly raw: string };

export interface Rewritten {
  readonly text: string;
  /** What stood there before: given back as `{ raw }`, it restores the original text. */
  readonly raw: string;
}

export async function replaceEntry(
  text: string,
  format: Format,
  path: Path,
  entry: NewEntry,
): Promise<Rewritten> {
  const name = shown(path.join("."));
  const refuse = (reason: string): TrustError => new TrustError("TGT_NOT_REWRITABLE", `${name}: ${reason}`);
  const document = await read(text, format, refuse);
  if (document.duplicates.some((twice) => twice.path.every((key, index) => path[index] === key)))
    throw refuse("its key stands twice");
  const span = document.span(path);
  if ("reason" in span) throw refuse(span.reason);
  if (!isObject(valueAt(document.value, path))) throw refuse("it is not an object");
  const raw = text.slice(span.start, span.end);
  const written =
    "raw" in entry
      ? entry.raw
      : format === "jsonc"
        ? jsonText(entry.value, text, marginAt(text, span.start).margin)
        : await tomlText(entry.value, path, span.form, text);
  const result = text.slice(0, span.start) + written + text.slice(span.end);

  // The proof: read again, the new text differs from the old one in this entry and in nothing else.
  const after = await read(result, format, refuse);
  const placed = after.span(path);
  const isPlaced =
    !("reason" in placed) && placed.start === span.start && placed.end === span.start + written.length;
  const isSound = isPlaced && isObject(valueAt(after.value, path));
  const isWanted = "raw" in entry || isDeepStrictEqual(valueAt(after.value, path), plain(entry.value));
  const isElseSame = isDeepStrictEqual(without(document.value, path), without(after.value, path));
  if (!isSound || !isWanted || !isElseSame) throw refuse("the new entry cannot be written there exactly");
  return { text: result, raw };
}

export async function read(
  text: string,
  format: Format,
  refuse: (reason: string) => TrustError,
): Promise<Document> {
  const parsed = await parseDocument(text, format);
  if (parsed.kind === "document") return parsed.document;
  const { line, column, message } = parsed.flaw;
  throw refuse(`${line}:${column} ${message}`);
}

export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The value with one member taken out. */
export function without(value: unknown, [key, ...rest]: Path): unknown {
  if (!isObject(value) || key === undefined) return value;
  const others = Object.entries(value).filter(([name]) => name !== key || rest.length > 0);
  return Object.fromEntries(
    others.map(([name, member]) => [name, name === key ? without(member, rest) : member]),
  );
}

/** JSON in the manner of the file: its indentation, its line ends, and in line where all of it is in line. */
export function jsonText(value: Readonly<Record<string, unknown>>, text: string, margin: string): string {
  if (!text.includes("\n")) return JSON.stringify(value);
  return JSON.stringify(value, null, indentOf(text))
    .split("\n")
    .join(`${lineBreak(text)}${margin}`);
}

export async function tomlText(
  value: Readonly<Record<string, unknown>>,
  path: Path,
  form: "value" | "tables",
  text: string,
): Promise<string> {
  if (form === "value") return inlineToml(value);
  const { stringify } = await import("smol-toml");
  const nested = path.reduceRight<Readonly<Record<string, unknown>>>(
    (inner, key) => ({ [key]: inner }),
    value,
  );
  return stringify(nested).trim().split("\n").join(lineBreak(text));
}

/** A JSON text is a TOML text for strings of these characters, numbers, booleans and arrays; keys are quoted. */
function inlineToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineToml).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  const members = Object.entries(value).map(([key, member]) => {
    const name = /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
    return `${name} = ${inlineToml(member)}`;
  });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
