/** One walk over a text: the words that carry an idea, where they stand, and in which sentence. */
import { type ClassId, EMAIL, IDENTIFIER, type Lexicon, SECRET_PATH, URL_TOKEN } from "./lexicon.ts";
import { isSecretPath } from "./secret-paths.ts";

export interface Tokens {
  readonly count: number;
  readonly classes: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Ordinal of the token's first word among all words of the text. */
  readonly words: Int32Array;
  readonly sentences: Int32Array;
  /** Words that mix letters and digits the way disguised ones do. */
  readonly digitWords: number;
}

const WIDTH = 32;
const MAX_PATH = 200;
/** Letters, digits and everything beyond ASCII but its punctuation. */
const WORD = 1;
const SPACE = 2;
const STOP = 3;
const kinds = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) {
  const character = String.fromCharCode(unit);
  if (/[A-Za-z0-9']/.test(character)) kinds[unit] = WORD;
  else if (/\s/.test(character)) kinds[unit] = SPACE;
  else if (/[.!?;]/.test(character)) kinds[unit] = STOP;
}

const kindOf = (unit: number): number => {
  if (unit < 128) return kinds[unit] ?? 0;
  // 。 ！ ？ ； । end sentences; other marks of these blocks part words.
  if (unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff1b || unit === 0x964) return STOP;
  if ((unit >= 0x2000 && unit <= 0x206f) || (unit >= 0x3000 && unit <= 0x303f) || (unit >= 0xff00 && unit <= 0xff0f)) return 0;
  return WORD;
};

/** Scripts written without spaces: every character may begin a word. */
const isUnspaced = (unit: number): boolean =>
  (unit >= 0x0e00 && unit <= 0x0eff) ||
  (unit >= 0x1000 && unit <= 0x109f) ||
  (unit >= 0x1780 && unit <= 0x17ff) ||
  (unit >= 0x3040 && unit <= 0x9fff) ||
  (unit >= 0x1100 && unit <= 0x11ff) ||
  (unit >= 0xac00 && unit <= 0xd7a3);

export function tokenize(text: string, lexicon: Lexicon): Tokens {
  const { edges, others, words: wordClasses, stems } = lexicon;
  let room = 64;
  let classes = new Uint16Array(room);
  let starts = new Int32Array(room);
  let ends = new Int32Array(room);
  let ordinals = new Int32Array(room);
  let sentences = new Int32Array(room);
  let count = 0;
  let word = 0;
  let sentence = 0;
  let digitWords = 0;
  const add = (id: ClassId, start: number, end: number): void => {
    if (count === room) {
      room *= 2;
      [classes, starts, ends, ordinals, sentences] = [
        grown16(classes, room),
        grown(starts, room),
        grown(ends, room),
        grown(ordinals, room),
        grown(sentences, room),
      ];
    }
    classes[count] = id;
    starts[count] = start;
    ends[count] = end;
    ordinals[count] = word;
    sentences[count] = sentence;
    count += 1;
  };
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
    if (kind === STOP) {
      const next = text.charCodeAt(at + 1);
      if (at + 1 >= length || unit > 127 || kindOf(next) !== WORD) {
        if (unit !== 46 || next !== 47) sentence += 1;
        at += 1;
        continue;
      }
    }
    if (kind !== WORD) {
      // ~/.ssh, /etc/passwd, .env: a path that begins with a sign.
      if (unit === 126 || unit === 47 || (unit === 46 && (at === 0 || kindOf(text.charCodeAt(at - 1)) !== WORD))) {
        const end = pathEnd(text, at);
        if (end > at + 3 && isSecretPath(text.slice(at, end))) add(SECRET_PATH, at, end);
        if (end > at + 1) {
          word += 1;
          at = end;
          continue;
        }
      }
      at += 1;
      continue;
    }
    // The longest entry that begins here.
    let node = 0;
    let bestEnd = 0;
    let bestClass = 0;
    let stemClass = 0;
    let i = at;
    for (; i < length; i++) {
      let next = text.charCodeAt(i);
      if (next >= 65 && next <= 90) next |= 32;
      let to: number;
      if (next >= 97 && next <= 122) to = edges[node * WIDTH + next - 97] ?? 0;
      else if (next < 128 && kinds[next] === SPACE) {
        to = others.get(node * 65536 + 32) ?? 0;
        if (to) while (i + 1 < length && kindOf(text.charCodeAt(i + 1)) === SPACE) i += 1;
      } else to = others.get(node * 65536 + next) ?? 0;
      if (!to) break;
      node = to;
      if (stems[node]) stemClass = stems[node] ?? 0;
      const found = wordClasses[node];
      if (found && (isUnspaced(next) || i + 1 >= length || kindOf(text.charCodeAt(i + 1)) !== WORD)) {
        bestEnd = i + 1;
        bestClass = found;
        stemClass = 0;
      }
    }
    if (isUnspaced(unit)) {
      const id = bestClass || stemClass;
      const end = bestClass ? bestEnd : Math.max(i, at + 1);
      if (id) add(id, at, end);
      word += 1;
      at = id ? end : at + 1;
      continue;
    }
    let end = at;
    let hasDigit = false;
    let hasInnerCapital = false;
    let isIdentifier = false;
    for (; end < length; end++) {
      const next = text.charCodeAt(end);
      if (next === 95) {
        if (end + 1 < length && kindOf(text.charCodeAt(end + 1)) === WORD) isIdentifier = true;
        continue;
      }
      if (kindOf(next) !== WORD || (end > at && isUnspaced(next))) break;
      if (next >= 48 && next <= 57) hasDigit = true;
      else if (end > at && next >= 65 && next <= 90) {
        const before = text.charCodeAt(end - 1);
        if (before >= 97 && before <= 122) hasInnerCapital = true;
      }
    }
    const after = text.charCodeAt(end);
    if (after === 58 && text.charCodeAt(end + 1) === 47 && text.charCodeAt(end + 2) === 47) {
      const stop = urlEnd(text, end);
      if (/^(?:https?|ftp|wss?)$/i.test(text.slice(at, end))) add(URL_TOKEN, at, stop);
      word += 1;
      at = stop;
      continue;
    }
    const address = after === 64 || after === 46 || after === 45 || after === 43 ? emailEnd(text, at, end) : 0;
    if (address > 0) {
      add(EMAIL, at, address);
      word += 1;
      at = address;
      continue;
    }
    if (after === 47 || after === 46) {
      const stop = pathEnd(text, at);
      if (stop > end + 1 && isSecretPath(text.slice(at, stop))) {
        add(SECRET_PATH, at, stop);
        word += 1;
        at = stop;
        continue;
      }
    }
    if (bestClass && bestEnd <= end && isNamed(text, at, end, false)) add(IDENTIFIER, at, end);
    else if (bestClass) {
      add(bestClass, at, bestEnd);
      if (bestEnd > end) {
        // A phrase counts as the words it has.
        for (let j = end; j < bestEnd; j++) if (text.charCodeAt(j) === 32) word += 1;
        end = bestEnd;
      }
    } else if (isIdentifier && isSecretPath(text.slice(at, end))) add(SECRET_PATH, at, end);
    else if (isIdentifier || isNamed(text, at, end, hasInnerCapital)) add(IDENTIFIER, at, end);
    else if (stemClass) add(stemClass, at, end);
    if (hasDigit && end - at > 2 && !bestClass && isDigitWord(text, at, end)) digitWords += 1;
    word += 1;
    at = Math.max(end, at + 1);
  }
  return { count, classes, starts, ends, words: ordinals, sentences, digitWords };
}

/** Whether a line begins something new: an empty line, a list item, markup, a `key:` of a data format. */
function isBreak(text: string, start: number): boolean {
  let at = start;
  while (at < text.length && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at += 1;
  const unit = text.charCodeAt(at);
  // - * # | { } [ ] " < > = and a line end
  if (unit === 10 || unit === 13 || '-*#|{}[]"<>=+'.includes(text[at] ?? "\n")) return true;
  const stop = Math.min(text.length, at + 30);
  while (at < stop && (kinds[text.charCodeAt(at)] === WORD || text.charCodeAt(at) === 95 || text.charCodeAt(at) === 45)) at += 1;
  return text.charCodeAt(at) === 58 && at > start;
}

/** A single word in quotes, or one in camelCase that is called or said to be a tool. */
function isNamed(text: string, start: number, end: number, isCamel: boolean): boolean {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if ((before === 96 || before === 39 || before === 34) && after === before) return true;
  return isCamel && (after === 40 || /^ (?:tool|function)\b/.test(text.slice(end, end + 10)));
}

/** Letters around a digit: `pr3v10us`, not `sha256` or `4th`. */
function isDigitWord(text: string, start: number, end: number): boolean {
  let turns = 0;
  let wasDigit = false;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    const isDigit = unit >= 48 && unit <= 57;
    if (i > start && isDigit !== wasDigit) turns += 1;
    wasDigit = isDigit;
  }
  return turns >= 2;
}

function pathEnd(text: string, at: number): number {
  let end = at;
  const stop = Math.min(text.length, at + MAX_PATH);
  for (; end < stop; end++) {
    const unit = text.charCodeAt(end);
    const isPath =
      unit === 47 || unit === 46 || unit === 126 || unit === 45 || unit === 95 || unit === 92 || (unit < 128 && kinds[unit] === WORD);
    if (!isPath) break;
  }
  while (end > at + 1 && text.charCodeAt(end - 1) === 46) end -= 1;
  return end;
}

function urlEnd(text: string, at: number): number {
  let end = at;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit <= 32 || unit === 34 || unit === 39 || unit === 60 || unit === 62 || unit === 96 || unit === 41 || unit === 93) break;
  }
  return end;
}

/** Where an address that begins at `at` ends; 0 when it is none. */
function emailEnd(text: string, at: number, from: number): number {
  let i = from;
  const stop = Math.min(text.length, at + 80);
  while (i < stop && /[\w.+-]/.test(text[i] ?? "")) i += 1;
  if (text[i] !== "@") return 0;
  let end = i + 1;
  while (end < stop && /[\w.-]/.test(text[end] ?? "")) end += 1;
  while (text[end - 1] === ".") end -= 1;
  return text.slice(i, end).includes(".") ? end : 0;
}

function grown(from: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size);
  to.set(from);
  return to;
}

function grown16(from: Uint16Array<ArrayBuffer>, size: number): Uint16Array<ArrayBuffer> {
  const to = new Uint16Array(size);
  to.set(from);
  return to;
}
