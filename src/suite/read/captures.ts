/** What one step gives to the next: names in its arguments that are filled in while the test runs. */
import { asText, TrustError } from "../../core/index.ts";
import { joined, type Piece, piecesOf } from "./template.ts";

/** Arguments with `${name}` replaced by what was captured. A whole text that is one name keeps the type of the value; what a
 *  server said is never looked at for further names. */
export function withCaptures(
  args: Readonly<Record<string, unknown>>,
  captured: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const look = (name: string): unknown => {
    if (!Object.hasOwn(captured, name))
      throw new TrustError("CFG_BAD_VALUE", `nothing was captured as "${name}"`);
    return captured[name];
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === "string") return filled(value, look);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member)]));
  };
  return fill(args) as Readonly<Record<string, unknown>>;
}

function filled(text: string, look: (name: string) => unknown): unknown {
  const pieces = piecesOf(text);
  if ("fault" in pieces) throw new TrustError("CFG_BAD_VALUE", pieces.fault);
  const isOne = pieces.length === 1;
  return joined(pieces, (name) => (isOne ? look(name) : asText(look(name))));
}

/** The text that keeps some names for later and has everything else settled: what `withCaptures` is given.
 *  Undefined when it cannot be written: a `$` right before a name would make it plain text. */
export function keptFor(
  pieces: readonly Piece[],
  look: (name: string) => string | undefined,
): string | undefined {
  let text = "";
  let plain = "";
  for (const piece of pieces) {
    const value = "name" in piece ? look(piece.name) : piece.text;
    if (value !== undefined) {
      plain += value;
      continue;
    }
    if (plain.endsWith("$")) return undefined;
    text += `${escaped(plain)}\${${(piece as { name: string }).name}}`;
    plain = "";
  }
  return text + escaped(plain);
}

const escaped = (text: string): string => text.replaceAll("${", () => "$${");
