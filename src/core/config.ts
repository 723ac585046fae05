/** Strict reading of YAML files: each fault names file, line, column and the way out. */
import { readFile, stat } from "node:fs/promises";
import type { GenericIssue, GenericSchema, InferOutput } from "valibot";
import type { Document, LineCounter, Node, Pair } from "yaml";
import { type ErrorCode, TrustError } from "./errors.ts";
import { didYouMean } from "./suggest.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_ALIASES = 64;

/** Reads a file of the operator. A missing file is its own error, so that the caller may offer to create one. */
export async function readConfigFile<Schema extends GenericSchema>(
  file: string,
  schema: Schema,
): Promise<InferOutput<Schema>> {
  const info = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw new TrustError("CFG_NOT_FOUND", `${file}: no such file`, { cause });
    throw new TrustError("CFG_UNREADABLE", `${file}: ${cause.message}`, { cause });
  });
  if (!info.isFile()) throw new TrustError("CFG_UNREADABLE", `${file}: not a regular file`);
  if (info.size > MAX_BYTES)
    throw new TrustError("CFG_UNREADABLE", `${file}: ${info.size} bytes, limit ${MAX_BYTES}`);
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new TrustError("CFG_UNREADABLE", `${file}: ${cause.message}`, { cause });
  });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TrustError("CFG_UNREADABLE", `${file}: not valid UTF-8`, { cause });
  }
  return readConfig(text, file, schema);
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
    uniqueKeys: true,
    prettyErrors: false,
  });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault) {
    const code = fault.code === "DUPLICATE_KEY" ? "CFG_DUPLICATE_KEY" : "CFG_SYNTAX";
    throw located(code, file, lines, fault.pos[0], fault.message);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw located("CFG_SYNTAX", file, lines, 0, (cause as Error).message);
  }
  const parsed = v.safeParse(schema, value ?? {});
  if (parsed.success) return parsed.output;
  throw issueError(parsed.issues[0], schema, document, file, lines, yaml.isMap, yaml.isPair, yaml.isNode);
}

function issueError(
  issue: GenericIssue,
  schema: GenericSchema,
  document: Document,
  file: string,
  lines: LineCounter,
  isMap: (node: unknown) => boolean,
  isPair: (node: unknown) => boolean,
  isNode: (node: unknown) => boolean,
): TrustError {
  const path = (issue.path ?? []).map((part) => part.key as string | number);
  const key = path.at(-1);
  const isUnknownKey = issue.type === "strict_object" && issue.expected === "never";
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const pair = isMap(parent)
    ? (parent as { items: Pair[] }).items.find((item) => isPair(item) && String(item.key) === String(key))
    : undefined;
  const missing = path.length > 0 && document.getIn(path, true) === undefined && !pair;
  const node = missing
    ? parent
    : isUnknownKey
      ? pair?.key
      : (document.getIn(path, true) ?? document.contents);
  const offset = isNode(node) ? ((node as Node).range?.[0] ?? 0) : 0;
  const where = path.join(".") || "the file";
  if (isUnknownKey && !missing) {
    const known = knownKeys(schema, path.slice(0, -1));
    const near =
      didYouMean(String(key), known) || (known.length > 0 ? `, known keys: ${known.join(", ")}` : "");
    return located("CFG_UNKNOWN_KEY", file, lines, offset, `unknown key "${where}"${near}`);
  }
  if (missing) return located("CFG_BAD_VALUE", file, lines, offset, `${where} is missing`);
  return located("CFG_BAD_VALUE", file, lines, offset, `${where}: ${issue.message}`);
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

function located(
  code: ErrorCode,
  file: string,
  lines: LineCounter,
  offset: number,
  message: string,
): TrustError {
  const { line, col } = lines.linePos(offset);
  return new TrustError(code, `${file}:${Math.max(line, 1)}:${Math.max(col, 1)} ${message}`);
}
