/** JSON with comments and trailing commas, as editors write it. */
import jsonc from "jsonc-parser";
import type { Document, Parsed, Room, Span, Whole } from "./document.ts";
import { indentOf, lineBreak, marginAt } from "./layout.ts";
import { placesIn } from "./place.ts";
import type { Path } from "./values.ts";

type Node = ReturnType<typeof jsonc.parseTree> & object;

/** A file is attacker-controlled: what is told about it stays bounded. */
const MAX_DUPLICATES = 100;

export function parseJsonc(text: string): Parsed {
  // A byte order mark is no part of the value; blanking it keeps every offset.
  const body = text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
  const placeOf = placesIn(text);
  const flaw = (offset: number, message: string): Parsed => ({
    kind: "flaw",
    flaw: { ...placeOf(offset), message },
  });
  const errors: Parameters<typeof jsonc.parseTree>[1] = [];
  const root = jsonc.parseTree(body, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) return flaw(error.offset, words(jsonc.printParseErrorCode(error.error)));
  if (!root) return flaw(0, "the file is empty");
  const duplicates: { path: Path; offset: number }[] = [];
  const value = plainValue(root, [], duplicates);
  if (duplicates.length > MAX_DUPLICATES)
    return flaw(duplicates[0]?.offset ?? 0, `more than ${MAX_DUPLICATES} keys stand twice`);
  const nodeAt = finder(root);
  const document: Document = {
    text,
    value,
    duplicates,
    placeOf,
    keyOffset: (path) => nodeAt(path)?.parent?.offset,
    span(path): Span | { reason: string } {
      const node = nodeAt(path);
      if (!node) return { reason: "there is no such entry" };
      return { start: node.offset, end: node.offset + node.length, form: "value" };
    },
    whole(path) {
      const property = nodeAt(path)?.parent;
      return property?.type === "property" ? wholeOf(property, body) : { reason: "there is no such entry" };
    },
    room(path, _, isAbove) {
      const node = nodeAt(path);
      if (node?.type !== "object") return { reason: "there is no such group" };
      return roomIn(node, text, isAbove);
    },
  };
  return { kind: "document", document };
}

function wholeOf(property: Node, text: string): Whole {
  const { offset: start, length } = property;
  const end = start + length;
  const siblings = property.parent?.children ?? [];
  const before = siblings[siblings.indexOf(property) - 1];
  const comma =
    commaBehind(text, end) ?? (before ? commaBehind(text, before.offset + before.length) : undefined);
  return comma === undefined ? { start, end } : { start, end, comma };
}

/** Where the comma is that follows, with nothing but blanks and comments before it. */
function commaBehind(text: string, from: number): number | undefined {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  return text[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() : undefined;
}

/** Before the first entry, or the comments that are its own, in its manner; in an empty group, on a line of its own where the file has lines. */
function roomIn(group: Node, text: string, isAbove: boolean): Room {
  const [first] = group.children ?? [];
  const end = lineBreak(text);
  if (first) {
    const { isFirst, margin } = marginAt(text, first.offset);
    const at = isAbove && isFirst ? withComments(text, group.offset + 1, first.offset) : first.offset;
    return { at, before: "", after: isFirst ? `,${end}${margin}` : ", ", margin };
  }
  const at = group.offset + 1;
  const { margin: outer } = marginAt(text, group.offset);
  if (!text.includes("\n")) return { at, before: "", after: "", margin: "" };
  const margin = outer + indentOf(text);
  const isLineEnd = /^[ \t\r]*\n/.test(text.slice(at, at + 1000));
  return { at, before: end + margin, after: isLineEnd ? "" : end + outer, margin };
}

/** Where the comments begin that stand on the lines right above an entry: an empty line, and they are nobody's. */
function withComments(text: string, from: number, entry: number): number {
  const comments: { readonly start: number; readonly end: number }[] = [];
  const scanner = jsonc.createScanner(text, false);
  scanner.setPosition(from);
  for (let token = scanner.scan(); scanner.getTokenOffset() < entry; token = scanner.scan())
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) {
      const start = scanner.getTokenOffset();
      comments.push({ start, end: start + scanner.getTokenLength() });
    }
  let at = entry;
  for (const { start, end } of comments.reverse()) {
    const isRightAbove = /^[ \t]*\r?\n[ \t]*$/.test(text.slice(end, at));
    if (!isRightAbove || !marginAt(text, start).isFirst) break;
    at = start;
  }
  return at;
}
/** As the parser numbers them: its names are there for the compiler alone. */
const [LINE_COMMENT, BLOCK_COMMENT] = [12, 13];

/** Looks nodes up by path; an object with very many keys is indexed once. */
function finder(root: Node): (path: Path) => Node | undefined {
  const indexes = new Map<Node, ReadonlyMap<string, Node | undefined>>();
  const childOf = (node: Node | undefined, key: string): Node | undefined => {
    if (node?.type !== "object") return undefined;
    const index =
      indexes.get(node) ??
      new Map((node.children ?? []).map(({ children = [] }) => [String(children[0]?.value), children[1]]));
    indexes.set(node, index);
    return index.get(key);
  };
  return (path) => path.reduce(childOf, root as Node | undefined);
}

/** `CloseBraceExpected` as people say it. */
function words(code: string): string {
  return `not valid JSON: ${code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()}`;
}

/** The value of a node, with `__proto__` as a key like any other, and the keys that stand twice. */
function plainValue(node: Node, path: Path, duplicates: { path: Path; offset: number }[]): unknown {
  const children = (node.children ?? []) as Node[];
  if (node.type === "array")
    return children.map((child, index) => plainValue(child, [...path, String(index)], duplicates));
  if (node.type !== "object") return node.value as unknown;
  const members = new Map<string, unknown>();
  for (const property of children) {
    const [key, value] = (property.children ?? []) as Node[];
    const name = String(key?.value);
    if (members.has(name)) duplicates.push({ path: [...path, name], offset: property.offset });
    members.set(name, value ? plainValue(value, [...path, name], duplicates) : undefined);
  }
  return Object.fromEntries(members);
}
