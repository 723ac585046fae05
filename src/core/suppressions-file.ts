/** Reads touchstone.ignore.yml, strictly. Implements spec/suppressions.md, IGN-1 to IGN-4. */
import { readConfig, readConfigFile } from "./config.ts";
import type { RuleId } from "./finding.ts";
import { ruleTable } from "./registry.ts";
import { didYouMean } from "./suggest.ts";
import type { Ignore } from "./suppressions.ts";

export const IGNORE_FILE = "touchstone.ignore.yml";

/** A year, and a day for time zones: what nobody has looked at for longer is looked at again. */
const MAX_DAYS = 366;
const MAX_PATTERN_CHARS = 500;
const MAX_STARS = 20;
const MAX_ENTRIES = 1000;
const DAY_MS = 86_400_000;

/** A file of the operator; one that is not there is an error (CFG_NOT_FOUND). */
export async function readIgnoreFile(file: string, today: string): Promise<readonly Ignore[]> {
  return readConfigFile(file, await ignoreSchema(today));
}

/** Text to checked entries. `file` only names the place in messages. */
export async function readIgnores(text: string, file: string, today: string): Promise<readonly Ignore[]> {
  return readConfig(text, file, await ignoreSchema(today));
}

/** The validator is loaded when a file is there to be read. */
async function ignoreSchema(today: string) {
  const v = await import("valibot");
  const text = v.string("want text");
  const entry = v.strictObject(
    {
      rule: v.pipe(
        text,
        v.check(isRule, ({ input }) => `no rule "${input}"${didYouMean(input, Object.keys(ruleTable))}`),
        v.transform((id) => id as RuleId),
      ),
      where: v.pipe(
        text,
        v.nonEmpty("must not be empty; * stands for any place"),
        v.maxLength(MAX_PATTERN_CHARS, `want at most ${MAX_PATTERN_CHARS} characters`),
        v.check((pattern) => pattern.split("*").length - 1 <= MAX_STARS, `want at most ${MAX_STARS} *`),
      ),
      reason: v.pipe(
        text,
        v.check((reason) => reason.trim() !== "", "must not be empty: say why this is no problem"),
      ),
      expires: v.pipe(
        text,
        v.check(isDay, "want a day, YYYY-MM-DD"),
        v.check(
          (day) => daysBetween(today, day) <= MAX_DAYS,
          `want a day at most a year ahead, by ${dayAfter(today, MAX_DAYS)}`,
        ),
      ),
    },
    "want a map with rule, where, reason and expires",
  );
  // What a lock file is for is to notice what nobody expects: no pattern may cover servers nobody thought of.
  const named = v.pipe(
    entry,
    v.forward(
      v.check(
        ({ rule, where }) => !(rule.startsWith("LOCK-") && where.includes("*")),
        "want the server's own name for a LOCK rule, without *",
      ),
      ["where"],
    ),
  );
  const list = v.pipe(
    v.array(named, "want a list of entries with rule, where, reason and expires"),
    v.maxLength(MAX_ENTRIES, `want at most ${MAX_ENTRIES} entries`),
  );
  // An empty file reads as an empty map: here that is a list without entries.
  const run: (typeof list)["~run"] = (dataset, config) =>
    list["~run"](isEmptyMap(dataset.value) ? { ...dataset, value: [] } : dataset, config);
  return { ...list, "~run": run };
}

const isRule = (id: string): boolean => Object.hasOwn(ruleTable, id);

/** A day that the calendar has: 2026-02-30 is none. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const daysBetween = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

function isEmptyMap(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
