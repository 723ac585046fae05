/** Strict reading of YAML files: each fault names file, line, column and the way out. */
import { readFile, stat } from "node:fs/promises";
import type { GenericSchema, InferOutput } from "valibot";
import type { Node } from "yaml";
import { issueFault, type Locate, listFault, placeOf } from "./config-fault.ts";
import { TrustError } from "./errors.ts";
import { urlTold } from "./text.ts";
import { type FileHints, unreadable } from "./unreadable.ts";

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

/** The same, for who has more to say of it than its schema can. */
export async function readPlacedFile<Schema extends GenericSchema>(
  file: string,
  schema: Schema,
): Promise<Placed<InferOutput<Schema>>> {
  return readPlaced(await readTextFile(file), file, schema);
}

/** A checked value, and where each part of it stands: file, line and column. */
export interface Placed<T> {
  readonly value: T;
  place(path: readonly (string | number)[]): string;
}

/** The text of a regular file, bounded, in UTF-8. */
export async function readTextFile(file: string, hints: FileHints = {}): Promise<string> {
  const cannot = (cause: unknown): never => {
    throw unreadable(file, cause, hints);
  };
  const info = await stat(file).catch(cannot);
  if (!info.isFile()) throw new TrustError("CFG_UNREADABLE", `${file}: not a regular file`);
  if (info.size > MAX_BYTES)
    throw new TrustError("CFG_UNREADABLE", `${file}: ${info.size} bytes, limit ${MAX_BYTES}`);
  const bytes = await readFile(file).catch(cannot);
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
  return (await readPlaced(text, file, schema)).value;
}

async function readPlaced<Schema extends GenericSchema>(
  text: string,
  file: string,
  schema: Schema,
): Promise<Placed<InferOutput<Schema>>> {
  const [yaml, v] = await Promise.all([import("yaml"), import("valibot")]);
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    version: "1.2",
    uniqueKeys: false,
    prettyErrors: false,
  });
  const lineAt = (offset: number): number => Math.max(lines.linePos(offset).line, 1);
  const placeAt = (offset: number): string =>
    `${file}:${lineAt(offset)}:${Math.max(lines.linePos(offset).col, 1)}`;
  const at: Locate = (code, offset, message, hint) =>
    new TrustError(code, `${placeAt(offset)} ${message}`, { hint });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault?.code === "MULTIPLE_DOCS")
    throw at(
      "CFG_SYNTAX",
      fault.pos[0],
      "a second document begins here",
      "keep one of them, without the line ---",
    );
  if (fault)
    throw at("CFG_SYNTAX", fault.pos[0], fault.message, `correct line ${lineAt(fault.pos[0])} of ${file}`);
  // A file may ask for an older reading, in which yes is true, 010 is 8 and << brings in keys that nobody sees here.
  if (document.directives?.yaml.version !== "1.2")
    throw at("CFG_SYNTAX", text.search(/^%YAML/m), "want YAML 1.2", "take the line with %YAML out");
  const noTag = ({ tag, range }: Node): void => {
    if (tag !== undefined)
      throw at("CFG_SYNTAX", range?.[0] ?? 0, `no tags, as ${tag}`, "write the value without it");
  };
  yaml.visit(document, {
    Scalar: (_, scalar) => noTag(scalar),
    Seq: (_, list) => noTag(list),
    Map(_, map) {
      noTag(map);
      const { items } = map;
      const seen = new Map<string, number>();
      for (const { key } of items) {
        const offset = yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0;
        if (!yaml.isScalar(key))
          throw at("CFG_SYNTAX", offset, "a key must be plain text", "put quotes around the key");
        const word = String(key.value);
        // Validators drop these without a word, since they reach into every object: here they are an error like any other.
        if (RESERVED.has(word))
          throw at("CFG_UNKNOWN_KEY", offset, `nothing may be called "${word}"`, "give it another name");
        const first = seen.get(word);
        if (first !== undefined)
          throw at(
            "CFG_DUPLICATE_KEY",
            offset,
            `the key "${urlTold(word)}" stands twice`,
            `it stands on line ${lineAt(first)} already: keep one of the two`,
          );
        seen.set(word, offset);
      }
    },
  });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw at(
      "CFG_SYNTAX",
      0,
      (cause as Error).message,
      `write the values out: at most ${MAX_ALIASES} aliases`,
    );
  }
  const source = { document, yaml, schema, at };
  const list = listFault(source, value);
  if (list) throw list;
  const parsed = v.safeParse(schema, value ?? {});
  if (!parsed.success) throw issueFault(source, parsed.issues);
  return { value: parsed.output, place: (path) => placeAt(placeOf(source, path).value) };
}

const RESERVED = new Set(["__proto__", "constructor", "prototype"]);
