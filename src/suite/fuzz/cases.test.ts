import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "../../schema/index.ts";
import type { ToolFacts } from "../negative/tool.ts";
import { DEFAULT_CASES, fuzzCases } from "./cases.ts";

const inputSchema = {
  type: "object",
  properties: {
    to: { type: "string", format: "email" },
    amount: { type: "number" },
    delay_ms: { type: "integer", description: "milliseconds to wait" },
    tags: { type: "array", items: { type: "string" } },
    more: { type: "object" },
  },
  required: ["to"],
  additionalProperties: false,
};
const tool = (annotations: unknown = { readOnlyHint: true }, schema: unknown = inputSchema): ToolFacts => ({
  ...{ name: "send", inputSchema: schema, annotations, names: ["send"] },
});
const args = { to: "user@example.com" };
const all = fuzzCases(tool(), args, { cases: 10_000 });

const present: readonly { name: string; has: (args: unknown) => boolean }[] = [
  { name: "arguments that are a text", has: (one) => typeof one === "string" },
  { name: "arguments that are empty", has: (one) => JSON.stringify(one) === "{}" },
  { name: "a number for a text", has: (one) => to(one) === 12345 },
  { name: "null for a text", has: (one) => to(one) === null },
  { name: "10,000 characters", has: (one) => to(one) === "A".repeat(10_000) },
  { name: "a malformed address", has: (one) => to(one) === "user@@example.com" },
  { name: "a NUL byte", has: (one) => String(to(one)).includes("\u0000") },
  { name: "half a surrogate pair", has: (one) => String(to(one)).includes("\ud800b") },
  { name: "a way out of a folder", has: (one) => String(to(one)).startsWith("../") },
  { name: "signs of a shell", has: (one) => String(to(one)).includes("$(true)") },
  { name: "2^53", has: (one) => member(one, "amount") === 2 ** 53 },
  { name: "2^63", has: (one) => member(one, "amount") === 2 ** 63 },
  { name: "a negative amount", has: (one) => member(one, "amount") === -0.01 },
  { name: "1,000 items", has: (one) => (member(one, "tags") as unknown[] | undefined)?.length === 1000 },
  { name: "a member that is forbidden", has: (one) => member(one, "extra_value") !== undefined },
  { name: "deep nesting", has: (one) => JSON.stringify(one).includes("[".repeat(1000)) },
  {
    name: "names of prototypes",
    has: (one) => typeof one === "object" && Object.hasOwn(one as object, "__proto__"),
  },
];
function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
const to = (value: unknown): unknown => member(value, "to");
for (const { name, has } of present)
  test(`among the odd requests: ${name}`, () =>
    assert.ok(all.cases.some(({ request }) => has(request.arguments))));

test("no server is made to wait for long", () => {
  const waits = all.cases.map(({ request }) => Number(member(request.arguments, "delay_ms") ?? 0));
  assert.ok(waits.every((ms) => !(ms > 2)));
});

test("a forbidden member is sent only where it is forbidden", () => {
  const open = fuzzCases(tool(undefined, { ...inputSchema, additionalProperties: true }), args, {
    cases: 10_000,
  });
  assert.ok(open.cases.every(({ request }) => member(request.arguments, "extra_value") === undefined));
});

test("the same seed gives the same window, another one another, and together they reach all", () => {
  const seeded = (seed: number): string[] =>
    fuzzCases(tool(), args, { seed }).cases.map(({ check }) => check);
  assert.equal(seeded(0).length, DEFAULT_CASES);
  assert.deepEqual(seeded(3), seeded(3));
  assert.notDeepEqual(seeded(0), seeded(1));
  const windows = Math.ceil(all.all / DEFAULT_CASES);
  const reached = new Set(Array.from({ length: windows }, (_, seed) => seeded(seed)).flat());
  assert.equal(reached.size, all.all);
  for (const odd of [-1, Number.NaN, 2 ** 60]) assert.equal(seeded(odd).length, DEFAULT_CASES);
});

for (const annotations of [{ destructiveHint: true }, {}])
  test(`a tool that may destroy gets only what its schema refuses: ${JSON.stringify(annotations)}`, () => {
    const { cases, withheld } = fuzzCases(tool(annotations), args, { cases: 10_000 });
    assert.ok(cases.length > 20 && withheld > 20);
    for (const { request, what } of cases)
      assert.equal(validate(inputSchema, request.arguments).verdict, "invalid", what);
  });

test("without a schema there is nothing to send", () => {
  const { cases, reason } = fuzzCases({ name: "send", names: ["send"] }, {});
  assert.deepEqual(cases, []);
  assert.equal(reason, "the tool has no input schema");
});
