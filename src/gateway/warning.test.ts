/** What is told of a request that goes on with a warning, and how often. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Wish } from "../policy/index.ts";
import type { Verdict } from "./decision.ts";
import { Seldom } from "./seldom.ts";
import { Warnings, warningsIn } from "./warning.ts";

const found = (kind: Verdict["kind"], rule: Verdict["rule"]) => ({ kind, rule, reason: `${rule} says so` });
const verdict = (
  kind: Verdict["kind"],
  rule: Verdict["rule"],
  ...beside: readonly ReturnType<typeof found>[]
): Verdict => ({ ...found(kind, rule), beside, crossing: "none" });

const verdicts: readonly (readonly [name: string, verdict: Verdict, rules: readonly string[]])[] = [
  ["nothing was found", verdict("allow", ""), []],
  ["a control observes", verdict("allow", "", found("allow", "drift")), []],
  ["a control warns", verdict("warn", "drift", found("allow", "grade")), ["drift"]],
  ["two do", verdict("warn", "grade", found("warn", "drift")), ["grade", "drift"]],
  [
    "a person has let it through, and a control warns",
    verdict("ask", "trigger", found("warn", "drift")),
    ["drift"],
  ],
  ["it is denied", verdict("deny", "admission", found("warn", "drift")), []],
  ["a limit that is open is exceeded", verdict("warn", "limits"), ["limits"]],
];
for (const [name, of, rules] of verdicts)
  test(`what is warned of where ${name}: ${rules.join(", ") || "nothing"} [GTW-80]`, () =>
    assert.deepEqual(
      warningsIn(of).map(({ rule, reason }) => [rule, reason]),
      rules.map((rule) => [rule, `${rule} says so`]),
    ));

const read: Wish = { kind: "tool", name: "read" };
const drift = [{ rule: "drift", reason: "it is another one" }];

test("the same server, tool and rule are told once a minute, with a count [GTW-80]", () => {
  let now = 0;
  const told: string[] = [];
  const warnings = new Warnings((text) => told.push(text), new Seldom(60_000, () => now));
  for (let n = 0; n < 5; n++) warnings.letThrough("notes", "notes", read, drift);
  assert.deepEqual(told, [
    'warning: notes: the tool "read" is let through, against drift: it is another one',
  ]);
  warnings.letThrough("notes", "notes", { kind: "tool", name: "count" }, drift);
  warnings.letThrough("mail", 'mail ("Post")', read, [{ rule: "grade", reason: "it has no grade" }]);
  assert.deepEqual(told.slice(1), [
    'warning: notes: the tool "count" is let through, against drift: it is another one',
    'warning: mail ("Post"): the tool "read" is let through, against grade: it has no grade',
  ]);
  now = 60_000;
  warnings.letThrough("notes", "notes", read, drift);
  assert.equal(
    told.at(-1),
    'warning: notes: the tool "read" is let through, 5 times since it was last told, against drift: it is another one',
  );
});

test("addresses that a client makes up are not each told [GTW-80]", () => {
  const told: string[] = [];
  const warnings = new Warnings((text) => told.push(text));
  for (let n = 0; n < 2_000; n++)
    warnings.letThrough("notes", "notes", { kind: "resource", uri: `x:${n}` }, drift);
  assert.deepEqual(told.length, 1);
});

test("what a server calls its tool cannot pass for another line [GTW-80]", () => {
  const told: string[] = [];
  const name = 'a"\nallowed\u001b[2J';
  new Warnings((text) => told.push(text)).letThrough("notes", "notes", { kind: "tool", name }, drift);
  assert.equal(
    [...told.join("")].every((letter) => letter >= " "),
    true,
  );
});
