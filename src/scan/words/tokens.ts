/** One walk over a text: the words that carry an idea, where they stand and in which sentence, and hints at what else
 *  is worth looking for. The hot loop of the scanner: plain arrays, one look at each character. */
import {
  CAPITAL,
  DIGIT,
  emailEnd,
  isBreak,
  isCalled,
  isQuoted,
  KINDS,
  kindOf,
  LETTER,
  pathEnd,
  phoneEnd,
  SMALL,
  SPACE,
  STOP,
  TRAITS,
  traitsOf,
  UNDERSCORE,
  UNSPACED,
  urlEnd,
  WORD,
} from "./characters.ts";
import {
  type ClassId,
  EMAIL,
  follow,
  IDENTIFIER,
  type Lexicon,
  QUOTED,
  SECRET_PATH,
  URL_TOKEN,
} from "./lexicon.ts";
import { isSecretPath } from "./secret-paths.ts";

export interface Tokens {
  readonly count: number;
  readonly classes: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Ordinal of the token's first word among all words of the text. */
  readonly words: Int32Array;
  /** Ordinal of its last word. */
  readonly lasts: Int32Array;
  readonly sentences: Int32Array;
  /** What the characters of the text hint at. */
  readonly hints: Hints;
}

/** How often something was seen that an encoding or a mark is made of. */
export interface Hints {
  /** `%41` outside addresses. */
  percents: number;
  /** `&#` or `&lt;` */
  entities: number;
  /** `\u0041`, `\x41` */
  escapes: number;
  /** Long runs that mix small letters, capitals and digits. */
  dense: number;
  /** Longest run of words of two hexadecimal digits; LONG_HEX for a single long word of them. */
  hexes: number;
  /** Longest run of words of up to three digits. */
  numbers: number;
  /** Words of eight zeros and ones. */
  octets: number;
  /** Longest run of single letters. */
  letters: number;
  /** Words that mix letters and digits the way disguised ones do. */
  digitWords: number;
  /** Words held together by four underscores or more. */
  underscored: number;
  /** Runs of dots and dashes. */
  morse: number;
  /** `<` or `[` before a letter or bar. */
  tags: number;
  /** Words in capitals. */
  capitals: number;
  /** `##` */
  headings: number;
  /** `&&`, `|`, `$(` */
  pipes: number;
  /** `scheme:` right before something else. */
  links: number;
}

let room = 1024;
let classes = new Uint16Array(room);
let starts = new Int32Array(room);
let ends = new Int32Array(room);
let ordinals = new Int32Array(room);
let lasts = new Int32Array(room);
let sentences = new Int32Array(room);
let count = 0;

/** The code units of the text at hand, with zeros behind its end: faster to walk than the string itself. */
let bytes = Buffer.from(new ArrayBuffer(1 << 16));
let units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
const BEHIND = 8;

function load(text: string): Uint16Array {
  const size = (text.length + BEHIND) * 2;
  if (size > bytes.length) {
    const room = Buffer.from(new ArrayBuffer(size * 2));
    bytes = room;
    units = new Uint16Array(room.buffer, room.byteOffset, room.length / 2);
  }
  bytes.write(text, 0, "utf16le");
  units.fill(0, text.length, text.length + BEHIND);
  return units;
}

/** The buffers are the module's own; what leaves it is a copy. */
function put(id: ClassId, start: number, end: number, word: number, sentence: number, more = 0): void {
  if (count === room) grow();
  classes[count] = id;
  starts[count] = start;
  ends[count] = end;
  ordinals[count] = word;
  lasts[count] = word + more;
  sentences[count] = sentence;
  count += 1;
}

type Five = [Ints, Ints, Ints, Ints, Ints];
type Ints = Int32Array<ArrayBuffer>;

function grow(): void {
  room *= 2;
  const bigger = (from: Ints): Ints => {
    const to = new Int32Array(room);
    to.set(from);
    return to;
  };
  const more = new Uint16Array(room);
  more.set(classes);
  classes = more;
  [starts, ends, ordinals, lasts, sentences] = [starts, ends, ordinals, lasts, sentences].map(bigger) as Five;
}

export function tokenize(text: string, lexicon: Lexicon): Tokens {
  const { edges, words: wordClasses, stems, goesOn } = lexicon;
  const hints = noHints();
  const units = load(text);
  // Tables as locals: looked at once a character.
  const [kindTable, traitTable] = [KINDS, TRAITS];
  count = 0;
  let word = 0;
  let letters = 0;
  let pairs = 0;
  let numbers = 0;
  let halves = 0;
  let sentence = 0;
  const length = text.length;
  let at = 0;
  while (at < length) {
    const unit = units[at] ?? 0;
    const kind = kindTable[unit] ?? 0;
    if (kind === SPACE) {
      if (unit === 10 && isBreak(units, at + 1)) sentence += 1;
      at += 1;
      continue;
    }
    if (kind === UNSPACED) {
      const end = entryEnd(units, at, 0, lexicon);
      if (end > 0) put(entryClass, at, end, word, sentence);
      // Two characters of these scripts are about a word.
      halves += end > 0 ? 2 : 1;
      word += halves >> 1;
      halves &= 1;
      at = Math.max(end, at + 1);
      continue;
    }
    if (kind !== WORD) {
      const next = units[at + 1] ?? 0;
      // A comma parts what belongs together as much as a word does.
      if (unit === 44) word += 1;
      if (unit === 92 && isWhiteEscape(next)) {
        if (next === 110 && (units[at + 2] ?? 0) === 92 && (units[at + 3] ?? 0) === 110) sentence += 1;
        at += 2;
        continue;
      }
      note(hints, unit, next, units[at + 2] ?? 0);
      if (unit === 43 && traitsOf(next) === DIGIT) {
        const end = phoneEnd(units, at + 1);
        if (end > 0) {
          put(EMAIL, at, end, word, sentence);
          word += 1;
          at = end;
          continue;
        }
      }
      if (kind === STOP && (unit > 127 || kindOf(next) !== WORD) && !(unit === 46 && next === 47)) {
        sentence += 1;
        at += 1;
        continue;
      }
      // ~/.ssh, /etc/passwd, .env: a path that begins with a sign.
      if (unit === 126 || unit === 47 || (unit === 46 && (at === 0 || kindOf(units[at - 1] ?? 0) !== WORD))) {
        const end = pathEnd(units, at);
        if (end > at + 3 && isSecretPath(text.slice(at, end))) put(SECRET_PATH, at, end, word, sentence);
        if (end > at + 1) {
          word += 1;
          at = end;
          continue;
        }
      }
      at += 1;
      continue;
    }

    // Along the trie as long as it goes, then on to the end of the word.
    let node = 0;
    let last = 0;
    let traits = 0;
    let end = at;
    for (; ; end++) {
      const next = units[end] ?? 0;
      const trait = traitTable[next] ?? 0;
      if (trait === 0) break;
      traits |= trait;
      node = trait & LETTER ? (edges[(node << 5) | (next & 31)] ?? 0) : follow(lexicon, node, next);
      if (node === 0) {
        end += 1;
        break;
      }
      last = node;
    }
    const isWhole = node > 0;
    if (!isWhole)
      for (; ; end++) {
        const trait = traitTable[units[end] ?? 0] ?? 0;
        if (trait === 0) break;
        traits |= trait;
      }
    let found = isWhole ? (wordClasses[last] ?? 0) : 0;
    let stop = end;
    if (isWhole && goesOn[last]) {
      const far = entryEnd(units, end, last, lexicon);
      if (far > 0) {
        found = entryClass;
        stop = far;
      }
    }
    const size = end - at;
    letters = size === 1 && traits & LETTER ? letters + 1 : 0;
    if (letters > hints.letters) hints.letters = letters;
    pairs = size === 2 && isHex(unit) && isHex(units[at + 1] ?? 0) ? pairs + 1 : 0;
    if (pairs > hints.hexes) hints.hexes = pairs;
    numbers = size < 4 && traits === DIGIT ? numbers + 1 : 0;
    if (numbers > hints.numbers) hints.numbers = numbers;
    if (traits !== SMALL) noteWord(hints, units, at, end, traits);
    const after = units[end] ?? 0;
    let shape = 0;
    // : @ . + - / may make it an address or a path.
    if (after === 58) {
      if (size > 3 && kindOf(units[end + 1] ?? 0) !== SPACE) hints.links += 1;
      if ((units[end + 1] ?? 0) === 47 && (units[end + 2] ?? 0) === 47) {
        stop = urlEnd(units, end);
        shape = /^(?:https?|ftp|wss?)$/i.test(text.slice(at, end)) ? URL_TOKEN : -1;
      }
    } else if (after >= 43 && after <= 64 && after !== 44) {
      const address = emailEnd(units, at, end);
      if (address > 0) {
        stop = address;
        shape = EMAIL;
      } else if (after === 47 || after === 46) {
        const path = pathEnd(units, at);
        if (path > end + 1 && isSecretPath(text.slice(at, path))) {
          stop = path;
          shape = SECRET_PATH;
        }
      }
    }
    if (shape === 0 && !(found > 0 && stop > end)) {
      if (traits & UNDERSCORE) {
        if (found === 0 && isInner(units, at, end))
          shape = isSecretPath(text.slice(at, end)) ? SECRET_PATH : IDENTIFIER;
      }
      if (shape === 0 && isQuoted(units, at, end)) shape = QUOTED;
      else if (shape === 0 && traits & CAPITAL && isCalled(units, at, end)) shape = IDENTIFIER;
    }
    const id = shape !== 0 ? shape : found > 0 ? found : (stems[last] ?? 0);
    // A phrase counts as the words it has.
    let spaces = 0;
    if (stop > end && shape === 0)
      for (let i = end; i < stop; i++) if (kindOf(units[i] ?? 0) === SPACE) spaces += 1;
    if (id > 0) put(id, at, stop, word, sentence, spaces);
    word += 1 + spaces;
    at = stop > at ? stop : at + 1;
  }
  return {
    count,
    classes: classes.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    words: ordinals.slice(0, count),
    lasts: lasts.slice(0, count),
    sentences: sentences.slice(0, count),
    hints,
  };
}

/** `\\n`, `\\t`, `\\r`, `\\"` inside a JSON string read as white space. */
const isWhiteEscape = (next: number): boolean => next === 110 || next === 116 || next === 114 || next === 34;

const isHex = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 102);

/** Underscores inside a word, not around it. */
const isInner = (units: Uint16Array, start: number, end: number): boolean =>
  (units[start] ?? 0) !== 95 && (units[end - 1] ?? 0) !== 95;

function noHints(): Hints {
  return {
    percents: 0,
    entities: 0,
    escapes: 0,
    dense: 0,
    hexes: 0,
    numbers: 0,
    octets: 0,
    letters: 0,
    digitWords: 0,
    underscored: 0,
    morse: 0,
    tags: 0,
    capitals: 0,
    headings: 0,
    pipes: 0,
    links: 0,
  };
}

/** What a sign hints at, by the two characters after it. */
function note(hints: Hints, unit: number, next: number, third: number): void {
  switch (unit) {
    case 92:
      if (next === 117 || next === 120) hints.escapes += 1;
      break;
    case 37:
      if (isHex(next) && isHex(third)) hints.percents += 1;
      break;
    case 38:
      if (next === 35 || next === 108) hints.entities += 1;
      else if (next === 38) hints.pipes += 1;
      break;
    case 36:
      if (next === 40) hints.pipes += 1;
      break;
    case 124:
      hints.pipes += 1;
      break;
    case 60:
    case 91:
      if (next === 124 || next === 60 || next === 47 || (next | 32) >= 97) hints.tags += 1;
      break;
    case 35:
      if (next === 35) hints.headings += 1;
      break;
    case 45:
      if (next === 32 || next === 45 || next === 46) hints.morse += 1;
      break;
    case 46:
      if (next === 45) hints.morse += 1;
      break;
    default:
  }
}

/** What a word hints at that has more than small letters. */
function noteWord(hints: Hints, units: Uint16Array, start: number, end: number, traits: number): void {
  const size = end - start;
  if (size === 1) return;
  if (traits === CAPITAL && size > 3) hints.capitals += 1;
  if (traits & UNDERSCORE) {
    let underscores = 0;
    for (let i = start; i < end; i++) if ((units[i] ?? 0) === 95) underscores += 1;
    if (underscores >= 6) hints.underscored += 1;
    return;
  }
  if (size >= MIN_DENSE && traits & CAPITAL && traits & SMALL && isDense(units, start, end)) hints.dense += 1;
  if (!(traits & DIGIT)) return;
  if (traits === DIGIT) {
    if (size % 8 === 0) hints.octets += 1;
  }
  let turns = 0;
  let isHexWord = true;
  let wasDigit = true;
  for (let i = start; i < end; i++) {
    const unit = units[i] ?? 0;
    const isDigit = unit >= 48 && unit <= 57;
    if (isDigit && !wasDigit) turns += 1;
    else if (!isDigit && wasDigit && i > start) turns += 1;
    wasDigit = isDigit;
    if (!isHex(unit)) isHexWord = false;
  }
  if (isHexWord && size > 15) hints.hexes = Math.max(hints.hexes, LONG_HEX);
  else if (!isHexWord && turns > 1 && size < 16) hints.digitWords += 1;
}

const MIN_DENSE = 14;
const LONG_HEX = 10;

/** Letters and digits in no order a name would have: camelCase changes case a few times, base64 all the time. */
function isDense(units: Uint16Array, start: number, end: number): boolean {
  let turns = 0;
  let before = 0;
  for (let i = start; i < end; i++) {
    const trait = traitsOf(units[i] ?? 0);
    if (trait !== before) turns += 1;
    before = trait;
  }
  return turns * 3 >= end - start;
}

let entryClass = 0;

/** Where the longest entry ends that goes on at `from`; 0 when there is none. Leaves its class in `entryClass`. */
function entryEnd(units: Uint16Array, from: number, start: number, lexicon: Lexicon): number {
  const { words, stems } = lexicon;
  let node = start;
  let best = 0;
  for (let i = from; ; i++) {
    const unit = units[i] ?? 0;
    const kind = kindOf(unit);
    if (kind === SPACE) {
      node = follow(lexicon, node, 32);
      while (kindOf(units[i + 1] ?? 0) === SPACE) i += 1;
    } else node = follow(lexicon, node, unit);
    if (node === 0) break;
    const isEnd = kind === UNSPACED || kindOf(units[i + 1] ?? 0) !== WORD;
    if (isEnd && words[node]) {
      best = i + 1;
      entryClass = words[node] ?? 0;
    } else if (stems[node] && (isEnd || kind === UNSPACED)) {
      best = i + 1;
      entryClass = stems[node] ?? 0;
    }
  }
  return best;
}
