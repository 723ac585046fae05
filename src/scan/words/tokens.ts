/** One walk over a text: the words that carry an idea, where they stand and in which sentence, and hints at what else
 *  is worth looking for. The hot loop of the scanner: plain arrays, one look at each character. */
import {
  CAPITAL,
  DIGIT,
  emailEnd,
  isBreak,
  isNamed,
  kindOf,
  LETTER,
  pathEnd,
  SMALL,
  SPACE,
  STOP,
  traitsOf,
  UNDERSCORE,
  UNSPACED,
  urlEnd,
  WORD,
} from "./characters.ts";
import { type ClassId, EDGES, EMAIL, IDENTIFIER, type Lexicon, SECRET_PATH, URL_TOKEN } from "./lexicon.ts";
import { isSecretPath } from "./secret-paths.ts";

export interface Tokens {
  readonly count: number;
  readonly classes: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Ordinal of the token's first word among all words of the text. */
  readonly words: Int32Array;
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
  /** Words of hexadecimal digits, two or more than twelve long. */
  hexes: number;
  /** Words of two or three digits. */
  numbers: number;
  /** Words of eight zeros and ones. */
  octets: number;
  /** Single letters. */
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
}

let room = 1024;
let classes = new Uint16Array(room);
let starts = new Int32Array(room);
let ends = new Int32Array(room);
let ordinals = new Int32Array(room);
let sentences = new Int32Array(room);
let count = 0;

/** The buffers are the module's own; what leaves it is a copy. */
function put(id: ClassId, start: number, end: number, word: number, sentence: number): void {
  if (count === room) grow();
  classes[count] = id;
  starts[count] = start;
  ends[count] = end;
  ordinals[count] = word;
  sentences[count] = sentence;
  count += 1;
}

function grow(): void {
  room *= 2;
  const bigger = (from: Int32Array): Int32Array<ArrayBuffer> => {
    const to = new Int32Array(room);
    to.set(from);
    return to;
  };
  const more = new Uint16Array(room);
  more.set(classes);
  classes = more;
  [starts, ends, ordinals, sentences] = [bigger(starts), bigger(ends), bigger(ordinals), bigger(sentences)];
}

export function tokenize(text: string, lexicon: Lexicon): Tokens {
  const { edges, others, words: wordClasses, stems, goesOn } = lexicon;
  const hints = noHints();
  count = 0;
  let word = 0;
  let sentence = 0;
  const length = text.length;
  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at);
    const kind = kindOf(unit);
    if (kind === SPACE) {
      if (unit === 10 && isBreak(text, at + 1)) sentence += 1;
      at += 1;
      continue;
    }
    if (kind === UNSPACED) {
      const end = entryEnd(text, at, 0, lexicon);
      if (end > 0) put(entryClass, at, end, word, sentence);
      word += 1;
      at = Math.max(end, at + 1);
      continue;
    }
    if (kind !== WORD) {
      const next = at + 1 < length ? text.charCodeAt(at + 1) : 32;
      if (unit === 92 && isWhiteEscape(next)) {
        if (next === 110 && text.charCodeAt(at + 2) === 92 && text.charCodeAt(at + 3) === 110) sentence += 1;
        at += 2;
        continue;
      }
      note(hints, unit, next, text.charCodeAt(at + 2));
      if (kind === STOP && (unit > 127 || kindOf(next) !== WORD) && !(unit === 46 && next === 47)) {
        sentence += 1;
        at += 1;
        continue;
      }
      // ~/.ssh, /etc/passwd, .env: a path that begins with a sign.
      if (unit === 126 || unit === 47 || (unit === 46 && (at === 0 || kindOf(text.charCodeAt(at - 1)) !== WORD))) {
        const end = pathEnd(text, at);
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
    for (; end < length; end++) {
      const next = text.charCodeAt(end);
      const trait = traitsOf(next);
      if (trait === 0) break;
      traits |= trait;
      node = (trait & LETTER ? edges[node * EDGES + (next & 31)] : others.get(node * 65536 + next)) ?? 0;
      if (node === 0) {
        end += 1;
        break;
      }
      last = node;
    }
    const isWhole = node > 0;
    if (!isWhole)
      for (; end < length; end++) {
        const trait = traitsOf(text.charCodeAt(end));
        if (trait === 0) break;
        traits |= trait;
      }
    let found = isWhole ? (wordClasses[last] ?? 0) : 0;
    let stop = end;
    if (isWhole && goesOn[last]) {
      const far = entryEnd(text, end, last, lexicon);
      if (far > 0) {
        found = entryClass;
        stop = far;
      }
    }
    const size = end - at;
    if (traits !== SMALL || size === 1) noteWord(hints, text, at, end, traits);
    const after = end < length ? text.charCodeAt(end) : 32;
    let shape = 0;
    // : @ . + - / may make it an address or a path.
    if (after === 58) {
      if (text.charCodeAt(end + 1) === 47 && text.charCodeAt(end + 2) === 47) {
        stop = urlEnd(text, end);
        shape = /^(?:https?|ftp|wss?)$/i.test(text.slice(at, end)) ? URL_TOKEN : -1;
      }
    } else if (after >= 43 && after <= 64 && after !== 44) {
      const address = emailEnd(text, at, end);
      if (address > 0) {
        stop = address;
        shape = EMAIL;
      } else if (after === 47 || after === 46) {
        const path = pathEnd(text, at);
        if (path > end + 1 && isSecretPath(text.slice(at, path))) {
          stop = path;
          shape = SECRET_PATH;
        }
      }
    }
    if (shape === 0 && !(found > 0 && stop > end)) {
      if (traits & UNDERSCORE) {
        if (found === 0 && isInner(text, at, end)) shape = isSecretPath(text.slice(at, end)) ? SECRET_PATH : IDENTIFIER;
      }
      if (shape === 0 && isNamed(text, at, end, (traits & CAPITAL) !== 0)) shape = IDENTIFIER;
    }
    const id = shape !== 0 ? shape : found > 0 ? found : (stems[last] ?? 0);
    if (id > 0) put(id, at, stop, word, sentence);
    word += 1;
    // A phrase counts as the words it has.
    if (stop > end && shape === 0) for (let i = end; i < stop; i++) if (kindOf(text.charCodeAt(i)) === SPACE) word += 1;
    at = stop > at ? stop : at + 1;
  }
  return {
    count,
    classes: classes.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    words: ordinals.slice(0, count),
    sentences: sentences.slice(0, count),
    hints,
  };
}

/** `\\n`, `\\t`, `\\r`, `\\"` inside a JSON string read as white space. */
const isWhiteEscape = (next: number): boolean => next === 110 || next === 116 || next === 114 || next === 34;

const isHex = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 102);

/** Underscores inside a word, not around it. */
const isInner = (text: string, start: number, end: number): boolean =>
  text.charCodeAt(start) !== 95 && text.charCodeAt(end - 1) !== 95;

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
function noteWord(hints: Hints, text: string, start: number, end: number, traits: number): void {
  const size = end - start;
  if (size === 1) {
    if (traits & LETTER) hints.letters += 1;
    return;
  }
  if (traits === CAPITAL && size > 3) hints.capitals += 1;
  if (traits & UNDERSCORE) {
    let underscores = 0;
    for (let i = start; i < end; i++) if (text.charCodeAt(i) === 95) underscores += 1;
    if (underscores >= 6) hints.underscored += 1;
    return;
  }
  if (size > 12 && traits & CAPITAL && traits & SMALL) hints.dense += 1;
  if (!(traits & DIGIT)) return;
  if (traits === DIGIT) {
    if (size < 4) hints.numbers += 1;
    if (size % 8 === 0) hints.octets += 1;
  }
  let turns = 0;
  let isHexWord = true;
  let wasDigit = true;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    const isDigit = unit >= 48 && unit <= 57;
    if (isDigit && !wasDigit) turns += 1;
    else if (!isDigit && wasDigit && i > start) turns += 1;
    wasDigit = isDigit;
    if (!isHex(unit)) isHexWord = false;
  }
  if (isHexWord && (size === 2 || size > 12)) hints.hexes += 1;
  else if (turns > 1 && size < 16) hints.digitWords += 1;
}

let entryClass = 0;

/** Where the longest entry ends that goes on at `from`; 0 when there is none. Leaves its class in `entryClass`. */
function entryEnd(text: string, from: number, start: number, { edges, others, words, stems }: Lexicon): number {
  let node = start;
  let best = 0;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const kind = kindOf(unit);
    if (kind === SPACE) {
      node = others.get(node * 65536 + 32) ?? 0;
      while (i + 1 < text.length && kindOf(text.charCodeAt(i + 1)) === SPACE) i += 1;
    } else {
      node = (traitsOf(unit) & LETTER ? edges[node * EDGES + (unit & 31)] : others.get(node * 65536 + unit)) ?? 0;
    }
    if (node === 0) break;
    const isEnd = kind === UNSPACED || i + 1 >= text.length || kindOf(text.charCodeAt(i + 1)) !== WORD;
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
