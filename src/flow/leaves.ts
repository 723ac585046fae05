/** The values of a JSON tree: its texts with their paths, and its sub-trees. No recursion: a tree may be as deep as it likes. */
import { hash } from "node:crypto";
import { defined } from "../core/index.ts";
import { MIN_CHARS } from "./readable.ts";
import { weightOf } from "./significance.ts";
import { spelledList } from "./spelled.ts";

export interface Leaf {
  readonly path: string;
  readonly text: string;
  readonly isKey?: boolean;
  /** The number of the text that it stands in, where that is JSON. */
  readonly within?: number;
  /** It is what the members of a list, or of an object, spell. */
  readonly isSpelled?: boolean;
}

export interface Tree {
  readonly path: string;
  readonly value: object;
  /** The same for equal trees, whatever the order of their members, and for no others. */
  readonly digest: string;
  /** Characters of its canonical form, about. */
  readonly chars: number;
  /** Characters of what it holds apart from its form: texts and numbers, without names, dates and types. */
  readonly weight: number;
  /** Numbers of the first tree and the first leaf in it; the others follow, up to itself and to `leafEnd`. */
  readonly treeFrom: number;
  readonly leafFrom: number;
  readonly leafEnd: number;
}

/** The trees of one JSON value: of the root, or of a text that is JSON. */
export interface Walk {
  readonly treeFrom: number;
  readonly treeEnd: number;
  readonly within?: number;
}

export interface Values {
  readonly leaves: readonly Leaf[];
  /** Each after those inside it. */
  readonly trees: readonly Tree[];
  readonly walks: readonly Walk[];
  /** Characters of texts that were too many to look at. */
  readonly cutChars: number;
}

export const MAX_LEAVES = 200_000;
const MAX_TREES = 50_000;
const MAX_JSON_CHARS = 8 * 1024 * 1024;
const MAX_PATH_CHARS = 300;
/** JSON in a text of JSON in a text. */
const MAX_JSON_DEPTH = 2;

/** All texts and sub-trees of a value. Texts that are JSON themselves are opened; of what is given, lists of letters or codes are read. */
export function valuesOf(root: unknown, { isGiven = false } = {}): Values {
  const all = new Collected(isGiven);
  let begin = 0;
  walk(root, "", all, undefined);
  for (let depth = 0; depth < MAX_JSON_DEPTH; depth++) {
    const end = all.leaves.length;
    for (; begin < end; begin++) {
      const { path, text, isSpelled } = all.leaves[begin] as Leaf;
      const inner = isSpelled ? undefined : parsedJson(text);
      if (inner !== undefined) walk(inner, `${path}#`, all, begin);
    }
  }
  return all;
}

class Collected implements Values {
  readonly leaves: Leaf[] = [];
  readonly trees: Tree[] = [];
  readonly walks: Walk[] = [];
  cutChars = 0;
  readonly #isGiven: boolean;

  constructor(isGiven: boolean) {
    this.#isGiven = isGiven;
  }

  list(path: string, entries: Open["entries"], within: number | undefined): void {
    if (!this.#isGiven || entries.length < MIN_CHARS || this.leaves.length >= MAX_LEAVES) return;
    for (const text of spelledList(entries.map(([, value]) => value)))
      this.leaves.push({ path, text, isSpelled: true, ...defined({ within }) });
  }

  leaf(path: string, text: string, isKey: boolean, within: number | undefined): void {
    if (this.leaves.length >= MAX_LEAVES) this.cutChars += text.length;
    else if (!isKey && within === undefined) this.leaves.push({ path, text });
    else this.leaves.push({ path, text, ...(isKey ? { isKey } : {}), ...defined({ within }) });
  }

  tree(tree: Tree): void {
    // Its texts are looked at all the same.
    if (this.trees.length < MAX_TREES) this.trees.push(tree);
  }
}

interface Open {
  readonly value: object;
  readonly path: string;
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  next: number;
  /** Its members so far: scalars as they are, trees by their digests. */
  readonly parts: string[];
  chars: number;
  weight: number;
  readonly treeFrom: number;
  readonly leafFrom: number;
}

function walk(root: unknown, base: string, all: Collected, within: number | undefined): void {
  const treeFrom = all.trees.length;
  walkTree(root, base, all, within);
  all.walks.push({ treeFrom, treeEnd: all.trees.length, ...(within === undefined ? {} : { within }) });
}

function walkTree(root: unknown, base: string, all: Collected, within: number | undefined): void {
  const scalar = (value: unknown, path: string): string => {
    if (typeof value === "string") all.leaf(path, value, false, within);
    else if (typeof value === "number") all.leaf(path, String(value), false, within);
    return JSON.stringify(value) ?? "null";
  };
  if (typeof root !== "object" || root === null) {
    scalar(root, base);
    return;
  }
  const stack: Open[] = [opened(root, base, all)];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const entry = top.entries[top.next];
    if (entry) {
      top.next += 1;
      const [key, value] = entry;
      const isList = Array.isArray(top.value);
      const path = isList ? bounded(`${top.path}[${key}]`) : joined(top.path, key, top.next - 1);
      if (!isList) all.leaf(path, key, true, within);
      if (typeof value === "object" && value !== null) {
        stack.push(opened(value, path, all));
        continue;
      }
      const text = scalar(value, path);
      top.parts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
      top.chars += text.length + (isList ? 1 : key.length + 4);
      if (typeof value === "string") top.weight += weightOf(value);
      else if (typeof value === "number") top.weight += text.length;
      continue;
    }
    stack.pop();
    const { path, value, chars, weight, treeFrom, leafFrom } = top;
    const digest = digestOf(top);
    all.list(path, top.entries, within);
    const leafEnd = all.leaves.length;
    all.tree({ path, value, digest, chars: chars + 2, weight, treeFrom, leafFrom, leafEnd });
    const parent = stack.at(-1);
    if (!parent) continue;
    const key = parent.entries[parent.next - 1]?.[0] ?? "";
    parent.parts.push(Array.isArray(parent.value) ? digest : `${JSON.stringify(key)}:${digest}`);
    parent.chars += chars + 2 + key.length;
    parent.weight += weight;
  }
}

const opened = (value: object, path: string, { trees, leaves }: Collected): Open => ({
  value,
  path,
  entries: Object.entries(value),
  next: 0,
  parts: [],
  chars: 0,
  weight: 0,
  treeFrom: trees.length,
  leafFrom: leaves.length,
});

/** Of its canonical form, with the digests of the trees inside it in their place: linear, however deep it is. What is short stands for
 *  itself. */
function digestOf({ value, parts }: Open): string {
  const isList = Array.isArray(value);
  if (!isList && parts.length > 1) parts.sort();
  const text = parts.length === 1 ? (parts[0] as string) : parts.join("\n");
  if (text.length <= MAX_PLAIN_CHARS) return isList ? `[=${text}]` : `{=${text}}`;
  const digest = hash("sha256", text, "base64");
  return isList ? `[${digest}` : `{${digest}`;
}
const MAX_PLAIN_CHARS = 160;

/** Names of members are a server's word, and a person reads them: what does not look like a name stands by its position. */
function joined(path: string, key: string, position: number): string {
  const name = PLAIN_NAME.test(key) ? key : namedBy(key, position);
  return bounded(path === "" ? name : `${path}.${name}`);
}

function namedBy(key: string, position: number): string {
  if (!LIKE_NAME.test(key)) return `{${position}}`;
  return key.length <= MAX_NAME_CHARS ? `"${key}"` : `"${key.slice(0, MAX_NAME_CHARS)}…"{${position}}`;
}

const MAX_NAME_CHARS = 40;
const PLAIN_NAME = /^[A-Za-z_$][\w$-]{0,39}$/;
const LIKE_NAME = /^[A-Za-z0-9_.-]+$/;

const bounded = (path: string): string =>
  path.length <= MAX_PATH_CHARS ? path : `…${path.slice(-MAX_PATH_CHARS + 1)}`;

/** An object or a list that a text is; undefined for anything else. */
export function parsedJson(text: string): object | undefined {
  if (text.length < 2 || text.length > MAX_JSON_CHARS || !/^\s*[{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
