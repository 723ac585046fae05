/** Words to ideas. A lexicon names, for each idea, the words and stems that carry it; a trie finds them in one walk.
 *  A trailing `*` takes every ending; a space takes any white space. */
import { english } from "./english.ts";
import { languages } from "./languages.ts";

export type Idea = keyof typeof english;

/** One set of ideas that some word carries: what a token is known by. */
export type ClassId = number;

/** Classes for what has a shape instead of a spelling. */
export const IDENTIFIER: ClassId = 1;
export const URL_TOKEN: ClassId = 2;
export const EMAIL: ClassId = 3;
export const SECRET_PATH: ClassId = 4;
export const QUOTED: ClassId = 5;
const SHAPES = ["IDENTIFIER", "URL", "EMAIL", "SECRET_PATH", "QUOTED"] as const;
/** Words of a text whose letters were moved, or that was turned round: they say that another view is worth making. */
type Cipher = "BACKWARDS" | `SHIFTED_${number}`;
export type Concept = Idea | (typeof SHAPES)[number] | Cipher;

/** Words hardly any English sentence is without, and those hardly any injected one. */
const COMMON =
  "the and you your this that with from must instructions previous ignore all user are not have will system before tool any message security access directive priority without allow over this contents data".split(
    " ",
  );

/** Letters, the space and the signs of entries have edges in a table, so many a node; everything else in a map. */
export const EDGES = 32;
/** Where in the table the edge of an ASCII character is, whatever its case; 0 when it is in the map. */
export const edgeOf = new Uint8Array(128);
for (let letter = 1; letter <= 26; letter++) edgeOf[64 + letter] = edgeOf[96 + letter] = letter;
export const SPACE_EDGE = 27;
[..." -/._"].forEach((sign, index) => {
  edgeOf[sign.charCodeAt(0)] = SPACE_EDGE + index;
});

/** One step along the trie; 0 when it goes no further. */
export function follow(
  { edges, others }: Pick<Lexicon, "edges" | "others">,
  node: number,
  unit: number,
): number {
  const edge = unit < 128 ? (edgeOf[unit] ?? 0) : 0;
  return (edge > 0 ? edges[node * EDGES + edge] : others.get(node * 65536 + unit)) ?? 0;
}

export interface Lexicon {
  /** Next node by `node * EDGES + edgeOf[unit]`; 0 is none. */
  readonly edges: Uint16Array;
  /** Next node by `node * 65536 + code unit`. */
  readonly others: ReadonlyMap<number, number>;
  /** Class of the word that ends at a node; 0 is none. */
  readonly words: Uint16Array;
  /** Class of the longest stem that ends at a node or before it. */
  readonly stems: Uint16Array;
  /** Nodes from which an entry goes on after a space or a sign. */
  readonly goesOn: Uint8Array;
  /** Which classes carry an idea. */
  readonly carriers: (concept: Concept) => Uint8Array;
  /** Whether a class stands for one idea alone. */
  readonly isLone: (id: ClassId) => boolean;
  readonly classes: number;
}

export function buildLexicon(fold: (text: string) => string): Lexicon {
  const entries = new Map<string, Set<Concept>>();
  for (const table of [english, ...languages])
    for (const [idea, list] of Object.entries(table) as [Idea, string][])
      for (const entry of list.split(/[,\n]/)) {
        const spelled = fold(entry.trim()).toLowerCase();
        // Korean puts particles after a word.
        const word = /[\u1100-\u11ff]$/.test(spelled) ? `${spelled}*` : spelled;
        if (word) add(entries, word, idea);
        // Elsewhere the verb is seldom a noun as well, as English "output" is.
        if (word && idea === "SAY" && table !== english) add(entries, word, "STATE");
      }
  for (const word of COMMON) {
    add(entries, [...word].reverse().join(""), "BACKWARDS");
    for (let shift = 1; shift < 26; shift++) add(entries, moved(word, 26 - shift), `SHIFTED_${shift}`);
  }
  const stemEntries = [...entries].filter(([word]) => word.endsWith("*"));
  for (const [word, concepts] of entries)
    for (const [stem, more] of stemEntries)
      if (word !== stem && word.startsWith(stem.slice(0, -1)))
        for (const concept of more) concepts.add(concept);
  const classIds = new Map<string, ClassId>();
  const members: ReadonlySet<Concept>[] = [new Set(), ...SHAPES.map((shape) => new Set([shape]))];
  const classOf = (concepts: ReadonlySet<Concept>): ClassId => {
    const key = [...concepts].sort().join();
    const known = classIds.get(key);
    if (known !== undefined) return known;
    classIds.set(key, members.length);
    return members.push(concepts) - 1;
  };
  const size = [...entries.keys()].reduce((sum, word) => sum + word.length, 1) + 1;
  const edges = new Uint16Array(size * EDGES);
  const others = new Map<number, number>();
  const [words, stems] = [new Uint16Array(size), new Uint16Array(size)];
  let nodes = 1;
  const step = (node: number, unit: number): number => {
    const known = follow({ edges, others }, node, unit);
    if (known) return known;
    const next = nodes++;
    const edge = unit < 128 ? (edgeOf[unit] ?? 0) : 0;
    if (edge > 0) edges[node * EDGES + edge] = next;
    else others.set(node * 65536 + unit, next);
    return next;
  };
  for (const [word, concepts] of entries) {
    const isStem = word.endsWith("*");
    const spelling = isStem ? word.slice(0, -1) : word;
    let node = 0;
    for (let i = 0; i < spelling.length; i++) node = step(node, spelling.charCodeAt(i));
    if (isStem) stems[node] = classOf(concepts);
    else words[node] = classOf(concepts);
  }
  const goesOn = new Uint8Array(nodes);
  for (let node = 0; node < nodes; node++)
    goesOn[node] = edges.subarray(node * EDGES + SPACE_EDGE, (node + 1) * EDGES).some((child) => child > 0)
      ? 1
      : 0;
  inheritStems(nodes, edges, others, stems);
  return {
    edges,
    goesOn,
    others,
    words,
    stems,
    classes: members.length,
    isLone: (id) => members[id]?.size === 1,
    carriers: (concept) => Uint8Array.from(members, (member) => (member.has(concept) ? 1 : 0)),
  };
}

function add(entries: Map<string, Set<Concept>>, word: string, concept: Concept): void {
  entries.set(word, (entries.get(word) ?? new Set()).add(concept));
}

function moved(word: string, shift: number): string {
  return word.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + shift) % 26) + 97),
  );
}

/** A word that leaves the trie after a stem still carries the stem's ideas. */
function inheritStems(
  nodes: number,
  edges: Uint16Array,
  others: ReadonlyMap<number, number>,
  stems: Uint16Array,
): void {
  const parents = new Uint16Array(nodes);
  for (let node = 0; node < nodes; node++)
    for (let edge = 0; edge < EDGES; edge++) {
      const child = edges[node * EDGES + edge];
      if (child) parents[child] = node;
    }
  for (const [key, child] of others) parents[child] = Math.floor(key / 65536);
  // Children are numbered after their parents.
  for (let node = 1; node < nodes; node++) if (!stems[node]) stems[node] = stems[parents[node] ?? 0] ?? 0;
}
