/** What is wrong with a value of a config file: where it stands, what it is, and what to write. */
import type { GenericIssue } from "valibot";
import type * as Yaml from "yaml";
import type { Document, Node } from "yaml";
import { knownFor, listForMap, type Path } from "./config-keys.ts";
import type { ErrorCode, TrustError } from "./errors.ts";
import { suggest } from "./suggest.ts";
import { urlTold } from "./text.ts";

export type Locate = (code: ErrorCode, offset: number, message: string, hint: string) => TrustError;

/** A file that was parsed, and what it should be. */
export interface Source {
  readonly document: Document;
  readonly yaml: typeof Yaml;
  readonly schema: unknown;
  readonly at: Locate;
}

/** A list where a map is wanted. */
export function listFault(source: Source, value: unknown): TrustError | undefined {
  const path = listForMap(source.schema, value);
  if (path === undefined) return undefined;
  const where = nameOf(path);
  return source.at("CFG_BAD_VALUE", placeOf(source, path).value, `${where}: want a map`, asMap(where));
}

const nameOf = (path: Path): string => path.map((step) => urlTold(String(step))).join(".") || "the file";
const asMap = (where: string): string => `write ${where} as a map of keys and values, not as a list`;

/** The first fault that the schema finds. */
export function issueFault(
  source: Source,
  [issue, ...others]: readonly [GenericIssue, ...GenericIssue[]],
): TrustError {
  const { at, schema } = source;
  const path = pathOf(issue);
  const where = nameOf(path);
  const place = placeOf(source, path);
  const isAboutKey = issue.type === "strict_object" && issue.expected !== "Object" && path.length > 0;
  if (isAboutKey && place.key === undefined)
    return (
      otherName(source, path, others) ??
      at("CFG_BAD_VALUE", place.value, `${where} is missing`, `add ${where}`)
    );
  if (isAboutKey && issue.expected === "never") {
    const { told, hint } = knownFor(schema, path);
    return at("CFG_UNKNOWN_KEY", place.key ?? place.value, `unknown key "${where}"${told}`, hint);
  }
  const isOfKey = (issue.path?.at(-1) as { readonly origin?: string } | undefined)?.origin === "key";
  const offset = isOfKey ? (place.key ?? place.value) : place.value;
  return at("CFG_BAD_VALUE", offset, `${where}: ${issue.message}`, wayOut(issue, where, isOfKey));
}

const pathOf = (issue: GenericIssue): (string | number)[] =>
  (issue.path ?? []).map((part) => part.key as string | number);

/** What is missing stands there under a name that is nearly the same, or a longer one: `mcpServers` is what clients call `servers`. */
function otherName(source: Source, missing: Path, others: readonly GenericIssue[]): TrustError | undefined {
  const word = String(missing.at(-1));
  const place = nameOf(missing.slice(0, -1));
  const path = others
    .filter(({ expected }) => expected === "never")
    .map(pathOf)
    .find((path) => nameOf(path.slice(0, -1)) === place && isNameOf(word, String(path.at(-1))));
  if (!path) return undefined;
  const { key, value } = placeOf(source, path);
  const message = `unknown key "${nameOf(path)}", did you mean "${word}"?`;
  return source.at("CFG_UNKNOWN_KEY", key ?? value, message, `write "${word}" in its place`);
}

const isNameOf = (word: string, other: string): boolean =>
  suggest(other, [word]) !== undefined || other.toLowerCase().endsWith(word.toLowerCase());

/** What stands there is not repeated: it may be a secret. */
function wayOut(issue: GenericIssue, where: string, isOfKey: boolean): string {
  const near = issue.type === "picklist" ? nearWord(issue) : undefined;
  if (near !== undefined) return `write ${where}: ${near}`;
  const [, wanted] = /^want (.+)$/s.exec(issue.message) ?? [];
  if (wanted === undefined) return `correct ${where}`;
  return isOfKey ? `give ${where} another name, with ${wanted}` : `give ${where} ${wanted}`;
}

/** The word of a list that is nearly the one that stands there. */
function nearWord({ input, expected }: GenericIssue): string | undefined {
  if (typeof input !== "string") return undefined;
  const words = [...(expected ?? "").matchAll(/"([^"]+)"/g)].map(([, word]) => word ?? "");
  return words.find((word) => word === input.toLowerCase()) ?? suggest(input, words);
}

/** Where a value stands, and its key where it has one; of what is not there, where it would belong. */
export function placeOf(
  { document, yaml }: Source,
  path: Path,
): { readonly key: number | undefined; readonly value: number } {
  const startOf = (node: unknown): number | undefined => (yaml.isNode(node) ? node.range?.[0] : undefined);
  // What stands behind an alias stands where its anchor is.
  const behind = (node: unknown): unknown => (yaml.isAlias(node) ? node.resolve(document) : node);
  let [node, key]: [unknown, number | undefined] = [document.contents, undefined];
  let value = startOf(node) ?? 0;
  for (const step of path) {
    const parent = behind(node) as Node | null | undefined;
    const pair = yaml.isMap(parent)
      ? parent.items.find((item) => yaml.isScalar(item.key) && String(item.key.value) === String(step))
      : undefined;
    node = pair ? pair.value : yaml.isSeq(parent) ? parent.items[Number(step)] : undefined;
    key = startOf(pair?.key);
    value = startOf(node) ?? key ?? startOf(parent) ?? value;
    if (node === undefined) break;
  }
  return { key, value };
}
