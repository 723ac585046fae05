import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_FACTS } from "../../../test/gateway/facts.ts";
import { type Facts, measuredBy } from "./facts.ts";
import { Counter, DURATION_BOUNDS, Durations, MOST_SETS } from "./measure.ts";

const cases: readonly (readonly [name: string, seconds: number, bucket: number])[] = [
  ["no time", 0, 0],
  ["a bound belongs below", 0.01, 0],
  ["just above a bound", 0.010001, 1],
  ["the last bound", 300, 13],
  ["above all bounds", 300.1, 14],
];
for (const [name, seconds, bucket] of cases)
  test(`a duration is counted in its bucket: ${name} [GTW-47]`, () => {
    const durations = new Durations();
    durations.add(NO_FACTS, seconds);
    const buckets = durations.all[0]?.value.buckets ?? [];
    assert.equal(buckets.length, DURATION_BOUNDS.length + 1);
    assert.deepEqual([buckets.indexOf(1), buckets.lastIndexOf(1)], [bucket, bucket]);
  });

test("durations of one set of attributes are summed, of others apart [GTW-47]", () => {
  const durations = new Durations();
  for (const seconds of [0.25, 0.5, 4]) durations.add({ ...NO_FACTS, id: String(seconds) }, seconds);
  durations.add({ ...NO_FACTS, method: "tools/list" }, 1);
  const [first, second] = durations.all;
  const { buckets, ...value } = first?.value ?? { buckets: [] };
  assert.deepEqual(value, { count: 3, sum: 4.75, min: 0.25, max: 4 });
  assert.deepEqual(buckets, [0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(second?.attributes, measuredBy({ ...NO_FACTS, method: "tools/list" }));
});

test("sets of attributes are bounded; the rest is in one that says so [GTW-47]", () => {
  const counter = new Counter();
  for (let n = 0; n < MOST_SETS + 500; n++) counter.add({ tool: `t${n}` });
  counter.add({ tool: "t0" }, 4);
  assert.equal(counter.all.length, MOST_SETS);
  assert.deepEqual(counter.all[0], { attributes: { tool: "t0" }, value: 5 });
  assert.deepEqual(counter.all.at(-1), { attributes: { "otel.metric.overflow": true }, value: 501 });
});

const apart: readonly (readonly [name: string, more: Partial<Facts>])[] = [
  ["another tool", { tool: "b" }],
  ["another server", { server: "b" }],
  ["another way it ended", { error: "timeout" }],
  ["another transport", { transport: "pipe" }],
  ["another version", { version: "b" }],
];
for (const [name, more] of apart)
  test(`what is told apart is counted apart: ${name} [GTW-47]`, () => {
    const durations = new Durations();
    durations.add(NO_FACTS, 1);
    durations.add({ ...NO_FACTS, ...more }, 1);
    assert.equal(durations.all.length, 2);
  });

test("codes that servers make up are one, and what differs each time is left out [GTW-47]", () => {
  const durations = new Durations();
  for (let n = 1; n < 50; n++)
    durations.add({ ...NO_FACTS, code: String(n), error: String(n), session: `s${n}`, resource: `r${n}` }, 1);
  assert.equal(durations.all.length, 1);
  const {
    "error.type": error,
    "rpc.response.status_code": code,
    ...rest
  } = durations.all[0]?.attributes ?? {};
  assert.deepEqual([error, code], ["_OTHER", "_OTHER"]);
  assert.equal(JSON.stringify(rest).includes("s1"), false);
  assert.equal(measuredBy({ ...NO_FACTS, error: "-32602" })["error.type"], "-32602");
});
