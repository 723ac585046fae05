/** What members of a record have to be, and how it is said when they are not. */
import { shown } from "../../core/index.ts";

export interface Want {
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}
export const text: Want = { words: "text", fits: (value) => typeof value === "string" };
export const flag: Want = { words: "true or false", fits: (value) => typeof value === "boolean" };
export const form = (words: string, pattern: RegExp): Want => ({
  words,
  fits: (value) => typeof value === "string" && pattern.test(value),
});
export const oneOf = (...names: readonly string[]): Want => ({
  words: names.map((name) => `"${name}"`).join(" or "),
  fits: (value) => typeof value === "string" && names.includes(value),
});
export const orNull = ({ words, fits }: Want): Want => ({
  words: `${words} or null`,
  fits: (value) => value === null || fits(value),
});
export const digest = form("64 lower-case hexadecimal digits", /^[0-9a-f]{64}$/);

export function memberFault(
  holder: Readonly<Record<string, unknown>>,
  name: string,
  want: Want,
): string | undefined {
  if (!Object.hasOwn(holder, name)) return `${name}: missing`;
  return want.fits(holder[name]) ? undefined : `${name}: want ${want.words}, not ${valueWords(holder[name])}`;
}

/** Attacker-controlled: short, printable, in one line. */
export function valueWords(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? `"${shown(value, 80)}"` : String(value);
}
