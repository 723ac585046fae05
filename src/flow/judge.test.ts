/** The decision table: what was declared, and what it makes of a flow. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { judgeFlows, type TrustBoundary } from "./judge.ts";
import { FLOW_KINDS, type Flow, type FlowKind } from "./model.ts";

/** `a.get > b.put`: a way, with the call number after each name. */
function flowOf(
  way: string,
  { kind = "verbatim", isUnchanged = false }: { kind?: FlowKind; isUnchanged?: boolean } = {},
): Flow {
  const chain = way.split(" > ").map((name, index) => {
    const [server = "", tool = ""] = name.split(".");
    return { call: String(index + 1), server, tool };
  });
  const [first, last] = [chain[0], chain.at(-1)];
  if (!first || !last) throw new Error("a way has two ends");
  return {
    producer: { ...first, path: "content[0].text" },
    consumer: { ...last, path: "body" },
    kind,
    chars: 40,
    chain,
    excerpt: "the keys",
    isUnchanged,
  };
}

const boundary = (pairs: string[] = [], requiredSanitizers: string[] = []): TrustBoundary => ({
  allowedFlows: pairs.map((pair) => {
    const [from = "", to = ""] = pair.split(">");
    return { from, to };
  }),
  requiredSanitizers,
});

describe("the decision table", () => {
  const cases: {
    name: string;
    way: string;
    by: TrustBoundary | undefined;
    status: string;
    cleared?: number;
  }[] = [
    {
      name: "no declaration: not assessed, which is no pass",
      way: "a.get > b.put",
      by: undefined,
      status: "not-assessed",
    },
    { name: "an empty declaration allows nothing", way: "a.get > b.put", by: boundary(), status: "fail" },
    {
      name: "a pair that is allowed",
      way: "a.get > b.put",
      by: boundary(["a>b"]),
      status: "pass",
      cleared: 1,
    },
    { name: "the pair the other way", way: "a.get > b.put", by: boundary(["b>a"]), status: "fail" },
    {
      name: "pairs do not add up",
      way: "a.get > b.put > c.put",
      by: boundary(["a>b", "b>c"]),
      status: "fail",
    },
    {
      name: "a sanitizer is required and was not on the way",
      way: "a.get > b.put",
      by: boundary(["a>b"], ["clean"]),
      status: "fail",
    },
    {
      name: "a sanitizer on the way",
      way: "a.get > g.clean > b.put",
      by: boundary([], ["clean"]),
      status: "pass",
      cleared: 1,
    },
    {
      name: "a sanitizer on the way, the pair allowed too",
      way: "a.get > g.clean > b.put",
      by: boundary(["a>b"], ["clean"]),
      status: "pass",
      cleared: 1,
    },
    {
      name: "into a sanitizer",
      way: "a.get > g.clean",
      by: boundary([], ["clean"]),
      status: "pass",
      cleared: 1,
    },
    {
      name: "out of a sanitizer",
      way: "g.clean > b.put",
      by: boundary([], ["clean"]),
      status: "pass",
      cleared: 1,
    },
  ];
  for (const { name, way, by, status, cleared = 0 } of cases)
    test(`${name} [FLW-18]`, () => {
      const verdict = judgeFlows([flowOf(way)], by);
      assert.equal(verdict.status, status);
      assert.equal(verdict.cleared.length, cleared);
    });

  test("no flow under a declaration is a pass [FLW-18]", () =>
    assert.deepEqual(judgeFlows([], boundary()), { status: "pass", findings: [], cleared: [] }));
});

describe("a sanitizer is named by", () => {
  const cases = [
    { name: "its tool", names: ["clean"], status: "pass" },
    { name: "its server and tool", names: ["g.clean"], status: "pass" },
    { name: "its server", names: ["g"], status: "pass" },
    { name: "another tool", names: ["scrub"], status: "fail" },
    { name: "the tool of another server", names: ["h.clean"], status: "fail" },
    { name: "a part of its name", names: ["cle"], status: "fail" },
  ];
  for (const { name, names, status } of cases)
    test(`${name}: ${status} [FLW-17]`, () =>
      assert.equal(judgeFlows([flowOf("a.get > g.clean > b.put")], boundary([], names)).status, status));
});

describe("the severity of", () => {
  const fails = new Set<FlowKind>(["structural-equal", "verbatim", "contained"]);
  for (const kind of FLOW_KINDS) {
    test(`${kind} [FLW-19]`, () => {
      const { findings, status } = judgeFlows([flowOf("a.get > b.put", { kind })], boundary());
      assert.equal(findings[0]?.severity, fails.has(kind) ? "fail" : "warn");
      assert.equal(status, fails.has(kind) ? "fail" : "pass");
    });
    test(`${kind}, raised [FLW-19]`, () =>
      assert.equal(
        judgeFlows([flowOf("a.get > b.put", { kind })], boundary(), { raise: [kind] }).status,
        "fail",
      ));
  }
});

test("a sanitizer that changed nothing clears, and that is told [FLW-17]", () => {
  const flow = flowOf("a.get > g.clean > b.put", { isUnchanged: true });
  const { status, findings, cleared } = judgeFlows([flow], boundary([], ["clean"]));
  assert.equal(status, "pass");
  assert.equal(cleared.length, 1);
  assert.deepEqual(
    findings.map(({ rule, severity, message }) => [rule, severity, message.split(":")[0]]),
    [["SEC-060", "info", "g.clean gave back what it was given, as it was"]],
  );
});

test("a finding names both ends, the way and why, and nothing in it acts [FLW-23]", () => {
  const { findings } = judgeFlows([flowOf("a\u202e.get > m.keep > b.put")], boundary());
  assert.equal(findings[0]?.rule, "SEC-060");
  assert.equal(
    findings[0]?.message,
    'a\\u{202e}.get (content[0].text) reaches b.put ("body"), by way of m.keep: 40 characters word for word; nobody declared this boundary',
  );
});
