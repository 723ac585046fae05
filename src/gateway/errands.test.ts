import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditEvent } from "../audit/index.ts";
import type { Errand } from "./errand.ts";
import { Errands } from "./errands.ts";

const BOUND = { server: "peer", tool: "ask", arguments: "", pin: "", policy: "" };
/** As much of a call as is looked at here. */
const errandOf = (caller: string, id = "0".repeat(32)): Errand =>
  ({ id, bound: { ...BOUND, caller }, end() {} }) as unknown as Errand;

test("so many calls may wait for an answer, and fewer of one caller [GTW-56]", () => {
  const errands = new Errands({ write() {} });
  const first = errandOf("ada");
  assert.equal(errands.enter(first), undefined);
  for (let more = 1; more < 16; more++) assert.equal(errands.enter(errandOf("ada")), undefined);
  assert.equal(errands.enter(errandOf("ada"))?.rule, "question-room");
  assert.equal(errands.enter(first), undefined, "one that is in may ask again");
  errands.leave(first);
  assert.equal(errands.enter(errandOf("ada")), undefined);
  for (let more = 16; more < 100; more++) assert.equal(errands.enter(errandOf(`caller ${more}`)), undefined);
  assert.equal(errands.enter(errandOf("one more"))?.rule, "question-room");
  assert.equal(errands.size, 100);
});

const wrong: readonly (readonly [name: string, state: (right: string) => string, bound: object])[] = [
  ["another caller", (right) => right, { caller: "eve" }],
  ["other arguments", (right) => right, { arguments: "x" }],
  ["another policy", (right) => right, { policy: "x" }],
  ["another definition", (right) => right, { pin: "x" }],
  ["the seal of another call", (right) => right.replace("0".repeat(32), "1".repeat(32)), {}],
  ["no seal", () => `question.${"0".repeat(32)}.`, {}],
  ["anything", () => "question.", {}],
];
for (const [name, state, bound] of wrong)
  test(`an answer goes on with no call: ${name} [GTW-55]`, () => {
    const errands = new Errands({ holdMs: 1000, write() {} });
    const errand = errandOf("ada");
    const right = errands.hold(errand);
    assert.equal(typeof errands.take(state(right), { ...BOUND, caller: "ada", ...bound }), "string");
    // It was not spent by that.
    assert.equal(errands.take(right, { ...BOUND, caller: "ada" }), errand);
    assert.equal(errands.take(right, { ...BOUND, caller: "ada" }), "it was used before");
  });

test("of many questions of one server that nobody was asked one is written down at a time [GTW-56]", () => {
  const written: AuditEvent[] = [];
  const errands = new Errands({ write: (event) => void written.push(event) });
  const refusal = { rule: "question-flood", reason: "too many" };
  for (let time = 0; time < 50; time++)
    errands.unasked("peer", refusal, "elicitation", { id: "d", server: "peer", tool: "ask", arguments: {} });
  errands.unasked("other", refusal, "elicitation");
  assert.deepEqual(
    written.map(({ server, outcome }) => [server, outcome]),
    [
      ["peer", "denied"],
      ["other", "denied"],
    ],
  );
});
