/** Bad requests against servers that take them in every way, and against a real one. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CaseOutcome, CaseResult, NegativeCheck } from "../../src/suite/model.ts";
import type { Peer } from "../../src/suite/negative/drive.ts";
import type { Assessed } from "../../src/suite/negative/result.ts";
import { type RunOptions, runNegative } from "../../src/suite/negative/run.ts";
import { launchOf, reach, server, toolsOf } from "../fixtures/negative/kit.ts";
import { bodyOf, listen } from "../kit/http.ts";
import { peers, temporaryFolder } from "../kit/paths.ts";

async function run(
  mode: string,
  {
    name = "find",
    counted = [],
    ...options
  }: RunOptions & { name?: string; counted?: readonly string[] } = {},
): Promise<Assessed> {
  const launch = launchOf(server, mode, ...counted);
  const tool = (await toolsOf(launch)).find((one) => one.name === name);
  assert.ok(tool);
  const test = { name: "a test", server: "library", tags: [] };
  return runNegative(reach(launch), test, tool, { query: "dune" }, { maxCallMs: 2_000, ...options });
}

/** The outcomes that are not the usual one, each with its case. */
const unlike = (cases: readonly CaseResult[] | undefined, usual: CaseOutcome): string[] =>
  (cases ?? []).filter(({ outcome }) => outcome !== usual).map(({ what, outcome }) => `${what} ${outcome}`);

const LARGE = ["/query: 64 KiB", "/query: 1 MiB", "/query: 8 MiB"];
const TRAP = "/limit: a string instead of an integer";
const MUTE = "/query: required, and left out";
const ALL: readonly NegativeCheck[] = [
  "unknown_tool",
  "missing_required",
  "wrong_type",
  "extra_field",
  "oversized",
];

const cases: readonly {
  name: string;
  mode: string;
  usual: CaseOutcome;
  /** Cases with another outcome. */
  others?: readonly string[];
  failed: readonly NegativeCheck[];
  rules: readonly string[];
  options?: RunOptions;
}[] = [
  {
    name: "a server that answers with errors",
    mode: "protocol",
    usual: "rejected-protocol",
    failed: [],
    rules: [],
  },
  { name: "a server that answers with isError", mode: "tool", usual: "rejected-tool", failed: [], rules: [] },
  {
    name: "a server that only says so",
    mode: "words",
    usual: "in-band-error",
    failed: ["unknown_tool", "missing_required", "wrong_type", "extra_field"],
    rules: [
      "warn FAULT-PROTO-UNKNOWN-METHOD",
      "warn FAULT-SCHEMA-MISSING-REQUIRED",
      "warn FAULT-SCHEMA-TYPE-MISMATCH",
      "warn FAULT-SCHEMA-UNEXPECTED-FIELD",
    ],
  },
  {
    name: "a server that takes everything",
    mode: "lenient",
    usual: "accepted-silently",
    failed: ["unknown_tool", "missing_required", "wrong_type", "extra_field"],
    rules: [
      "fail FAULT-PROTO-UNKNOWN-METHOD",
      "fail FAULT-SCHEMA-MISSING-REQUIRED",
      "fail FAULT-SCHEMA-TYPE-MISMATCH",
      "fail FAULT-SCHEMA-UNEXPECTED-FIELD",
    ],
  },
  {
    name: "a server that crashes on one argument",
    mode: "crash",
    usual: "rejected-protocol",
    others: [`${TRAP} crashed`],
    failed: ["wrong_type"],
    rules: ["fail FAULT-SCHEMA-TYPE-MISMATCH"],
  },
  {
    name: "a server that leaves politely on one argument",
    mode: "quit",
    usual: "rejected-protocol",
    others: [`${TRAP} crashed`],
    failed: ["wrong_type"],
    rules: ["fail FAULT-SCHEMA-TYPE-MISMATCH"],
  },
  {
    name: "a server that answers and then crashes",
    mode: "crash-late",
    usual: "rejected-protocol",
    others: [`${TRAP} crashed`],
    failed: ["wrong_type"],
    rules: ["fail FAULT-SCHEMA-TYPE-MISMATCH"],
  },
  {
    name: "a server that never answers one request",
    mode: "hang",
    usual: "rejected-protocol",
    others: [`${MUTE} hung`],
    failed: ["missing_required"],
    rules: ["fail FAULT-SCHEMA-MISSING-REQUIRED"],
    options: { maxCallMs: 1_500 },
  },
  {
    name: "a server that is stuck after one request",
    mode: "block",
    usual: "rejected-protocol",
    others: [`${MUTE} hung`],
    failed: ["missing_required"],
    rules: ["fail FAULT-SCHEMA-MISSING-REQUIRED"],
    options: { maxCallMs: 1_500 },
  },
  ...(["string-error", "null-result", "broken-json"] as const).map((mode) => ({
    name: `a server with answers that are none, ${mode}`,
    mode,
    usual: "malformed" as const,
    failed: ALL,
    rules: [
      "fail FAULT-PROTO-UNKNOWN-METHOD",
      "fail FAULT-SCHEMA-MISSING-REQUIRED",
      "fail FAULT-SCHEMA-TYPE-MISMATCH",
      "fail FAULT-SCHEMA-UNEXPECTED-FIELD",
      "fail FAULT-INPUT-OVERSIZED",
    ],
  })),
  {
    name: "a server that logs to stdout",
    mode: "noisy",
    usual: "polluted",
    failed: [],
    rules: ["warn WIRE-01"],
  },
  {
    name: "a server that shows its traces",
    mode: "leaky",
    usual: "leaked",
    failed: [],
    rules: ["warn SCAN-05"],
  },
];

for (const { name, mode, usual, others = [], failed, rules, options = {} } of cases)
  test(`${name}: every outcome is right`, { timeout: 60_000 }, async () => {
    const { result, findings } = await run(mode, options);
    assert.deepEqual(unlike(result.cases, usual), others);
    assert.deepEqual([...new Set(result.cases?.map(({ check }) => check))], ALL);
    assert.deepEqual(
      ALL.filter((check) => result.cases?.some((one) => one.check === check && !one.isMet)),
      failed,
    );
    assert.equal(result.status, failed.length === 0 ? "passed" : "failed");
    assert.deepEqual(
      findings.map(({ severity, rule }) => `${severity} ${rule}`),
      rules,
    );
    const bad = result.cases?.filter(({ isMet }) => !isMet).length;
    assert.deepEqual(result.targets, {
      checks_run: 5,
      failures: failed.length,
      gate_passed: failed.length === 0 ? 1 : 0,
      cases_run: result.cases?.length,
      case_failures: bad,
      checks_skipped: 0,
    });
    assert.ok(JSON.stringify(result).length < 200_000, "evidence is bounded");
  });

test("every case keeps its request, its answer, its time and its code", { timeout: 60_000 }, async () => {
  const { result } = await run("protocol", { checks: ["missing_required", "oversized"] });
  const [first, ...large] = result.cases ?? [];
  assert.deepEqual(first?.request, { name: "find", arguments: {} });
  assert.deepEqual(first?.response, { error: { code: -32602, message: "query must be a text" } });
  assert.equal(first?.code, -32602);
  assert.equal(first?.keyword, "required");
  assert.ok((first?.ms ?? -1) >= 0);
  assert.deepEqual(
    large.map(({ what }) => what),
    LARGE,
  );
  for (const { note } of large)
    assert.match(note ?? "", /the schema forbids it: \/query must have at most 100/);
});

for (const { name, tool } of [
  { name: "a tool that says it destroys", tool: "erase" },
  { name: "a tool that says nothing", tool: "store" },
])
  for (const mode of ["protocol", "lenient"])
    test(`${name} sees no valid call, on a server that is ${mode}`, { timeout: 60_000 }, async () => {
      using folder = temporaryFolder();
      const counted = join(folder.path, "erased.txt");
      const { result } = await run(mode, { name: tool, counted: [counted] });
      assert.ok((result.cases?.length ?? 0) > 10);
      assert.equal(existsSync(counted), false, "no valid call was made");
      assert.equal("extra_field" in (result.checksSkipped ?? {}), tool === "erase");
    });

test("an operator may allow what a destructive tool does", { timeout: 60_000 }, async () => {
  const { result } = await run("protocol", { name: "erase", allowDestructive: true });
  assert.deepEqual(result.checksSkipped, {});
  assert.equal(result.status, "passed");
});

test("a server that ends on every bad request is not started for ever", { timeout: 60_000 }, async () => {
  const open = reach(launchOf("-e", END_ON_CALL));
  let opened = 0;
  const counting: Peer = {
    open: () => {
      opened += 1;
      return open.open();
    },
  };
  const [tool] = await toolsOf(launchOf(server, "protocol"));
  assert.ok(tool);
  const test = { name: "a test", server: "library", tags: [] };
  const { result } = await runNegative(counting, test, tool, { query: "dune" }, { maxCallMs: 2_000 });
  assert.equal(result.status, "failed");
  assert.deepEqual(unlike(result.cases, "crashed"), []);
  assert.equal(result.targets?.checks_run, 5);
  assert.ok(opened <= 14, `opened ${opened} times`);
});

const END_ON_CALL = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "tools/call") process.exit(3);
    const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: "s", version: "1" } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });`;

test("a tool that is slow with ordinary arguments is not blamed for large ones", {
  timeout: 60_000,
}, async () => {
  const launch = launchOf(server, "slow");
  const [tool] = await toolsOf(launch);
  assert.ok(tool);
  // Without a bound, the large text is a valid call.
  const open = { ...tool, inputSchema: { type: "object", properties: { query: { type: "string" } } } };
  const test = { name: "a test", server: "library", tags: [] };
  const plan = { maxCallMs: 300, checks: ["oversized"] as const, oversizedBytes: [50] };
  const { result } = await runNegative(reach(launch), test, open, { query: "dune" }, plan);
  assert.deepEqual(unlike(result.cases, "hung"), []);
  assert.match(result.cases?.[0]?.note ?? "", /takes as long with ordinary arguments/);
  assert.equal(result.status, "passed");
});

test("a server that cannot be opened is not assessed", async () => {
  const [tool] = await toolsOf(launchOf(server, "protocol"));
  assert.ok(tool);
  const test = { name: "a test", server: "library", tags: [] };
  const { result, findings } = await runNegative(reach(launchOf("-e", "0")), test, tool, { query: "dune" });
  assert.equal(result.status, "not_assessed");
  assert.match(result.reason ?? "", /could not be opened/);
  assert.deepEqual(findings, []);
});

test("over HTTP a lost connection, a bare status and a refused size are told apart", {
  timeout: 60_000,
}, async () => {
  await using http = await listen(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body) as {
      id?: number;
      method: string;
      params: Record<string, unknown>;
    };
    const json = (answer: object): void =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "initialize")
      return json({
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: {},
          serverInfo: { name: "s", version: "1" },
        },
      });
    if (method === "tools/list") return json({ result: { tools: [] } });
    if (body.length > 60_000) return void response.writeHead(413).end();
    const query = (params.arguments as { query?: unknown } | null)?.query;
    if (query === 12345) return void request.socket.destroy();
    if (query === null) return void response.writeHead(400).end("bad request");
    return json({ error: { code: -32602, message: "no" } });
  });
  const [tool] = await toolsOf(launchOf(server, "protocol"));
  assert.ok(tool);
  const test = { name: "a test", server: "library", tags: [] };
  const peer = reach({ kind: "http", url: http.url, transport: "http" });
  const { result } = await runNegative(peer, test, tool, { query: "dune" }, { maxCallMs: 2_000 });
  assert.deepEqual(unlike(result.cases, "rejected-protocol"), [
    "/query: a number instead of a string transport-lost",
    "/query: null instead of a string malformed",
    ...LARGE.map((what) => `${what} malformed`),
  ]);
  assert.ok(result.cases?.every(({ check, isMet }) => check !== "oversized" || isMet));
});

test("the reference server has no false finding", { timeout: 120_000 }, async () => {
  const launch = launchOf(
    join(peers, "node_modules/@modelcontextprotocol/server-everything/dist/index.js"),
    "stdio",
  );
  const tools = await toolsOf(launch);
  assert.ok(tools.length >= 10);
  for (const tool of tools) {
    const test = { name: tool.name, server: "everything", tags: [] };
    const { result, findings } = await runNegative(reach(launch), test, tool, {});
    assert.deepEqual(findings, [], tool.name);
    assert.equal(result.status, "passed", tool.name);
  }
});
