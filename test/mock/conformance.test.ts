/** The official conformance suite against the mock, in both eras: everything passes but what asks for the suite's own fixtures. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { playHttp, readMock } from "../../src/mock/index.ts";
import { peers, root, temporaryFolder } from "../kit/paths.ts";

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** What a failure must say to count as one that only a server made for the suite could pass. */
const NEEDS_FIXTURE =
  /Unknown (tool|prompt): test_|Unknown tool: json_schema|Resource not found|Not testable: server does not list|Expected InputRequiredResult|could not get initial InputRequiredResult|Tool not found: json_schema|json_schema_2020_12_tool/;

const runs = [
  {
    name: "legacy, 0.1.16, all scenarios",
    suite: "conformance-legacy",
    flags: ["--suite", "all"],
    least: 12,
  },
  { name: "legacy, 0.2.0-alpha.12", suite: "conformance-modern", flags: [], least: 40 },
  {
    name: "modern, 0.2.0-alpha.12, requirements of 2026-07-28",
    suite: "conformance-modern",
    flags: ["--requirements", "2026-07-28"],
    least: 90,
  },
];
for (const { name, suite, flags, least } of runs) {
  test(`conformance: ${name}`, { timeout: 120_000 }, async () => {
    using folder = temporaryFolder();
    await using server = await playHttp(await readMock(join(root, "test/fixtures/conformance.yml")), 0);
    // The suite insists on the name localhost for its DNS rebinding scenario.
    const url = `http://localhost:${server.url.port}/mcp`;
    const node = join(peers, "node_modules/node22/bin/node");
    const program = join(peers, "conformance/node_modules", suite, "dist/index.js");
    await new Promise<void>((done) => {
      // It exits with 1 for any failure; what failed is read from its files.
      execFile(
        node,
        [program, "server", "--url", url, "-o", folder.path, ...flags],
        { cwd: folder.path },
        () => done(),
      );
    });
    const checks = readdirSync(folder.path).flatMap((scenario) =>
      (JSON.parse(readFileSync(join(folder.path, scenario, "checks.json"), "utf8")) as Check[]).map(
        (check) => ({ ...check, scenario }),
      ),
    );
    const passed = checks.filter(({ status }) => status === "SUCCESS");
    assert.equal(passed.length >= least, true, `${passed.length} checks passed`);
    const failed = checks.filter(
      ({ status, scenario }) => status === "FAILURE" && !scenario.startsWith("server-tasks-"),
    );
    const unexpected = failed.filter(({ errorMessage = "" }) => !NEEDS_FIXTURE.test(errorMessage));
    assert.deepEqual(
      unexpected.map(({ scenario, id, errorMessage }) => `${scenario} ${id}: ${errorMessage}`),
      [],
    );
  });
}
