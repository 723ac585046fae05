/** Every keyword, in the order they are asked: cheap ones first, what depends on the others' marks last. */
import type { Keyword } from "../run.ts";
import { anyKeywords } from "./any.ts";
import { arrayKeywords } from "./array.ts";
import { logicKeywords } from "./logic.ts";
import { numberKeywords } from "./number.ts";
import { objectKeywords } from "./object.ts";
import { referenceKeywords } from "./reference.ts";
import { stringKeywords } from "./string.ts";
import { unevaluatedKeywords } from "./unevaluated.ts";

const ORDERED: readonly Keyword[] = [
  ...anyKeywords,
  ...numberKeywords,
  ...stringKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...referenceKeywords,
  ...logicKeywords,
  ...unevaluatedKeywords,
];

/** A keyword that is not in the table says nothing. */
export const KEYWORDS: ReadonlyMap<string, { readonly keyword: Keyword; readonly rank: number }> = new Map(
  ORDERED.map((keyword, rank) => [keyword.name, { keyword, rank }]),
);

/** The keywords for which the others have to leave marks. */
export const MARKED: ReadonlySet<string> = new Set(unevaluatedKeywords.map(({ name }) => name));
