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

test("other sessions and callers have claims of their own, and who has no name is held to nothing [GTW-39]", () => {
  const clients = new ClientClaims();
  const claims = { elicitation: {} };
  clients.check({ from: by("ann", undefined), claims: {} });
  assert.deepEqual(clients.check({ from: by("bob", undefined), claims }).extra, []);
  assert.deepEqual(clients.check({ from: by(undefined, "ann"), claims }).extra, []);
  assert.deepEqual(clients.check({ from: by("ann", undefined), claims }).extra, [
    "elicitation",
    "elicitation.form",
  ]);
  for (const each of [{}, claims])
    assert.deepEqual(clients.check({ from: by(undefined, undefined), claims: each }).extra, []);
});

test("a thousand are remembered, the oldest is forgotten first [GTW-39]", () => {
  const clients = new ClientClaims();
  for (let number = 0; number <= 1000; number++)
    clients.check({ from: by(undefined, `s${number}`), claims: {} });
  assert.deepEqual(clients.check({ from: by(undefined, "s1000"), claims: { roots: {} } }).extra, ["roots"]);
  assert.deepEqual(clients.check({ from: by(undefined, "s0"), claims: { roots: {} } }).extra, []);
});
