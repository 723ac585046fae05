/** Where a server stands: who vouches for it, with which grade, and which of its tools are those that were looked at. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { StatementVerdict } from "../attest/index.ts";
import {
  DEFAULT_MCP_POLICY,
  decide,
  type Grade,
  type McpServerPolicy,
  MODES,
  type PolicyMode,
  type ToolStanding,
  type Waiver,
} from "../policy/index.ts";
import { toolDigest } from "../surface/index.ts";
import { GRADES } from "./config-server.ts";
import { type PlainVoucher, type Shown, standingOf, type Voucher } from "./standing.ts";

const read = { name: "read", description: "reads", annotations: { readOnlyHint: true } };
const send = { name: "send", description: "sends", inputSchema: { type: "object" } };
const digests = (...tools: { readonly name: string }[]): Map<string, string> =>
  new Map(tools.map((tool) => [tool.name, toolDigest(tool)]));

/** What is accepted, as far as it is looked at here. */
const accepted = (letters: readonly (Grade | null)[], tools = digests()): StatementVerdict =>
  ({
    status: "accepted",
    grades: letters.map((grade, index) => ({ method: `method-${index}`, grade })),
    tools,
  }) as unknown as StatementVerdict;
const refused: StatementVerdict = { status: "refused", reason: "expired", code: 221, message: "on Monday" };

const statedBy = (verdict: StatementVerdict, least?: Grade): PlainVoucher => ({
  kind: "statement",
  verdict,
  ...(least === undefined ? {} : { least }),
});
const lock = (...tools: { readonly name: string }[]): PlainVoucher & { readonly kind: "lock" } => ({
  kind: "lock",
  pins: digests(...tools),
});
const nobody: PlainVoucher = { kind: "none", reason: "nothing vouches for it" };

const shown = (change: Partial<Shown>): Shown => ({
  name: "mail",
  policy: DEFAULT_MCP_POLICY,
  mode: "strict",
  tools: [],
  voucher: nobody,
  ...change,
});

const admissions: readonly (readonly [name: string, voucher: Voucher, want: object])[] = [
  ["nothing", nobody, { status: "refused", reason: "nothing vouches for it" }],
  ["a lock", lock(read), { status: "admitted", grade: null }],
  [
    "a lock, and no grade is wanted",
    { kind: "lock", pins: digests(read), isUngraded: true },
    { status: "locked" },
  ],
  [
    "a refused statement",
    statedBy(refused),
    { status: "refused", reason: "its statement is refused: expired (on Monday)" },
  ],
  [
    "a refused statement, with a grade required",
    statedBy(refused, "F"),
    { status: "refused", reason: "its statement is refused: expired (on Monday)" },
  ],
  ["a statement with a grade", statedBy(accepted(["B"])), { status: "admitted", grade: "B" }],
  ["a statement with the worst grade", statedBy(accepted(["F"])), { status: "admitted", grade: "F" }],
  ["a statement of two methods", statedBy(accepted(["A", "C"])), { status: "admitted", grade: "C" }],
  ["the same, changed about", statedBy(accepted(["C", "A"])), { status: "admitted", grade: "C" }],
  ["a statement without a letter", statedBy(accepted([null])), { status: "admitted", grade: null }],
  ["one letter of two", statedBy(accepted(["A", null])), { status: "admitted", grade: null }],
  ["the same, changed about", statedBy(accepted([null, "A"])), { status: "admitted", grade: null }],
  ["a statement of no accepted method", statedBy(accepted([])), { status: "admitted", grade: null }],
  [
    "a grade below what is required",
    statedBy(accepted(["C"]), "B"),
    { status: "refused", reason: "it has grade C, wanted B" },
  ],
  [
    "two, of which one is below what is required",
    statedBy(accepted(["A", "D"]), "B"),
    { status: "refused", reason: "it has grade D, wanted B" },
  ],
  [
    "no letter where one is required",
    statedBy(accepted([null]), "F"),
    { status: "refused", reason: "it has no grade, wanted F" },
  ],
  [
    "no accepted method where a letter is required",
    statedBy(accepted([]), "F"),
    { status: "refused", reason: "it has no grade, wanted F" },
  ],
];
for (const [name, voucher, want] of admissions)
  test(`${name} vouches: ${Object.values(want).join(" ")} [GTW-11]`, () =>
    assert.deepEqual(standingOf(shown({ voucher })).admission, want));

const by: Waiver = {
  digest: "sha256:1",
  expires: "2026-12-15T09:00:00Z",
  lacks: "nothing vouches for it",
  reason: "read by Ada",
  signers: ["operator"],
  waived: ["grade"],
};
const exempted = (beside: PlainVoucher, ...tools: { readonly name: string }[]): Voucher => ({
  kind: "exemption",
  by,
  pins: digests(...tools),
  beside,
});

test("an exemption lets in, and nothing is believed for it [GTW-41]", () => {
  const policy = { ...DEFAULT_MCP_POLICY, serverTrust: "TOOL", verified: true } as const;
  const standing = standingOf(shown({ voucher: exempted(statedBy(accepted(["A"])), read), policy }));
  assert.deepEqual([standing.admission, standing.policy.verified], [{ status: "exempted", by }, false]);
});

const other = { ...read, description: "reads something else" };
const looks: readonly (readonly [name: string, voucher: Voucher, want: string])[] = [
  ["that it was given for", exempted(nobody, read), "pinned"],
  ["that is another one than it was given for", exempted(nobody, other), "drifted"],
  ["that was not there when it was given", exempted(nobody, send), "drifted"],
  ["of an exemption for none", exempted(nobody), "drifted"],
  ["that is locked too", exempted(lock(read), read), "pinned"],
  ["that a lock does not know", exempted(lock(send), read), "pinned"],
  ["that is not the locked one", exempted(lock(other), read), "drifted"],
  [
    "that is not the locked one, beside a grade that knows another one",
    exempted({ ...statedBy(accepted(["D"], digests(send))), lock: lock(other) }, read),
    "drifted",
  ],
  [
    "that neither lock nor grade know",
    exempted({ ...statedBy(accepted(["D"], digests(send))), lock: lock(send) }, read),
    "pinned",
  ],
  ["that is not the graded one", exempted(statedBy(accepted(["D"], digests(other))), read), "drifted"],
];
for (const [name, voucher, want] of looks)
  test(`under an exemption a tool ${name}: ${want} [GTW-42]`, () => {
    const { isPinned, hasDrifted } = standingOf(shown({ voucher, tools: [read] })).tools.get("read") ?? {};
    assert.deepEqual([isPinned, hasDrifted], want === "pinned" ? [true, false] : [false, true]);
  });

const lapses: readonly (readonly [name: string, voucher: Voucher, want: object])[] = [
  [
    "nothing",
    { ...nobody, lapsed: "expired" },
    { status: "refused", reason: "nothing vouches for it; expired" },
  ],
  ["a lock", { ...lock(read), lapsed: "expired" }, { status: "admitted", grade: null, lapsed: "expired" }],
  [
    "a grade",
    { ...statedBy(accepted(["D"])), lapsed: "expired" },
    { status: "admitted", grade: "D", lapsed: "expired" },
  ],
];
for (const [name, voucher, want] of lapses)
  test(`an exemption that is refused beside ${name} is told, and changes nothing [GTW-40]`, () =>
    assert.deepEqual(standingOf(shown({ voucher })).admission, want));

test("of every grade and every one required, only what is not below is admitted [GTW-11]", () => {
  for (const grade of GRADES)
    for (const least of GRADES) {
      const { admission } = standingOf(shown({ voucher: statedBy(accepted([grade]), least) }));
      // A is before F in the alphabet too.
      assert.equal(admission.status, grade <= least ? "admitted" : "refused", `${grade}, wanted ${least}`);
    }
});

test("of any grades the worst counts, and none is worse than any [GTW-11]", () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.constantFrom(...GRADES)), { minLength: 1, maxLength: 6 }),
      (letters) => {
        const { admission } = standingOf(shown({ voucher: statedBy(accepted(letters)) }));
        const worst = letters.includes(null) ? null : (letters.toSorted().at(-1) as Grade);
        assert.deepEqual(admission, { status: "admitted", grade: worst });
      },
    ),
  );
});

const owner: McpServerPolicy = {
  serverTrust: "OWNER",
  resourceTrust: "TOOL",
  verified: true,
  allowedTools: ["read"],
  label: "Mail",
};
const words: readonly (readonly [
  name: string,
  mode: PolicyMode,
  voucher: Voucher,
  verified: boolean,
  want: boolean,
])[] = [
  ["a grade verifies", "strict", statedBy(accepted(["A"])), false, true],
  ["a bad one does not, and with warn it is worth nothing", "strict", statedBy(accepted(["F"])), true, false],
  ["a statement without a grade does not", "strict", statedBy(accepted([null])), true, false],
  ["a grade below what is required does not", "strict", statedBy(accepted(["C"]), "B"), true, false],
  ["a refused statement does not", "strict", statedBy(refused), true, false],
  ["a lock does not", "strict", lock(read), true, false],
  ["the operator's word does not", "strict", nobody, true, false],
  ["in spec the operator's word does", "spec", { ...nobody, isUnasked: true }, true, true],
  ["in spec it does beside a grade", "spec", statedBy(accepted(["A"])), true, true],
  [
    "in spec it does for a lock of which no grade is wanted",
    "spec",
    { ...lock(read), isUngraded: true },
    true,
    true,
  ],
  ["in spec it does not for a lock that lacks a grade", "spec", lock(read), true, false],
  ["in spec it does not where somebody is to vouch and nobody does", "spec", nobody, true, false],
  ["in spec it does not against a bad grade", "spec", statedBy(accepted(["D"])), true, false],
  [
    "in spec it does not for a grade below what is required",
    "spec",
    statedBy(accepted(["C"]), "B"),
    true,
    false,
  ],
  ["in spec a grade does not without that word", "spec", statedBy(accepted(["A"])), false, false],
];
for (const [name, mode, voucher, verified, want] of words)
  test(`${name} [GTW-11]`, () => {
    const { policy } = standingOf(shown({ mode, voucher, policy: { ...owner, verified } }));
    assert.equal(policy.verified, want);
    assert.equal(policy.serverTrust, mode === "spec" ? "OWNER" : "TOOL");
    assert.deepEqual([policy.resourceTrust, policy.allowedTools, policy.label], ["TOOL", ["read"], "Mail"]);
  });

const FRESH: ToolStanding = { isPinned: false, hasDrifted: false, isReadOnly: false };
const PINNED: ToolStanding = { ...FRESH, isPinned: true };
const DRIFTED: ToolStanding = { ...FRESH, hasDrifted: true };
const reading = (standing: ToolStanding): ToolStanding => ({ ...standing, isReadOnly: true });

const earlier = { ...send, title: "" };
const surfaces: readonly (readonly [
  name: string,
  tools: readonly unknown[],
  voucher: Voucher,
  want: Readonly<Record<string, ToolStanding>>,
])[] = [
  ["a tool as it was locked", [read], lock(read), { read: reading(PINNED) }],
  ["a tool as it was attested", [send], statedBy(accepted(["A"], digests(send))), { send: PINNED }],
  [
    "a tool whose members stand in another order",
    [{ inputSchema: { type: "object" }, description: "sends", name: "send" }],
    lock(send),
    { send: PINNED },
  ],
  ["a tool that nobody knows", [send], lock(read), { send: { ...FRESH, isStranger: true } }],
  [
    "a tool that changed is set aside alone",
    [read, { ...send, description: "sends!" }],
    lock(read, send),
    { read: reading(PINNED), send: DRIFTED },
  ],
  ["a tool with a member more", [{ ...send, title: "" }], lock(send), { send: DRIFTED }],
  [
    "a tool that changed says of itself that it reads, which nobody has looked into",
    [{ ...send, annotations: { readOnlyHint: true } }],
    lock(send),
    { send: DRIFTED },
  ],
  ["a tool that was locked and is gone", [], lock(read), {}],
  [
    "a tool that is not one of an exemption's",
    [send],
    exempted(nobody, read),
    { send: { ...DRIFTED, isStranger: true } },
  ],
  [
    "a tool of a server that had none when it was exempted",
    [send],
    exempted(nobody),
    { send: { ...DRIFTED, isStranger: true } },
  ],
  ["tools of a refused statement", [send], statedBy(refused), { send: FRESH }],
  [
    "a tool that is attested, and locked as well",
    [send],
    { ...statedBy(accepted(["A"], digests(send))), lock: lock(send) },
    { send: PINNED },
  ],
  [
    "a tool that is attested, and another one than was locked",
    [send, read],
    { ...statedBy(accepted(["A"], digests(send, read))), lock: lock(earlier, read) },
    { send: DRIFTED, read: reading(PINNED) },
  ],
  [
    "a tool that is locked, and another one than is attested",
    [send],
    { ...statedBy(accepted(["A"], digests(earlier))), lock: lock(send) },
    { send: DRIFTED },
  ],
  [
    "tools of which one is only attested, and one is only locked",
    [send, read],
    { ...statedBy(accepted(["A"], digests(send))), lock: lock(read) },
    { send: { ...DRIFTED, isStranger: true }, read: { ...DRIFTED, isStranger: true } },
  ],
  [
    "tools of a refused statement, of a server that is locked as well",
    [send, read],
    { ...statedBy(refused), lock: lock(send) },
    { send: PINNED, read: { ...reading(FRESH), isStranger: true } },
  ],
  ["tools that nothing vouches for", [read, send], nobody, { read: reading(FRESH), send: FRESH }],
  [
    "what a grade too low attested",
    [send, { ...read, description: "" }],
    statedBy(accepted(["F"], digests(send, read)), "A"),
    { send: PINNED, read: DRIFTED },
  ],
  ["what has no name", [null, 5, [], "read", {}, { name: 5 }, read], lock(read), { read: reading(PINNED) }],
  [
    "a name of the prototype",
    [{ name: "__proto__" }],
    lock({ name: "__proto__" }),
    { ["__proto__"]: PINNED },
  ],
];
for (const [name, tools, voucher, want] of surfaces)
  test(`${name}: ${JSON.stringify(want)} [GTW-12]`, () =>
    assert.deepEqual(standingOf(shown({ tools, voucher })).tools, new Map(Object.entries(want))));

const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
test("a tool too deep to be compared is set aside alone [GTW-12]", () => {
  const tools = [read, { ...send, inputSchema: deep(5000) }];
  const want = { read: reading(PINNED), send: DRIFTED };
  assert.deepEqual(
    standingOf(shown({ tools, voucher: lock(read, send) })).tools,
    new Map(Object.entries(want)),
  );
});

const lists: readonly (readonly [name: string, tools: readonly unknown[]])[] = [
  ["as it was locked", [read, read]],
  ["once as it was locked, then otherwise", [read, { name: "read" }]],
  ["once otherwise, then as it was locked", [{ name: "read" }, read]],
  ["three times", [read, read, read]],
  ["with others between", [read, send, read]],
];
for (const [name, tools] of lists)
  for (const voucher of [lock(read, send), statedBy(accepted(["A"], digests(read, send))), nobody])
    test(`a name that is listed twice, ${name}, is nobody's (${voucher.kind}) [GTW-13]`, () => {
      const standings = standingOf(shown({ tools, voucher })).tools;
      assert.deepEqual(standings.get("read"), { ...FRESH, isTwice: true });
      if (tools.includes(send)) assert.deepEqual(standings.get("send"), voucher === nobody ? FRESH : PINNED);
    });

for (const drift of MODES)
  for (const mode of ["strict", "spec"] as const)
    test(`a name that is listed twice is not called, whatever is done about drift: ${mode}, ${drift} [GTW-13]`, () => {
      const standing = standingOf(
        shown({
          mode,
          tools: [read, read],
          voucher: statedBy(accepted(["A"], digests(read))),
          policy: { ...DEFAULT_MCP_POLICY, allowedTools: ["read"] },
        }),
      );
      const rules = {
        mode,
        modes: { admission: "enforce", drift, description: "enforce", trigger: "enforce" },
      } as const;
      assert.equal(decide(rules, standing, { kind: "tool", name: "read" }, "OWNER").kind, "deny");
    });

const hints: readonly (readonly [name: string, annotations: unknown, want: boolean])[] = [
  ["it says so", { readOnlyHint: true }, true],
  ["it says so, and that it destroys nothing", { readOnlyHint: true, destructiveHint: false }, true],
  ["it says so, and that it destroys", { readOnlyHint: true, destructiveHint: true }, false],
  ["it only says that it destroys nothing", { destructiveHint: false }, false],
  ["it says that it does not", { readOnlyHint: false }, false],
  ["it says so in a text", { readOnlyHint: "true" }, false],
  ["it says so with a number", { readOnlyHint: 1 }, false],
  ["it says nothing", {}, false],
  ["it says nothing at all", undefined, false],
  ["it says so in a list", [{ readOnlyHint: true }], false],
  ["it says so in words", "readOnlyHint", false],
];
for (const [name, annotations, want] of hints)
  test(`a tool ${want ? "reads only" : "may change something"} where ${name} [GTW-12]`, () =>
    assert.equal(
      standingOf(shown({ tools: [{ name: "get", annotations }] })).tools.get("get")?.isReadOnly,
      want,
    ));

test("a server keeps its name [GTW-11]", () =>
  assert.equal(standingOf(shown({ name: "files" })).name, "files"));
