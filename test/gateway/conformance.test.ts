/** The official conformance suite against a server, and against the same server through the gateway: nothing that passes directly may fail
 *  through it but what is said here, with its reason. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { peerProgram, startHttp } from "../interop/kit.ts";
import { peers, temporaryFolder } from "../kit/paths.ts";
import { withoutPrefix } from "./prefix-adapter.ts";
import { startProgram } from "./program.ts";

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** What does not pass through the gateway. */
const EXPECTED: readonly { readonly checks: RegExp; readonly reason: string }[] = [
  {
    checks: /^input-required-result-(?:basic-elicitation|ignore-extra-params) .* \(legacy server\)$/,
    reason:
      "the suite wants the key user_name, and a question of the legacy era has no key that could be kept",
  },
  {
    checks:
      /^server-stateless sep-2575-(?:server-rejects-undeclared-capability|missing-capability-http-400) .* \(legacy server\)$/,
    reason:
      "a legacy server is told once what may be asked, of all clients, and goes on with its call where this one cannot answer: what it then answers is passed on",
  },
  {
    checks: /^server-sse-multiple-streams server-sse-streams-functional /,
    reason:
      "lists are answered in JSON, which the suite takes note of as being as good: there is no stream to look at",
  },
];

const runs = [
  { name: "legacy, 0.1.16", suite: "conformance-legacy", flags: ["--suite", "all"], least: 40 },
  { name: "legacy, 0.2.0-alpha.12", suite: "conformance-modern", flags: [], least: 65 },
  {
    name: "modern, 0.2.0-alpha.12, requirements of 2026-07-28",
    suite: "conformance-modern",
    flags: ["--requirements", "2026-07-28"],
    least: 150,
  },
];
/** What the gateway speaks with the server. */
const ERAS = ["modern", "legacy"] as const;
/** Reasons that have come about. */
const seen = new Set<string>();

for (const { name, suite, flags, least } of runs)
  test(`conformance through the gateway is not worse than without: ${name}`, {
    timeout: 120_000,
  }, async () => {
    using folder = temporaryFolder();
    const [directly, ...throughs] = await Promise.all([
      checksDirectly(suite, join(folder.path, "directly"), flags),
      ...ERAS.map((era) => checksThrough(suite, join(folder.path, era), flags, era)),
    ]);
    const passed = [...directly].filter(([, { status }]) => status === "SUCCESS").map(([key]) => key);
    assert.equal(passed.length >= least, true, `${passed.length} checks passed directly`);
    const worse = ERAS.flatMap((era, at) =>
      passed
        .map((key) => ({ key: `${key} (${era} server)`, found: throughs[at]?.get(key) }))
        .filter(({ found }) => found?.status !== "SUCCESS"),
    );
    const isExpected = (key: string): boolean => EXPECTED.some(({ checks }) => checks.test(key));
    assert.deepEqual(
      worse
        .filter(({ key }) => !isExpected(key))
        .map(({ key, found }) => `${key}: ${found?.errorMessage ?? found?.status ?? "was not reached"}`),
      [],
    );
    for (const { key } of worse)
      for (const each of EXPECTED) if (each.checks.test(key)) seen.add(each.reason);
  });

test("whatever is said to be worse is worse", () =>
  assert.deepEqual(
    EXPECTED.map(({ reason }) => reason).filter((reason) => !seen.has(reason)),
    [],
  ));

/** Each run has a server of its own: what one scenario changes there, another would see. */
const referenceServer = (): ReturnType<typeof startHttp> => startHttp(peerProgram("conformance-server.mjs"));

async function checksDirectly(
  suite: string,
  folder: string,
  flags: readonly string[],
): Promise<ReadonlyMap<string, Check>> {
  await using reference = await referenceServer();
  return await checksOf(suite, reference.url, folder, flags);
}

async function checksThrough(
  suite: string,
  folder: string,
  flags: readonly string[],
  era: string,
): Promise<ReadonlyMap<string, Check>> {
  mkdirSync(folder);
  await using reference = await referenceServer();
  await using gateway = await startProgram(folder, {
    listen: "http://127.0.0.1:0/mcp",
    policy: "spec",
    modes: { admission: "observe", drift: "observe", trigger: "observe", flow: "observe" },
    questions: { sampling: "pass", roots: "pass" },
    servers: { reference: { url: reference.url.href, era } },
  });
  await using adapter = await withoutPrefix(gateway.url, "reference");
  return await checksOf(suite, adapter.url, join(folder, "checks"), flags);
}

/** What a run of the suite says, by scenario and check. */
async function checksOf(
  suite: string,
  { port }: URL,
  output: string,
  flags: readonly string[],
): Promise<ReadonlyMap<string, Check>> {
  mkdirSync(output);
  const node = join(peers, "node_modules/node22/bin/node");
  const program = join(peers, "conformance/node_modules", suite, "dist/index.js");
  // The suite insists on the name localhost for its DNS rebinding scenario.
  const words = [program, "server", "--url", `http://localhost:${port}/mcp`, "-o", output, ...flags];
  // It exits with 1 for any failure; what failed is read from its files.
  await new Promise<void>((done) => void execFile(node, words, { cwd: output }, () => done()));
  const checks = new Map<string, Check>();
  for (const scenario of readdirSync(output)) {
    const found = JSON.parse(readFileSync(join(output, scenario, "checks.json"), "utf8")) as Check[];
    const name = scenario.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, "");
    for (const check of found) {
      const same = [...checks.keys()].filter((key) => key.startsWith(`${name} ${check.id} `)).length;
      checks.set(`${name} ${check.id} ${same + 1}`, check);
    }
  }
  return checks;
}
