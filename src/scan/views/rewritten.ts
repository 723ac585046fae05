/** The other views: letters moved, turned round, spaced out or written as digits. Made only when the words of the text
 *  say that it was. */
import { type View, ViewBuilder } from "./view.ts";

/** Every letter moved by `shift` places; 13 is ROT13. */
export function rotated(view: View, shift: number): View {
  return sameLength(view, shift === 13 ? "ROT13" : `letters moved by ${shift}`, (text) =>
    text.replace(/[A-Za-z]/g, (letter) => {
      const base = letter < "a" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + shift) % 26) + base);
    }),
  );
}

/** Each line read from its end. */
export function reversed(view: View): View {
  const builder = new ViewBuilder(view);
  let start = 0;
  for (const line of view.text.split(/(?<=\n)/)) {
    const body = line.replace(/\n$/, "");
    // A line is turned as a whole: its place in the raw text is the line's.
    builder.replace(start, start + body.length, [...body].reverse().join(""));
    builder.copy(start + body.length, start + line.length);
    start += line.length;
  }
  return builder.done([...view.how, "read backwards"]);
}

const LEET: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  8: "b",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Digits and signs inside words read as the letters they stand for. */
export function unleeted(view: View): View {
  const hidden: [number, number][] = [];
  const text = view.text.replace(/[\w@$!]*[A-Za-z][\w@$!]*|\b[0134578]{1,3}\b/g, (word, start: number) => {
    if (word.includes("_")) return word;
    const plain = word.replace(/[0134578@$](?!$)|[0134578]|!(?=\w)/g, (sign) => LEET[sign] ?? sign);
    if (plain !== word) hidden.push([start, start + word.length]);
    return plain;
  });
  return { ...view, text, how: [...view.how, "digits read as letters"], hidden };
}

function sameLength(view: View, how: string, change: (text: string) => string): View {
  const text = change(view.text);
  return { ...view, text, how: [...view.how, how], hidden: [[0, text.length]] };
}

/** Letters and what parts them have no character in common: a text that mixes them is walked through once. */
const SPACED = /(?:[A-Za-z][ .\-_*|+·:,!?]{1,6}){5,}[A-Za-z](?![A-Za-z])/g;
const UNDERSCORED = /(?<![A-Za-z'.,:])[A-Za-z][A-Za-z'.,:]*(?:_[A-Za-z'.,:]+){4,}/g;
export const SPACED_OUT =
  /(?:[A-Za-z] {1,6}){5}|(?:[A-Za-z][.\-_*|·]){5}|(?:[A-Za-z] {0,1}\+ {0,1}){4}|_[A-Za-z'.,:]+_[A-Za-z'.,:]+_[A-Za-z'.,:]+_[A-Za-z'.,:]+/;

/** `i g n o r e`, `i.g.n.o.r.e` and `ignore_all_previous_rules` as words; undefined when there is nothing of it. */
export function joined(view: View, segment: (letters: string) => string): View | undefined {
  if (!SPACED_OUT.test(view.text)) return undefined;
  const spaced = replaceRuns(view, SPACED, "spaced letters", (run) => {
    // Two spaces part words where one parts letters; otherwise the words have to be found.
    if (/ {2,}/.test(run))
      return run
        .split(/ {2,}/)
        .map((word) => word.replace(/[ .\-_*|+·]/g, ""))
        .join(" ");
    return segment(run.replace(/[ .\-_*|+·]/g, ""));
  });
  return replaceRuns(spaced, UNDERSCORED, "underscores read as spaces", (run) => run.replace(/_/g, " "));
}

function replaceRuns(view: View, pattern: RegExp, how: string, words: (run: string) => string): View {
  pattern.lastIndex = 0;
  const builder = new ViewBuilder(view);
  let copied = 0;
  for (let match = pattern.exec(view.text); match; match = pattern.exec(view.text)) {
    builder.copy(copied, match.index);
    builder.replace(match.index, pattern.lastIndex, words(match[0]));
    copied = pattern.lastIndex;
  }
  if (copied === 0) return view;
  builder.copy(copied, view.text.length);
  return builder.done([...view.how, how]);
}

/** Comments or tags inside a word. */
export const SPLIT_BY_MARKUP = /[A-Za-z](?:<(?:!--[^>]{0,200}--|\/?[A-Za-z][^<>]{0,100})>){1,4}[A-Za-z]/;
const MARKUP = /<(?:!--[^>]{0,200}--|\/?[A-Za-z][^<>]{0,100})>/g;

/** The text as a page shows it: without the comments and tags that split its words. */
export function unmarked(view: View): View {
  return replaceRuns(view, MARKUP, "comments and tags removed", () => "");
}
