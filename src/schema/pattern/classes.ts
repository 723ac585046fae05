/** Character classes of ECMAScript patterns written for RE2, which reads some of them differently. */

/** White space as ECMAScript counts it: with line separators, no-break spaces and the byte order mark. */
const SPACES: readonly (readonly [number, number])[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

const LAST_CODE_POINT = 0x10ffff;

/** One character, as it may stand inside or outside a class. */
export function literal(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\x{${codePoint.toString(16)}}`;
}

const range = (from: number, to: number): string => `${literal(from)}-${literal(to)}`;

const spaces = SPACES.map(([from, to]) => range(from, to)).join("");
const others = SPACES.map(([, to], at) => range(to + 1, (SPACES[at + 1]?.[0] ?? LAST_CODE_POINT + 1) - 1));
const notSpaces = [range(0, 8), ...others].join("");

/** The inside of a class for an escape letter; `undefined` if the letter names no class. */
export function classEscape(letter: string): string | undefined {
  if (letter === "s") return spaces;
  if (letter === "S") return notSpaces;
  return /^[dDwW]$/.test(letter) ? `\\${letter}` : undefined;
}

/** `.` leaves out every line end of ECMAScript, not only the line feed. */
export const DOT = "[^\\n\\r\\x{2028}\\x{2029}]";
export const ANYTHING = "[\\x{0}-\\x{10ffff}]";
export const NOTHING = "[^\\x{0}-\\x{10ffff}]";

const CATEGORIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    L: "Letter",
    Lu: "Uppercase_Letter",
    Ll: "Lowercase_Letter",
    Lt: "Titlecase_Letter",
    Lm: "Modifier_Letter",
    Lo: "Other_Letter",
    M: "Mark",
    Mn: "Nonspacing_Mark",
    Mc: "Spacing_Mark",
    Me: "Enclosing_Mark",
    N: "Number",
    Nd: "Decimal_Number",
    Nl: "Letter_Number",
    No: "Other_Number",
    P: "Punctuation",
    Pc: "Connector_Punctuation",
    Pd: "Dash_Punctuation",
    Ps: "Open_Punctuation",
    Pe: "Close_Punctuation",
    Pi: "Initial_Punctuation",
    Pf: "Final_Punctuation",
    Po: "Other_Punctuation",
    S: "Symbol",
    Sm: "Math_Symbol",
    Sc: "Currency_Symbol",
    Sk: "Modifier_Symbol",
    So: "Other_Symbol",
    Z: "Separator",
    Zs: "Space_Separator",
    Zl: "Line_Separator",
    Zp: "Paragraph_Separator",
    Cc: "Control",
    Cf: "Format",
    Co: "Private_Use",
  }).flatMap(([short, long]) => [
    [short, short],
    [long, short],
  ]),
);

/** The inside of `\p{…}` for RE2: general categories and scripts. Other properties it does not have. */
export function propertyClass(property: string, isNegated: boolean): string | undefined {
  const [, kind, name = property] = /^(General_Category|gc|Script|sc)=(.*)$/.exec(property) ?? [];
  if (property === "ASCII") return isNegated ? range(0x80, LAST_CODE_POINT) : range(0, 0x7f);
  const known =
    kind === "Script" || kind === "sc" ? /^[A-Z][A-Za-z_]{0,40}$/.exec(name)?.[0] : CATEGORIES.get(name);
  return known === undefined ? undefined : `\\${isNegated ? "P" : "p"}{${known}}`;
}
