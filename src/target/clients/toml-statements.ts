/** Where each statement of a TOML text stands. The parser of values tells no places, and an edit must know them.
 *  Only for text that parser has accepted: what is valid is not checked again here. */
import { parse } from "smol-toml";

export interface Statement {
  readonly kind: "table" | "array-table" | "pair";
  /** From the top of the document; for a pair this includes the table it stands in. */
  readonly path: readonly string[];
  readonly start: number;
  /** After the last character of a header or value: a comment behind it is not included. */
  readonly end: number;
  /** Where the value of a pair begins. */
  readonly valueStart?: number;
}

export function tomlStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  for (;;) {
    at = skipBlank(text, at);
    if (at >= text.length) return statements;
    const start = at;
    if (text[at] === "[") {
      const isArray = text[at + 1] === "[";
      const key = readKey(text, at + (isArray ? 2 : 1));
      at = text.indexOf("]", key.end) + (isArray ? 2 : 1);
      table = key.path;
      statements.push({ kind: isArray ? "array-table" : "table", path: table, start, end: at });
    } else {
      const key = readKey(text, at);
      const valueStart = skipSpaces(text, text.indexOf("=", key.end) + 1);
      at = skipValue(text, valueStart);
      statements.push({ kind: "pair", path: [...table, ...key.path], start, end: at, valueStart });
    }
  }
}

function skipSpaces(text: string, at: number): number {
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

/** White space, line ends, comments, and a byte order mark. */
function skipBlank(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === "#") at = lineEnd(text, at) - 1;
    else if (!" \t\r\n\ufeff".includes(letter)) break;
  }
  return at;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = from;
  for (;;) {
    at = skipSpaces(text, at);
    const start = at;
    if (text[at] === '"' || text[at] === "'") {
      at = skipString(text, at);
      path.push(String(parse(`key = ${text.slice(start, at)}`).key));
    } else {
      while (at < text.length && !" \t.=]\r\n".includes(text[at] ?? "")) at += 1;
      path.push(text.slice(start, at));
    }
    const next = skipSpaces(text, at);
    if (text[next] !== ".") return { path, end: at };
    at = next + 1;
  }
}

function skipValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"' || first === "'") return skipString(text, from);
  if (first === "[" || first === "{") return skipBrackets(text, from);
  const [value = ""] = text.slice(from, lineEnd(text, from)).split("#", 1);
  return from + value.trimEnd().length;
}

function skipBrackets(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const letter = text[at] ?? "";
    if (letter === '"' || letter === "'") at = skipString(text, at);
    else if (letter === "#") at = lineEnd(text, at);
    else {
      if (letter === "[" || letter === "{") depth += 1;
      if (letter === "]" || letter === "}") depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

function skipString(text: string, from: number): number {
  const quote = text[from] ?? "";
  const isLong = text.startsWith(quote.repeat(3), from);
  const close = isLong ? quote.repeat(3) : quote;
  let at = from + close.length;
  while (at < text.length && !text.startsWith(close, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1;
  at += close.length;
  // Up to two quotes may stand right before the closing three.
  for (let extra = 0; isLong && extra < 2 && text[at] === quote; extra++) at += 1;
  return at;
}
