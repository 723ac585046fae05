/** Values that descriptions and errors name: after "e.g.", "such as", "Example:", in quotes or not, and formats of dates. */

const MAX_CHARS = 120;
const MAX_TEXT = 16_384;
const MAX_EACH = 6;

/** `e.g. SELECT name FROM people`, `such as "a" or "b"`, `Example: 0 4 * * 1`, `YYYY-MM-DD`; the likeliest first. */
export function examplesIn(text: string): string[] {
  const bounded = text.slice(0, MAX_TEXT);
  const named = [...bounded.matchAll(LEAD)].slice(0, MAX_EACH).flatMap(({ index, 0: lead }) => {
    const [rest = ""] = bounded.slice(index + lead.length, index + lead.length + 2 * MAX_CHARS).split("\n");
    return valuesAtStart(rest);
  });
  const dates = FORMATS.flatMap(([format, value]) => (format.test(bounded) ? [value] : []));
  return [...new Set([...named, ...dates.slice(0, 2)])].filter(isShort);
}

const LEAD =
  /\b(?:e\.?g\.?,?|for (?:example|instance)[,:]?|examples?(?: values?)?:|example,|such as|looks? like|in the form(?: of)?)\s*:?\s*/gi;

/** In quotes they are told exactly; without, a sentence may go on after them. */
function valuesAtStart(rest: string): string[] {
  if (/^["'`“‘]/.test(rest)) {
    const [list = ""] = /^(?:\s*(?:,|or|and|\/)?\s*["'`“‘][^"'`”’]{1,120}["'`”’]){1,6}/.exec(rest) ?? [];
    return [...list.matchAll(/["'`“‘]([^"'`”’]{1,120})["'`”’]/g)].map(([, value = ""]) => value);
  }
  // A dot ends a sentence where a space follows it; inside a version or a name it does not.
  const [whole = ""] = rest.split(/[;)\]]|\.(?=\s|$)/);
  const plain = trimmed(whole);
  const items = plain.split(/\s*,\s*|\s+or\s+/).map(trimmed);
  const [first = ""] = plain.split(/\s+/);
  return [...(items.length > 1 ? items : [plain]), plain, trimmed(first)];
}

const trimmed = (text: string): string => text.trim().replace(/[.,;:]+$/, "");

const FORMATS: readonly (readonly [format: RegExp, value: string])[] = [
  [/YYYY-MM-DD[T ]HH:MM|ISO[ -]?8601|RFC ?3339/i, "2024-03-15T10:30:00Z"],
  [/YYYY-MM-DD/i, "2024-03-15"],
  [/DD[/.]MM[/.]YYYY/i, "15/03/2024"],
  [/MM\/DD\/YYYY/i, "03/15/2024"],
  [/\bYYYY-MM\b/i, "2024-03"],
  [/\bHH:MM(?::SS)?\b/i, "10:30"],
];

/** `expected one of: a, b, c`, `must be "x" or "y"`. */
export function choicesIn(text: string): string[] {
  const [, list = ""] =
    /(?:one of|expected|allowed|valid (?:values|options)|available)[^:[]{0,40}[:[]\s*([^\].\n]{1,400})/i.exec(
      text.slice(0, MAX_TEXT),
    ) ??
    /(?:one of|either)\s+([\w"'`, |-]{1,400})/i.exec(text.slice(0, MAX_TEXT)) ??
    [];
  return list
    .split(/[,|]| or /)
    .map((word) => word.trim().replace(/^["'`]|["'`]$/g, ""))
    .filter(isShort);
}

export const isShort = (word: string): boolean => word.length > 0 && word.length <= MAX_CHARS;
