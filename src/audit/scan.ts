/** Says of a line that it is an entry in its canonical form, without making objects of it: a log has many lines. It says yes only where
 *  that is so; for a no, and for the few good lines it does not know, `readEntry` has the last word. */

const QUOTE = 34;
const BACKSLASH = 92;

export interface Scanned {
  readonly at: string;
  readonly n: number;
  readonly prev: string;
  readonly type: string;
}

const MAX_NAME = 512;
const MAX_DEPTH = 8;
const ID = /[0-9a-z-]{8,64}"/y;
const NUMBER = /(?:0|[1-9][0-9]{0,14}),/y;
const INTEGER = /(?:0|-?[1-9][0-9]{0,14})(?=[,\]}])/y;
const HASH = /[0-9a-f]{64}"/y;
const WORD = /(?:allowed|denied|deferred|error)"/y;
const TYPE = /(?:admission|approval|config|decision|drift|finding|label|log)"}$/y;
const DATA_NAME = /[A-Za-z][A-Za-z0-9_]{0,63}":/y;

export function scanLine(line: string): Scanned | undefined {
  let at = nameEnd(line, literal(line, 0, '{"actor":'));
  at = literal(line, at, ',"at":"');
  const time = line.slice(at, at + 24);
  at = literal(line, at < 0 ? at : at + 24, '","data":{');
  at = membersEnd(line, at, 1);
  at = literal(line, at, ',"id":"');
  at = match(ID, line, at);
  at = literal(line, at, ',"n":');
  const n = match(NUMBER, line, at);
  const number = Number(line.slice(at, n - 1));
  at = literal(line, n, '"outcome":"');
  at = match(WORD, line, at);
  const prev = literal(line, at, ',"prev":"');
  at = match(HASH, line, prev);
  at = nameEnd(line, literal(line, at, ',"server":'));
  at = nameEnd(line, literal(line, at, ',"tool":'));
  const type = literal(line, at, ',"type":"');
  if (match(TYPE, line, type) < 0) return undefined;
  return { at: time, n: number, prev: line.slice(prev, prev + 64), type: line.slice(type, -2) };
}

/** Where a part ends that stands there word for word; -1 where it does not, or where something before it was wrong. */
const literal = (line: string, at: number, part: string): number =>
  at >= 0 && line.startsWith(part, at) ? at + part.length : -1;

function match(form: RegExp, line: string, at: number): number {
  if (at < 0) return -1;
  form.lastIndex = at;
  return form.test(line) ? form.lastIndex : -1;
}

/** Null, or a text that is no longer than names are. */
function nameEnd(line: string, at: number): number {
  if (at < 0) return -1;
  if (line.startsWith("null", at)) return at + 4;
  const end = textEnd(line, at);
  return end - at - 2 <= MAX_NAME ? end : -1;
}

function textEnd(line: string, from: number): number {
  if (line.charCodeAt(from) !== QUOTE) return -1;
  for (let at = from + 1; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit < 32) return -1;
    if (unit === BACKSLASH) {
      at += 1;
      // `\u…` is for few characters: those lines are read the long way.
      if (!'"\\bfnrt'.includes(line.charAt(at))) return -1;
    }
  }
  return -1;
}

/** From behind the opening brace. */
function membersEnd(line: string, from: number, depth: number): number {
  if (from < 0 || depth > MAX_DEPTH) return -1;
  if (line.charAt(from) === "}") return from + 1;
  let before = "";
  for (let at = from; ; ) {
    const name = literal(line, at, '"');
    const end = match(DATA_NAME, line, name);
    if (end < 0) return -1;
    const own = line.slice(name, end - 2);
    if (before !== "" && own <= before) return -1;
    before = own;
    at = valueEnd(line, end, depth);
    if (at < 0) return -1;
    const next = line.charAt(at);
    if (next === "}") return at + 1;
    if (next !== ",") return -1;
    at += 1;
  }
}

function valueEnd(line: string, at: number, depth: number): number {
  switch (line.charAt(at)) {
    case '"':
      return textEnd(line, at);
    case "{":
      return membersEnd(line, at + 1, depth + 1);
    case "[":
      return itemsEnd(line, at + 1, depth + 1);
    case "t":
      return literal(line, at, "true");
    case "f":
      return literal(line, at, "false");
    case "n":
      return literal(line, at, "null");
    default:
      return match(INTEGER, line, at);
  }
}

function itemsEnd(line: string, from: number, depth: number): number {
  if (depth > MAX_DEPTH) return -1;
  if (line.charAt(from) === "]") return from + 1;
  for (let at = from; ; at++) {
    at = valueEnd(line, at, depth);
    if (at < 0) return -1;
    const next = line.charAt(at);
    if (next === "]") return at + 1;
    if (next !== ",") return -1;
  }
}
