/** The values of a JSON tree: its texts with their paths, and its sub-trees. No recursion: a tree may be as deep as it likes. */

export interface Leaf {
  readonly path: string;
  readonly text: string;
  readonly isKey?: boolean;
}

export interface Tree {
  readonly path: string;
  readonly value: object;
  /** The same for equal trees, whatever the order of their members; other trees have another one but by chance. */
  readonly digest: string;
  /** Characters of its canonical form, about. */
  readonly chars: number;
}

export interface Values {
  readonly leaves: readonly Leaf[];
  readonly trees: readonly Tree[];
  /** There was more than is looked at. */
  readonly isCut: boolean;
}

const MAX_LEAVES = 200_000;
const MAX_TREES = 50_000;
const MAX_JSON_CHARS = 8 * 1024 * 1024;
const MAX_PATH_CHARS = 300;

/** All texts and sub-trees of a value. Texts that are JSON themselves are opened, once. */
export function valuesOf(root: unknown): Values {
  const found = walk(root, "");
  const leaves = [...found.leaves];
  const trees = [...found.trees];
  let { isCut } = found;
  for (const { path, text } of found.leaves) {
    const inner = parsedJson(text);
    if (inner === undefined) continue;
    const more = walk(inner, `${path}#`);
    leaves.push(...more.leaves.slice(0, MAX_LEAVES - leaves.length));
    trees.push(...more.trees.slice(0, MAX_TREES - trees.length));
    isCut ||= more.isCut;
  }
  return { leaves, trees, isCut };
}

interface Open {
  readonly value: object;
  readonly path: string;
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  next: number;
  /** Digests of its members so far. */
  readonly parts: string[];
  chars: number;
}

function walk(root: unknown, base: string): Values {
  const leaves: Leaf[] = [];
  const trees: Tree[] = [];
  let isCut = false;
  const leaf = (path: string, text: string, isKey = false): void => {
    if (leaves.length < MAX_LEAVES) leaves.push(isKey ? { path, text, isKey } : { path, text });
    else isCut = true;
  };
  const scalar = (value: unknown, path: string): string => {
    if (typeof value === "string") leaf(path, value);
    else if (typeof value === "number") leaf(path, String(value));
    return JSON.stringify(value) ?? "null";
  };
  if (typeof root !== "object" || root === null) {
    scalar(root, base);
    return { leaves, trees, isCut };
  }
  const stack: Open[] = [opened(root, base)];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const entry = top.entries[top.next];
    if (entry) {
      top.next += 1;
      const [key, value] = entry;
      const isList = Array.isArray(top.value);
      const path = isList ? `${top.path}[${key}]` : joined(top.path, key);
      if (!isList) leaf(path, key, true);
      if (typeof value === "object" && value !== null) {
        stack.push(opened(value, path));
        continue;
      }
      const text = scalar(value, path);
      top.parts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
      top.chars += text.length + (isList ? 1 : key.length + 4);
      continue;
    }
    stack.pop();
    const digest = digestOf(top);
    if (trees.length < MAX_TREES)
      trees.push({ path: top.path, value: top.value, digest, chars: top.chars + 2 });
    else isCut = true;
    const parent = stack.at(-1);
    if (!parent) continue;
    const key = parent.entries[parent.next - 1]?.[0] ?? "";
    parent.parts.push(Array.isArray(parent.value) ? digest : `${JSON.stringify(key)}:${digest}`);
    parent.chars += top.chars + 2 + key.length;
  }
  return { leaves, trees, isCut };
}

const opened = (value: object, path: string): Open => ({
  value,
  path,
  entries: Object.entries(value),
  next: 0,
  parts: [],
  chars: 0,
});

function digestOf({ value, parts }: Open): string {
  const isList = Array.isArray(value);
  const ordered = isList ? parts : [...parts].sort();
  return `${isList ? "[" : "{"}${hash(ordered)}`;
}

/** Two sums of 32 bits each. Equal digests are looked at again, so a chance hit costs time and nothing else. */
function hash(parts: readonly string[]): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) {
      const unit = part.charCodeAt(at);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b + unit, 0x85ebca6b) ^ (b >>> 13);
    }
    a = Math.imul(a ^ 0x1f, 0x01000193);
    b = Math.imul(b + 0x1f, 0xc2b2ae35) ^ (b >>> 16);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}

function joined(path: string, key: string): string {
  const name = /^[A-Za-z_$][\w$-]*$/.test(key) ? key : JSON.stringify(key).slice(0, 80);
  const whole = path === "" ? name : `${path}.${name}`;
  return whole.length <= MAX_PATH_CHARS ? whole : `…${whole.slice(-MAX_PATH_CHARS)}`;
}

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

/** Whether two trees hold the same, whatever the order of members. */
export function isEqual(one: unknown, other: unknown): boolean {
  const waiting: [unknown, unknown][] = [[one, other]];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      waiting.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]);
    }
  }
  return true;
}
