/** What is written down when a server comes to stand otherwise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_MCP_POLICY, type Rules, type Standing, type ToolStanding } from "../policy/index.ts";
import { changesBetween } from "./changes.ts";

const PLAIN: ToolStanding = { isPinned: true, hasDrifted: false, isReadOnly: true };
const rulesIn = (mode: "observe" | "warn" | "enforce"): Rules => ({
  mode: "strict",
  modes: { admission: mode, drift: mode, description: mode, trigger: mode },
});
const standing = (
  admission: Standing["admission"],
  tools: Readonly<Record<string, ToolStanding>> = { read: PLAIN },
): Standing => ({
  name: "notes",
  policy: DEFAULT_MCP_POLICY,
  admission,
  tools: new Map(Object.entries(tools)),
});
const ADMITTED = standing({ status: "admitted", grade: "A" });
const by = {
  waived: ["grade"],
  lacks: "nothing vouches for it",
  reason: "until it is graded",
  expires: "2026-12-01T00:00:00Z",
  signers: ["k1"],
  digest: "d",
};

const admissions = [
  { name: "a grade", now: ADMITTED, outcome: "allowed", words: "notes: admitted, grade A", grade: "A" },
  {
    name: "a grade whose exemption has lapsed",
    now: standing({ status: "admitted", grade: "D", lapsed: "its exemption is refused: expired" }),
    outcome: "denied",
    status: "refused",
    words: "notes: refused: it has grade D; its exemption is refused: expired",
    grade: "D",
    lapsed: "its exemption is refused: expired",
    reason: "it has grade D; its exemption is refused: expired",
  },
  {
    name: "a clearance",
    now: standing({ status: "admitted", grade: null, clearance: "internal" }),
    outcome: "allowed",
    words: "notes: admitted, clearance internal, no grade",
    grade: null,
    clearance: "internal",
  },
  {
    name: "a bad grade",
    now: standing({ status: "admitted", grade: "F" }),
    outcome: "denied",
    status: "refused",
    words: "notes: refused: it has grade F",
    grade: "F",
    reason: "it has grade F",
  },
  {
    name: "a word",
    now: standing({ status: "unasked" }),
    outcome: "allowed",
    words: "notes: let in, nothing is asked of it",
  },
  { name: "a lock", now: standing({ status: "locked" }), outcome: "allowed", words: "notes: locked" },
  {
    name: "an exemption",
    now: standing({ status: "exempted", by }),
    outcome: "allowed",
    words: "notes: exempted until 2026-12-01T00:00:00Z: until it is graded (nothing vouches for it)",
    ...by,
  },
  {
    name: "nothing",
    now: standing({ status: "refused", reason: "nothing vouches for it" }),
    outcome: "denied",
    words: "notes: refused: nothing vouches for it",
    reason: "nothing vouches for it",
  },
];
for (const { name, now, outcome, words, status = now.admission.status, ...grounds } of admissions)
  test(`a server that starts with ${name} is ${outcome}, and its grounds are written down [GTW-10] [GTW-82]`, () => {
    const data = { status, ...grounds, tools: 1 };
    assert.deepEqual(changesBetween(now, now, rulesIn("enforce"), true), [
      { event: { type: "admission", outcome, server: "notes", data }, words },
    ]);
    assert.deepEqual(changesBetween(now, now, rulesIn("enforce"), false), []);
  });

test("an admission that is another one is told without a start [GTW-10]", () => {
  const lower = standing({ status: "admitted", grade: "B" });
  const changes = changesBetween(ADMITTED, lower, rulesIn("enforce"), false);
  assert.deepEqual(
    changes.map(({ event }) => event.data?.grade),
    ["B"],
  );
});

test("of a long list some flaws are told, once, and how many more there are [GTW-67]", () => {
  const flaws = Array.from({ length: 20 }, (_, number) => [`x:${number}`, "SCAN-02"] as const);
  const now: Standing = { ...ADMITTED, resources: new Map([...flaws, ["x:good", ""]]) };
  const told = changesBetween(ADMITTED, now, rulesIn("enforce"), false);
  assert.deepEqual(told.length, 16);
  assert.deepEqual(told[0], {
    event: {
      type: "finding",
      outcome: "denied",
      server: "notes",
      data: { flaw: "SCAN-02", resource: "x:0" },
    },
    words: 'notes: the resource "x:0" is hostile to read: SCAN-02',
  });
  assert.deepEqual(told.at(-1)?.event.data, { flaw: "SCAN-02", more: 4, resource: "x:15" });
  assert.deepEqual(changesBetween(now, now, rulesIn("enforce"), false), []);
});

const many: readonly {
  readonly name: string;
  readonly tool: Partial<ToolStanding>;
  readonly more: Readonly<Record<string, unknown>>;
}[] = [
  { name: "have drifted", tool: { hasDrifted: true }, more: { more: 1984 } },
  { name: "are listed twice", tool: { isTwice: true }, more: { more: 1984, rule: "listed-twice" } },
  { name: "are tasks alone", tool: { isTaskOnly: true }, more: { more: 1984, rule: "task-only" } },
  { name: "are hostile to read", tool: { flaw: "SCAN-02" }, more: { flaw: "SCAN-02", more: 1984 } },
];
for (const { name, tool, more } of many)
  test(`of many tools that ${name} some are told, once, and how many more there are [GTW-93]`, () => {
    const tools = Array.from({ length: 2000 }, (_, at) => [`t${at}`, { ...PLAIN, ...tool }] as const);
    const now = standing(ADMITTED.admission, Object.fromEntries(tools));
    const told = changesBetween(ADMITTED, now, rulesIn("enforce"), false);
    assert.equal(told.length, 16);
    assert.deepEqual(told[14]?.event.data?.more, undefined);
    assert.deepEqual([told[15]?.event.tool, told[15]?.event.data], ["t15", more]);
    assert.match(told[15]?.words ?? "", / \(and 1984 more\)$/);
    assert.deepEqual(changesBetween(now, now, rulesIn("enforce"), false), []);
  });

const STRANGER: ToolStanding = { isPinned: false, hasDrifted: false, isStranger: true, isReadOnly: true };
const strangers: readonly {
  readonly name: string;
  readonly mode: Rules["mode"];
  readonly drift: "warn" | "enforce";
  readonly allowed?: readonly string[];
  readonly told?: string;
}[] = [
  { name: "in strict", mode: "strict", drift: "warn", told: ", and nobody can call it: new, more" },
  { name: "in spec", mode: "spec", drift: "enforce", told: ", and nobody can call it: new, more" },
  { name: "in spec, where drift is let through", mode: "spec", drift: "warn", told: ": new, more" },
  { name: "not where a list says what there is", mode: "spec", drift: "enforce", allowed: ["new"] },
];
for (const { name, mode, drift, allowed = null, told } of strangers)
  test(`tools that are neither attested nor locked are told once: ${name} [GTW-12]`, () => {
    const policy = { ...DEFAULT_MCP_POLICY, allowedTools: allowed };
    const before = { ...ADMITTED, policy };
    const tools = { read: PLAIN, new: STRANGER, more: STRANGER, dup: { ...STRANGER, isTwice: true } };
    const now = { ...standing(ADMITTED.admission, tools), policy };
    const rules = { mode, modes: { ...rulesIn("enforce").modes, drift } };
    const found = changesBetween(before, now, rules, false).filter(
      ({ event }) => event.data?.rule === "new-tool",
    );
    assert.deepEqual(
      found.map(({ words }) => words),
      told === undefined ? [] : [`notes: it shows what was neither attested nor locked${told}`],
    );
    if (told !== undefined)
      assert.deepEqual(found[0]?.event.data, { rule: "new-tool", tools: ["new", "more"] });
    assert.deepEqual(changesBetween(now, now, rules, false), []);
  });

for (const mode of ["observe", "warn", "enforce"] as const)
  test(`a tool that drifts, and one that is hostile to read, are told once, in ${mode} [GTW-12]`, () => {
    const now = standing(ADMITTED.admission, {
      read: { ...PLAIN, hasDrifted: true },
      write: { ...PLAIN, flaw: "SCAN-02" },
    });
    const outcome = mode === "enforce" ? "denied" : "allowed";
    const told = changesBetween(ADMITTED, now, rulesIn(mode), false).map(({ event }) => event);
    assert.deepEqual(told, [
      { type: "drift", outcome, server: "notes", tool: "read" },
      { type: "finding", outcome, server: "notes", tool: "write", data: { flaw: "SCAN-02" } },
    ]);
    assert.deepEqual(changesBetween(now, now, rulesIn(mode), false), []);
  });

for (const mode of ["observe", "warn", "enforce"] as const)
  test(`a name that a server lists twice is told as that, once, and is no drift, in ${mode} [GTW-13]`, () => {
    const now = standing(ADMITTED.admission, { dup: { ...PLAIN, isPinned: false, isTwice: true } });
    assert.deepEqual(changesBetween(ADMITTED, now, rulesIn(mode), false), [
      {
        event: {
          type: "finding",
          outcome: "denied",
          server: "notes",
          tool: "dup",
          data: { rule: "listed-twice" },
        },
        words: 'notes: it lists the tool "dup" more than once, and nobody can call it',
      },
    ]);
    assert.deepEqual(changesBetween(now, now, rulesIn(mode), false), []);
  });

test("where admission only warns, whoever lacks something is let in unverified [GTW-10] [GTW-82]", () => {
  const now = standing({ status: "refused", reason: "nothing vouches for it" });
  const [change] = changesBetween(
    now,
    now,
    { ...rulesIn("enforce"), modes: { ...rulesIn("enforce").modes, admission: "warn" } },
    true,
  );
  assert.deepEqual([change?.event.outcome, change?.event.data?.status], ["allowed", "unverified"]);
  assert.equal(change?.words, "notes: let in unverified (modes.admission: warn): nothing vouches for it");
});

test("a list that names what a server does not show is told at its start, with the name that people use [GTW-2]", () => {
  const { policy, ...rest } = ADMITTED;
  const now = { ...rest, policy: { ...policy, allowedTools: ["gone"], label: "Our notes" } };
  const words = (isStart: boolean): string[] =>
    changesBetween(now, now, rulesIn("enforce"), isStart).map((change) => change.words);
  assert.deepEqual(words(true), [
    'notes ("Our notes"): admitted, grade A',
    'notes ("Our notes"): allowed_tools names what it does not show: gone',
  ]);
  assert.deepEqual(words(false), []);
});
