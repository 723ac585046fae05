/** Words to ideas. A lexicon names, for each idea, the words and stems that carry it; a trie finds them in one walk.
 *  A trailing `*` takes every ending; a space takes any white space. */
import { english } from "./english.ts";
import { languages } from "./languages.ts";
import { english as roles } from "./roles/english.ts";
import { europe } from "./roles/europe.ts";
import { others } from "./roles/others.ts";
import { type Branch, branch, flatten, grow, shareEndings, type Trie } from "./trie.ts";

export { edgeOf, follow, SIGN_BITS, SPACE_EDGE } from "./trie.ts";

export type Idea = keyof typeof english | keyof typeof roles;

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

export interface Lexicon extends Trie {
  /** Class of the word that ends at a node; 0 is none. */
  readonly words: Uint16Array;
  /** Class of the stems that end at a node or before it. */
  readonly stems: Uint16Array;
  /** Which classes carry an idea. */
  readonly carriers: (concept: Concept) => Uint8Array;
  /** Whether a class stands for one idea alone. */
  readonly isLone: (id: ClassId) => boolean;
  readonly classes: number;
}

export function buildLexicon(fold: (text: string) => string): Lexicon {
  const entries = new Map<string, Set<Concept>>();
  for (const table of [english, ...languages, roles, ...europe, ...others])
    for (const [idea, list] of Object.entries(table) as [Idea, string][])
      for (const entry of list.split(/[,\n]/)) {
        const spelled = fold(entry.trim()).toLowerCase();
        // Korean puts particles after a word.
        const word = /[\u1100-\u11ff]$/.test(spelled) ? `${spelled}*` : spelled;
        if (word) add(entries, word, idea);
        // Elsewhere the verb is seldom a noun as well, as English "output" is.
        if (word && idea === "SAY" && table !== english) add(entries, word, "STATE");
        if (word && idea === "RULES" && table !== english) add(entries, word, "INSTRUCTIONS");
      }
  addInner(entries);
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
  const root = branch<ReadonlySet<Concept>>();
  for (const [entry, concepts] of entries) {
    const isStem = entry.endsWith("*");
    const end = grow(root, isStem ? entry.slice(0, -1) : entry);
    if (isStem) end.stem = concepts;
    else end.word = concepts;
  }
  inherit(root, new Set());
  const { trie, order } = flatten(
    shareEndings(root, (concepts) => (concepts?.size ? `${classOf(concepts)}` : "")),
  );
  const words = Uint16Array.from(order, ({ word }) => (word ? classOf(word) : 0));
  const stems = Uint16Array.from(order, ({ stem }) => (stem?.size ? classOf(stem) : 0));
  const carriers = new Map<Concept, Uint8Array>();
  for (const [id, member] of members.entries())
    for (const concept of member) {
      const carrying = carriers.get(concept) ?? new Uint8Array(members.length);
      carrying[id] = 1;
      carriers.set(concept, carrying);
    }
  return {
    ...trie,
    words,
    stems,
    classes: members.length,
    isLone: (id) => members[id]?.size === 1,
    carriers: (concept) => carriers.get(concept) ?? new Uint8Array(members.length),
  };
}

/** What a stem carries, every longer word carries too, and every word that leaves the trie after it. */
function inherit(at: Branch<ReadonlySet<Concept>>, above: ReadonlySet<Concept>): void {
  const own = at.stem ? new Set([...above, ...at.stem]) : above;
  at.stem = own;
  if (at.word && own.size > 0) at.word = new Set([...at.word, ...own]);
  for (const child of at.children.values()) inherit(child, own);
}

/** A phrase hides its words from the walk: a role's phrase carries what they carry. */
function addInner(entries: Map<string, Set<Concept>>): void {
  for (const [phrase, concepts] of entries) {
    if (!phrase.includes(" ") || ![...concepts].some((concept) => concept in roles)) continue;
    const words = phrase.split(" ");
    for (let first = 0; first < words.length; first++)
      for (let last = first + 1; last <= words.length && last - first < words.length; last++)
        for (const concept of entries.get(words.slice(first, last).join(" ")) ?? []) concepts.add(concept);
    for (const word of words)
      for (let end = MIN_STEM; end <= word.length; end++)
        for (const concept of entries.get(`${word.slice(0, end)}*`) ?? []) concepts.add(concept);
  }
}

const MIN_STEM = 3;

function add(entries: Map<string, Set<Concept>>, word: string, concept: Concept): void {
  entries.set(word, (entries.get(word) ?? new Set()).add(concept));
}

function moved(word: string, shift: number): string {
  return word.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + shift) % 26) + 97),
  );
}
