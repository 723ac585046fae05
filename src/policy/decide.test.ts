/** Decisions: each rule alone, in each mode, and that what is listed and what may be called never disagree. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decide, MODES, type Mode, type Rules, type Verdict, visible, type Wish } from "./decide.ts";
import { LEVELS, type TrustLevel } from "./levels.ts";
import { DEFAULT_MCP_POLICY } from "./server.ts";
import type { Standing } from "./standing.ts";

const enforce = {
  admission: "enforce",
  drift: "enforce",
  description: "enforce",
  trigger: "enforce",
} as const;
const strict: Rules = { mode: "strict", modes: enforce };
const spec: Rules = { mode: "spec", modes: enforce };

const pinned = { isPinned: true, hasDrifted: false };
const fresh = { isPinned: false, hasDrifted: false, isReadOnly: true };
const mail: Standing = {
  name: "mail",
  policy: { ...DEFAULT_MCP_POLICY, verified: true, serverTrust: "TOOL" },
  admission: { status: "admitted", grade: "A" },
  tools: new Map([
    ["read", { ...pinned, isReadOnly: true }],
    ["send", { ...pinned, isReadOnly: false }],
    ["changed", { isPinned: false, hasDrifted: true, isReadOnly: true }],
    ["fresh", fresh],
  ]),
};
const graded = (grade: "A" | "B" | "C" | "D" | "F" | null): Standing => ({
  ...mail,
  admission: { status: "admitted", grade },
});
const refusedServer: Standing = { ...mail, admission: { status: "refused", reason: "expired" } };
const by = {
  waived: ["grade"],
  lacks: "it has grade D",
  reason: "r",
  expires: "",
  signers: ["k"],
  digest: "",
};
const exempted: Standing = { ...mail, admission: { status: "exempted", by } };
const drifting = (drift: Mode): Rules => ({ mode: "strict", modes: { ...enforce, drift } });
const lenient: Rules = { mode: "strict", modes: { ...enforce, admission: "warn" } };
const listing = (...allowedTools: string[]): Standing => ({
  ...mail,
  policy: { ...mail.policy, allowedTools },
});
const tool = (name: string): Wish => ({ kind: "tool", name });

const cases: readonly (readonly [
  name: string,
  rules: Rules,
  standing: Standing,
  wish: Wish,
  trigger: TrustLevel,
  want: string,
])[] = [
  ["an attested tool that reads", strict, mail, tool("read"), "NONE", "allow "],
  ["one that writes, for the user", strict, mail, tool("send"), "USER", "allow "],
  ["one that writes, for a value of a server", strict, mail, tool("send"), "NONE", "deny trigger"],
  ["the same in spec", spec, mail, tool("send"), "TOOL", "ask trigger"],
  ["a list of the operator", strict, listing("send"), tool("read"), "OWNER", "deny allowed-tools"],
  ["a list blocks in spec too", spec, listing(), tool("read"), "OWNER", "deny allowed-tools"],
  ["strict without a list: what nobody attested", strict, mail, tool("fresh"), "OWNER", "deny allowed-tools"],
  ["spec without a list: any", spec, mail, tool("fresh"), "OWNER", "allow "],
  ["a name that nobody knows", strict, mail, tool("rm"), "OWNER", "deny allowed-tools"],
  [
    "a tool that drifted, although it is listed",
    strict,
    listing("changed"),
    tool("changed"),
    "OWNER",
    "deny drift",
  ],
  ["a tool that drifted, without a list", strict, mail, tool("changed"), "OWNER", "deny drift"],
  ["the same where drift warns", drifting("warn"), mail, tool("changed"), "OWNER", "warn drift"],
  ["the same where drift is observed", drifting("observe"), mail, tool("changed"), "OWNER", "allow "],
  [
    "what was never attested or locked, where drift is observed",
    drifting("observe"),
    { ...mail, tools: new Map([["new", { ...fresh, hasDrifted: true, isStranger: true }]]) },
    tool("new"),
    "OWNER",
    "deny allowed-tools",
  ],
  [
    "what a server lists twice, although nobody admitted it",
    spec,
    { ...refusedServer, tools: new Map([["dup", { ...fresh, isTwice: true }]]) },
    tool("dup"),
    "OWNER",
    "deny allowed-tools",
  ],
  [
    "a list names what was neither attested nor locked, and others were",
    strict,
    { ...listing("new"), tools: new Map([["new", { ...fresh, isStranger: true }]]) },
    tool("new"),
    "OWNER",
    "deny allowed-tools",
  ],
  [
    "the same in spec",
    spec,
    { ...listing("new"), tools: new Map([["new", { ...fresh, isStranger: true }]]) },
    tool("new"),
    "OWNER",
    "allow ",
  ],
  [
    "what is new of a server that was attested or locked, in spec without a list",
    spec,
    { ...mail, tools: new Map([["new", { ...fresh, isStranger: true }]]) },
    tool("new"),
    "OWNER",
    "deny drift",
  ],
  [
    "the same where drift is observed",
    { ...spec, modes: { ...enforce, drift: "observe" } },
    { ...mail, tools: new Map([["new", { ...fresh, isStranger: true }]]) },
    tool("new"),
    "OWNER",
    "allow ",
  ],
  [
    "what can only be called as a task, by whoever admits it",
    strict,
    { ...mail, tools: new Map([["run", { ...fresh, isPinned: true, isReadOnly: true, isTaskOnly: true }]]) },
    tool("run"),
    "OWNER",
    "deny task-only",
  ],
  [
    "the same of a server that is not admitted",
    strict,
    { ...refusedServer, tools: new Map([["run", { ...fresh, isTaskOnly: true }]]) },
    tool("run"),
    "OWNER",
    "deny admission",
  ],
  ["a list where nothing is attested or locked", strict, listing("fresh"), tool("fresh"), "OWNER", "allow "],
  [
    "nothing is asked of it",
    spec,
    { ...mail, admission: { status: "unasked" } },
    tool("send"),
    "USER",
    "allow ",
  ],
  ["another tool of that server", strict, listing("changed", "read"), tool("read"), "OWNER", "allow "],
  ["grade B, reading", strict, graded("B"), tool("read"), "NONE", "allow "],
  ["grade B, writing", strict, graded("B"), tool("send"), "USER", "ask grade"],
  ["grade C, writing", spec, graded("C"), tool("send"), "OWNER", "ask grade"],
  ["grade D", strict, graded("D"), tool("read"), "OWNER", "deny grade"],
  ["grade F", strict, graded("F"), tool("read"), "OWNER", "deny grade"],
  ["no grade", strict, graded(null), tool("read"), "OWNER", "deny grade"],
  ["not admitted", strict, refusedServer, tool("read"), "OWNER", "deny admission"],
  [
    "not admitted, so that nothing is attested",
    strict,
    refusedServer,
    tool("fresh"),
    "OWNER",
    "deny admission",
  ],
  ["the same where admission warns", lenient, refusedServer, tool("fresh"), "OWNER", "deny allowed-tools"],
  ["grade F, what nobody attested", strict, graded("F"), tool("fresh"), "OWNER", "deny grade"],
  [
    "not admitted, what the operator does not list",
    strict,
    { ...refusedServer, policy: { ...mail.policy, allowedTools: ["send"] } },
    tool("read"),
    "OWNER",
    "deny allowed-tools",
  ],
  [
    "not admitted, a resource",
    strict,
    refusedServer,
    { kind: "resource", uri: "file:///a" },
    "OWNER",
    "deny admission",
  ],
  ["not admitted, a prompt", strict, refusedServer, { kind: "prompt", name: "p" }, "OWNER", "deny admission"],
  ["exempted, reading", strict, exempted, tool("read"), "NONE", "allow "],
  ["exempted, writing", strict, exempted, tool("send"), "USER", "ask admission"],
  ["exempted, writing, for the owner", spec, exempted, tool("send"), "OWNER", "ask admission"],
  ["exempted, writing, for a value of a server", strict, exempted, tool("send"), "TOOL", "deny trigger"],
  ["exempted, writing, where admission warns", lenient, exempted, tool("send"), "USER", "warn admission"],
  ["exempted, a tool that drifted", spec, exempted, tool("changed"), "OWNER", "deny drift"],
  ["exempted, what nobody looked at", strict, exempted, tool("fresh"), "OWNER", "deny allowed-tools"],
  [
    "exempted, a tool that speaks to the agent",
    spec,
    { ...exempted, tools: new Map([["read", { ...pinned, isReadOnly: true, flaw: "SCAN-02" }]]) },
    tool("read"),
    "OWNER",
    "deny description",
  ],
  [
    "exempted, what the operator does not list",
    strict,
    { ...exempted, policy: { ...mail.policy, allowedTools: ["send"] } },
    tool("read"),
    "OWNER",
    "deny allowed-tools",
  ],
  ["exempted, a resource", strict, exempted, { kind: "resource", uri: "file:///a" }, "NONE", "allow "],
  [
    "a resource of an admitted server",
    strict,
    mail,
    { kind: "resource", uri: "file:///a" },
    "NONE",
    "allow ",
  ],
];
const said = ({ kind, rule }: Verdict): string => `${kind} ${rule}`;
for (const [name, rules, standing, wish, trigger, want] of cases)
  test(`${name}: ${want.trim()} [POL-18, POL-19, POL-20, POL-21, POL-22]`, () =>
    assert.equal(said(decide(rules, standing, wish, trigger)), want));

const reasons: readonly (readonly [
  name: string,
  rules: Rules,
  standing: Standing,
  tool: string,
  want: string,
])[] = [
  [
    "a server that is not admitted",
    strict,
    { ...refusedServer, admission: { status: "refused", reason: "there is no mail.grade.json" } },
    "fresh",
    "mail is not admitted: there is no mail.grade.json",
  ],
  [
    "an exemption that has expired",
    strict,
    { ...mail, admission: { status: "admitted", grade: "D", lapsed: "its exemption is refused: expired" } },
    "read",
    "mail has grade D; its exemption is refused: expired",
  ],
  [
    "a server that is let in unverified, so that nothing of it is attested",
    lenient,
    refusedServer,
    "fresh",
    'mail has no allowed_tools, and "fresh" is neither attested nor locked; it is not admitted: expired',
  ],
  [
    "a tool that drifted",
    strict,
    mail,
    "changed",
    '"changed" of mail is not the tool that was attested or locked',
  ],
];
for (const [name, rules, standing, wanted, want] of reasons)
  test(`the reason of a denial is its cause: ${name} [POL-18]`, () =>
    assert.equal(decide(rules, standing, tool(wanted), "OWNER").reason, want));

test("a control that only observes lets everything through, and what it found is kept [POL-18, POL-20]", () => {
  const observing = {
    mode: "strict",
    modes: { admission: "observe", drift: "observe", description: "enforce", trigger: "warn" },
  } as const;
  const standing = { ...listing("changed"), admission: { status: "refused", reason: "expired" } } as const;
  const decision = decide(observing, standing, tool("changed"), "NONE");
  assert.equal(decision.kind, "allow");
  const found = [decision, ...decision.beside].map(({ rule }) => rule).filter((rule) => rule !== "");
  assert.deepEqual(found.sort(), ["admission", "drift"]);
  assert.equal(said(decide(observing, listing("send"), tool("send"), "NONE")), "warn trigger");
});

test("a list blocks in every mode [POL-5]", () => {
  for (const mode of MODES)
    for (const policy of ["strict", "spec"] as const) {
      const rules = {
        mode: policy,
        modes: { admission: mode, drift: mode, description: mode, trigger: mode },
      };
      assert.equal(said(decide(rules, listing("send"), tool("read"), "OWNER")), "deny allowed-tools");
    }
});

const mode = fc.constantFrom(...MODES);
const anyRules = fc.record({
  mode: fc.constantFrom("strict" as const, "spec" as const),
  modes: fc.record({ admission: mode, drift: mode, description: mode, trigger: mode }),
});
const anyTool = fc.record(
  {
    isPinned: fc.boolean(),
    hasDrifted: fc.boolean(),
    isReadOnly: fc.boolean(),
    isStranger: fc.boolean(),
    isTwice: fc.boolean(),
    isTaskOnly: fc.boolean(),
    flaw: fc.constant("an order to the agent"),
  },
  { requiredKeys: ["isPinned", "hasDrifted", "isReadOnly"] },
);
const anyFlaws = (...names: string[]) =>
  fc
    .dictionary(fc.constantFrom(...names), fc.constantFrom("", "an order to the agent"))
    .map((all) => new Map(Object.entries(all)));
const anyStanding = fc.record({
  name: fc.constant("s"),
  policy: fc.record({
    serverTrust: fc.constantFrom(...LEVELS),
    resourceTrust: fc.constantFrom(...LEVELS),
    verified: fc.boolean(),
    allowedTools: fc.option(fc.subarray(["a", "b", "c"])),
    label: fc.constant(null),
  }),
  admission: fc.oneof(
    fc.record({
      status: fc.constant("admitted" as const),
      grade: fc.option(fc.constantFrom("A", "B", "C", "D", "F")),
    }),
    fc.constant({ status: "exempted" as const, by }),
    fc.constant({ status: "refused" as const, reason: "r" }),
  ),
  tools: fc.dictionary(fc.constantFrom("a", "b", "c"), anyTool).map((all) => new Map(Object.entries(all))),
  resources: anyFlaws("x:a", "x:b", "y:a"),
  templates: anyFlaws("x:{name}", "x:{other}", "y:{name}"),
  prompts: anyFlaws("a", "b"),
});

test("what is hidden can neither be read nor prompted, and what is shown can [POL-17] [GTW-67]", () => {
  const wishes: Wish[] = [
    ...["x:a", "x:b", "x:c", "y:a", "y:c", "z:a", "x:{name}", "y:{name}"].map(
      (uri): Wish => ({ kind: "resource", uri }),
    ),
    ...["a", "b", "c"].map((name): Wish => ({ kind: "prompt", name })),
  ];
  fc.assert(
    fc.property(
      anyRules,
      anyStanding,
      fc.constantFrom(...wishes),
      fc.constantFrom(...LEVELS),
      (rules, standing, wish, trigger) => {
        const shown = visible(rules, standing, wish);
        assert.deepEqual(decide(rules, standing, wish, trigger), shown);
        const { resources, templates, prompts } = standing;
        const isFlawed =
          wish.kind === "prompt"
            ? prompts.get(wish.name)
            : wish.kind === "resource" && (resources.get(wish.uri) || templates.get(wish.uri));
        if (isFlawed && rules.modes.description === "enforce") assert.equal(shown.kind, "deny");
        if (rules.modes.description !== "enforce")
          assert.equal(shown.rule === "description" && shown.kind === "deny", false);
      },
    ),
    { numRuns: 500 },
  );
});

const templated: readonly (readonly [
  name: string,
  templates: Record<string, string>,
  uri: string,
  isThere: boolean,
])[] = [
  ["a template that is hidden opens nothing", { "x:{a}": "an order" }, "x:1", false],
  ["one of two that is not hidden opens it", { "x:{a}": "an order", "x:{b}": "" }, "x:1", true],
  ["that of another address opens nothing more and hides nothing", { "y:{a}": "an order" }, "x:1", true],
  ["a template is hidden itself", { "x:{a}": "an order", "x:{b}": "" }, "x:{a}", false],
];
for (const [name, templates, uri, isThere] of templated)
  test(`${name} [GTW-67]`, () => {
    const standing = { ...mail, templates: new Map(Object.entries(templates)) };
    const { kind } = visible(strict, standing, { kind: "resource", uri });
    assert.equal(kind !== "deny", isThere);
  });

test("what is listed and what may be called never disagree [POL-17]", () => {
  fc.assert(
    fc.property(
      anyRules,
      anyStanding,
      fc.constantFrom("a", "b", "c", "d"),
      fc.constantFrom(...LEVELS),
      (rules, standing, name, trigger) => {
        const [shown, called] = [
          visible(rules, standing, tool(name)),
          decide(rules, standing, tool(name), trigger),
        ];
        if (shown.kind === "deny") assert.deepEqual(called, shown);
        else assert.equal(called.kind === "deny" && called.rule !== "trigger", false, said(called));
        // Who is behind it can only help where everything else is well.
        const owner = decide(rules, standing, tool(name), "OWNER");
        const order = ["allow", "warn", "ask", "deny"];
        assert.equal(
          order.indexOf(owner.kind) <= order.indexOf(called.kind),
          true,
          `${said(owner)}, ${said(called)}`,
        );
      },
    ),
    { numRuns: 500 },
  );
});

test("strict without a list gives nothing that was never attested or locked, whatever the controls do [POL-19]", () => {
  fc.assert(
    fc.property(anyRules, anyStanding, fc.constantFrom("a", "b", "c", "d"), ({ modes }, standing, name) => {
      const { isPinned = false, hasDrifted = false, isStranger = false } = standing.tools.get(name) ?? {};
      if (isPinned || (hasDrifted && !isStranger)) return;
      const unlisted = { ...standing, policy: { ...standing.policy, allowedTools: null } };
      assert.equal(visible({ mode: "strict", modes }, unlisted, tool(name)).kind, "deny");
    }),
    { numRuns: 500 },
  );
});
