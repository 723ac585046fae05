/** One walk over a text: the words that carry an idea, where they stand and in which sentence, and hints at what else
 *  is worth looking for. The hot loop of the scanner: plain arrays, one look at each character. */
import { load, put, type Tokens, takeBack, taken } from "./buffer.ts";
import {
  CAPITAL,
  DIGIT,
  emailAround,
  isBreak,
  isCalled,
  isQuoted,
  KINDS,
  kindOf,
  LETTER,
  nameStart,
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
import { isHex, MIN_DENSE, noHints, noteSign, noteWord } from "./hints.ts";
import {
  EMAIL,
  edgeOf,
  follow,
  IDENTIFIER,
  type Lexicon,
  QUOTED,
  SECRET_PATH,
  SIGN_BITS,
  SPACE_EDGE,
  URL_TOKEN,
} from "./lexicon.ts";
import { isSecretPath } from "./secret-paths.ts";

export type { Tokens } from "./buffer.ts";
export type { Hints } from "./hints.ts";

export function tokenize(text: string, lexicon: Lexicon): Tokens {
  const { edges, jump, words: wordClasses, stems, nextMask } = lexicon;
  const hints = noHints();
  const units = load(text);
  // Tables as locals: looked at once a character.
  const kindTable = KINDS;
  const traitTable = TRAITS;
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
      noteSign(hints, unit, next, units[at + 2] ?? 0);
      if (unit === 64) {
        const address = emailAround(units, at);
        if (address) {
          takeBack(address[0]);
          put(EMAIL, address[0], address[1], word, sentence);
          word += 1;
          at = address[1];
          continue;
        }
      }
      // server.pem, secrets.yml: a name with an ending that secrets have.
      if (unit === 46 && at > 0 && mayBeSecret(next) && kindOf(units[at - 1] ?? 0) === WORD) {
        const [start, end] = [nameStart(units, at), pathEnd(units, at)];
        if (isSecretPath(text.slice(start, end))) {
          takeBack(start);
          put(SECRET_PATH, start, end, word, sentence);
          word += 1;
          at = end;
          continue;
        }
      }
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
    const second = units[at + 1] ?? 0;
    const third = units[at + 2] ?? 0;
    const firstTrait = traitTable[unit] ?? 0;
    const secondTrait = traitTable[second] ?? 0;
    const thirdTrait = traitTable[third] ?? 0;
    if ((firstTrait & LETTER) > 0 && (secondTrait & LETTER) > 0 && (thirdTrait & LETTER) > 0) {
      // Three letters at once.
      node = jump[((unit & 31) << 10) | ((second & 31) << 5) | (third & 31)] ?? 0;
      last = node;
      traits = firstTrait | secondTrait | thirdTrait;
      end = at + 3;
    }
    if (end === at || node > 0)
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
    const after = units[end] ?? 0;
    let found = isWhole ? (wordClasses[last] ?? 0) : 0;
    let stop = end;
    const mask = isWhole ? (nextMask[last] ?? 0) : 0;
    if (mask !== 0 && mayGoOn(edges, mask, last, units, end)) {
      const far = entryEnd(units, end, last, lexicon);
      if (far > 0) {
        found = entryClass;
        stop = far;
      }
    }
    const size = end - at;
    // Most words: letters, with nothing beside them that would make them something else.
    if ((traits & ~LETTER) === 0 && size > 2 && isPlain(units, end, traits)) {
      if (traits !== SMALL && (traits === CAPITAL || size >= MIN_DENSE))
        noteWord(hints, units, at, end, traits);
      letters = pairs = numbers = 0;
      const id = found > 0 ? found : (stems[last] ?? 0);
      if (stop > end) {
        const more = spacesIn(units, end, stop);
        put(id, at, stop, word, sentence, more);
        word += more;
      } else if (id > 0) put(id, at, end, word, sentence);
      word += 1;
      at = stop;
      continue;
    }
    if (size === 1 || traits & DIGIT) {
      letters = size === 1 && traits & LETTER ? letters + 1 : 0;
      if (letters > hints.letters) hints.letters = letters;
      numbers = size < 4 && traits === DIGIT ? numbers + 1 : 0;
      if (numbers > hints.numbers) hints.numbers = numbers;
    } else letters = numbers = 0;
    const isPair =
      (size === 2 && isHex(unit) && isHex(second)) || (size === 4 && unit === 48 && (second | 32) === 120);
    pairs = isPair ? pairs + 1 : 0;
    if (pairs > hints.hexes) hints.hexes = pairs;
    if ((traits & ~LETTER) !== 0 || traits === CAPITAL || size >= MIN_DENSE)
      noteWord(hints, units, at, end, traits);
    let shape = 0;
    // A colon and two slashes make it an address.
    if (after === 58) {
      if (size > 3 && kindOf(units[end + 1] ?? 0) !== SPACE) hints.links += 1;
      if ((units[end + 1] ?? 0) === 47 && (units[end + 2] ?? 0) === 47) {
        stop = urlEnd(units, end);
        // A scheme alone leads nowhere.
        shape = stop > end + 3 && /^(?:https?|ftp|wss?)$/i.test(text.slice(at, end)) ? URL_TOKEN : -1;
      }
    }
    if (shape === 0 && !(found > 0 && stop > end)) {
      if (traits & UNDERSCORE) {
        if (found === 0 && isInner(units, at, end))
          shape = isSecretPath(text.slice(at, end)) ? SECRET_PATH : IDENTIFIER;
      }
      if (shape === 0 && (after === 39 || after === 96 || after === 34) && isQuoted(units, at, end))
        shape = QUOTED;
      else if (shape === 0 && traits & CAPITAL && isCalled(units, at, end)) shape = IDENTIFIER;
    }
    const id = shape !== 0 ? shape : found > 0 ? found : (stems[last] ?? 0);
    // A phrase counts as the words it has.
    const spaces = stop > end && shape === 0 ? spacesIn(units, end, stop) : 0;
    if (id > 0) put(id, at, stop, word, sentence, spaces);
    word += 1 + spaces;
    at = stop > at ? stop : at + 1;
  }
  return taken(hints);
}

/** Whether an entry can go on after a word that ends at `end`, by the next two letters; saves the walk after every "the". */
function mayGoOn(edges: Uint16Array, mask: number, node: number, units: Uint16Array, end: number): boolean {
  const after = units[end] ?? 0;
  const next = units[end + 1] ?? 0;
  if (after === 32 && (TRAITS[next] ?? 0) & LETTER) {
    if ((mask & (1 << (next & 31))) === 0) return false;
    const second = units[end + 2] ?? 0;
    if (((TRAITS[second] ?? 0) & LETTER) === 0) return true;
    const gap = edges[(node << 5) | SPACE_EDGE] ?? 0;
    const first = edges[(gap << 5) | (next & 31)] ?? 0;
    return edges[(first << 5) | (second & 31)] !== 0;
  }
  if (kindOf(after) !== SPACE) return after < 128 && (mask & (1 << (edgeOf[after] ?? 0)) & SIGN_BITS) !== 0;
  // More white space, and what has no place in the table, is for the walk to decide.
  if (next > 127 || kindOf(next) !== WORD) return (mask & ~SIGN_BITS) !== 0;
  return (mask & (1 << (edgeOf[next] ?? 0))) !== 0;
}

function spacesIn(units: Uint16Array, start: number, end: number): number {
  let spaces = 0;
  for (let i = start; i < end; i++) if (kindOf(units[i] ?? 0) === SPACE) spaces += 1;
  return spaces;
}

/** `\n`, `\t`, `\r`, `\"` inside a JSON string read as white space. */
const isWhiteEscape = (next: number): boolean => next === 110 || next === 116 || next === 114 || next === 34;

/** Whether an ending that begins like this is one of those that secrets have: .pem, .key, .json, .yml, .env, .txt, .dat. */
const mayBeSecret = (unit: number): boolean =>
  unit === 112 ||
  unit === 107 ||
  unit === 106 ||
  unit === 121 ||
  unit === 101 ||
  unit === 116 ||
  unit === 100;

/** Whether nothing follows a word that would make it something else: a space, line end, comma or full stop, and after a
 *  word with capitals no `tool` or `function`. */
function isPlain(units: Uint16Array, end: number, traits: number): boolean {
  const after = units[end] ?? 0;
  if (after !== 32 && after !== 10 && after !== 44 && after !== 46) return false;
  if (traits === SMALL || after !== 32) return true;
  const next = units[end + 1] ?? 0;
  return next !== 116 && next !== 102;
}

/** Underscores inside a word, not around it. */
const isInner = (units: Uint16Array, start: number, end: number): boolean =>
  (units[start] ?? 0) !== 95 && (units[end - 1] ?? 0) !== 95;

let entryClass = 0;

/** Where the longest entry ends that goes on at `from`; 0 when there is none. Leaves its class in `entryClass`. */
function entryEnd(units: Uint16Array, from: number, start: number, lexicon: Lexicon): number {
  const { edges, others, words, stems } = lexicon;
  let node = start;
  let best = 0;
  for (let i = from; ; i++) {
    const unit = units[i] ?? 0;
    const kind = kindOf(unit);
    if (kind === SPACE) {
      node = edges[(node << 5) | SPACE_EDGE] ?? 0;
      while (kindOf(units[i + 1] ?? 0) === SPACE) i += 1;
    } else {
      const edge = unit < 128 ? (edgeOf[unit] ?? 0) : 0;
      node = (edge > 0 ? edges[(node << 5) | edge] : others.get(node * 65_536 + unit)) ?? 0;
    }
    if (node === 0) break;
    if (words[node] === 0 && stems[node] === 0) continue;
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
