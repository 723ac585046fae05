/** What the log keeps of what was said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedContent } from "./content.ts";

test("arguments are a digest and a size unless the operator wants more [AUD-6]", () => {
  const recorded = recordedContent({ to: "a@b.example", text: "secret plans" });
  assert.deepEqual(Object.keys(recorded), ["bytes", "sha256"]);
  assert.equal(recorded.bytes, 42);
  const kept = recordedContent({ b: 1, a: "ü" }, "content");
  assert.equal(kept.content, '{"a":"ü","b":1}');
});

test("the same value has the same digest, however it is written [AUD-6]", () => {
  const [one, other] = [
    recordedContent({ a: 1, b: [2] }),
    recordedContent(JSON.parse('{"b": [2.0], "a": 1}')),
  ];
  assert.deepEqual(one, other);
  assert.notEqual(one.sha256, recordedContent({ a: 1, b: [3] }).sha256);
});

test("what is too deep for a canonical form has a digest of its own too [AUD-6]", () => {
  const nested = (inner: unknown): unknown =>
    Array.from({ length: 300 }).reduce<unknown>((value) => [value], inner);
  const [one, other] = [recordedContent(nested(1)), recordedContent(nested(2))];
  assert.equal(one.bytes, 601);
  assert.notEqual(one.sha256, other.sha256);
});

test("nothing that came from a wire makes it fail [AUD-6]", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  for (const value of [deep, undefined, "\ud800", Number.POSITIVE_INFINITY, Number.NaN])
    assert.equal(recordedContent(value).sha256.length, 64);
});
