import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TrustError } from "./errors.ts";
import { type Finding, finding } from "./finding.ts";
import { dayOf, type Ignore, isLike, suppress } from "./suppressions.ts";
import { readIgnores } from "./suppressions-file.ts";

const TODAY = "2026-06-15";
const entry = (more: Partial<Record<keyof Ignore, string>> = {}): string => {
  const { rule = "SCAN-01", where = "notes: *", reason = "seen", expires = "2026-12-31" } = more;
  return `- rule: ${rule}\n  where: "${where}"\n  reason: "${reason}"\n  expires: ${expires}\n`;
};

const faults = [
  {
    name: "a map in place of the list [IGN-1]",
    text: "rule: SCAN-01\n",
    at: "f.yml:1:1 the file: want a list of entries with rule, where, reason and expires",
  },
  { name: "an entry that is text [IGN-1]", text: "- SCAN-01\n", at: /want a map/ },
  {
    name: "an unknown member [IGN-1]",
    text: `${entry()}  until: tomorrow\n`,
    at: 'f.yml:5:3 unknown key "0.until", known keys: rule, where, reason, expires',
  },
  {
    name: "a member that is missing [IGN-1]",
    text: "- rule: SCAN-01\n  where: x\n  reason: y\n",
    at: "f.yml:1:3 0.expires is missing",
  },
  {
    name: "a number in place of text [IGN-1]",
    text: entry().replace('"seen"', "7"),
    at: "f.yml:3:11 0.reason: want text",
  },
  {
    name: "a rule nobody has names the nearest [IGN-2]",
    text: entry() + entry({ rule: "SCAN-1" }),
    at: 'f.yml:5:9 1.rule: no rule "SCAN-1", did you mean "SCAN-01"?',
  },
  {
    name: "a pattern in place of a rule [IGN-2]",
    text: entry({ rule: '"*"' }),
    at: 'f.yml:1:9 0.rule: no rule "*"',
  },
  {
    name: "a name every object has is no rule [IGN-2]",
    text: entry({ rule: "toString" }),
    at: /no rule "toString"/,
  },
  {
    name: "a reason of spaces [IGN-3]",
    text: entry({ reason: "  " }),
    at: "f.yml:3:11 0.reason: must not be empty: say why this is no problem",
  },
  {
    name: "a pattern for a lock file's rule [IGN-12]",
    text: entry({ rule: "LOCK-01", where: "*" }),
    at: /^f\.yml:2:10 0\.where: want the server's own name for a LOCK rule, without \*/,
  },
  { name: "an empty place", text: entry({ where: "" }), at: /^f\.yml:2:10 0\.where: must not be empty/ },
  { name: "a place of nothing but stars", text: entry({ where: "*".repeat(21) }), at: /at most 20 \*/ },
  {
    name: "a day the calendar does not have [IGN-4]",
    text: entry({ expires: "2026-02-30" }),
    at: "f.yml:4:12 0.expires: want a day, YYYY-MM-DD",
  },
  { name: "a day in words [IGN-4]", text: entry({ expires: "never" }), at: /want a day, YYYY-MM-DD/ },
  {
    name: "a day more than a year ahead [IGN-4]",
    text: entry({ expires: "2027-06-17" }),
    at: "f.yml:4:12 0.expires: want a day at most a year ahead, by 2027-06-16",
  },
];
for (const { name, text, at } of faults) {
  test(`${name}`, async () => {
    await assert.rejects(readIgnores(text, "f.yml", TODAY), (error: unknown) => {
      assert.equal(error instanceof TrustError && error.exit, 2);
      const { message } = error as Error;
      if (typeof at === "string") assert.equal(message, at);
      else assert.match(message, at);
      return true;
    });
  });
}

test("a year ahead, a day long gone and an empty file are read [IGN-1, IGN-4]", async () => {
  const text = entry({ expires: "2027-06-16" }) + entry({ expires: "2001-01-01" });
  const read = await readIgnores(text, "f.yml", TODAY);
  assert.deepEqual(
    read.map(({ expires }) => expires),
    ["2027-06-16", "2001-01-01"],
  );
  for (const empty of ["", "# nothing yet\n", "[]\n"])
    assert.deepEqual(await readIgnores(empty, "f.yml", TODAY), []);
});

const places = [
  { name: "a pattern without a star is the whole place", pattern: "a: b", where: "a: b", fits: true },
  { name: "the beginning alone does not fit", pattern: "a", where: "a: b", fits: false },
  { name: "the end alone does not fit", pattern: "b", where: "a: b", fits: false },
  { name: "a star is any text", pattern: "a*d", where: "a b c d", fits: true },
  { name: "a star is also no text", pattern: "a*b*", where: "ab", fits: true },
  { name: "beginning and end do not share letters", pattern: "ab*ba", where: "aba", fits: false },
  { name: "pieces keep their order", pattern: "*b*a*", where: "ab", fits: false },
  { name: "the last piece is at the end", pattern: "*x", where: "xax", fits: true },
  { name: "a dot is a dot", pattern: "a.c", where: "abc", fits: false },
  { name: "brackets are brackets", pattern: "a[0]*", where: "a[0]: x", fits: true },
  { name: "a star alone is any place", pattern: "*", where: "anything", fits: true },
  { name: "what is compared is what is printed", pattern: "a\\u{200b}b", where: "a\u200bb", fits: true },
];
for (const { name, pattern, where, fits } of places)
  test(`${name} [IGN-5]`, () => assert.equal(isLike(pattern, where), fits));

test("a pattern agrees with the plain definition of a star [IGN-5]", () => {
  const letters = fc.stringMatching(/^[ab*]{0,8}$/);
  const matches = (p: string, t: string): boolean => {
    if (p === "") return t === "";
    if (p[0] !== "*") return t[0] === p[0] && matches(p.slice(1), t.slice(1));
    return matches(p.slice(1), t) || (t !== "" && matches(p, t.slice(1)));
  };
  fc.assert(
    fc.property(letters, fc.stringMatching(/^[ab]{0,10}$/), (pattern, text) => {
      assert.equal(isLike(pattern, text), matches(pattern, text));
    }),
  );
});

test("no pattern makes a long place slow [IGN-6]", () => {
  const began = performance.now();
  for (let times = 0; times < 200; times++)
    for (const pattern of [`${"a*".repeat(20)}b`, `*${"a".repeat(200)}b*${"a".repeat(200)}b*`])
      assert.equal(isLike(pattern, "a".repeat(4000)), false);
  const ms = performance.now() - began;
  assert.ok(ms < 2000, `${ms} ms`);
});

const found: readonly Finding[] = [
  finding("SCAN-01", "notes: tool a", "one"),
  finding("SCAN-02", "notes: tool a", "two"),
  finding("SCAN-01", "files: tool a", "three"),
];
const ignore = (more: Partial<Ignore> = {}): Ignore => ({
  rule: "SCAN-01",
  where: "notes: *",
  reason: "seen",
  expires: "2026-12-31",
  ...more,
});

test("rule and place decide; every finding is kept or suppressed, as it was [IGN-9]", () => {
  const result = suppress(found, [ignore()], TODAY);
  assert.deepEqual(result.kept, [found[1], found[2]]);
  assert.deepEqual(result.suppressed, [{ finding: found[0], ignore: ignore() }]);
  assert.deepEqual([result.unused, result.expired], [[], []]);
});

test("an entry counts through its last day and not after it [IGN-7]", () => {
  const onLast = suppress(found, [ignore({ expires: TODAY })], TODAY);
  assert.equal(onLast.suppressed.length, 1);
  const over = ignore({ expires: "2026-06-14" });
  const after = suppress(found, [over], TODAY);
  assert.deepEqual([after.kept.length, after.expired, after.unused], [3, [over], []]);
  assert.equal(dayOf(new Date("2026-06-14T23:59:59.999Z")), "2026-06-14");
});

test("an entry that fits nothing is unused; two that fit the same finding are both used [IGN-8]", () => {
  const idle = ignore({ where: "weather: *" });
  const [wide, narrow] = [ignore({ where: "*" }), ignore()];
  assert.deepEqual(suppress(found, [wide, narrow, idle], TODAY).unused, [idle]);
});
