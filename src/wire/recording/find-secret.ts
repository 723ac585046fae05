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

  // What can stand at a place is known from the first character there: with many secrets this is what keeps it fast.
  const formsByStart = groupBy(
    encoded.flatMap((forms, part) => forms.map((form) => ({ part, form }))),
    ({ form }) => [form[0] ?? ""],
  );
  const partsByStart = groupBy(
    letters.map((all, part) => ({ part, all })),
    ({ all: [first = ""] }) => [
      "\\",
      "%",
      first[0] ?? "",
      asLatin1(first)[0] ?? "",
      ...(first === " " ? ["+"] : []),
    ],
  );

  /** The longest part that stands at this place. */
  const longestAt = (text: string, start: number): Found | undefined => {
    let longest: Found | undefined;
    const consider = (part: number, end: number): void => {
      if (end > (longest?.end ?? start)) longest = { part, start, end };
    };
    const first = text[start] ?? "";
    for (const { part, form } of formsByStart.get(first) ?? [])
      if (text.startsWith(form, start)) consider(part, start + form.length);
    for (const { part, all } of partsByStart.get(first) ?? []) consider(part, matchEnd(text, start, all));
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

function groupBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items)
    for (const key of new Set(keysOf(item))) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  return groups;
}

/** A place in the text, and how many backslashes before it are still unaccounted for. */
interface Place {
  readonly at: number;
  readonly spare: number;
}

const MAX_PLACES = 16;

/** Where the letters end when they begin at `start`, each plain, escaped or percent-encoded; -1 when they do not. */
function matchEnd(text: string, start: number, letters: readonly string[]): number {
  // By far the most common case, and the only way to read it: letters as they are.
  let read = 0;
  while (read < letters.length && isUnambiguous(letters[read] ?? "") && text[start + read] === letters[read])
    read += 1;
  if (read === letters.length) return start + read;
  if (isUnambiguous(letters[read] ?? "") && !"\\%+".includes(text[start + read] ?? " ")) return -1;
  let places: Place[] = [{ at: start + read, spare: 0 }];
  for (const letter of letters.slice(read)) {
    const next: Place[] = [];
    for (const place of places)
      for (const reached of afterLetter(text, place, letter))
        if (!next.some(({ at, spare }) => at === reached.at && spare === reached.spare)) next.push(reached);
    if (next.length === 0) return -1;
    places = next.slice(0, MAX_PLACES);
  }
  return Math.max(...places.map(({ at }) => at));
}

const isUnambiguous = (letter: string): boolean => letter < "\x7f" && letter !== "\\" && letter !== "%";

/** All places one letter can lead to: the text may read as this letter in more than one way. */
function* afterLetter(text: string, { at, spare }: Place, letter: string): Generator<Place> {
  let slashes = 0;
  while (slashes < MAX_SLASHES && text[at + slashes] === "\\") slashes += 1;
  const isEscaped = slashes + spare > 0;
  const after = at + slashes;
  // Of a run of backslashes one is the letter; the rest may be escapes of it or of what follows.
  if (letter === "\\" && isEscaped) yield { at: after, spare: spare + slashes - 1 };
  if (letter !== "\\")
    for (const spelling of new Set([letter, asLatin1(letter)]))
      if (text.startsWith(spelling, after)) yield { at: after + spelling.length, spare: 0 };
  if (isEscaped && text[after] === SHORT_ESCAPES[letter]) yield { at: after + 1, spare: 0 };
  const numbered = isEscaped ? numberedEnd(text, after, letter) : -1;
  if (numbered >= 0) yield { at: numbered, spare: 0 };
  if (slashes > 0) return;
  if (letter === " " && text[at] === "+") yield { at: at + 1, spare: 0 };
  for (const sign of ["%", "%25"]) {
    const end = percentEnd(text, at, letter, sign);
    if (end >= 0) yield { at: end, spare: 0 };
  }
}

/** The end of `u` and four digits, once a UTF-16 unit. */
function numberedEnd(text: string, start: number, letter: string): number {
  let at = start;
  for (const [index, unit] of letter.split("").entries()) {
    if (index > 0) while (text[at] === "\\") at += 1;
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    if (text[at] !== "u" || text.slice(at + 1, at + 5).toLowerCase() !== hex) return -1;
    at += 5;
  }
  return at;
}

/** The end of a percent sign and two digits, once a byte; the sign may itself be encoded. */
function percentEnd(text: string, start: number, letter: string, sign: string): number {
  let at = start;
  for (const byte of Buffer.from(letter, "utf8")) {
    const hex = byte.toString(16).padStart(2, "0");
    if (
      !text.startsWith(sign, at) ||
      text.slice(at + sign.length, at + sign.length + 2).toLowerCase() !== hex
    )
      return -1;
    at += sign.length + 2;
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
