/** JSON with comments and trailing commas, as editors write it. */
import jsonc from "jsonc-parser";
import type { Document, Parsed, Span } from "./document.ts";
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
  };
  return { kind: "document", document };
}

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
