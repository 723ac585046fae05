/** What is found out once about a tool is what would be found out with each call. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_MCP_POLICY, decide, LEVELS, type Rules, type Standing } from "../policy/index.ts";
import { caseOf, definitionIn } from "./case.ts";
import { factsOf } from "./journal.ts";

const modes = { admission: "enforce", drift: "enforce", description: "enforce", trigger: "enforce" } as const;
const strict: Rules = { mode: "strict", modes };
const standing: Standing = {
  name: "mail",
  policy: { ...DEFAULT_MCP_POLICY, verified: true, serverTrust: "TOOL" },
  admission: { status: "admitted", grade: "B" },
  tools: new Map([
    ["read", { isPinned: true, hasDrifted: false, isReadOnly: true }],
    ["send", { isPinned: true, hasDrifted: false, isReadOnly: false }],
    ["changed", { isPinned: false, hasDrifted: true, isReadOnly: true }],
  ]),
};

for (const tool of ["read", "send", "changed", "unheard of"])
  test(`${tool}: decided as the policy decides, whatever led to it`, () => {
    const wish = { kind: "tool", name: tool } as const;
    const own = caseOf(strict, standing, wish);
    for (const trigger of [...LEVELS, ...LEVELS])
      assert.deepEqual(own.decide(trigger), decide(strict, standing, wish, trigger));
    assert.deepEqual(own.facts, factsOf(strict, standing, wish));
    assert.equal(own.isReadOnly, standing.tools.get(tool)?.isReadOnly ?? false);
  });

test("the same rules and the same standing make one case; others make others", () => {
  const send = { kind: "tool", name: "send" } as const;
  const first = caseOf(strict, standing, send);
  assert.equal(caseOf(strict, standing, send), first);
  const lenient: Rules = { mode: "spec", modes: { ...modes, admission: "observe" } };
  assert.equal(caseOf(lenient, standing, send).decide("USER").kind, "allow");
  assert.equal(caseOf(strict, standing, send).decide("USER").kind, "ask");
  const graded: Standing = { ...standing, admission: { status: "admitted", grade: "A" } };
  assert.equal(caseOf(strict, graded, send).decide("USER").kind, "allow");
});

test("of two tools with one name the first is the one that is meant", () => {
  const first = { name: "read", description: "first" };
  const tools = [
    null,
    7,
    "read",
    { description: "nameless" },
    first,
    { name: "read", description: "second" },
  ];
  assert.equal(definitionIn(tools, "read"), first);
  assert.equal(definitionIn(tools, "write"), undefined);
  assert.equal(definitionIn([], "read"), undefined);
});
