/** Characters nobody sees: tags, overrides, zero-width characters, fillers, selectors, terminal escapes. What scripts,
 *  emoji and flags honestly need is no finding. */
import type { Severity } from "../core/index.ts";
import type { Hit } from "./hit.ts";
import type { Kind } from "./signals/seen.ts";
import { fold } from "./views/fold.ts";
import { flagLength, isInvisible, isSelector, isTag } from "./views/invisible.ts";
import { type Sighting, Worst } from "./worst.ts";

/** Plain text has none of these; built from numbers, since an editor would not show them. */
const CANDIDATE = new RegExp(
  [
    String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f]`,
    String.raw`[\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]`,
    String.raw`\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]`,
  ].join("|"),
);
export function invisibleUnicode(text: string, kind: Kind = "description"): Hit[] {
  const first = text.search(CANDIDATE);
  if (first < 0) return [];
  const worst = new Worst("SCAN-01", text);
  const around: Around = {
    kind,
    isRightToLeft: /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text),
    splitsMany: splitsMany(text),
  };
  // A flag may begin before its first invisible character.
  for (let at = Math.max(0, first - 2); at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    const width = point > 0xffff ? 2 : 1;
    const flag = flagLength(text, at, point);
    if (flag > 0) {
      at += flag;
      continue;
    }
    if (!isCandidate(point)) {
      at += width;
      continue;
    }
    const end = runEnd(text, at);
    const seen = judge(text, at, end, around);
    if (seen) worst.add(worst.wants(seen.severity) ? told(text, at, end, seen) : { start: at, end, ...seen });
    at = end;
  }
  return worst.hits();
}

/** What the characters spell says more than their numbers. */
function told(text: string, start: number, end: number, { severity, message }: Judgement): Sighting {
  const run = text.slice(start, Math.min(end, start + MAX_SHOWN));
  const spelled = fold(run).text.trim();
  const evidence = spelled === "" ? run : spelled;
  return { start, end, severity, message: `${message} ${codesOf(text.slice(start, end))}`, evidence };
}

const MAX_SHOWN = 1000;

const isControl = (point: number): boolean =>
  (point < 0x20 && point !== 0x09 && point !== 0x0a && point !== 0x0d) || (point >= 0x7f && point <= 0x9f);

const isCandidate = (point: number): boolean => isControl(point) || isInvisible(point);

function runEnd(text: string, start: number): number {
  let end = start;
  for (;;) {
    const point = text.codePointAt(end);
    if (point === undefined || !isCandidate(point)) return end;
    end += point > 0xffff ? 2 : 1;
  }
}

/** What the whole text is like, looked at once. */
interface Around {
  readonly kind: Kind;
  readonly isRightToLeft: boolean;
  readonly splitsMany: boolean;
}

interface Judgement {
  readonly severity: Severity;
  readonly message: string;
}

/** What a run of invisible characters is, by what stands around it; undefined when it is honest. */
function judge(text: string, start: number, end: number, around: Around): Judgement | undefined {
  const { kind, isRightToLeft } = around;
  const run = [...text.slice(start, Math.min(end, start + MAX_SHOWN))];
  const points = run.map((character) => character.codePointAt(0) ?? 0);
  const [first = 0] = points;
  if (points.some(isTag))
    return { severity: "fail", message: "tag characters, which spell a text nobody sees:" };
  if (points.filter(isSelector).length > 3)
    return { severity: "fail", message: "a run of variation selectors, which can hold a text nobody sees:" };
  if (points.some((point) => point === 0x202d || point === 0x202e))
    return { severity: "fail", message: "a bidirectional override, which shows text in another order:" };
  if (points.some((point) => point === 0x1b || point === 0x9b)) return judgeEscape(text, start, kind);
  // So many in a row carry a message, whatever each of them is for.
  if (run.length > LONG_RUN && !points.every(isControl))
    return {
      // Mails and pages are padded with the same few of them over and over, which says nothing.
      severity: kind === "description" || spells(points) ? "fail" : "warn",
      message: "a long run of characters nobody sees:",
    };
  if (points.some(isBidi)) {
    if (isRightToLeft || points.every((point) => point === 0x200e || point === 0x200f)) return undefined;
    return { severity: "warn", message: "bidirectional controls without text that needs them:" };
  }
  if (points.some(isControl)) {
    return kind === "description" ? { severity: "warn", message: "control characters:" } : undefined;
  }
  const [before, after] = [
    lastOf(text.slice(Math.max(0, start - 4), start)),
    firstOf(text.slice(end, end + 4)),
  ];
  if (isHonest(first, run.length, before, after, start)) return undefined;
  // One soft hyphen is how a word may be parted.
  if (first === 0xad && run.length === 1 && !around.splitsMany)
    return kind === "description" ? { severity: "warn", message: "a soft hyphen:" } : undefined;
  const isInWord = isLetter(before) && isLetter(after);
  const message = isInWord ? "invisible characters inside a word:" : "invisible characters:";
  if (kind === "description") return { severity: isInWord || run.length > 3 ? "fail" : "warn", message };
  // Web pages carry stray zero-width characters and soft hyphens; only what splits word after word is no accident.
  if (isInWord && first !== 0xad && around.splitsMany) return { severity: "fail", message };
  return isInWord && around.splitsMany ? { severity: "warn", message } : undefined;
}

/** Longer runs are no accident. */
const LONG_RUN = 8;
/** Eight letters in bits. */
const SPELLING_RUN = 64;

/** Whether a long run changes as bits of a text do. */
function spells(points: readonly number[]): boolean {
  if (points.length < SPELLING_RUN) return false;
  const windows = new Set<string>();
  for (let at = 0; at + LONG_RUN <= points.length; at++) windows.add(points.slice(at, at + LONG_RUN).join());
  return windows.size > LONG_RUN;
}

const isBidi = (point: number): boolean =>
  (point >= 0x202a && point <= 0x202e) ||
  (point >= 0x2066 && point <= 0x2069) ||
  point === 0x200e ||
  point === 0x200f ||
  point === 0x061c;

/** Hidden text, erased lines and moved cursors hide; colours only paint, in what a program printed. */
function judgeEscape(text: string, start: number, kind: Kind): Judgement | undefined {
  const sequence = text.slice(start, start + 16);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are what is looked for
  if (/^(?:\x1b\[|\x9b)(?:8m|[\d;]*;8m|\d*[ABCDEFGHJKSTf]|\?\d+[hl])/.test(sequence))
    return { severity: "fail", message: "a terminal escape that hides or rewrites text:" };
  // Strings for the terminal (titles, links, device controls): their body is not shown.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes are what is looked for
  if (/^\x1b[\]P_^X]/.test(sequence) && !/^\x1b\]8;/.test(sequence))
    return {
      severity: kind === "description" ? "fail" : "warn",
      message: "a terminal escape whose text is not shown:",
    };
  return kind === "description" ? { severity: "warn", message: "a terminal escape:" } : undefined;
}

/** Joiners of emoji and of scripts that join letters, selectors of emoji, a byte-order mark at the very start. */
function isHonest(point: number, length: number, before: string, after: string, start: number): boolean {
  if (point === 0xfeff) return start === 0 && length === 1;
  if (length > 2) return false;
  if (point === 0xfe0f || point === 0xfe0e) return !isLatin(before);
  if (
    point === 0x200d &&
    (before === "\ufe0f" || /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u.test(before))
  )
    return true;
  if (isSelector(point)) return /[\p{Script=Han}\p{Script=Mongolian}\p{So}\p{Sm}]/u.test(before);
  if (point === 0x200c || point === 0x200d || point === 0x200b || point === 0x2060)
    return isJoining(before) || isJoining(after);
  return point >= 0x180b && point <= 0x180f && /\p{Script=Mongolian}/u.test(before);
}

const isJoining = (character: string): boolean =>
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Hebrew}\p{Script=Tibetan}]/u.test(
    character,
  );
const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isLatin = (character: string): boolean => /[A-Za-z]/.test(character);
const lastOf = (text: string): string => [...text].at(-1) ?? "";
const firstOf = (text: string): string => [...text][0] ?? "";

const SPLITTERS = [
  String.raw`\u00ad`,
  String.raw`\u034f`,
  String.raw`[\u115f\u1160\u180e\u3164\ufeff]`,
  String.raw`[\u200b-\u200d\u2060-\u2064]`,
  String.raw`[\ufe00-\ufe0f]`,
];
const SPLIT = new RegExp(`[A-Za-z](?:${SPLITTERS.join("|")})+[A-Za-z]`, "g");

/** Three words and more with an invisible character between two letters. */
const splitsMany = (text: string): boolean => (text.match(SPLIT)?.length ?? 0) > 2;

function codesOf(run: string): string {
  const codes = [...run].map(
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  const distinct = [...new Set(codes)];
  const listed = distinct.slice(0, 4).join(" ") + (distinct.length > 4 ? " …" : "");
  return codes.length > 1 ? `${listed} (${codes.length})` : listed;
}
