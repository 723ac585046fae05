/** TOML with places: values from the parser, places from the statements. */
import { parse, TomlError } from "smol-toml";
import type { Document, Parsed, Room, Span, Whole } from "./document.ts";
import { lineBreak, lineEnd, lineStart } from "./layout.ts";
import { placesIn } from "./place.ts";
import { type Statement, tomlStatements } from "./toml-statements.ts";
import { isObject, type Path } from "./values.ts";

export function parseToml(text: string): Parsed {
  let value: unknown;
  try {
    value = ordinary(parse(text.startsWith("\ufeff") ? text.slice(1) : text, { maxDepth: 100 }));
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    // Only the first line of the message: the others quote the file, which may hold secrets.
    const message = (thrown.message.split("\n", 1)[0] ?? "").replace(
      "Invalid TOML document",
      "not valid TOML",
    );
    return { kind: "flaw", flaw: { line: thrown.line, column: thrown.column, message } };
  }
  const statements = tomlStatements(text);
  const document: Document = {
    text,
    value,
    duplicates: [],
    placeOf: placesIn(text),
    keyOffset: (path) =>
      (
        statements.find((statement) => isSame(statement.path, path)) ??
        statements.find((statement) => isWithin(statement.path, path) || isWithin(path, statement.path))
      )?.start,
    span: (path) => spanOf(statements, path),
    whole: (path) => wholeOf(statements, path),
    room: (path, form) => roomFor(statements, path, form, text),
  };
  return { kind: "document", document };
}

/** The parser's tables have no prototype; values of both formats shall compare alike. */
function ordinary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordinary);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, ordinary(member)]));
}

const isWithin = (inner: Path, outer: Path): boolean =>
  inner.length >= outer.length && outer.every((key, index) => inner[index] === key);
const isSame = (a: Path, b: Path): boolean => a.length === b.length && isWithin(a, b);

/** An entry is one value in line, or a table followed by its own tables; anything else is no one piece of text. */
function spanOf(statements: readonly Statement[], path: Path): Span | { reason: string } {
  const own = statements.filter((statement) => isWithin(statement.path, path));
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last) {
    const isInside = statements.some(({ kind, path: outer }) => kind === "pair" && isWithin(path, outer));
    return { reason: isInside ? "it stands inside a larger value in line" : "there is no such entry" };
  }
  if (first.kind === "pair" && own.length === 1 && isSame(first.path, path) && first.valueStart !== undefined)
    return { start: first.valueStart, end: first.end, form: "value" };
  if (first.kind !== "table" || !isSame(first.path, path))
    return { reason: "it is spread over dotted keys or tables without one of its own" };
  const between = statements.slice(statements.indexOf(first), statements.indexOf(last) + 1);
  if (between.length !== own.length) return { reason: "tables of other entries stand between its own" };
  return { start: first.start, end: last.end, form: "tables" };
}

function wholeOf(statements: readonly Statement[], path: Path): Whole | { reason: string } {
  const span = spanOf(statements, path);
  if ("reason" in span || span.form === "tables") return span;
  const pair = statements.find(({ valueStart }) => valueStart === span.start);
  return { start: pair?.start ?? span.start, end: span.end };
}

/** A table goes before the first one of its group, or at the end; a value in line goes right under the group's own head. */
function roomFor(
  statements: readonly Statement[],
  path: Path,
  form: Span["form"],
  text: string,
): Room | { reason: string } {
  const end = lineBreak(text);
  const heads = statements.filter(({ kind }) => kind !== "pair");
  if (form === "value") {
    const head = heads.find(({ kind, path: own }) => kind === "table" && isSame(own, path));
    if (!head) return { reason: `there is no table [${path.join(".")}] that it could stand in` };
    const at = lineEnd(text, head.end);
    const before = text[at - 1] === "\n" ? "" : end;
    return { at, before, after: end, margin: "" };
  }
  const next = heads.find(({ path: own }) => own.length > path.length && isWithin(own, path));
  if (next) return { at: lineStart(text, next.start), before: "", after: end + end, margin: "" };
  const before = (text === "" || text.endsWith("\n") ? "" : end) + (text.trim() === "" ? "" : end);
  return { at: text.length, before, after: end, margin: "" };
}
