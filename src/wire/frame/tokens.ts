/** Where the tokens of a JSON text begin and end. For texts that `JSON.parse` has taken: nothing is checked twice. */

export interface Span {
  readonly from: number;
  readonly end: number;
}

export const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
export const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

export function nameOf(text: string, from: number, end: number): string {
  const written = text.slice(from + 1, end - 1);
  return written.includes("\\") ? (JSON.parse(text.slice(from, end)) as string) : written;
}

export function skipBlank(text: string, at: number): number {
  let place = at;
  for (let unit = text.charCodeAt(place); isBlank(unit); unit = text.charCodeAt(place)) place += 1;
  return place;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** Behind the closing quote. */
export function stringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

export function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return stringEnd(text, from);
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) {
    let end = from;
    for (let unit = text.charCodeAt(end); end < text.length && !isEnd(unit); unit = text.charCodeAt(end))
      end += 1;
    return end;
  }
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) depth += 1;
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

const isEnd = (unit: number): boolean =>
  unit === COMMA || unit === CLOSE_OBJECT || unit === CLOSE_LIST || isBlank(unit);
