/** Texts that are too short, too long, or not of the shape that a place asks for. */
import { count, shown } from "../../core/index.ts";
import { isFormat } from "../formats.ts";
import { isMatch, operands } from "../generate/members.ts";
import { fitted, lengthsOf } from "../generate/text.ts";
import { typesOf } from "../generate/types.ts";
import type { Work } from "../generate/work.ts";
import type { Spot } from "./places.ts";
import type { Change } from "./violation.ts";

/** Longer texts are not made here. */
const MAX_CHARS = 20_000;
const MAX_PATTERNS = 4;
const SHAPELESS = ["!", " ", "~ ~", "", "a", "A", "0", "-", "/", "é", "not of this shape", "a\nb"];

/** Texts that each format refuses; a pattern may take some of them. */
export const MISSHAPEN: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2025-02-30T25:61:00Z", "not a date"],
  date: ["2025-02-30", "not a date"],
  time: ["25:61:00Z", "not a time"],
  email: ["user@@example.com", "not an address"],
  hostname: ["-example-.com", "not a host"],
  ipv4: ["999.0.0.1", "not an address"],
  ipv6: ["::12345::", "not an address"],
  uri: ["http//example com", "not an address"],
  "uri-reference": ["http://exa mple/\\", "%zz"],
  uuid: ["123e4567-e89b-42d3-a456-42661417400z", "not an id"],
  "json-pointer": ["no-slash", "/~2"],
  regex: ["(", "["],
};

export function* textChanges(work: Work, { path, parts, value }: Spot): Generator<Change> {
  if (!typesOf(parts).includes("string")) return;
  const { min, max } = lengthsOf(parts);
  const text = typeof value === "string" && value !== "" ? value.slice(0, MAX_CHARS) : "a";
  if (min > 0 && min <= MAX_CHARS)
    yield {
      keyword: "minLength",
      path,
      what: `${count(min - 1, "character")} where at least ${min} belong`,
      values: [fitted(text, { min: min - 1, max: min - 1 })],
    };
  if (max < MAX_CHARS)
    yield {
      keyword: "maxLength",
      path,
      what: `${count(Math.floor(max) + 1, "character")} where at most ${max} belong`,
      // Repeated rather than made anew: a pattern may take it, and then only the length is wrong.
      values: [text, "a"].map((one) => one.repeat(Math.ceil((max + 1) / one.length)).slice(0, max + 1)),
    };
  const patterns = [...operands(parts, "pattern")].filter((source) => typeof source === "string");
  for (const source of patterns.slice(0, MAX_PATTERNS)) {
    const others = [...SHAPELESS, `${text}!`, ` ${text}`].map((one) => fitted(one, { min, max }));
    const values = others.filter((one) => isMatch(work, source, one) === false);
    yield {
      keyword: "pattern",
      path,
      what: `does not match ${shown(source, 80)}`,
      values: values.slice(0, 4),
    };
  }
  for (const format of operands(parts, "format"))
    if (typeof format === "string" && isFormat(format))
      yield { keyword: "format", path, what: `no ${format}`, values: MISSHAPEN[format] ?? [] };
}
