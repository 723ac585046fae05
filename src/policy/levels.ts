/** How far a value is believed, from not at all to the owner's own word. Implements spec/policy.md, POL-1. */

export const LEVELS = Object.freeze(["NONE", "TOOL", "AGENT", "SYSTEM", "USER", "OWNER"] as const);
export type TrustLevel = (typeof LEVELS)[number];

export const rankOf = (level: TrustLevel): number => LEVELS.indexOf(level);
export const lower = (one: TrustLevel, other: TrustLevel): TrustLevel =>
  rankOf(one) <= rankOf(other) ? one : other;
export const isAtLeast = (level: TrustLevel, wanted: TrustLevel): boolean => rankOf(level) >= rankOf(wanted);

/** Words of a configuration, in whatever case; undefined for anything else. */
export function readLevel(word: unknown): TrustLevel | undefined {
  const level = typeof word === "string" ? word.toUpperCase() : "";
  return (LEVELS as readonly string[]).includes(level) ? (level as TrustLevel) : undefined;
}
