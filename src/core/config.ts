/** Strict reading of YAML files: each fault names file, line, column and the way out. */
import { readFile, stat } from "node:fs/promises";
import type { GenericIssue, GenericSchema, InferOutput } from "valibot";
import type * as Yaml from "yaml";
import type { Document } from "yaml";
import { defined } from "./defined.ts";
import { type ErrorCode, TrustError } from "./errors.ts";
import { didYouMean } from "./suggest.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_ALIASES = 64;

/** Reads a file of the operator. A missing file is its own error, so that the caller may offer to create one. */
export async function readConfigFile<Schema extends GenericSchema>(
  file: string,
  schema: Schema,
  hints: FileHints = {},
): Promise<InferOutput<Schema>> {
  return readConfig(await readTextFile(file, hints), file, schema);
}

/** What to do where a file that is no `touchstone.yml` is not there. */
export interface FileHints {
  readonly absent?: string;
}

/** The text of a regular file, bounded, in UTF-8. */
export async function readTextFile(file: string, { absent }: FileHints = {}): Promise<string> {
  const info = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT")
      throw new TrustError("CFG_NOT_FOUND", `${file}: no such file`, { cause, ...defined({ hint: absent }) });
    throw new TrustError("CFG_UNREADABLE", `${file}: ${cause.message}`, { cause });
  });
  if (!info.isFile()) throw new TrustError("CFG_UNREADABLE", `${file}: not a regular file`);
  if (info.size > MAX_BYTES)
    throw new TrustError("CFG_UNREADABLE", `${file}: ${info.size} bytes, limit ${MAX_BYTES}`);
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new TrustError("CFG_UNREADABLE", `${file}: ${cause.message}`, { cause });
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TrustError("CFG_UNREADABLE", `${file}: not valid UTF-8`, { cause });
  }
}

/** Text to a checked value. `file` only names the place in messages. */
export async function readConfig<Schema extends GenericSchema>(
  text: string,
  file: string,
  schema: Schema,
): Promise<InferOutput<Schema>> {
  const [yaml, v] = await Promise.all([import("yaml"), import("valibot")]);
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    version: "1.2",
    uniqueKeys: false,
    prettyErrors: false,
  });
  const at: Locate = (code, offset, message) => {
    const { line, col } = lines.linePos(offset);
    return new TrustError(code, `${file}:${Math.max(line, 1)}:${Math.max(col, 1)} ${message}`);
  };
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault)
    throw at(
      fault.code === "DUPLICATE_KEY" ? "CFG_DUPLICATE_KEY" : "CFG_SYNTAX",
      fault.pos[0],
      fault.message,
    );
  yaml.visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const offset = yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0;
        if (!yaml.isScalar(key)) throw at("CFG_SYNTAX", offset, "a key must be plain text");
        // Validators drop these without a word, since they reach into every object: here they are an error like any other.
        if (RESERVED.has(String(key.value)))
          throw at("CFG_UNKNOWN_KEY", offset, `nothing may be called "${key.value}"`);
        if (seen.has(String(key.value)))
          throw at("CFG_DUPLICATE_KEY", offset, `the key "${key.value}" stands twice`);
        seen.add(String(key.value));
      }
    },
  });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw at("CFG_SYNTAX", 0, (cause as Error).message);
  }
  const parsed = v.safeParse(schema, value ?? {});
  if (!parsed.success) throw issueError(parsed.issues[0], schema, document, yaml, at);
  const list = listForMap(schema, value, []);
  if (list === undefined) return parsed.output;
  const node = document.getIn(list, true);
  const offset = yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0;
  throw at("CFG_BAD_VALUE", offset, `${list.join(".") || "the file"}: want a map`);
}

type Path = readonly (string | number)[];

/** Where a list stands for a map: validators take it as one with numbers for keys. */
function listForMap(schema: unknown, value: unknown, path: Path): Path | undefined {
  if (schema === undefined || typeof value !== "object" || value === null) return undefined;
  const { entries, value: each, item } = unwrap(schema);
  if (Array.isArray(value) && (entries ?? each)) return path;
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    const found = listForMap(entries?.[key] ?? each ?? item, member, [...path, step]);
    if (found) return found;
  }
  return undefined;
}

type Locate = (code: ErrorCode, offset: number, message: string) => TrustError;

const RESERVED = new Set(["__proto__", "constructor", "prototype"]);

function issueError(
  issue: GenericIssue,
  schema: GenericSchema,
  document: Document,
  yaml: typeof Yaml,
  at: Locate,
): TrustError {
  const path = (issue.path ?? []).map((part) => part.key as string | number);
  const where = path.join(".") || "the file";
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const offsetOf = (node: unknown): number => (yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0);
  const isAboutKey = issue.type === "strict_object" && issue.expected !== "Object" && path.length > 0;
  // A list passes for an object with numbers as keys; what is wrong is the list.
  if (isAboutKey && !yaml.isMap(parent)) {
    return at("CFG_BAD_VALUE", offsetOf(parent), `${path.slice(0, -1).join(".") || "the file"}: want a map`);
  }
  const key = String(path.at(-1));
  const pair = yaml.isMap(parent) ? parent.items.find((item) => String(item.key) === key) : undefined;
  if (isAboutKey && !pair) return at("CFG_BAD_VALUE", offsetOf(parent), `${where} is missing`);
  if (isAboutKey && issue.expected === "never") {
    const known = knownKeys(schema, path.slice(0, -1));
    const near = didYouMean(key, known) || (known.length > 0 ? `, known keys: ${known.join(", ")}` : "");
    return at("CFG_UNKNOWN_KEY", offsetOf(pair?.key), `unknown key "${where}"${near}`);
  }
  return at("CFG_BAD_VALUE", offsetOf(document.getIn(path, true) ?? parent), `${where}: ${issue.message}`);
}

/** The keys the schema has at a path, so that a typo can be answered with the right word. */
function knownKeys(schema: GenericSchema, path: readonly (string | number)[]): string[] {
  let current: unknown = schema;
  for (const key of path) {
    const { entries, wrapped, value, item } = unwrap(current);
    current = entries?.[key] ?? value ?? item ?? wrapped;
  }
  return Object.keys(unwrap(current).entries ?? {});
}

interface SchemaShape {
  entries?: Record<string, unknown>;
  wrapped?: unknown;
  value?: unknown;
  item?: unknown;
  pipe?: unknown[];
}

function unwrap(schema: unknown): SchemaShape {
  let shape = (schema ?? {}) as SchemaShape;
  while (shape.wrapped !== undefined) shape = shape.wrapped as SchemaShape;
  return shape;
}
