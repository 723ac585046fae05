/** A JSON text read so that no two numbers become one: where a number would be read as another one it stands as a text. Pure. */
import { hasInexactNumbers } from "./numbers.ts";
import { QUOTE, stringEnd } from "./tokens.ts";

const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];
/** Behind a number: whatever cannot stand in one. */
const NUMBER = /[\d.eE+-]+/y;

export function readExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasInexactNumbers(text) ? JSON.parse(withTexts(text)) : value;
}

function withTexts(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      NUMBER.lastIndex = at;
      const [written = ""] = NUMBER.exec(text) ?? [];
      if (hasInexactNumbers(written)) {
        parts.push(text.slice(from, at), JSON.stringify(writtenOut(written)));
        from = at + written.length;
      }
      at += written.length - 1;
    }
  }
  return parts.join("") + text.slice(from);
}

const MAX_DIGITS = 400;

/** Without its power of ten: `4.9e3` is 4900. One that would be too long stays as it is. */
function writtenOut(written: string): string {
  const [, sign = "", whole = "", part = "", power] =
    /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(written) ?? [];
  const digits = (whole + part).replace(/^0+/, "");
  const point = digits.length - part.length + Number(power ?? Number.NaN);
  if (!(Math.abs(point) <= MAX_DIGITS) || digits.length > MAX_DIGITS) return written;
  const wide = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const at = Math.max(point, 1);
  return sign + (at < wide.length ? `${wide.slice(0, at)}.${wide.slice(at)}` : wide);
}
