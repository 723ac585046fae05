import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "../../schema/index.ts";
import { fuzzCases } from "../fuzz/cases.ts";
import type { NegativeCheck } from "../model.ts";
import { negativeCases } from "./cases.ts";
import { type ToolFacts, withheld } from "./tool.ts";
import { unknownNames } from "./unknown-names.ts";

const closed = {
  type: "object",
  properties: { id: { type: "string" }, note: { type: "string", maxLength: 10 } },
  required: ["id"],
  additionalProperties: false,
};
const HARMLESS = { readOnlyHint: true };
const tool = (inputSchema: unknown, annotations: unknown = HARMLESS): ToolFacts => ({
  name: "look_up",
  inputSchema,
  annotations,
  names: ["look_up", "list_archived_entries"],
});

/** How many cases each check has, or why it has none. */
function counted(facts: ToolFacts, args = {}, options = {}): Record<string, number | string> {
  const { cases, skipped } = negativeCases(facts, args, undefined, { oversizedBytes: [64], ...options });
  const counts: Record<string, number | string> = { ...skipped };
  for (const { check } of cases) counts[check] = Number(counts[check] ?? 0) + 1;
  return counts;
}

const OPEN = "additional properties are allowed";
const cases: readonly {
  name: string;
  facts: ToolFacts;
  args?: object;
  counts: Partial<Record<NegativeCheck, number | string>>;
}[] = [
  {
    name: "a closed schema of a harmless tool has all checks",
    facts: tool(closed),
    args: { id: "1" },
    counts: { unknown_tool: 3, missing_required: 1, wrong_type: 9, extra_field: 1, oversized: 1 },
  },
  {
    name: "without a schema there are only unknown tools",
    facts: tool(undefined),
    counts: {
      unknown_tool: 3,
      missing_required: "the tool has no input schema",
      wrong_type: "the tool has no input schema",
      extra_field: "the tool has no input schema",
      oversized: "the tool has no input schema",
    },
  },
  {
    name: "a schema that requires nothing and closes nothing says so",
    facts: tool({ type: "object" }),
    counts: {
      unknown_tool: 3,
      missing_required: "the schema requires no member",
      wrong_type: 4,
      extra_field: OPEN,
      oversized: 1,
    },
  },
  {
    name: "a reference and an allOf lose no check",
    facts: tool({ allOf: [{ $ref: "#/$defs/in" }], $defs: { in: closed } }),
    counts: { unknown_tool: 3, missing_required: 1, wrong_type: 9, extra_field: 1, oversized: 1 },
  },
  {
    name: "a schema that no arguments fulfil",
    facts: tool({ type: "object", not: {} }),
    counts: {
      unknown_tool: 3,
      missing_required: "no arguments could be made that the schema surely takes",
      wrong_type: "no arguments could be made that the schema surely takes",
      extra_field: "no arguments could be made that the schema surely takes",
      oversized: "no arguments could be made that the schema surely takes",
    },
  },
  {
    name: "a tool that says it destroys gets no extra field and no null for nothing",
    facts: tool(closed, { destructiveHint: true }),
    counts: {
      unknown_tool: 3,
      missing_required: 1,
      wrong_type: 7,
      extra_field:
        "the tool says that it destroys, and a server that ignores unknown members would carry the call out",
      oversized: 1,
    },
  },
  {
    name: "a tool that says nothing gets what its schema refuses",
    facts: tool(closed, {}),
    counts: { unknown_tool: 3, missing_required: 1, wrong_type: 9, extra_field: 1, oversized: 1 },
  },
  {
    name: "a tool that may destroy and takes everything gets no large call",
    facts: tool({ properties: { id: { type: "string" } } }, {}),
    counts: {
      unknown_tool: 3,
      missing_required: "the schema requires no member",
      wrong_type: 2,
      extra_field: OPEN,
      oversized: "the tool may be destructive, and its schema takes arguments of any size",
    },
  },
  {
    name: "a tool that may destroy and takes anything gets nothing but unknown names",
    facts: tool({}, {}),
    counts: {
      unknown_tool: 1,
      missing_required: "the schema requires no member",
      wrong_type: "the schema asks nothing that a value could break",
      extra_field: OPEN,
      oversized: "the tool may be destructive, and its schema takes arguments of any size",
    },
  },
];
for (const { name, facts, args = {}, counts } of cases)
  test(name, () => assert.deepEqual(counted(facts, args), counts));

test("only the checks that are asked for, in their order", () => {
  const { cases } = negativeCases(tool(closed), {}, ["wrong_type", "unknown_tool", "wrong_type"]);
  assert.deepEqual([...new Set(cases.map(({ check }) => check))], ["wrong_type", "unknown_tool"]);
});

test("the arguments of the test are kept where they are valid, and made anew where they are not", () => {
  const first = (args: Record<string, unknown>, annotations?: unknown): unknown =>
    negativeCases(tool(closed, annotations), args).base;
  assert.deepEqual(first({ id: "mine" }), { id: "mine" });
  assert.notDeepEqual(first({ id: 7 }), { id: 7 });
  assert.notDeepEqual(first({ id: "mine" }, { destructiveHint: true }), { id: "mine" });
});

test("oversized steps, and what a bound says about them", () => {
  const { cases } = negativeCases(tool(closed), { id: "1" }, ["oversized"]);
  assert.deepEqual(
    cases.map(({ what }) => what),
    ["/id: 64 KiB", "/id: 1 MiB", "/id: 8 MiB"],
  );
  const bounded = { ...closed, properties: { id: { type: "string", maxLength: 10 } } };
  for (const { note } of negativeCases(tool(bounded), { id: "1" }, ["oversized"]).cases)
    assert.match(note ?? "", /the schema forbids it: \/id must have at most 10 characters/);
});

test("a list is made large where there is no text", () => {
  const schema = {
    type: "object",
    properties: { ids: { type: "array", items: { type: "integer" } } },
    required: ["ids"],
  };
  const { cases } = negativeCases(tool(schema), {}, ["oversized"]);
  assert.deepEqual(
    cases.map(({ what }) => what),
    ["/ids: 64 KiB", "/ids: 1 MiB"],
  );
});

const dangers: readonly { name: string; annotations: unknown; isHarmless: boolean }[] = [
  { name: "nothing said", annotations: null, isHarmless: false },
  { name: "hints that are no hints", annotations: { readOnlyHint: "true" }, isHarmless: false },
  { name: "destructive", annotations: { destructiveHint: true }, isHarmless: false },
  { name: "not destructive", annotations: { destructiveHint: false }, isHarmless: true },
  { name: "read-only", annotations: { readOnlyHint: true }, isHarmless: true },
];
for (const { name, annotations, isHarmless } of dangers)
  test(`what may be sent: ${name}`, () => {
    const facts = tool(closed, annotations);
    const valid = { name: facts.name, arguments: { id: "1" } };
    assert.equal(withheld(facts, valid) === undefined, isHarmless);
    assert.equal(withheld(facts, valid, { allowDestructive: true }), undefined);
    assert.equal(withheld(facts, { name: facts.name, arguments: {} }), undefined, "invalid");
    assert.match(withheld(facts, { ...valid, name: "list_archived_entries" }) ?? "", /another tool/);
    for (const { request, check } of negativeCases(facts, { id: "1" }, undefined, { oversizedBytes: [64] })
      .cases) {
      assert.equal(withheld(facts, request), undefined);
      if (!isHarmless || check === "missing_required")
        assert.equal(validate(closed, request.arguments).verdict, "invalid", check);
    }
  });

test("names of tools that are not there: plausible, near, and free", () => {
  const names = unknownNames("look_up", ["look_up", "look_up_v2", "LOOK_UP", "List_Archived_Entries"]);
  assert.deepEqual(
    names.map(({ name }) => name),
    ["get_entry_summary", "look_up_extended"],
  );
  assert.deepEqual(
    unknownNames("Find", []).map(({ name }) => name),
    ["list_archived_entries", "Find_v2", "FIND"],
  );
});

test("nothing that is sent says who sends it", () => {
  const { cases } = negativeCases(tool(closed), { id: "1" }, undefined, { oversizedBytes: [64] });
  assert.doesNotMatch(
    JSON.stringify(cases.map(({ request }) => request)),
    /touchstone|mcptest|probe|fuzz|test/i,
  );
});

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = true;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}
const many = (count: number, schema: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, schema]));
const text = { type: "string", pattern: "^(a|b)*c$", maxLength: 1000 };
const hostile: readonly { name: string; schema: unknown }[] = [
  { name: "allOf 100,000 deep", schema: nested(100_000, (a) => ({ allOf: [a] })) },
  { name: "20,000 members", schema: { type: "object", properties: many(20_000, text) } },
  { name: "recursion", schema: { type: "object", properties: many(20, { $ref: "#" }) } },
  {
    name: "20,000 branches",
    schema: {
      type: "object",
      properties: { a: { anyOf: Array.from({ length: 20_000 }, (_, at) => ({ const: at })) } },
      additionalProperties: false,
    },
  },
];
for (const { name, schema } of hostile)
  for (const annotations of [HARMLESS, { destructiveHint: true }])
    test(`bounded: ${name}, ${JSON.stringify(annotations)}`, { timeout: 60_000 }, () => {
      const facts = tool(schema, annotations);
      const began = performance.now();
      negativeCases(facts, {});
      fuzzCases(facts, {});
      assert.ok(performance.now() - began < 20_000, `${Math.round(performance.now() - began)} ms`);
    });
