/** Odd arguments against servers that take them in every way, and against a real one. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FuzzRunOptions, runFuzz } from "../../src/suite/fuzz/run.ts";
import type { Assessed } from "../../src/suite/negative/result.ts";
import { launchOf, reach, server, toolsOf } from "../fixtures/negative/kit.ts";
import { peers, temporaryFolder } from "../kit/paths.ts";

async function run(
  mode: string,
  {
    name = "find",
    counted = [],
    ...options
  }: FuzzRunOptions & { name?: string; counted?: readonly string[] } = {},
): Promise<Assessed> {
  const launch = launchOf(server, mode, ...counted);
  const tool = (await toolsOf(launch)).find((one) => one.name === name);
  assert.ok(tool);
  const test = { name: "a test", server: "library", tags: [] };
  return runFuzz(reach(launch), test, tool, { query: "dune" }, { cases: 1000, ...options });
}

const CLEAN = { crashes: 0, hangs: 0, protocol_violations: 0, leaks: 0 };
const cases: readonly {
  name: string;
  mode: string;
  faults: Partial<Record<keyof typeof CLEAN, number | "many">>;
  rules: readonly string[];
  options?: FuzzRunOptions;
}[] = [
  { name: "a server that rejects", mode: "protocol", faults: {}, rules: [] },
  { name: "a server that takes everything", mode: "lenient", faults: {}, rules: [] },
  { name: "a server that only says so", mode: "words", faults: {}, rules: [] },
  { name: "a server that crashes", mode: "crash", faults: { crashes: 1 }, rules: ["FUZZ-01"] },
  {
    name: "a server that crashes after its answer",
    mode: "crash-late",
    faults: { crashes: 1 },
    rules: ["FUZZ-01"],
  },
  {
    name: "a server that does not answer",
    mode: "hang",
    faults: { hangs: 1 },
    rules: ["FUZZ-02"],
    options: { maxCallMs: 1_500 },
  },
  {
    name: "answers that are none",
    mode: "string-error",
    faults: { protocol_violations: "many" },
    rules: ["FUZZ-03"],
  },
  { name: "noise", mode: "noisy", faults: { protocol_violations: "many" }, rules: ["FUZZ-03"] },
  { name: "traces", mode: "leaky", faults: { leaks: "many" }, rules: ["FUZZ-04"] },
];
for (const { name, mode, faults, rules, options = {} } of cases)
  test(`odd arguments: ${name}`, { timeout: 60_000 }, async () => {
    const { result, findings } = await run(mode, options);
    const targets = { ...result.targets };
    for (const [fault, times] of Object.entries({ ...CLEAN, ...faults })) {
      if (times === "many") assert.ok((targets[fault] ?? 0) > 10, `${fault} ${targets[fault]}`);
      else assert.equal(targets[fault], times, fault);
    }
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      rules,
    );
    assert.equal(targets.gate_passed, rules.length === 0 ? 1 : 0);
    assert.equal(result.status, rules.length === 0 ? "passed" : "failed");
    assert.ok((targets.cases_run ?? 0) > 40);
  });

test("a destructive tool sees no valid call", { timeout: 60_000 }, async () => {
  using folder = temporaryFolder();
  const counted = join(folder.path, "erased.txt");
  for (const name of ["erase", "store"]) {
    const { result } = await run("lenient", { name, counted: [counted] });
    assert.ok((result.cases?.length ?? 0) > 20);
  }
  assert.equal(existsSync(counted), false);
});

test("the reference server has no false finding", { timeout: 120_000 }, async () => {
  const file = join(peers, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  const launch = launchOf(file, "stdio");
  for (const tool of await toolsOf(launch)) {
    const test = { name: tool.name, server: "everything", tags: [] };
    const { result, findings } = await runFuzz(reach(launch), test, tool, {}, { maxCallMs: 3_000 });
    assert.deepEqual(findings, [], tool.name);
    assert.equal(result.status, "passed", tool.name);
  }
});
