/** How many values a JSON text holds, found out before any of them is made. Implements spec/wire.md, WIR-34. */
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./tokens.ts";

/** Exact for what is JSON; names are no values. What is none has some number. Beyond `most` it is not counted on. */
export function countValues(json: Buffer, most = Number.POSITIVE_INFINITY): number {
  let count = 1;
  let isInText = false;
  /** A list or an object was opened, and nothing stands in it so far. */
  let isOpened = false;
  for (let at = 0; at < json.length && count <= most; at++) {
    const byte = json[at];
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
      continue;
    }
    if (byte === SPACE || byte === LF || byte === CR || byte === TAB) continue;
    if (byte === COMMA || (isOpened && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT)) count += 1;
    isOpened = byte === OPEN_LIST || byte === OPEN_OBJECT;
    isInText = byte === QUOTE;
  }
  return count;
}

const [SPACE, LF, CR, TAB] = [0x20, 0x0a, 0x0d, 0x09];
