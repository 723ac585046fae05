import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, kit } from "../../test/kit/run.ts";
import { type PlanTerms, planFor, TIME } from "./plan.ts";

const CONTAINED: PlanTerms = {
  methods: ["litmus-v5", "touchstone-1"],
  isContained: true,
  allowsStateChanges: false,
};
const OPEN: PlanTerms = { ...CONTAINED, isContained: false };
const plan = (tools: readonly unknown[], terms = CONTAINED) => planFor(tools, kit(), terms);
const annotated = (annotations: unknown): object => ({ ...ECHO, annotations });

test("a tool that takes text is called for every probe that has a script", () => {
  const [{ calls } = { calls: [] }] = plan([ECHO]);
  assert.deepEqual([...new Set(calls.map(({ probe }) => probe))], ["1.2", "3.1", "3.2", "4.1"]);
});

test("each probe has its turn: a tool that takes long was asked everything once", () => {
  const [{ calls } = { calls: [] }] = plan([ECHO]);
  assert.deepEqual(
    calls.slice(0, 6).map(({ probe }) => probe),
    ["1.2", "3.1", "3.2", "4.1", "1.2", "3.1"],
  );
});

test("a tool without a place for text gets samples and spoiled arguments", () => {
  const [{ calls } = { calls: [] }] = plan([ADD]);
  assert.deepEqual([...new Set(calls.map(({ probe }) => probe))], ["1.2", "3.1"]);
});

const READ = {
  name: "read_file",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
const methods: readonly { readonly name: string; readonly terms: PlanTerms; readonly has: boolean }[] = [
  {
    name: "files with secrets are asked for by our own method",
    terms: { ...CONTAINED, methods: ["touchstone-1"] },
    has: true,
  },
  {
    name: "the specification's method asks for no file with secrets",
    terms: { ...CONTAINED, methods: ["litmus-v5"] },
    has: false,
  },
];
for (const { name, terms, has } of methods)
  test(name, () => {
    const [{ calls } = { calls: [] }] = plan([READ], terms);
    assert.equal(
      calls.some(({ probe }) => probe === "5.7"),
      has,
    );
  });

const withheld: readonly {
  readonly name: string;
  readonly tool: unknown;
  readonly terms: PlanTerms;
  readonly isCalled: boolean;
}[] = [
  {
    name: "in the sandbox every tool is called",
    tool: annotated({ destructiveHint: true }),
    terms: CONTAINED,
    isCalled: true,
  },
  { name: "outside a tool without hints is not called", tool: ECHO, terms: OPEN, isCalled: false },
  {
    name: "outside a harmless name is no reason to call",
    tool: { ...ECHO, name: "get_weather" },
    terms: OPEN,
    isCalled: false,
  },
  {
    name: "outside a tool that claims to read only is called",
    tool: annotated({ readOnlyHint: true }),
    terms: OPEN,
    isCalled: true,
  },
  {
    name: "outside a reader that may destroy is not called",
    tool: annotated({ readOnlyHint: true, destructiveHint: true }),
    terms: OPEN,
    isCalled: false,
  },
  {
    name: "a claim that is no boolean is none",
    tool: annotated({ readOnlyHint: "true" }),
    terms: OPEN,
    isCalled: false,
  },
  {
    name: "annotations that are no object claim nothing",
    tool: annotated("readOnlyHint"),
    terms: OPEN,
    isCalled: false,
  },
  {
    name: "with leave every tool is called",
    tool: ECHO,
    terms: { ...OPEN, allowsStateChanges: true },
    isCalled: true,
  },
];
for (const { name, tool, terms, isCalled } of withheld)
  test(name, () => {
    const [only] = plan([tool], terms);
    assert.equal((only?.calls.length ?? 0) > 0, isCalled);
    assert.equal(only?.withheld === undefined, isCalled);
    if (!isCalled) assert.match(only?.withheld ?? "", /--allow-state-changing/);
  });

test("what is no tool is passed over, and of two tools of one name the first is planned", () => {
  const plans = plan([null, 1, "echo", {}, { name: 5 }, ECHO, { ...ADD, name: "echo" }]);
  assert.deepEqual(
    plans.map(({ tool }) => [tool.name, tool.raw]),
    [["echo", ECHO]],
  );
});

test("a tool without a schema is called", () => {
  const [only] = plan([{ name: "bare" }]);
  assert.ok((only?.calls.length ?? 0) > 0);
});

test("calls that tell a tool how long to take come before those that leave it to the tool", () => {
  const slow = {
    name: "work",
    inputSchema: { type: "object", properties: { duration: { type: "number" }, text: { type: "string" } } },
  };
  const [{ calls } = { calls: [] }] = plan([slow]);
  const isTimed = calls.map(({ args }) => Object.hasOwn(args as object, "duration"));
  assert.ok(isTimed.includes(true) && isTimed.includes(false));
  assert.deepEqual(
    isTimed,
    [...isTimed].sort((a, b) => Number(b) - Number(a)),
  );
});

test("words for time", () => {
  for (const name of ["timeout", "durationMs", "delay", "wait_for", "sleep", "seconds", "ttl", "ms"])
    assert.match(name, TIME);
  for (const name of ["text", "path", "amount", "name"]) assert.doesNotMatch(name, TIME);
});

test("the same seed plans the same calls, another seed other secrets and the same baits", () => {
  const calls = (seed: string) =>
    planFor([ECHO, ADD, READ], kit(seed), CONTAINED).flatMap((one) => one.calls);
  assert.deepEqual(calls("a"), calls("a"));
  const of = (seed: string, probe: string) => calls(seed).filter((call) => call.probe === probe);
  assert.notDeepEqual(of("a", "4.1"), of("b", "4.1"));
  assert.deepEqual(of("a", "1.2"), of("b", "1.2"));
});
