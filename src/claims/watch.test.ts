/** A gateway's view: each message checked as it passes, widened claims taken out, everything else left alone. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask, failure, initialize, inputRequired, plain, result } from "../../test/kit/claims.ts";
import { createClaimWatch } from "./watch.ts";

const KEY = "io.modelcontextprotocol/clientCapabilities";
const form = { elicitation: { form: {} } };
const claimsOf = (message: unknown): unknown =>
  (message as { params: { _meta: Record<string, unknown> } }).params._meta[KEY];

describe("live", () => {
  test("a request within what was agreed passes as the same object [CLM-24]", () => {
    const watch = createClaimWatch({ negotiated: ["elicitation"] });
    const message = ask(form);
    assert.deepEqual(watch.request(message), { extra: [], findings: [] });
    assert.equal(watch.strip(message), message);
  });

  test("each request says at once what is too much [CLM-12]", () => {
    const watch = createClaimWatch({ peer: "notes" });
    assert.deepEqual(watch.request(ask({})).extra, []);
    const first = watch.request(ask(form, { id: 2 }));
    assert.deepEqual(first.extra, ["elicitation", "elicitation.form"]);
    assert.equal(first.findings[0]?.where, "notes: tools/call (id 2)");
    const second = watch.request(ask(form, { id: 3 }));
    assert.deepEqual(second.extra, ["elicitation", "elicitation.form"], "refused every time");
    assert.deepEqual(second.findings, [], "told once");
  });

  test("only the widened claims go, unknown members survive [CLM-24]", () => {
    const watch = createClaimWatch({ negotiated: ["roots"] });
    const message = {
      ...ask({ roots: {}, ...form }, { params: { name: "x", odd: [1, { a: null }] } }),
      stranger: { here: true },
    };
    const before = structuredClone(message);
    watch.request(message);
    const sent = watch.strip(message) as typeof message;
    assert.deepEqual(claimsOf(sent), { roots: {} });
    assert.deepEqual(message, before, "the message itself is left as it was");
    const expected = structuredClone(before) as unknown as { params: { _meta: Record<string, unknown> } };
    expected.params._meta[KEY] = { roots: {} };
    assert.deepEqual(sent, expected);
    assert.deepEqual(Object.keys(sent), Object.keys(message), "members keep their order");
  });

  test("what was stripped has not been claimed: the server may not use it [CLM-13, CLM-24]", () => {
    const watch = createClaimWatch({ negotiated: ["tools"] });
    const message = ask(form, { id: 5 });
    watch.request(message);
    watch.strip(message);
    const { findings } = watch.answer(inputRequired(5, "elicitation/create"));
    assert.match(
      findings[0]?.message ?? "",
      /the server uses elicitation\.form, which the client did not claim/,
    );
  });

  test("initialize is stripped where it claims [CLM-24]", () => {
    const watch = createClaimWatch({ negotiated: ["roots"] });
    const message = initialize({ roots: {}, ...form });
    assert.deepEqual(watch.request(message).extra, ["elicitation", "elicitation.form"]);
    const sent = watch.strip(message) as { params: { capabilities: unknown } };
    assert.deepEqual(sent.params.capabilities, { roots: {} });
  });

  test("no batch hides a claim [CLM-7, CLM-24]", () => {
    const watch = createClaimWatch({ negotiated: [] });
    const batch = [ask({}, { id: 1 }), ask({ roots: {} }, { id: 2 })];
    assert.deepEqual(watch.request(batch).extra, ["roots"]);
    assert.deepEqual((watch.strip(batch) as unknown[]).map(claimsOf), [{}, {}]);
    assert.equal(watch.answer([result(1), inputRequired(2, "sampling/createMessage")]).findings.length, 1);
  });

  test("answers, notifications and strange messages have nothing to strip [CLM-25]", () => {
    const watch = createClaimWatch({ negotiated: [] });
    for (const message of [result(1), plain("ping", 1), null, 7, "x", { params: [] }, { method: 5 }]) {
      assert.deepEqual(watch.request(message), { extra: [], findings: [] });
      assert.equal(watch.strip(message), message);
      assert.deepEqual(watch.answer(message), { findings: [] });
    }
  });

  test("a request that is refused and asked to widen is told as it happens [CLM-16]", () => {
    const watch = createClaimWatch({ peer: "notes" });
    watch.request(ask({}, { id: 1 }));
    const asked = watch.answer(failure(1, -32021, { requiredCapabilities: { sampling: {} } })).findings;
    assert.deepEqual(
      asked.map(({ severity, where }) => [severity, where]),
      [["info", "notes: answer to tools/call (id 1)"]],
    );
    const followed = watch.request(ask({ sampling: {} }, { id: 2 })).findings;
    assert.match(followed[0]?.message ?? "", /had asked for sampling in its answer to tools\/call \(id 1\)/);
  });
});
