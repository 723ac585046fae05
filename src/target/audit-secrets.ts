/** Finds credentials that stand literally in the entry of a config. What is found is named by its field and kind; the
 *  value itself is only handed on so that it can be kept out of everything printed. */
import {
  isHarmless,
  isPlaceholder,
  isRandom,
  isSecretName,
  knownShape,
  withoutReferences,
} from "./audit-shapes.ts";
import { isObject, type Path } from "./clients/values.ts";

export interface LiteralSecret {
  readonly path: Path;
  /** `env.API_KEY`, `args[2] (--token)`. Foreign text. */
  readonly field: string;
  /** `a GitHub token`, `a literal value`. */
  readonly kind: string;
  /** The value: never for printing. */
  readonly value: string;
}

/** Members whose values are names of variables, or words for people. */
const SKIPPED = new Set(["env_vars", "env_http_headers", "inputs", "description", "name", "title", "type"]);
/** Members whose values are given to the server: there, anything that looks random counts. */
const GIVEN = new Set(["env", "environment", "headers", "http_headers"]);
const MAX_DEPTH = 6;
const MAX_FOUND = 100;

export function literalSecrets(entry: unknown): LiteralSecret[] {
  const found: LiteralSecret[] = [];
  walk(entry, [], false, found);
  return found.slice(0, MAX_FOUND);
}

function walk(value: unknown, path: Path, isGiven: boolean, found: LiteralSecret[]): void {
  if (path.length > MAX_DEPTH || found.length > MAX_FOUND) return;
  if (Array.isArray(value)) return words(value, path, found);
  if (isObject(value)) {
    for (const [key, member] of Object.entries(value))
      if (!SKIPPED.has(key) || isGiven) walk(member, [...path, key], isGiven || GIVEN.has(key), found);
    return;
  }
  if (typeof value !== "string" && typeof value !== "number") return;
  const text = String(value);
  const name = path.at(-1) ?? "";
  const kind = kindOf(name, text, isGiven);
  if (kind !== undefined) found.push({ path, field: path.join("."), kind, value: text });
}

/** A list of words: `--token X`, `--token=X`, `-e NAME=X`, `--header 'Name: X'`, an address. */
function words(list: readonly unknown[], path: Path, found: LiteralSecret[]): void {
  for (const [index, word] of list.entries()) {
    if (typeof word !== "string") continue;
    const before = list[index - 1];
    const option = typeof before === "string" ? /^--?([A-Za-z][\w.-]{0,100})$/.exec(before)?.[1] : undefined;
    const [, named, assigned = ""] =
      /^-{0,2}([A-Za-z][\w.-]{0,100})(?:=|:\s*(?!\/\/))([\s\S]*)$/.exec(word) ?? [];
    const [name, value] =
      named !== undefined
        ? [named, assigned]
        : [option !== undefined && !word.startsWith("-") ? option : "", word];
    const kind = kindOf(name, value, false);
    if (kind === undefined) continue;
    const field = `${path.join(".")}[${index}]${name === "" ? "" : ` (${name})`}`;
    found.push({ path, field, kind, value });
  }
}

function kindOf(name: string, text: string, isGiven: boolean): string | undefined {
  const value = withoutReferences(text);
  if (value === "") return undefined;
  const address = addressKind(value);
  if (address !== undefined) return address;
  if (isPlaceholder(value)) return undefined;
  const shape = knownShape(value);
  if (shape !== undefined) return shape;
  if (isHarmless(value)) return undefined;
  if (isSecretName(name)) return "a literal value";
  return isGiven && isRandom(value) ? "a value that looks random" : undefined;
}

/** Passwords before the host, credentials in the query, random parts of the path. */
function addressKind(value: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.password !== "" && !isPlaceholder(decoded(url.password))) return "a password in an address";
  for (const [name, part] of url.searchParams) {
    const bare = withoutReferences(part);
    if (bare === "" || isPlaceholder(bare) || isHarmless(bare)) continue;
    if (isSecretName(name) || knownShape(bare) !== undefined)
      return `a literal value in the query of an address`;
  }
  return url.pathname.split("/").some(isRandom) ? "a value that looks random in an address" : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Everything in an entry that must not be printed: all that is given to the server, and what was found above. */
export function hiddenValues(entry: unknown): string[] {
  const hidden = literalSecrets(entry).map(({ value }) => value);
  if (isObject(entry))
    for (const [key, member] of Object.entries(entry))
      if (GIVEN.has(key) && isObject(member))
        for (const value of Object.values(member))
          if (typeof value === "string" || typeof value === "number") hidden.push(String(value));
  const parts = hidden.flatMap((value) => [value, withoutReferences(value), ...addressParts(value)]);
  return [...new Set(parts)].filter((value) => value !== "");
}

/** The parts of an address that hold what is secret in it; the rest of it may be shown. */
function addressParts(value: string): string[] {
  const bare = withoutReferences(value);
  if (!URL.canParse(bare)) return [];
  const url = new URL(bare);
  return [
    url.password,
    decoded(url.password),
    ...[...url.searchParams.values()].flatMap((part) => [part, encodeURIComponent(part)]),
    ...url.pathname.split("/").filter(isRandom),
  ];
}
