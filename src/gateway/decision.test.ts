/** One verdict on a call: a flow makes it stricter, as its mode has it, and never milder. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FLOW_KINDS, type Flow, type FlowKind, type TrustBoundary } from "../flow/index.ts";
import {
  DEFAULT_MCP_POLICY,
  decide,
  type Grade,
  type Rules,
  type Standing,
  type TrustLevel,
  type Wish,
} from "../policy/index.ts";
import { FLOW_MODES } from "./config.ts";
import { type FlowMode, type Verdict, withFlows } from "./decision.ts";

interface CallFacts {
  readonly rules: Rules;
  readonly standing: Standing;
  readonly wish: Wish;
  readonly trigger: TrustLevel;
  readonly flows: readonly Flow[];
  readonly boundary: TrustBoundary;
  readonly flowMode: FlowMode;
}
const verdictOn = ({ rules, standing, wish, trigger, flows, boundary, flowMode }: CallFacts): Verdict =>
  withFlows(decide(rules, standing, wish, trigger), flows, boundary, flowMode);

const rules: Rules = {
  mode: "strict",
  modes: { admission: "enforce", drift: "enforce", description: "enforce", trigger: "enforce" },
};
const standing = (grade: Grade): Standing => ({
  name: "mail",
  policy: DEFAULT_MCP_POLICY,
  admission: { status: "admitted", grade },
  tools: new Map([
    ["read", { isPinned: true, hasDrifted: false, isReadOnly: true }],
    ["send", { isPinned: true, hasDrifted: false, isReadOnly: false }],
    ["changed", { isPinned: false, hasDrifted: true, isReadOnly: true }],
  ]),
});

/** From `web`, in one step or by way of others, into the call. */
function flow(
  kind: FlowKind,
  change: { readonly from?: string; readonly by?: string; readonly path?: string } = {},
): Flow {
  const { from = "web", by, path = "body" } = change;
  const [first, last] = [
    { call: "1", server: from, tool: "get" },
    { call: "9", server: "mail", tool: "send" },
  ];
  return {
    producer: { ...first, path: "content[0].text" },
    consumer: { ...last, path },
    kind,
    chars: 40,
    chain: [first, ...(by === undefined ? [] : [{ call: "2", server: by, tool: "clean" }]), last],
    excerpt: "the keys",
    isUnchanged: by !== undefined,
  };
}

const nothing: TrustBoundary = { allowedFlows: [], requiredSanitizers: [] };
const allowed: TrustBoundary = { allowedFlows: [{ from: "web", to: "mail" }], requiredSanitizers: [] };
const cleaned: TrustBoundary = { allowedFlows: [], requiredSanitizers: ["guard"] };

const allow: CallFacts = {
  rules,
  standing: standing("A"),
  wish: { kind: "tool", name: "send" },
  trigger: "USER",
  flows: [],
  boundary: nothing,
  flowMode: "ask",
};
const warn: CallFacts = {
  ...allow,
  rules: { ...rules, modes: { ...rules.modes, trigger: "warn" } },
  trigger: "NONE",
};
const ask: CallFacts = { ...allow, standing: standing("B") };
const deny: CallFacts = { ...allow, wish: { kind: "tool", name: "changed" }, standing: listing("changed") };
/** The policy has found more than one thing. */
const several: CallFacts = {
  ...allow,
  rules: {
    ...rules,
    modes: { admission: "warn", drift: "enforce", description: "enforce", trigger: "warn" },
  },
  standing: standing("D"),
  trigger: "NONE",
};
const policies = { allow, warn, ask, deny };

function listing(...allowedTools: string[]): Standing {
  return { ...standing("A"), policy: { ...DEFAULT_MCP_POLICY, allowedTools } };
}

const said = ({ kind, rule, beside }: Verdict): string =>
  [`${kind} ${rule}`.trim(), ...beside.map((other) => other.rule)].join(", ");

for (const [name, facts] of Object.entries(policies))
  for (const flowMode of FLOW_MODES)
    test(`where nothing flows the policy's ${name} is the verdict (${flowMode}) [GTW-15]`, () => {
      const { crossing, ...verdict } = verdictOn({ ...facts, flowMode });
      assert.equal(crossing, "none");
      assert.equal(verdict.kind, name);
      assert.deepEqual(verdict, decide(facts.rules, facts.standing, facts.wish, facts.trigger));
    });

/** What a value that comes over whole makes of the policy's verdict; what counts first, then what stands beside it. */
const whole: readonly (readonly [policy: keyof typeof policies, flowMode: FlowMode, want: string])[] = [
  ["allow", "observe", "allow, SEC-060"],
  ["warn", "observe", "warn trigger, SEC-060"],
  ["ask", "observe", "ask grade, SEC-060"],
  ["deny", "observe", "deny drift, SEC-060"],
  ["allow", "ask", "ask SEC-060"],
  ["warn", "ask", "ask SEC-060, trigger"],
  ["ask", "ask", "ask SEC-060, grade"],
  ["deny", "ask", "deny drift, SEC-060"],
  ["allow", "strict", "deny SEC-060"],
  ["warn", "strict", "deny SEC-060, trigger"],
  ["ask", "strict", "deny SEC-060, grade"],
  ["deny", "strict", "deny drift, SEC-060"],
];
const WHOLE = FLOW_KINDS.filter((kind) => kind !== "partial");
for (const [policy, flowMode, want] of whole)
  for (const kind of WHOLE)
    test(`${policy}, and a value that comes over ${kind}, with ${flowMode}: ${want} [GTW-15]`, () =>
      assert.equal(said(verdictOn({ ...policies[policy], flowMode, flows: [flow(kind)] })), want));

const part: readonly (readonly [policy: keyof typeof policies, flowMode: FlowMode, want: string])[] = [
  ["allow", "observe", "allow, SEC-060"],
  ["deny", "observe", "deny drift, SEC-060"],
  ["allow", "ask", "ask SEC-060"],
  ["warn", "ask", "ask SEC-060, trigger"],
  ["ask", "ask", "ask SEC-060, grade"],
  ["deny", "ask", "deny drift, SEC-060"],
  ["allow", "strict", "ask SEC-060"],
  ["warn", "strict", "ask SEC-060, trigger"],
  ["ask", "strict", "ask SEC-060, grade"],
  ["deny", "strict", "deny drift, SEC-060"],
];
for (const [policy, flowMode, want] of part)
  test(`${policy}, and a part of a value, with ${flowMode}: ${want} [GTW-15]`, () =>
    assert.equal(said(verdictOn({ ...policies[policy], flowMode, flows: [flow("partial")] })), want));

const together: readonly (readonly [
  name: string,
  flows: readonly Flow[],
  boundary: TrustBoundary,
  want: string,
])[] = [
  [
    "a part first, then a whole value",
    [flow("partial"), flow("verbatim", { path: "to" })],
    nothing,
    "ask SEC-060",
  ],
  [
    "a whole value first, then a part",
    [flow("verbatim"), flow("partial", { path: "to" })],
    nothing,
    "ask SEC-060",
  ],
  ["a pair that is allowed", [flow("verbatim")], allowed, "allow"],
  ["a pair that is allowed, encoded", [flow("encoded")], allowed, "allow"],
  ["a pair that is allowed, in part", [flow("partial")], allowed, "allow"],
  [
    "a pair that is not, beside one that is",
    [flow("verbatim"), flow("verbatim", { from: "chat" })],
    allowed,
    "ask SEC-060",
  ],
  [
    "the pair the other way",
    [flow("verbatim")],
    { ...allowed, allowedFlows: [{ from: "mail", to: "web" }] },
    "ask SEC-060",
  ],
  [
    "a pair that is allowed only when it is cleaned",
    [flow("verbatim")],
    { ...allowed, requiredSanitizers: ["guard"] },
    "ask SEC-060",
  ],
  ["by way of a sanitizer, which is only told", [flow("verbatim", { by: "guard" })], cleaned, "allow"],
  ["by way of somebody else", [flow("verbatim", { by: "cache" })], cleaned, "ask SEC-060"],
  ["told of one, and another", [flow("verbatim", { by: "guard" }), flow("verbatim")], cleaned, "ask SEC-060"],
];
for (const [name, flows, boundary, want] of together)
  test(`${name}: ${want} [GTW-15]`, () => assert.equal(said(verdictOn({ ...allow, flows, boundary })), want));

test("what counts is told with its reason, and so is what stands beside it [GTW-15]", () => {
  const flows = [flow("partial", { from: "chat" }), flow("verbatim")];
  const { reason, beside } = verdictOn({ ...ask, flows, flowMode: "strict" });
  assert.match(
    reason,
    /^web\.get \(content\[0\]\.text\) reaches mail\.send \("body"\): 40 characters word for word; /,
  );
  assert.deepEqual(beside, [
    { kind: "ask", rule: "grade", reason: '"send" may change something, and mail has grade B' },
  ]);
});

test("all that the policy found stays beside, whichever counts [GTW-15]", () => {
  const verdict = (flowMode: FlowMode): string =>
    said(verdictOn({ ...several, flowMode, flows: [flow("verbatim")] }));
  assert.equal(said(verdictOn(several)), "warn grade, grade, trigger");
  assert.equal(verdict("observe"), "warn grade, grade, trigger, SEC-060");
  assert.equal(verdict("ask"), "ask SEC-060, grade, grade, trigger");
  assert.equal(verdict("strict"), "deny SEC-060, grade, grade, trigger");
});

const ORDER = ["allow", "warn", "ask", "deny"];
const anyFlow = fc
  .tuple(
    fc.constantFrom(...FLOW_KINDS),
    fc.constantFrom("web", "chat"),
    fc.constantFrom(undefined, "guard", "cache"),
  )
  .map(([kind, from, by]) => flow(kind, { from, ...(by === undefined ? {} : { by }) }));

test("whatever flows, nothing is allowed that the policy does not allow, and nothing it found is lost [GTW-15]", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(allow, warn, ask, deny, several),
      fc.array(anyFlow, { maxLength: 4 }),
      fc.constantFrom(nothing, allowed, cleaned),
      fc.constantFrom(...FLOW_MODES),
      (facts, flows, boundary, flowMode) => {
        const policy = decide(facts.rules, facts.standing, facts.wish, facts.trigger);
        const verdict = verdictOn({ ...facts, flows, boundary, flowMode });
        assert.equal(ORDER.indexOf(verdict.kind) >= ORDER.indexOf(policy.kind), true, said(verdict));
        if (flowMode === "observe") assert.equal(verdict.kind, policy.kind);
        const found = [verdict, ...verdict.beside].map(({ rule }) => rule);
        for (const { rule } of [policy, ...policy.beside])
          if (rule !== "") assert.equal(found.includes(rule), true, `${rule} of ${said(verdict)}`);
        // The order of flows says nothing.
        const { kind, rule } = verdictOn({ ...facts, flows: flows.toReversed(), boundary, flowMode });
        assert.deepEqual([kind, rule], [verdict.kind, verdict.rule]);
      },
    ),
    { numRuns: 500 },
  );
});
