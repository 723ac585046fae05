/** Finds secrets in text, through the escapes and encodings a peer may have put them into. Implements spec/recording.md, REC-11. */

/** Where a search found something: the part it was given, and the range of text it takes up. */
export interface Found {
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

const HEAD_LETTERS = 4;
const HEAD_CHARS = 12;
const MIN_ENCODED_CHARS = 5;
const MAX_SLASHES = 8;

/** A search for these texts, given with the longest first. Cheap where nothing begins like one of them. */
export function finder(parts: readonly string[]): (text: string) => Generator<Found> {
  const letters = parts.map((part) => [...part]);
  const encoded = parts.map(encodedForms);
  const heads = [
    ...letters.map((all) => all.slice(0, HEAD_LETTERS).map(letterPattern).join("")),
    ...encoded.flat().map((form) => escapeRegExp(form.slice(0, HEAD_CHARS))),
  ];
  const head = new RegExp([...new Set(heads)].join("|"), "g");

  /** The end of the longest part that stands at this place. */
  const longestAt = (text: string, start: number): Found | undefined => {
    let longest: Found | undefined;
    for (let part = 0; part < parts.length; part++) {
      const form = encoded[part]?.find((candidate) => text.startsWith(candidate, start));
      const end = Math.max(
        form === undefined ? -1 : start + form.length,
        matchEnd(text, start, letters[part] ?? []),
      );
      if (end > (longest?.end ?? start)) longest = { part, start, end };
    }
    return longest;
  };

  return function* find(text) {
    head.lastIndex = 0;
    for (let at = head.exec(text); at; at = head.exec(text)) {
      const found = longestAt(text, at.index);
      if (found) yield found;
      head.lastIndex = found ? found.end : at.index + 1;
    }
  };
}

/** Where the letters end when they begin at `start`, each plain, escaped or percent-encoded; -1 when they do not. */
function matchEnd(text: string, start: number, letters: readonly string[]): number {
  let at = start;
  let spare = 0;
  for (const letter of letters) {
    let slashes = 0;
    while (slashes < MAX_SLASHES && text[at + slashes] === "\\") slashes += 1;
    const isNumbered = slashes > 0 && text.slice(at + slashes, at + slashes + 5).toLowerCase() === "u005c";
    if (letter === "\\" && !isNumbered && slashes + spare > 0) {
      // Of a run of backslashes one is the letter; the rest may be escapes of it or of what follows.
      spare += slashes - 1;
      at += slashes;
      continue;
    }
    const rest = letterEnd(text, at + slashes, letter, slashes + spare > 0);
    if (rest >= 0) at = rest;
    else {
      const end = slashes === 0 ? percentEnd(text, at, letter) : -1;
      if (end < 0) return -1;
      at = end;
    }
    spare = 0;
  }
  return at;
}

function letterEnd(text: string, at: number, letter: string, isEscaped: boolean): number {
  for (const spelling of [letter, asLatin1(letter)])
    if (text.startsWith(spelling, at)) return at + spelling.length;
  if (!isEscaped) return -1;
  if (text[at] === SHORT_ESCAPES[letter]) return at + 1;
  let end = at;
  for (const [index, unit] of letter.split("").entries()) {
    if (index > 0) while (text[end] === "\\") end += 1;
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    if (text[end] !== "u" || text.slice(end + 1, end + 5).toLowerCase() !== hex) return -1;
    end += 5;
  }
  return end;
}

function percentEnd(text: string, start: number, letter: string): number {
  if (letter === " " && text[start] === "+") return start + 1;
  let at = start;
  for (const byte of Buffer.from(letter, "utf8")) {
    if (text[at] !== "%") return -1;
    at += text.startsWith("%25", at) && byte !== 0x25 ? 3 : 1;
    if (text.slice(at, at + 2).toLowerCase() !== byte.toString(16).padStart(2, "0")) return -1;
    at += 2;
  }
  return at;
}

/** The same ways of writing one letter as a pattern, to find where a secret may begin. Bounded, so that no input makes it slow. */
function letterPattern(letter: string): string {
  if (letter === "\\") return String.raw`(?:\\|%(?:25)?5[cC])`;
  const slashes = String.raw`\\{1,8}`;
  const hex = (code: number, digits: number): string => anyCase(code.toString(16).padStart(digits, "0"));
  const units = letter.split("").map((unit) => `${slashes}u${hex(unit.charCodeAt(0), 4)}`);
  const percents = [...Buffer.from(letter, "utf8")].map((byte) => `%(?:25)?${hex(byte, 2)}`);
  const plain = [...new Set([letter, asLatin1(letter)])].map(
    (text) => String.raw`\\{0,8}${escapeRegExp(text)}`,
  );
  const ways = [...plain, units.join(""), percents.join("")];
  const short = SHORT_ESCAPES[letter];
  if (short !== undefined) ways.push(slashes + short);
  if (letter === " ") ways.push(String.raw`\+`);
  return `(?:${ways.join("|")})`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\b": "b",
  "\f": "f",
};

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export const asLatin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** Hexadecimal, and base64 at each of its three offsets, without the characters that mix with neighbours. */
export function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const forms = [bytes.toString("hex"), bytes.toString("hex").toUpperCase()];
  for (const [shift, cut] of [
    [0, 0],
    [1, 2],
    [2, 3],
  ] as const) {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = padded
      .subarray(0, padded.length - (padded.length % 3))
      .toString("base64")
      .slice(cut);
    forms.push(whole, whole.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...new Set(forms.filter((form) => form.length >= MIN_ENCODED_CHARS))];
}
