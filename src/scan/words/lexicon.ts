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
const SHAPES = ["IDENTIFIER", "URL", "EMAIL", "SECRET_PATH"] as const;
/** Words of a text whose letters were moved, or that was turned round: they say that another view is worth making. */
type Cipher = "BACKWARDS" | `SHIFTED_${number}`;
export type Concept = Idea | (typeof SHAPES)[number] | Cipher;

/** Words hardly any English sentence is without, and those hardly any injected one. */
const COMMON = "the and you your this that with from must instructions previous ignore all user are not have will system before tool".split(" ");

/** Letters a-z have edges in a table; everything else in a map. */
const WIDTH = 32;

export interface Lexicon {
  /** Next node by `node * 32 + letter`; 0 is none. */
  readonly edges: Uint16Array;
  /** Next node by `node * 65536 + code unit`. */
  readonly others: ReadonlyMap<number, number>;
  /** Class of the word that ends at a node; 0 is none. */
  readonly words: Uint16Array;
  /** Class of the stem that ends at a node. */
  readonly stems: Uint16Array;
  /** Which classes carry an idea. */
  readonly carriers: (concept: Concept) => Uint8Array;
  readonly classes: number;
}

export function buildLexicon(fold: (text: string) => string): Lexicon {
  const entries = new Map<string, Set<Concept>>();
  for (const table of [english, ...languages])
    for (const [idea, list] of Object.entries(table) as [Idea, string][])
      for (const entry of list.split(/[,\n]/)) {
        const word = fold(entry.trim()).toLowerCase();
        if (word) add(entries, word, idea);
        // Elsewhere the verb is seldom a noun as well, as English "output" is.
        if (word && idea === "SAY" && table !== english) add(entries, word, "STATE");
      }
  for (const word of COMMON) {
    add(entries, [...word].reverse().join(""), "BACKWARDS");
    for (let shift = 1; shift < 26; shift++) add(entries, moved(word, 26 - shift), `SHIFTED_${shift}`);
  }
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
  const edges = new Uint16Array(size * WIDTH);
  const others = new Map<number, number>();
  const [words, stems] = [new Uint16Array(size), new Uint16Array(size)];
  let nodes = 1;
  const step = (node: number, unit: number): number => {
    const isLetter = unit >= 97 && unit <= 122;
    const known = isLetter ? edges[node * WIDTH + unit - 97] : others.get(node * 65536 + unit);
    if (known) return known;
    const next = nodes++;
    if (isLetter) edges[node * WIDTH + unit - 97] = next;
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
  return {
    edges,
    others,
    words,
    stems,
    classes: members.length,
    carriers: (concept) => Uint8Array.from(members, (member) => (member.has(concept) ? 1 : 0)),
  };
}

function add(entries: Map<string, Set<Concept>>, word: string, concept: Concept): void {
  entries.set(word, (entries.get(word) ?? new Set()).add(concept));
}

function moved(word: string, shift: number): string {
  return word.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + shift) % 26) + 97));
}
