/** JSON in the one form that is hashed and signed: RFC 8785. Implements spec/surface.md, SUR-1 to SUR-3. */

export type NotCanonical = "depth" | "value" | "number" | "surrogate";

/** A value that has no canonical form. A caller that hashes foreign values says what that means for it. */
export class CanonicalError extends Error {
  override readonly name = "CanonicalError";
  readonly reason: NotCanonical;

  constructor(reason: NotCanonical, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface CanonicalOptions {
  /** Foreign values: lone surrogates and numbers beyond all doubles are written as JSON that reads as the same value. */
  readonly isForeign?: boolean;
  /** Objects and lists within each other, the outermost counted. */
  readonly maxDepth?: number;
}

/** No honest document is deeper; a stack is not at risk for long after. */
const MAX_DEPTH = 200;

/** One text for all ways to write a value. Members that are `undefined` are refused, never left out in silence. */
export function canonicalJson(value: unknown, options: CanonicalOptions = {}): string {
  const { isForeign = false, maxDepth = MAX_DEPTH } = options;
  return written(value, isForeign, 0, maxDepth);
}

function written(item: unknown, isForeign: boolean, depth: number, maxDepth: number): string {
  if (typeof item === "string") return textForm(item, isForeign);
  if (item === null || typeof item === "boolean") return String(item);
  if (typeof item === "number") return numberForm(item, isForeign);
  if (typeof item !== "object") throw new CanonicalError("value", `a ${typeof item} is no JSON value`);
  // Depth is attacker-controlled: bound it before the stack is.
  if (depth >= maxDepth) throw new CanonicalError("depth", `deeper than ${maxDepth} levels`);
  let [text, mark] = ["", ""];
  if (Array.isArray(item)) {
    // Not by map: a hole is no value, and map would leave it out.
    for (const member of item) {
      text += mark + written(member, isForeign, depth + 1, maxDepth);
      mark = ",";
    }
    return `[${text}]`;
  }
  const proto: unknown = Object.getPrototypeOf(item);
  if (proto !== Object.prototype && proto !== null)
    throw new CanonicalError("value", "an object with a class of its own is no JSON value");
  const names = Object.keys(item);
  if (!isInOrder(names)) names.sort(byUnits);
  for (const name of names) {
    const member = written((item as Record<string, unknown>)[name], isForeign, depth + 1, maxDepth);
    text += `${mark}${textForm(name, isForeign)}:${member}`;
    mark = ",";
  }
  return `{${text}}`;
}

/** They often are. */
function isInOrder(names: readonly string[]): boolean {
  for (let at = 1; at < names.length; at++)
    if ((names[at - 1] as string) > (names[at] as string)) return false;
  return true;
}

/** The order of UTF-16 code units, which is what RFC 8785 and JavaScript's own sort mean. */
export const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const LONE_SURROGATE = /\p{Surrogate}/u;

function textForm(text: string, isForeign: boolean): string {
  // JSON.stringify escapes exactly what RFC 8785 asks for, and lone surrogates as \udXXX.
  if (!isForeign && LONE_SURROGATE.test(text))
    throw new CanonicalError("surrogate", "text with a lone surrogate");
  return JSON.stringify(text);
}

function numberForm(number: number, isForeign: boolean): string {
  // RFC 8785 writes numbers as JavaScript does; -0 becomes 0.
  if (Number.isFinite(number)) return JSON.stringify(number);
  // What a peer wrote as 1e400 was read as infinite. No finite number is ever written like this.
  if (isForeign && number === Number.POSITIVE_INFINITY) return "1e999";
  if (isForeign && number === Number.NEGATIVE_INFINITY) return "-1e999";
  throw new CanonicalError("number", `${number} is no JSON number`);
}
