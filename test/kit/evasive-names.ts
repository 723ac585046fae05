/** Names that look like a tool that is allowed and are not it: those of the vectors, and any number of mutations, the same each time. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.ts";

const vectors = join(root, "spec/vectors/sad");

/** Tool names of the external vectors. */
export function vectorNames(): string[] {
  return readdirSync(vectors)
    .filter((file) => file.startsWith("tool-evasion-"))
    .sort()
    .map((file) => (JSON.parse(readFileSync(join(vectors, file), "utf8")) as { tool: string }).tool);
}

const TWINS: Readonly<Record<string, string>> = {
  a: "а",
  e: "е",
  o: "о",
  p: "р",
  c: "с",
  i: "і",
  r: "ｒ",
  d: "ԁ",
  l: "1",
  s: "ѕ",
};
const MARKS = [
  "\u200b",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u0301",
  "\u202e",
  "\u0000",
  " ",
  "\t",
  "\n",
  "%20",
  "/",
  "..",
  "_",
  ".",
  "-",
  ":",
];

/** Each changes a name at one place or all over. */
const CHANGES: readonly ((name: string, pick: (below: number) => number) => string)[] = [
  (name, pick) => splice(name, pick(name.length + 1), MARKS[pick(MARKS.length)] as string),
  (name, pick) => swap(name, pick(name.length), (letter) => TWINS[letter] ?? letter.toUpperCase()),
  (name, pick) =>
    swap(name, pick(name.length), (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    ),
  (name, pick) => swap(name, pick(name.length), () => ""),
  (name, pick) => swap(name, pick(name.length), (letter) => letter + letter),
  (name) =>
    name
      .normalize("NFKD")
      .replace(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  (name) => [...name].map((letter) => `%${(letter.codePointAt(0) ?? 0).toString(16)}`).join(""),
  (name, pick) => `${name}${["#x", "?x=1", ";", "\u0000", "__", "\\", "\u2028"][pick(7)]}`,
  (name, pick) => `${["./", "/", "x__", " ", "\u200f"][pick(5)]}${name}`,
];

const splice = (name: string, at: number, mark: string): string => name.slice(0, at) + mark + name.slice(at);
const swap = (name: string, at: number, change: (letter: string) => string): string =>
  name.slice(0, at) + change(name[at] ?? "") + name.slice(at + 1);

/** So many different names, none of them `name` itself. */
export function mutationsOf(name: string, count: number): string[] {
  let state = 7;
  const pick = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const found = new Set<string>();
  while (found.size < count) {
    let changed = name;
    for (let times = 1 + pick(3); times > 0; times--)
      changed = (CHANGES[pick(CHANGES.length)] as (typeof CHANGES)[number])(changed, pick);
    if (changed !== name) found.add(changed);
  }
  return [...found];
}
