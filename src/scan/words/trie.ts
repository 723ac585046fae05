/** A trie in flat arrays: the letters a-z, the space and a few signs have edges in a table, everything else in a map. Nodes
 *  that plain words visit stand together at the front, a cache line each, and a table leads past the first three letters. */

/** Edges a node has in the table. */
export const EDGES = 32;
export const SPACE_EDGE = 27;
/** Where in the table the edge of an ASCII character is, whatever its case; 0 when it is in the map. */
export const edgeOf = new Uint8Array(128);
for (let letter = 1; letter <= 26; letter++) edgeOf[64 + letter] = edgeOf[96 + letter] = letter;
for (const [index, sign] of [..." -/._"].entries()) edgeOf[sign.charCodeAt(0)] = SPACE_EDGE + index;

export interface Trie {
  /** Next node by `node * EDGES + edgeOf[unit]`; 0 is none. */
  readonly edges: Uint16Array;
  /** Next node by `node * 65536 + code unit`. */
  readonly others: ReadonlyMap<number, number>;
  /** The node three letters lead to, by five bits each; 0 is none. */
  readonly jump: Uint16Array;
  /** How an entry may go on after a word: bits 1 to 26 for the first letter after a space, higher ones for a sign; bit 0
   *  for what has no place in the table. */
  readonly nextMask: Int32Array;
}

/** One node while the trie grows. */
export interface Branch<Value> {
  readonly children: Map<number, Branch<Value>>;
  word?: Value;
  stem?: Value;
  /** Which of all different endings it begins, and its place among the nodes. */
  ending: number;
  place: number;
}

const UNPLACED = -1;

const MAX_NODES = 65_535;

export const branch = <Value>(): Branch<Value> => ({
  children: new Map(),
  ending: UNPLACED,
  place: UNPLACED,
});

/** The branch a spelling leads to; made on the way. */
export function grow<Value>(root: Branch<Value>, spelling: string): Branch<Value> {
  let at = root;
  for (let i = 0; i < spelling.length; i++) {
    const unit = spelling.charCodeAt(i);
    const next = at.children.get(unit) ?? branch<Value>();
    at.children.set(unit, next);
    at = next;
  }
  return at;
}

/** The same spellings with every ending kept once: "…the user" and "…an end user" share what they end in. `keyOf` tells
 *  values apart. */
export function shareEndings<Value>(
  root: Branch<Value>,
  keyOf: (value: Value | undefined) => string,
): Branch<Value> {
  const known = new Map<string, Branch<Value>>();
  const shared = (at: Branch<Value>): Branch<Value> => {
    const { children } = at;
    // Most have one.
    const units = children.size > 1 ? [...children.keys()].sort((a, b) => a - b) : children.keys();
    let key = `${keyOf(at.word)}|${keyOf(at.stem)}`;
    for (const unit of units) {
      const child = children.get(unit) ?? at;
      const one = shared(child);
      if (one !== child) children.set(unit, one);
      key += `|${unit}:${one.ending}`;
    }
    const same = known.get(key);
    if (same) return same;
    at.ending = known.size;
    known.set(key, at);
    return at;
  };
  return shared(root);
}

/** The flat form, and the branches in the order of their nodes. */
export function flatten<Value>(root: Branch<Value>): {
  readonly trie: Trie;
  readonly order: readonly Branch<Value>[];
} {
  const order = inOrder(root);
  if (order.length > MAX_NODES) throw new Error(`${order.length} nodes, ${MAX_NODES} at most`);
  const edges = new Uint16Array(order.length * EDGES);
  const others = new Map<number, number>();
  const nextMask = new Int32Array(order.length);
  for (const [node, { children }] of order.entries())
    for (const [unit, child] of children) {
      const edge = edge128(unit);
      const number = child.place;
      if (edge === 0) others.set(node * 65_536 + unit, number);
      else edges[node * EDGES + edge] = number;
      if (edge === SPACE_EDGE)
        for (const first of child.children.keys())
          nextMask[node] = (nextMask[node] ?? 0) | (1 << letterBit(first));
      else if (edge > SPACE_EDGE) nextMask[node] = (nextMask[node] ?? 0) | (1 << edge);
    }
  return { trie: { edges, others, nextMask, jump: jumps(edges) }, order };
}

/** The signs of entries, as bits of `nextMask`. */
export const SIGN_BITS = (1 << 28) | (1 << 29) | (1 << 30) | (1 << 31);

const letterBit = (unit: number): number => {
  const edge = edge128(unit);
  return edge <= 26 ? edge : 0;
};

const edge128 = (unit: number): number => (unit < 128 ? (edgeOf[unit] ?? 0) : 0);

/** Level by level what ASCII alone reaches, then the rest; each branch learns its place. */
function inOrder<Value>(root: Branch<Value>): Branch<Value>[] {
  const order: Branch<Value>[] = [];
  const beyond: Branch<Value>[] = [];
  const put = (one: Branch<Value>): void => {
    if (one.place !== UNPLACED) return;
    one.place = order.length;
    order.push(one);
  };
  put(root);
  for (const at of order)
    for (const [unit, child] of at.children) {
      if (edge128(unit) > 0) put(child);
      else beyond.push(child);
    }
  const near = order.length;
  for (const one of beyond) put(one);
  for (let i = near; i < order.length; i++) for (const child of order[i]?.children.values() ?? []) put(child);
  return order;
}

function jumps(edges: Uint16Array): Uint16Array {
  const jump = new Uint16Array(32 * 32 * 32);
  const step = (node: number, letter: number): number => edges[node * EDGES + letter] ?? 0;
  for (let a = 1; a <= 26; a++) {
    const first = step(0, a);
    for (let b = 1; first && b <= 26; b++) {
      const second = step(first, b);
      for (let c = 1; second && c <= 26; c++) jump[(a << 10) | (b << 5) | c] = step(second, c);
    }
  }
  return jump;
}

/** One step along the trie; 0 when it goes no further. */
export function follow(
  { edges, others }: Pick<Trie, "edges" | "others">,
  node: number,
  unit: number,
): number {
  const edge = edge128(unit);
  return (edge > 0 ? edges[node * EDGES + edge] : others.get(node * 65_536 + unit)) ?? 0;
}
