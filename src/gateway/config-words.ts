/** The words that `touchstone.yml` is made of: names, times, rates, sizes, each read in one way. */
import * as v from "valibot";
import { MODES } from "../policy/index.ts";

export const text = v.pipe(v.string("want text"), v.nonEmpty("must not be empty"));
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
export const name = v.pipe(text, v.regex(NAME, "want letters, digits, - _ and . only, at most 64"));
/** `server__tool` is read in one way only. */
export const serverName = v.pipe(
  name,
  v.regex(
    /^(?!.*__)(?!.*_$)/,
    "want no __ in it and no _ at its end: names of tools are put together with __",
  ),
);
/** Validators drop these as keys, and the reader refuses them. */
const RESERVED: readonly string[] = ["constructor", "prototype"];
/** What a server can be called in this file. */
export const isServerName = (word: string): boolean => v.is(serverName, word) && !RESERVED.includes(word);
export const names = v.array(text, "want a list of names");
export const mode = v.optional(v.picklist(MODES, `want one of ${MODES.join(", ")}`), "enforce");

const DURATION = /^(\d{1,6})(s|m|h|d)$/;
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export const duration = v.pipe(
  v.string("want a time such as 90d, 12h or 30m"),
  v.regex(DURATION, "want a time such as 90d, 12h or 30m"),
  v.transform((word) => {
    const [, count, unit] = DURATION.exec(word) as unknown as [string, string, keyof typeof UNIT_MS];
    return Number(count) * UNIT_MS[unit];
  }),
);

/** A key has been said already, by another name for it. */
export const saidAlready = (input: object, key: string, other: string) => ({
  message: `${other} says this already: keep one of the two`,
  path: [{ type: "object", origin: "key", input, key, value: undefined } as unknown as v.IssuePathItem] as [
    v.IssuePathItem,
  ],
});

const RATE = /^(0{0,5}[1-9]\d{0,5})\/(s|m|h|d)$/;
export const rate = v.pipe(
  v.string("want a rate such as 60/m or 5/s"),
  v.regex(RATE, "want a rate such as 60/m or 5/s"),
  v.transform((word) => {
    const [, calls, unit] = RATE.exec(word) as unknown as [string, string, keyof typeof UNIT_MS];
    return { calls: Number(calls), ms: UNIT_MS[unit] };
  }),
);
export const bytes = v.pipe(
  v.number("want a number of bytes"),
  v.integer("want a whole number"),
  v.minValue(1, "want at least 1"),
);
