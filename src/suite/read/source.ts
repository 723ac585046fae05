/** A suite's text as a tree that knows its places. Suites may come from others: what is read here is data, bounded in size,
 *  depth and number, and nothing of it is run. */
import * as v from "valibot";
import * as yaml from "yaml";
import { type ErrorCode, readConfig, shown, TrustError } from "../../core/index.ts";
import type { Place } from "../model.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;
/** Of a path in messages. Keys are foreign text too. */
const MAX_PATH_CHARS = 120;
/** Nodes looked at, each time one is: aliases do not multiply past it. */
const MAX_NODES = 200_000;

/** One value of the file, with where it stands and how one gets there: `tools.0.args`. */
export interface Spot {
  readonly path: string;
  readonly place: Place;
  readonly kind: "map" | "list" | "scalar";
  readonly value: unknown;
  /** How the scalar is written. */
  readonly written: string;
  /** Members in the order of the file. */
  readonly members: () => ReadonlyMap<string, Member>;
  readonly items: () => readonly Spot[];
}

export interface Member {
  readonly keyPlace: Place;
  readonly spot: Spot;
}

/** Reads one file's text. Syntax, tags, keys that stand twice and reserved keys are judged as in every file of ours. */
export async function readSource(text: string, file: string): Promise<Spot> {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES)
    throw new TrustError("CFG_UNREADABLE", `${file}: ${bytes} bytes, limit ${MAX_BYTES}`);
  await readConfig(text, file, v.unknown());
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, version: "1.2", uniqueKeys: false });
  const aliases = aliasesOf(document);
  let left = MAX_NODES;
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  function spotOf(found: unknown, path: string, around: Place, depth: number): Spot {
    const node = yaml.isAlias(found) ? aliases.get(found) : found;
    const place = yaml.isNode(node) && node.range ? placeOf(node.range[0]) : around;
    const name = path === "" ? "the file" : shown(path, MAX_PATH_CHARS);
    left -= 1;
    if (left < 0)
      throw fault("CFG_SYNTAX", place, `${name}: more than ${MAX_NODES} values, aliases counted out`);
    if (depth > MAX_DEPTH)
      throw fault("CFG_SYNTAX", place, `${name}: nested deeper than ${MAX_DEPTH} levels`);
    const below = (key: string | number): string => (path === "" ? `${key}` : `${path}.${key}`);
    const scalar = yaml.isScalar(node) ? node : undefined;
    return {
      path: name,
      place,
      kind: yaml.isMap(node) ? "map" : yaml.isSeq(node) ? "list" : "scalar",
      value: scalar?.value ?? null,
      written: scalar?.source ?? "",
      members: () => {
        if (!yaml.isMap(node)) return new Map();
        return new Map(
          node.items.map(({ key, value }) => {
            const word = yaml.isScalar(key) ? String(key.value) : "";
            const keyPlace = yaml.isNode(key) && key.range ? placeOf(key.range[0]) : place;
            return [word, { keyPlace, spot: spotOf(value, below(word), keyPlace, depth + 1) }] as const;
          }),
        );
      },
      items: () =>
        yaml.isSeq(node) ? node.items.map((item, index) => spotOf(item, below(index), place, depth + 1)) : [],
    };
  }

  return spotOf(document.contents, "", { file, line: 1, column: 1 }, 0);
}

/** Each alias with what it stands for: the last anchor of its name before it. */
function aliasesOf(document: yaml.Document): ReadonlyMap<yaml.Alias, yaml.Node> {
  const anchors = new Map<string, yaml.Node>();
  const found = new Map<yaml.Alias, yaml.Node>();
  yaml.visit(document, {
    Node(_, node) {
      if (yaml.isAlias(node)) {
        const meant = anchors.get(node.source);
        if (meant !== undefined) found.set(node, meant);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return found;
}

const MAX_MESSAGE_CHARS = 2_000;

/** An error with its place in front, as in all our files. */
export function fault(code: ErrorCode, { file, line, column }: Place, message: string): TrustError {
  return new TrustError(code, shown(`${file}:${line}:${column} ${message}`, MAX_MESSAGE_CHARS));
}

/** A value that is not as it should be. */
export function wrong(spot: Spot, message: string): TrustError {
  return fault("CFG_BAD_VALUE", spot.place, `${spot.path}: ${message}`);
}
