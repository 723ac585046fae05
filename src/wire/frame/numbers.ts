/** Numbers in a JSON text that are not what is read of them. For texts that `JSON.parse` has taken. */
import { QUOTE, stringEnd, valueEnd } from "./tokens.ts";

/** Whether a number in it is written as another one once it is read: 9007199254740993, 1e400. Two texts may then be read as one value. */
export function hasInexactNumbers(text: string): boolean {
  if (!MANY_DIGITS.test(text)) return false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(text, at) - 1;
    else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const end = valueEnd(text, at);
      const written = text.slice(at, end);
      if (written.length > MAX_CHARS || decimal(written) !== decimal(String(Number(written)))) return true;
      at = end - 1;
    }
  }
  return false;
}
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];
/** Up to fifteen digits are read as they are. */
const MANY_DIGITS = /(?:\d\.?){16}|\de[+-]?\d{3}/i;

/** A number that is written longer is not looked into: it is as it is written. No double needs a quarter of it. */
const MAX_CHARS = 100;

/** One text for all ways to write a decimal number. */
function decimal(written: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(written) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const places = BigInt(power) - BigInt(part.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${places}`;
}
