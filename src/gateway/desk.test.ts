import assert from "node:assert/strict";
import { test } from "node:test";
import { Desk, type Word } from "./desk.ts";

const what = (caller: string) => ({ caller, server: "mail", tool: "send", reason: "r", arguments: "{}" });

test("so many calls wait at the desk, and fewer of one caller [GTW-71]", async () => {
  const desk = new Desk();
  const hold = (caller: string): Promise<Word> => desk.hold(what(caller), [new AbortController().signal]);
  const held = Array.from({ length: 16 }, () => hold("bob"));
  assert.equal(await hold("bob"), "full");
  // Nobody else is kept from asking by that.
  const ann = hold("ann");
  assert.equal(desk.held.length, 17);
  desk.answer(desk.held.at(-1)?.id ?? "", true);
  assert.equal(await ann, "approved");
  desk.answer(desk.held[0]?.id ?? "", false);
  assert.equal(await held[0], "denied");
  held.push(hold("bob"));
  assert.equal(await hold("bob"), "full");
  for (let more = 16; more < 100; more++) held.push(hold(`caller ${more}`));
  assert.equal(await hold("one more"), "full");
  desk.close();
  assert.deepEqual(new Set((await Promise.all(held)).slice(1)), new Set(["gone"]));
});

const signals: readonly (readonly [name: string, at: number, isBefore: boolean])[] = [
  ["the request is cancelled", 0, false],
  ["no answer can reach the client any more", 1, false],
  ["it was cancelled before", 0, true],
  ["it was closed before", 1, true],
];
for (const [name, at, isBefore] of signals)
  test(`a held call is let go where ${name} [GTW-71]`, async () => {
    const stops = [new AbortController(), new AbortController()];
    const desk = new Desk();
    if (isBefore) stops[at]?.abort();
    const word = desk.hold(
      what("ann"),
      stops.map(({ signal }) => signal),
    );
    assert.equal(desk.held.length, isBefore ? 0 : 1);
    stops[at]?.abort();
    assert.equal(await word, "gone");
    assert.deepEqual(desk.held, []);
  });
