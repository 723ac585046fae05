import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientClaims } from "./claims.ts";

const by = (caller: string | undefined, session: string | undefined) => ({
  headers: {},
  ...(caller === undefined ? {} : { caller }),
  ...(session === undefined ? {} : { session }),
});

test("later claims are held against the first of a session, or of a caller [GTW-39]", () => {
  for (const from of [by(undefined, "s"), by("ann", undefined), by("ann", "s")]) {
    const clients = new ClientClaims();
    const first = { sampling: {}, elicitation: { form: {} } };
    assert.deepEqual(clients.check({ from, claims: first }), { extra: [], within: first });
    assert.deepEqual(clients.check({ from, claims: { sampling: {} } }).extra, []);
    const { extra, within } = clients.check({
      from,
      claims: { sampling: { tools: {} }, roots: {}, elicitation: {} },
    });
    assert.deepEqual(extra, ["sampling.tools", "roots"]);
    assert.deepEqual(within, { sampling: {}, elicitation: {} });
  }
});

test("other sessions and callers have claims of their own, and who has no name is held with all that have none [GTW-39]", () => {
  const clients = new ClientClaims();
  const claims = { elicitation: {} };
  clients.check({ from: by("ann", undefined), claims: {} });
  assert.deepEqual(clients.check({ from: by("bob", undefined), claims }).extra, []);
  assert.deepEqual(clients.check({ from: by(undefined, "ann"), claims }).extra, []);
  assert.deepEqual(clients.check({ from: by("ann", undefined), claims }).extra, [
    "elicitation",
    "elicitation.form",
  ]);
  assert.deepEqual(clients.check({ from: by(undefined, undefined), claims: {} }).extra, []);
  assert.deepEqual(clients.check({ from: by(undefined, undefined), claims }).extra, [
    "elicitation",
    "elicitation.form",
  ]);
});

const [ONE, OTHER] = [
  { name: "agent", version: "1" },
  { name: "agent", version: "2" },
];
const strangers: readonly {
  readonly name: string;
  readonly first: readonly [clientInfo: unknown, named?: string];
  readonly later: readonly [clientInfo: unknown, named?: string];
  readonly isHeld: boolean;
}[] = [
  { name: "the same client", first: [ONE], later: [{ ...ONE }], isHeld: true },
  { name: "another version", first: [ONE], later: [OTHER], isHeld: false },
  { name: "the same conversation of another client", first: [ONE, "c"], later: [OTHER, "c"], isHeld: true },
  { name: "another conversation", first: [ONE, "c"], later: [ONE, "d"], isHeld: false },
  { name: "no name and something that is none", first: [undefined], later: [{ name: 1 }], isHeld: true },
  {
    name: "a conversation that is called like a client",
    first: [ONE],
    later: [OTHER, "agent"],
    isHeld: false,
  },
];
for (const { name, first, later, isHeld } of strangers)
  test(`who has neither session nor token is held by its word: ${name} [GTW-39]`, () => {
    const clients = new ClientClaims();
    const check = ([clientInfo, named]: readonly [unknown, string?], claims: object) =>
      clients.check({ from: by(undefined, undefined), claims: { ...claims }, clientInfo }, named).extra;
    assert.deepEqual(check(first, {}), []);
    assert.deepEqual(check(later, { roots: {} }), isHeld ? ["roots"] : []);
  });

test("however many names strangers choose, nobody else is forgotten [GTW-39]", () => {
  const clients = new ClientClaims();
  clients.check({ from: by("ann", undefined), claims: {} });
  for (let number = 0; number <= 2000; number++)
    clients.check({ from: by(undefined, undefined), claims: {} }, `c${number}`);
  assert.deepEqual(clients.check({ from: by("ann", undefined), claims: { roots: {} } }).extra, ["roots"]);
});

test("a thousand are remembered, the oldest is forgotten first [GTW-39]", () => {
  const clients = new ClientClaims();
  for (let number = 0; number <= 1000; number++)
    clients.check({ from: by(undefined, `s${number}`), claims: {} });
  assert.deepEqual(clients.check({ from: by(undefined, "s1000"), claims: { roots: {} } }).extra, ["roots"]);
  assert.deepEqual(clients.check({ from: by(undefined, "s0"), claims: { roots: {} } }).extra, []);
});
