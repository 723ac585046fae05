/** Claims written to break whoever reads them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ask, events, failure, inputRequired, type Line } from "../../test/kit/claims.ts";
import { capabilityPaths, extrasOf, withinAgreed } from "./capabilities.ts";
import { judgeClaims } from "./judge.ts";
import { createClaimWatch } from "./watch.ts";

const TERMS = { target: "2026-07-28" };
const many = (n: number, prefix = "x"): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`${prefix}${i}`, {}]));

function deep(levels: number): unknown {
  let value: unknown = {};
  for (let i = 0; i < levels; i += 1) value = { a: value };
  return value;
}

describe("hostile claims", () => {
  test("thousands of extras make one short finding [CLM-22, CLM-25]", () => {
    const { findings, status } = judgeClaims(
      events([
        [">", ask({})],
        [">", ask(many(50_000), { id: 2 })],
      ]),
      TERMS,
    );
    assert.equal(status, "fail");
    assert.equal(findings.length, 1);
    assert.match(findings[0]?.message ?? "", /^claims x0, x1, .* and 493 more beyond/);
    assert.ok((findings[0]?.message.length ?? 0) < 500);
  });

  test("nothing hides behind the limit: more than can be compared is never agreed [CLM-25]", () => {
    const watch = createClaimWatch();
    watch.request(ask(many(600)));
    const message = ask({ ...many(600), sampling: {} }, { id: 2 });
    assert.deepEqual(watch.request(message).extra, ["(more than 512 capabilities)"]);
    const kept = capabilityPaths(
      (watch.strip(message) as { params: { _meta: Record<string, unknown> } }).params._meta[
        "io.modelcontextprotocol/clientCapabilities"
      ],
    );
    assert.equal(kept.has("sampling"), false);
    assert.equal(kept.size, 512);
  });

  test("depth is cut and what lies below counts as one claim [CLM-25]", () => {
    const paths = [...capabilityPaths(deep(100_000) as object)];
    assert.deepEqual(paths, ["a", "a.a", "a.a.a", "a.a.a.a", "a.a.a.a.a", "a.a.a.a.a.…"]);
    const agreed = capabilityPaths(deep(5) as object);
    assert.deepEqual(extrasOf(capabilityPaths(deep(6)), agreed), ["a.a.a.a.a.…"]);
    assert.deepEqual(withinAgreed(deep(9), agreed), deep(5));
  });

  test("long names are cut and stay different [CLM-25]", () => {
    const [a, b] = ["a", "b"].map(
      (end) => [...capabilityPaths({ ["k".repeat(1_000_000) + end]: {} })][0] ?? "",
    );
    assert.ok((a?.length ?? 999) < 100);
    assert.notEqual(a, b);
  });

  test("control characters do not reach a message [CLM-21]", () => {
    const { findings } = judgeClaims(
      events([
        [">", ask({})],
        [">", ask({ "a\u001b[31m\u202e": {} }, { id: "\u0007", method: "x\ny" })],
      ]),
      TERMS,
    );
    const texts = findings.flatMap(({ where, message, evidence }) => [where, message, evidence]);
    assert.doesNotMatch(texts.join(""), /[\p{Cc}\p{Cf}]/u);
  });

  test("ever new widenings are listed up to a bound and then counted [CLM-22]", () => {
    const lines = Array.from(
      { length: 400 },
      (_, i): Line => [">", ask(i === 0 ? {} : { [`n${i}`]: {} }, { id: i })],
    );
    const { findings } = judgeClaims(events(lines), TERMS);
    assert.equal(findings.length, 101);
    assert.equal(findings.at(-1)?.severity, "fail");
    assert.match(findings.at(-1)?.message ?? "", /^299 more sightings of other kinds, not listed$/);
  });

  test("a client that takes a new name each time and a server that never answers are forgotten [CLM-25]", () => {
    const watch = createClaimWatch();
    for (let id = 0; id < 5000; id += 1) watch.request(ask({ roots: {} }, { id, client: `c${id}` }));
    assert.deepEqual(watch.findings(), []);
    assert.equal(watch.answer(inputRequired(1, "roots/list")).findings.length, 0);
  });

  test("thousands of questions in one answer make one finding [CLM-22, CLM-25]", () => {
    const inputRequests = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [
        i,
        { method: "elicitation/create", params: { mode: `m${i}` } },
      ]),
    );
    const answer = { id: 1, result: { resultType: "input_required", inputRequests } };
    const { findings } = judgeClaims(
      events([
        [">", ask({})],
        ["<", answer],
      ]),
      TERMS,
    );
    assert.equal(findings.length, 1);
    assert.ok((findings[0]?.message.length ?? 0) < 1000);
  });

  test("a claim of half a million members costs one look at each, checked and stripped [CLM-25]", () => {
    const message = ask({ a: many(250_000), ...many(250_000, "y") }, { id: 2 });
    const watch = createClaimWatch({ negotiated: ["a"] });
    const start = process.cpuUsage().user;
    watch.request(message);
    watch.strip(message);
    // Work that grows with the square would take minutes.
    assert.ok(process.cpuUsage().user - start < 5_000_000);
  });

  test("no JSON makes it throw, and what is stripped is within what was agreed [CLM-24, CLM-25]", () => {
    const word = fc.constantFrom(
      "elicitation",
      "form",
      "url",
      "sampling",
      "tools",
      "extensions",
      "a.b",
      "__proto__",
      "",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, false, true, 0, "", "x"),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.array(fc.tuple(word, tie("any")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
      ),
    })).any;
    fc.assert(
      fc.property(value, value, fc.jsonValue(), (agreed, claimed, anything) => {
        const base = capabilityPaths(agreed);
        assert.deepEqual(extrasOf(capabilityPaths(withinAgreed(claimed, base)), base), []);
        const watch = createClaimWatch();
        watch.request(ask(agreed));
        const message = ask(claimed, { id: anything, version: anything });
        watch.request(message, { headers: { "mcp-protocol-version": "2026-07-28" } });
        watch.strip(message);
        watch.answer(failure(anything, -32021, { requiredCapabilities: claimed }));
        for (const odd of [anything, { id: 1, result: anything }, { method: anything, params: anything }]) {
          watch.request(odd);
          watch.strip(odd);
          watch.answer(odd);
        }
        watch.findings();
      }),
    );
  });

  test("stripping never claims what was not claimed before [CLM-24]", () => {
    const words = ["form", "url", "vendor"] as const;
    for (let mask = 0; mask < 64; mask += 1) {
      const pick = (bits: number): object =>
        Object.fromEntries(words.filter((_, i) => bits & (1 << i)).map((word) => [word, {}]));
      const claimed = { elicitation: pick(mask & 7) };
      const agreed = capabilityPaths({ elicitation: pick(mask >> 3) });
      const before = capabilityPaths(claimed);
      assert.deepEqual(extrasOf(capabilityPaths(withinAgreed(claimed, agreed)), before), []);
    }
  });
});
