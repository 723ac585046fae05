/** Odd values for a place by its type and format. Inert: they name nothing that exists and do nothing where they are run. */
import { type ArgumentPlace, MISSHAPEN } from "../../schema/index.ts";

export interface Odd {
  readonly what: string;
  readonly value: unknown;
}

const LONG_CHARS = 10_000;
const LONG_ITEMS = 1_000;
const DEPTH = 1_000;
/** A number that makes a server wait is not made larger than this, unless the schema refuses it. */
export const MAX_WAIT = 1;

const TEXTS: readonly Odd[] = [
  { what: `${LONG_CHARS} characters`, value: "A".repeat(LONG_CHARS) },
  { what: "an empty text", value: "" },
  { what: "a NUL byte", value: "a\u0000b" },
  { what: "half a surrogate pair", value: "a\ud800b" },
  { what: "a way out of a folder", value: "../../../../../../nowhere/example" },
  { what: "a way out of a folder, encoded", value: "..%2f..%2f..%2fnowhere%2fexample" },
  { what: "quotes of SQL", value: "' OR 'a'='a' --" },
  { what: "signs of a shell", value: "$(true) `true` ; true | true && true" },
  { what: "a placeholder", value: "{{7*7}} ${7*7} <%= 7*7 %>" },
  { what: "letters that turn the direction", value: "abc\u202etxt.exe\u202c" },
  { what: "letters that nobody sees", value: "a\u200bb\u2060c\ufeff" },
  { what: "marks upon marks", value: `a${"\u0301".repeat(200)}` },
  { what: "letters outside the basic plane", value: "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧‍👦 \u{1f1e9}\u{1f1ea}" },
  { what: "control characters", value: "a\u0007\u001b[31mb\u001b[0m\r\n\tc" },
  { what: "a word that is a value elsewhere", value: "null" },
  { what: "the name of a prototype", value: "__proto__" },
];

/** What to put where the format is not known here but the name or the use is common. */
const FORMATS: Readonly<Record<string, readonly Odd[]>> = {
  "date-time": [{ what: "a date that never was", value: "0000-00-00T00:00:00Z" }],
  date: [{ what: "a date that never was", value: "9999-13-45" }],
  uri: [{ what: "an address of no scheme", value: "example://[::1" }],
  email: [{ what: "an address with a line break", value: "user@example.com\r\nBcc: other@example.com" }],
};

const NUMBERS: readonly Odd[] = [
  { what: "minus one", value: -1 },
  { what: "a small negative amount", value: -0.01 },
  { what: "zero", value: 0 },
  { what: "2^53", value: 2 ** 53 },
  { what: "-2^53", value: -(2 ** 53) },
  { what: "2^63", value: 2 ** 63 },
  { what: "-2^63", value: -(2 ** 63) },
  { what: "a fraction", value: 0.1 },
  { what: "the largest number", value: Number.MAX_VALUE },
  { what: "the smallest number", value: Number.MIN_VALUE },
];

/** Odd values for one place, the most telling first. */
export function oddValues({ types, format, value, isTime }: ArgumentPlace): readonly Odd[] {
  const odd: Odd[] = [];
  if (types.includes("string")) {
    const misshapen = format === undefined ? [] : (MISSHAPEN[format] ?? []);
    odd.push(...misshapen.map((text) => ({ what: `no ${format}`, value: text })));
    odd.push(...(format === undefined ? [] : (FORMATS[format] ?? [])), ...TEXTS);
  }
  if (types.includes("number") || types.includes("integer"))
    odd.push(...NUMBERS.filter((one) => !isTime || Number(one.value) <= MAX_WAIT));
  if (types.includes("array")) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    const item = items[0] ?? 0;
    odd.push({ what: `${LONG_ITEMS} items`, value: Array.from({ length: LONG_ITEMS }, () => item) });
    odd.push({ what: "no items", value: [] }, { what: "an item that is null", value: [...items, null] });
  }
  if (types.includes("object"))
    odd.push({ what: "no members", value: {} }, { what: "names of prototypes", value: prototypes(value) });
  odd.push({ what: `nested ${DEPTH} deep`, value: nested(DEPTH) });
  return odd;
}

/** Own members under names that mean something to JavaScript. */
export function prototypes(value: unknown): Record<string, unknown> {
  const members = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  return {
    ...members,
    ["__proto__"]: { isAdmin: true },
    constructor: { prototype: { isAdmin: true } },
  };
}

function nested(depth: number): unknown {
  let value: unknown = "end";
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
