/** One run of `test`: suites, or a server without one. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { defined, type ExitCode, readTextFile, TrustError } from "../../core/index.ts";
import {
  NotOpened,
  readSuite,
  runSuite,
  runWhole,
  type Snapshots,
  type Suite,
  type SuiteReport,
  type SuiteTest,
  type TestResult,
} from "../../suite/index.ts";
import { openingError } from "../../surface/index.ts";
import { type EraChoice, redactor } from "../../wire/index.ts";
import type { Words } from "../command.ts";
import { containment } from "../contain.ts";
import type { Output } from "../output.ts";
import { labelFor, targetFrom } from "../target-options.ts";
import { checkDelivery, deliver } from "./deliver.ts";
import { CONTAINED_NOTE, startTape, targetOf, testedServer } from "./server.ts";

const SUITE_FILES = ["touchstone.test.yml", "mcptest.yaml", "mcptest.yml"] as const;

export async function runTest(words: Words, out: Output): Promise<ExitCode> {
  checkDelivery(words, out);
  const files = suiteFiles(words);
  if (files === undefined) return deliver(await testTarget(words, out), "test", words, out);
  const suites = await Promise.all(
    files.map((file) => readSuite(file, { env: process.env, readText: readSuiteText })),
  );
  const filter = filterFrom(words);
  if (filter && !suites.some(({ tests }) => tests.some(filter)))
    throw new TrustError("CLI_BAD_VALUE", "--filter: no test is selected by it");
  const reports: SuiteReport[] = [];
  for (const suite of suites) reports.push(await testSuite(suite, words, out, filter));
  return deliver(joined(reports), "test", words, out);
}

export const readSuiteText = (file: string): Promise<string> =>
  readTextFile(file, {
    absent: "check the path: want a suite in YAML; `touchstone init` writes a first one",
  });

/** Undefined: what was given is a target. */
function suiteFiles({ positionals, rest }: Words): readonly string[] | undefined {
  if (rest !== undefined) return undefined;
  if (positionals.length > 0)
    return positionals.every((word) => /\.ya?ml$/i.test(word)) ? positionals : undefined;
  const found = SUITE_FILES.find((file) => existsSync(file));
  if (found === undefined)
    throw new TrustError(
      "CLI_MISSING_ARGUMENT",
      `test needs a suite or a target: there is no ${SUITE_FILES.join(", ")} here`,
      {
        hint: "`touchstone init -- COMMAND` writes a first suite",
      },
    );
  return [found];
}

async function testSuite(
  suite: Suite,
  words: Words,
  out: Output,
  filter: ((test: SuiteTest) => boolean) | undefined,
): Promise<SuiteReport> {
  const targets = Object.fromEntries(
    Object.entries(suite.servers).map(([name, server]) => [name, targetOf(name, server)]),
  );
  const secrets = Object.values(targets).flatMap((target) => target.secrets);
  out.hide(redactor(secrets));
  const tape = startTape(words.text("record"), secrets, suite.file);
  const contain = await containment(words, out.progress);
  const wanted = words.text("era") as EraChoice | undefined;
  const era = wanted ?? (suite.security.capabilityNegotiation === undefined ? undefined : "auto");
  const servers = new Map<string, Awaited<ReturnType<typeof testedServer>>>();
  for (const [name, target] of Object.entries(targets))
    servers.set(name, await testedServer(name, target, { contain, tape, era }));
  const report = await runSuite(suite, {
    server: (name) => (servers.get(name) as NonNullable<ReturnType<typeof servers.get>>).server,
    observed: tape.observed,
    bail: words.flag("bail"),
    allowDestructive: words.flag("allow-state-changing"),
    snapshots: snapshotsOf(suite.file, words),
    onProgress: (text) => out.progress(text),
    ...defined({ filter }),
  }).finally(() => tape.close());
  const all = [...servers.values()];
  const isContained = all.some((server) => server.isContained);
  const notes = [...all.flatMap((server) => server.notes), ...(isContained ? [CONTAINED_NOTE] : [])];
  return { ...report, notes: [...notes, ...report.notes] };
}

async function testTarget(words: Words, out: Output): Promise<SuiteReport> {
  const found = await targetFrom(words, out);
  const target = { ...found, label: labelFor(words, found) };
  const tape = startTape(words.text("record"), target.secrets, target.label);
  const contain = await containment(words, out.progress);
  const { server, notes, isContained } = await testedServer(target.label, target, {
    contain,
    tape,
    era: target.era,
  });
  const wanted = words.texts("filter");
  try {
    const report = await runWhole(server, {
      allowDestructive: words.flag("allow-state-changing"),
      filter: (tool) => wanted.length === 0 || wanted.some((text) => tool.includes(text)),
      onProgress: (text) => out.progress(text),
    });
    return { ...report, notes: [...notes, ...(isContained ? [CONTAINED_NOTE] : []), ...report.notes] };
  } catch (thrown) {
    throw thrown instanceof NotOpened ? openingError(target, thrown.session) : thrown;
  } finally {
    await tape.close();
  }
}

function filterFrom(words: Words): ((test: SuiteTest) => boolean) | undefined {
  const wanted = words.texts("filter");
  if (wanted.length === 0) return undefined;
  return (test) =>
    wanted.some((text) => {
      if (text.startsWith("tag:")) return test.tags.includes(text.slice("tag:".length));
      if (!text.startsWith("server:")) return test.name.includes(text);
      const server = text.slice("server:".length);
      return test.kind === "steps"
        ? test.steps.some((step) => step.server === server)
        : test.server === server;
    });
}

/** Beside the suite, so that they are reviewed with it. */
function snapshotsOf(suite: string, words: Words): Snapshots {
  const file = `${suite}.snap.json`;
  const stored = new Map<string, string>(Object.entries(readSnapshots(file)));
  const isUpdate = words.flag("update-snapshots");
  return {
    stored: (name) => stored.get(name),
    mayStore: isUpdate || (process.env.CI ?? "") === "",
    isUpdate,
    store(name, text) {
      stored.set(name, text);
      const sorted = Object.fromEntries([...stored].sort(([a], [b]) => (a < b ? -1 : 1)));
      writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
    },
  };
}

function readSnapshots(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    const isMap =
      typeof value === "object" &&
      value !== null &&
      Object.values(value).every((text) => typeof text === "string");
    if (isMap) return value as Record<string, string>;
  } catch {
    // Told below.
  }
  throw new TrustError("CFG_SYNTAX", `${file}: want a JSON object of texts`);
}

function joined(reports: readonly SuiteReport[]): SuiteReport {
  const [first] = reports;
  if (reports.length === 1 && first) return first;
  const results: readonly TestResult[] = reports.flatMap((report) => report.results);
  const sum = (key: keyof SuiteReport["summary"]): number =>
    reports.reduce((total, { summary }) => total + summary[key], 0);
  return {
    title: reports.map(({ title }) => title).join(", "),
    summary: {
      passed: sum("passed"),
      failed: sum("failed"),
      skipped: sum("skipped"),
      not_assessed: sum("not_assessed"),
    },
    results,
    findings: reports.flatMap(({ findings }) => findings),
    notes: reports.flatMap(({ notes }) => notes),
  };
}
