/** Finds credentials that stand literally in the entry of a config. What is found is named by its field and kind; the
 *  value itself is only handed on so that it can be kept out of everything printed. */
import {
  isHarmless,
  isKeyLike,
  isPlaceholder,
  isRandom,
  isSecretName,
  knownShape,
  withoutReferences,
} from "./audit-shapes.ts";
import { optionSecrets, secretsInWord } from "./audit-words.ts";
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
/** Beyond this nothing is hidden one by one: an entry with so many is neither shown nor started. */
const MAX_HIDDEN = 10_000;

interface Search {
  readonly found: LiteralSecret[];
  readonly max: number;
  /** The program that the words are for. */
  readonly program: string;
}

export function literalSecrets(entry: unknown): LiteralSecret[] {
  return search(entry, MAX_FOUND);
}

function search(entry: unknown, max: number): LiteralSecret[] {
  const command = isObject(entry) ? [entry.command].flat()[0] : undefined;
  const found: LiteralSecret[] = [];
  walk(entry, [], false, { found, max, program: typeof command === "string" ? command : "" });
  return found.slice(0, max);
}

function walk(value: unknown, path: Path, isGiven: boolean, to: Search): void {
  if (path.length > MAX_DEPTH || to.found.length > to.max) return;
  if (Array.isArray(value)) return words(value, path, to);
  if (isObject(value)) {
    for (const [key, member] of Object.entries(value))
      if (!SKIPPED.has(key) || isGiven) walk(member, [...path, key], isGiven || GIVEN.has(key), to);
    return;
  }
  if (typeof value !== "string" && typeof value !== "number") return;
  const text = String(value);
  const field = path.join(".");
  const kind = kindOf(path.at(-1) ?? "", text, isGiven);
  if (kind !== undefined) to.found.push({ path, field, kind, value: text });
  else inside(text, [], path, field, to);
}

/** A list of words: `--token X`, `--token=X`, `-e NAME=X`, `--header 'Name: X'`, an address, a script. */
function words(list: readonly unknown[], path: Path, to: Search): void {
  const texts = list.map((word) => (typeof word === "string" ? word : ""));
  for (const [index, word] of texts.entries()) {
    if (word === "" || to.found.length > to.max) continue;
    const option = /^--?([A-Za-z][\w.-]{0,100})$/.exec(texts[index - 1] ?? "")?.[1];
    const [, named, assigned = ""] =
      /^-{0,2}([A-Za-z][\w.-]{0,100})(?:=|:\s*(?!\/\/))([\s\S]*)$/.exec(word) ?? [];
    const [name, value] =
      named !== undefined
        ? [named, assigned]
        : [option !== undefined && !word.startsWith("-") ? option : "", word];
    const field = `${path.join(".")}[${index}]`;
    const isScript = /^(?:-\w{0,3}c|\/c|-command)$/i.test(texts[index - 1] ?? "") && /\s/.test(word);
    const kind = isScript ? undefined : kindOf(name, value, false);
    if (kind === undefined)
      inside(word, optionSecrets(texts, index, to.program || texts[0]), path, field, to);
    else to.found.push({ path, field: `${field}${name === "" ? "" : ` (${name})`}`, kind, value });
  }
}

/** What stands somewhere in a word that is no credential as a whole. */
function inside(
  word: string,
  told: readonly { readonly name: string; readonly value: string }[],
  path: Path,
  field: string,
  { found, max }: Search,
): void {
  const seen: string[] = [];
  for (const { name, value } of [...told, ...secretsInWord(word)]) {
    const kind = kindOf(name, value, false);
    if (kind === undefined || seen.some((other) => other.includes(value)) || found.length > max) continue;
    seen.push(value);
    found.push({ path, field: `${field} (${name})`, kind, value });
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
  const parts = url.pathname.split("/").map(decoded);
  if (parts.some(isRandom)) return "a value that looks random in an address";
  return parts.some(isKeyLike) ? "a value that looks like a key in an address" : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Everything in an entry that must not be printed: all that is given to the server, and what was found above. Of an address
 *  that is no such value, only its secret parts. */
export function hiddenValues(entry: unknown): string[] {
  const hidden: string[] = [];
  for (const { path, value } of search(entry, MAX_HIDDEN)) {
    const isGiven = path.some((key) => GIVEN.has(key));
    const parts = isGiven || addressKind(withoutReferences(value)) === undefined ? [] : addressParts(value);
    for (const part of parts.length > 0 ? parts : [value]) hidden.push(part);
  }
  if (isObject(entry))
    for (const [key, member] of Object.entries(entry))
      if (GIVEN.has(key) && isObject(member))
        for (const value of Object.values(member))
          if (typeof value === "string" || typeof value === "number") hidden.push(String(value));
  const parts = hidden.flatMap((value) => [value, withoutReferences(value), ...addressParts(value)]);
  return [...new Set(parts)].filter((value) => value !== "");
}

/** The parts of an address that hold what is secret in it; the rest of it may be shown. Short ones come with what stands
 *  before them, since alone they would be found everywhere. */
function addressParts(value: string): string[] {
  const bare = withoutReferences(value);
  if (!URL.canParse(bare)) return [];
  const url = new URL(bare);
  return [
    url.password,
    decoded(url.password),
    ...(url.password === "" ? [] : [`${url.username}:${url.password}@`]),
    ...[...url.searchParams].flatMap(([name, part]) => [part, encodeURIComponent(part), `${name}=${part}`]),
    ...url.pathname.split("/").filter((part) => isRandom(decoded(part)) || isKeyLike(decoded(part))),
  ].filter((part) => part !== "");
}
