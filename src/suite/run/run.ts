/** Runs a suite: every test, then what the whole run says about boundaries and claims. */
import { shown } from "../../core/index.ts";
import type { Suite, SuiteReport, SuiteTest, TestResult } from "../model.ts";
import type { Assessed } from "../negative/result.ts";
import { type Context, type Snapshots, testFinding } from "./context.ts";
import type { Observed } from "./observed.ts";
import { judgeBoundary, judgeNegotiation } from "./security.ts";
import { NotOpened, Servers, type TestedServer } from "./servers.ts";
import { runPrompt, runResource, runSteps, runTool } from "./tests.ts";

export interface SuiteRunOptions {
  readonly server: (name: string) => TestedServer;
  /** Which tests are run; all unless told. */
  readonly filter?: (test: SuiteTest) => boolean;
  /** Ends the run after the first test that fails. */
  readonly bail?: boolean;
  /** The operator lets negative paths and fuzzing really call destructive tools. */
  readonly allowDestructive?: boolean;
  readonly snapshots?: Snapshots;
  /** What the servers of the run record into, to be judged at the end. */
  readonly observed: Observed;
  readonly onProgress?: (text: string) => void;
  readonly onResult?: (result: TestResult) => void;
}

const AT_ONCE = 4;

export async function runSuite(suite: Suite, options: SuiteRunOptions): Promise<SuiteReport> {
  const servers = new Servers(options.server);
  const context: Context = {
    servers,
    observed: options.observed,
    allowDestructive: options.allowDestructive ?? false,
    ...(options.snapshots ? { snapshots: options.snapshots } : {}),
  };
  const wanted = suite.tests.filter((test) => options.filter?.(test) ?? true);
  const assessed: Assessed[][] = [];
  let isOver = false;
  const runOne = async (index: number): Promise<void> => {
    const test = wanted[index] as SuiteTest;
    if (isOver) {
      assessed[index] = [skipped(test, "an earlier test failed, and the run was to end there")];
      return;
    }
    options.onProgress?.(`${test.name}`);
    const rows = test.skip === undefined ? await attempt(test, context) : [skipped(test, test.skip)];
    assessed[index] = rows;
    for (const { result } of rows) options.onResult?.(result);
    if (options.bail && rows.some(({ result }) => result.status === "failed")) isOver = true;
    if (suite.runOptions.restartPolicy === "per_test")
      for (const server of serversOf(test)) await servers.close(server);
  };
  try {
    for (const lane of lanesOf(suite, wanted, options))
      await Promise.all(lane.map((each) => inOrder(each, runOne)));
  } finally {
    await servers.closeAll();
  }
  const rows = [
    ...assessed.flat(),
    ...judgeBoundary(suite, options.observed),
    ...judgeNegotiation(suite, options.observed),
  ];
  return reportOf(suite.file, rows);
}

export function reportOf(
  title: string,
  rows: readonly Assessed[],
  notes: readonly string[] = [],
): SuiteReport {
  const results = rows.map(({ result }) => result);
  const tally = (status: TestResult["status"]): number =>
    results.filter((result) => result.status === status).length;
  return {
    title,
    summary: {
      passed: tally("passed"),
      failed: tally("failed"),
      skipped: tally("skipped"),
      not_assessed: tally("not_assessed"),
    },
    results,
    findings: rows.flatMap(({ result: { place }, findings }) =>
      findings.map((found) => (place === undefined ? found : { ...found, place })),
    ),
    notes,
  };
}

/** Tests of different servers do not disturb each other. Where flows between servers are judged, the order of the file is
 *  the order of the run. Each lane is a list of sequences that run beside each other. */
function lanesOf(suite: Suite, tests: readonly SuiteTest[], { bail }: SuiteRunOptions): number[][][] {
  const all = tests.map((_, index) => index);
  const { parallel } = suite.runOptions;
  const isOrdered =
    parallel === false ||
    bail === true ||
    suite.security.trustBoundary !== undefined ||
    tests.some(({ kind }) => kind === "steps");
  if (isOrdered) return [[all]];
  const byServer = new Map<string, number[]>();
  for (const index of all) {
    const [server = ""] = serversOf(tests[index] as SuiteTest);
    byServer.set(server, [...(byServer.get(server) ?? []), index]);
  }
  const sequences = [...byServer.values()];
  const width = typeof parallel === "number" ? parallel : AT_ONCE;
  const lanes: number[][][] = [];
  for (let at = 0; at < sequences.length; at += width) lanes.push(sequences.slice(at, at + width));
  return lanes;
}

async function inOrder(indexes: readonly number[], run: (index: number) => Promise<void>): Promise<void> {
  for (const index of indexes) await run(index);
}

const serversOf = (test: SuiteTest): string[] =>
  test.kind === "steps" ? [...new Set(test.steps.map(({ server }) => server))] : [test.server];

async function attempt(test: SuiteTest, context: Context): Promise<Assessed[]> {
  try {
    switch (test.kind) {
      case "tool":
        return await runTool(test, context);
      case "resource":
        return await runResource(test, context);
      case "prompt":
        return await runPrompt(test, context);
      case "steps":
        return await runSteps(test, context);
    }
  } catch (thrown) {
    // That a server does not open is what this test has found; everything else is ours.
    if (!(thrown instanceof NotOpened)) throw thrown;
    return [failed(test, `${thrown.server} cannot be opened: ${shown(thrown.reason, 300)}`)];
  }
}

const headOf = (
  test: SuiteTest,
): Pick<TestResult, "name" | "kind" | "tags" | "place" | "ms" | "assertions"> => ({
  name: test.name,
  kind: test.kind,
  tags: test.tags,
  place: test.place,
  ms: 0,
  assertions: [],
});

const skipped = (test: SuiteTest, reason: string): Assessed => ({
  result: { ...headOf(test), status: "skipped", reason },
  findings: [],
});

function failed(test: SuiteTest, reason: string): Assessed {
  return {
    result: { ...headOf(test), status: "failed", reason },
    findings: [testFinding(test.name, reason, test.place)],
  };
}
