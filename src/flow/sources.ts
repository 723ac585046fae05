/** Who had said a value before, and which of them it is told of. */
import type { Tree } from "./leaves.ts";
import type { Match } from "./match.ts";
import { FLOW_KINDS, type FlowKind, type Hop } from "./model.ts";
import { normalized } from "./normal.ts";
import type { Store } from "./store.ts";

export interface Source {
  readonly hop: Hop;
  readonly order: number;
  readonly path: string;
  readonly kind: FlowKind;
  /** Empty for a tree. */
  readonly text: string;
  readonly tree?: Tree;
  /** What two sources are compared by. */
  readonly plain: string;
  readonly chars: number;
  /** It is all of what the consumer is given. */
  readonly isAll: boolean;
  readonly from?: number;
  readonly at?: number;
  readonly reading?: string;
  readonly isAlone?: boolean;
}

/** Of one server, for one value: the strongest are kept. */
const MAX_OF_SERVER = 64;
const MAX_TREE_CHARS = 256 * 1024;

export function leafSources(matches: readonly Match[]): Source[] {
  const seen = new Set<string>();
  const sources = matches
    .map(
      ({ said: { hop, order, path }, ...match }): Source => ({
        hop,
        order,
        path,
        ...match,
        plain: normalized(match.text),
        chars: match.text.length,
      }),
    )
    .sort(byStrength);
  const counts = new Map<string, number>();
  return sources.filter(({ hop, plain }) => {
    const key = `${hop.call}\n${plain}`;
    const known = counts.get(hop.server) ?? 0;
    if (known >= MAX_OF_SERVER || seen.has(key)) return false;
    seen.add(key);
    counts.set(hop.server, known + 1);
    return true;
  });
}

export function treeSources(tree: Tree, stores: readonly Store[], minChars: number): Source[] {
  if (tree.chars < minChars) return [];
  const said = stores.flatMap((store) => store.trees(tree.digest));
  if (said.length === 0) return [];
  return said.map((one) => ({
    ...one,
    kind: "structural-equal",
    text: "",
    tree,
    plain: tree.digest,
    chars: tree.chars,
    isAll: true,
  }));
}

/** What flows, for somebody to read: a tree as JSON, unless it is too large or too deep for that. */
export function textOf({ text, tree }: Source): string {
  if (!tree) return text;
  const { value, chars } = tree;
  if (chars > MAX_TREE_CHARS) return "";
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

export const rank = (kind: FlowKind): number => FLOW_KINDS.indexOf(kind);

/** The strongest kind, of these the longest, of these the earliest, of these what lies deepest. */
export const byStrength = (one: Source, other: Source): number =>
  rank(one.kind) - rank(other.kind) ||
  other.chars - one.chars ||
  one.order - other.order ||
  other.path.length - one.path.length;

/** The one had at least what the other had. */
export const holds = (one: { readonly plain: string }, other: { readonly plain: string }): boolean =>
  one.plain === other.plain || one.plain.includes(other.plain);

/** Said first by the server that it now goes to: it comes home. */
export function isHome(
  source: Source,
  sources: readonly Source[],
  server: string,
  stores: readonly Store[],
): boolean {
  const { order, text, isAlone } = source;
  return (
    sources.some((other) => other.hop.server === server && other.order < order && holds(other, source)) ||
    // Its own server may have said it as a part of something.
    (isAlone === true && stores.some((store) => store.hadSaid(text, server, order)))
  );
}
