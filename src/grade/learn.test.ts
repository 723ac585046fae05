import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CallParts, ECHO, FIXTURES, run, sightOf } from "../../test/kit/run.ts";
import { argumentsToTry, wordsFor } from "./learn.ts";

const PLACE = { name: "text", schema: { type: "string" } };
const words = (...exchanges: CallParts[]): string[] =>
  wordsFor(PLACE, ECHO, run({ exchanges }).exchanges, FIXTURES);
const refused = (says: string, args: unknown = { text: "hello" }): CallParts => ({
  outcome: "refused",
  says,
  args,
});

const cases: readonly {
  readonly name: string;
  readonly calls: readonly CallParts[];
  readonly first: readonly string[];
}[] = [
  {
    name: "choices that an error names",
    calls: [refused("expected one of: red, green, blue")],
    first: ["red", "green", "blue"],
  },
  {
    name: "choices in brackets and quotes",
    calls: [refused('color must be one of ["red", "green"]')],
    first: ["red", "green"],
  },
  {
    name: "choices with or between",
    calls: [refused("allowed values: small or large")],
    first: ["small", "large"],
  },
  {
    name: "choices without a colon",
    calls: [refused("must be one of a, b")],
    first: ["a", "b"],
  },
  {
    name: "quoted words of an error",
    calls: [refused("no city called 'hello', try 'Paris'")],
    first: ["hello", "Paris"],
  },
  {
    name: "an example of an error",
    calls: [refused("Five fields are wanted. Example: 0 4 * * 1")],
    first: ["0 4 * * 1"],
  },
  {
    name: "the form of a date that an error names",
    calls: [refused("Dates must be written YYYY-MM-DD.")],
    first: ["2024-03-15"],
  },
  {
    name: "folders where one is wanted",
    calls: [refused("ENOTDIR: not a directory")],
    first: [...FIXTURES.folders],
  },
  {
    name: "files where one is wanted",
    calls: [refused("ENOENT: no such file or directory")],
    first: [...FIXTURES.files],
  },
  {
    name: "lines of what another tool has answered",
    calls: [refused("unknown"), { tool: "list", says: "- Paris: 2 M\n- Oslo: 1 M" }],
    first: ["Paris: 2 M", "Paris", "-", "Oslo: 1 M", "Oslo"],
  },
  {
    name: "a time is one word",
    calls: [refused("unknown"), { tool: "list", says: "departs 10:30" }],
    first: ["departs 10:30", "departs"],
  },
  {
    name: "items of a list in JSON",
    calls: [refused("unknown"), { tool: "list", says: '["inv-1", "inv-2"]' }],
    first: ["inv-1", "inv-2"],
  },
  {
    name: "values under the parameter's own name come first",
    calls: [refused("unknown"), { tool: "list", says: '[{"id": 7, "text": "seven"}, "other"]' }],
    first: ["seven", "other"],
  },
  {
    name: "the tool that an error names comes first",
    calls: [refused("call second before this"), { tool: "first", says: "a" }, { tool: "second", says: "b" }],
    first: ["b", "a"],
  },
  {
    name: "errors of the protocol are read too",
    calls: [{ outcome: "error", says: "expected one of: a, b" }],
    first: ["a", "b"],
  },
];
for (const { name, calls, first } of cases)
  test(`tried next: ${name}`, () => assert.deepEqual(words(...calls).slice(0, first.length), first));

const nothing: readonly { readonly name: string; readonly calls: readonly CallParts[] }[] = [
  { name: "a tool that was never called has taught nothing", calls: [] },
  { name: "its own successes teach nothing", calls: [{ says: "one of: red, green" }] },
  {
    name: "errors of other tools teach nothing",
    calls: [{ tool: "other", outcome: "refused", says: "one of: red" }],
  },
];
for (const { name, calls } of nothing) test(name, () => assert.deepEqual(words(...calls), []));

const TEXT = { type: "string" };
const tool = (properties: object) =>
  sightOf({ name: "echo", inputSchema: { type: "object", properties, required: Object.keys(properties) } });
const tries = (one: ReturnType<typeof tool>, base: object, ...exchanges: CallParts[]) =>
  argumentsToTry(one, { ...base }, run({ exchanges }).exchanges, FIXTURES);

test("several places are filled together, each with what belongs there", () => {
  const one = tool({
    repo: { ...TEXT, description: "see list_repos" },
    sha: { ...TEXT, description: "see log" },
  });
  const made = tries(
    one,
    { repo: "example", sha: "example" },
    refused("no such repository"),
    { tool: "list_repos", says: "web-shop\napi" },
    { tool: "log", says: "a1b2c3d Ana: cleans up" },
  );
  assert.ok(made.length <= 16);
  assert.ok(
    made.some(({ repo, sha }) => repo === "web-shop" && sha === "a1b2c3d"),
    JSON.stringify(made),
  );
});

test("what was sent already is not tried again", () =>
  assert.deepEqual(tries(tool({ text: TEXT }), {}, refused("try 'Paris'", { text: "Paris" })), []));

test("a tool without a place for text is not tried again", () =>
  assert.deepEqual(tries(tool({ a: { type: "number" } }), { a: 1 }, refused("one of: 1, 2")), []));

test("whatever a server says: twelve short words at most, each once, quickly", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          says: fc.oneof(
            fc.string({ unit: "binary", maxLength: 300 }),
            fc
              .array(
                fc.constantFrom(
                  "one of: ",
                  "e.g. ",
                  "'",
                  '"',
                  "a",
                  ",",
                  "\n",
                  "ENOENT ",
                  "- ",
                  ":",
                  "[",
                  "]",
                ),
                { maxLength: 60 },
              )
              .map((parts) => parts.join("")),
          ),
          tool: fc.constantFrom("echo", "other"),
          outcome: fc.constantFrom("done" as const, "refused" as const, "error" as const),
        }),
        { maxLength: 5 },
      ),
      (calls) => {
        const found = words(...calls);
        assert.ok(found.length <= 12);
        assert.equal(new Set(found).size, found.length);
        for (const word of found) assert.ok(word.length > 0 && word.length <= 120);
      },
    ),
    { numRuns: 200 },
  );
  const began = performance.now();
  words(refused(`one of: ${"a ".repeat(500_000)}`), { tool: "other", says: "'x".repeat(500_000) });
  words(refused("e.g. such as ".repeat(100_000)), { tool: "other", says: `[${"[".repeat(5000)}` });
  assert.ok(performance.now() - began < 2000);
});
