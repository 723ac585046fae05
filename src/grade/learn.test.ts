import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CallParts, FIXTURES, run } from "../../test/kit/run.ts";
import { wordsToTry } from "./learn.ts";

const words = (...exchanges: CallParts[]): string[] =>
  wordsToTry("echo", run({ exchanges }).exchanges, FIXTURES);
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
    name: "quoted words of an error",
    calls: [refused("no city called 'hello', try 'Paris'")],
    first: ["Paris"],
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
    first: ["Paris: 2 M", "Paris", "Oslo: 1 M", "Oslo"],
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
  { name: "what was sent already is not tried again", calls: [refused("try 'Paris'", { text: "Paris" })] },
  {
    name: "errors of other tools teach nothing",
    calls: [{ tool: "other", outcome: "refused", says: "one of: red" }],
  },
];
for (const { name, calls } of nothing) test(name, () => assert.deepEqual(words(...calls), []));

test("whatever a server says: twelve short words at most, each once, quickly", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          says: fc.oneof(
            fc.string({ unit: "binary", maxLength: 300 }),
            fc
              .array(fc.constantFrom("one of: ", "'", '"', "a", ",", "\n", "ENOENT ", "- ", ":", "["), {
                maxLength: 60,
              })
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
  assert.ok(performance.now() - began < 2000);
});
