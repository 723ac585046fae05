/** How a keyword is written down, and the operands that many of them share. */
import type { Edition } from "../dialect.ts";
import { blind, doubt, type Frame, type Keyword } from "../run.ts";
import type { Truth } from "../truth.ts";
import type { JsonObject } from "../values.ts";

interface Values {
  readonly number: number;
  readonly string: string;
  readonly array: readonly unknown[];
  readonly object: JsonObject;
}

type Check<T> = (value: T, operand: unknown, frame: Frame) => Truth;
type Span = { readonly since?: Edition; readonly until?: Edition };

/** A keyword that only speaks about one kind of value; every other kind passes it by. */
export function about<K extends keyof Values>(
  kind: K,
  name: string,
  check: Check<Values[K]>,
  { since = 4, until = 2020 }: Span = {},
): Keyword {
  return { name, kind, since, until, check };
}

/** A keyword that speaks about every value. */
export function aboutAll(
  name: string,
  check: Check<unknown>,
  { since = 4, until = 2020 }: Span = {},
): Keyword {
  return { name, kind: undefined, since, until, check };
}

/** The operand is not what the keyword needs: nobody can tell what it means. */
export const malformed = (frame: Frame, keyword: string): Truth => doubt(frame, "invalid-schema", keyword);

/** The same for a keyword that would have looked at members: which ones, nobody can tell either. */
export const unreadable = (frame: Frame, keyword: string): Truth => blind(frame, "invalid-schema", keyword);

/** A limit for lengths and counts. */
export function isCount(operand: unknown): operand is number {
  return typeof operand === "number" && Number.isInteger(operand) && operand >= 0;
}
