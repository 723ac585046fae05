/** Plain values out of a suite: text, numbers, lists, maps, each refused in words when it is something else. */
import { didYouMean, shown } from "../../core/index.ts";
import { type Spot, wrong } from "./source.ts";

export const WANT_TEXT = 'want text; quote values such as "yes" or "1.0"';

export function textOf(spot: Spot): string {
  if (typeof spot.value !== "string") throw wrong(spot, WANT_TEXT);
  return spot.value;
}

/** Text that is not empty, and of a length that fits into a line. */
export function nameOf(spot: Spot, maxChars = 500): string {
  const text = textOf(spot);
  if (text === "") throw wrong(spot, "must not be empty");
  if (text.length > maxChars) throw wrong(spot, `${text.length} characters, limit ${maxChars}`);
  return text;
}

export function wholeOf(spot: Spot, min: number, max: number): number {
  const { value } = spot;
  if (typeof value !== "number") throw wrong(spot, "want a number");
  if (!Number.isSafeInteger(value)) throw wrong(spot, "want a whole number");
  if (value < min) throw wrong(spot, min === 0 ? "want 0 or more" : `want at least ${min}`);
  if (value > max) throw wrong(spot, `want at most ${max}`);
  return value;
}

/** A time in milliseconds: at least one, at most a day. */
export const msOf = (spot: Spot): number => wholeOf(spot, 1, 86_400_000);

export function fractionOf(spot: Spot): number {
  const { value } = spot;
  if (typeof value !== "number" || !(value >= 0 && value <= 1))
    throw wrong(spot, "want a number from 0 to 1");
  return value;
}

export function flagOf(spot: Spot): boolean {
  if (typeof spot.value !== "boolean") throw wrong(spot, "want true or false");
  return spot.value;
}

export function oneOf<T extends string>(spot: Spot, words: readonly T[]): T {
  const found = words.find((word) => word === spot.value);
  if (found !== undefined) return found;
  const near = typeof spot.value === "string" ? didYouMean(spot.value, words) : "";
  throw wrong(spot, `want one of ${words.join(", ")}${near}`);
}

export function itemsOf(spot: Spot, max: number, min = 0): readonly Spot[] {
  if (spot.kind !== "list") throw wrong(spot, "want a list");
  const items = spot.items();
  if (items.length < min) throw wrong(spot, "the list is empty");
  if (items.length > max) throw wrong(spot, `${items.length} items, limit ${max}`);
  return items;
}

/** Names of a list; none may stand twice. */
export function namesOf<T extends string>(spot: Spot, read: (item: Spot) => T): readonly T[] {
  const names: T[] = [];
  for (const item of itemsOf(spot, 1_000)) {
    const name = read(item);
    if (names.includes(name)) throw wrong(item, `"${shown(name, 100)}" stands twice`);
    names.push(name);
  }
  return names;
}

/** A JSON value of any shape, its texts filled in on the way. */
export function jsonOf(spot: Spot, fill: (text: string, spot: Spot) => unknown): unknown {
  if (spot.kind === "list") return spot.items().map((item) => jsonOf(item, fill));
  if (spot.kind === "map") return jsonMembers(spot, fill);
  const { value } = spot;
  if (typeof value === "string") return fill(value, spot);
  if (typeof value === "number") return numberOf(spot, value);
  if (typeof value === "boolean" || value === null) return value;
  throw wrong(spot, "want a value that JSON has");
}

/** A map of any members. */
export function recordOf(
  spot: Spot,
  fill: (text: string, spot: Spot) => unknown,
): Readonly<Record<string, unknown>> {
  if (spot.kind !== "map") throw wrong(spot, "want a map");
  return jsonMembers(spot, fill);
}

function jsonMembers(spot: Spot, fill: (text: string, spot: Spot) => unknown): Record<string, unknown> {
  return Object.fromEntries([...spot.members()].map(([key, member]) => [key, jsonOf(member.spot, fill)]));
}

/** What would be sent must be what is written: a number that cannot be kept is refused, not rounded. */
function numberOf(spot: Spot, value: number): number {
  if (!Number.isFinite(value)) throw wrong(spot, "want a number that JSON has");
  if (/^[-+]?\d{1,400}$/.test(spot.written) && BigInt(spot.written.replace("+", "")) !== BigInt(value))
    throw wrong(spot, `${shown(spot.written, 60)} cannot be kept exactly; write it as text`);
  return value;
}
