/** Detection and its cost, measured on labelled texts: `npm run bench:scan -- --corpora DIR --surfaces DIR [--json]`.
 *  Without folders it measures the texts of the test fixtures. `--write` puts the tables into docs/detection.md;
 *  `--frequencies` prints how often ideas occur in honest texts, and nothing else. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readOnlyLie, scanSurface } from "../src/scan/index.ts";
import { readCorpora, readServers, readSurfaces, type Text } from "./scan/corpus.ts";
import { frequencies } from "./scan/frequency.ts";
import { judge, leaveOneOut, type Rate, rate, rates, retention, serverRate } from "./scan/measure.ts";
import { readOnlyRates } from "./scan/read-only.ts";
import { compareSpeed, growth, type Speed } from "./scan/speed.ts";
import { asMarkdown } from "./scan/tables.ts";
import { traceRecall } from "./scan/traces.ts";

const { values } = parseArgs({
  options: {
    corpora: { type: "string" },
    surfaces: { type: "string" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    frequencies: { type: "boolean", default: false },
  },
});
const own = fileURLToPath(new URL("../test/fixtures/texts", import.meta.url));
const folder = values.corpora ?? own;
const texts = readCorpora(folder);
const servers = readServers(folder);
const ownTools = ({ name, server }: Text): ReadonlySet<string> =>
  new Set([...(name === undefined ? [] : [name]), ...(server === undefined ? [] : (servers[server] ?? []))]);

if (values.frequencies) {
  for (const [concept, count] of frequencies(texts.filter(({ isAttack }) => !isAttack)))
    console.log(`  ${concept}: ${count},`);
  process.exit();
}

/** What is shipped, without the wrappers that running from source adds. */
const built = new URL("../dist/scan/scan-text.js", import.meta.url).href;
const { scanText } = (await import(built)) as typeof import("../src/scan/scan-text.ts");
/** Measured before the heap is full of other results. */
const speed = measureSpeed(texts);
const judged = judge(texts, ownTools);
const isDisguise = ({ attackClass }: Text): boolean => attackClass.startsWith("evasion/");
const attacks = judged.filter((text) => text.isAttack && !isDisguise(text));
const honest = judged.filter(({ isAttack }) => !isAttack);
const of = (kind: Text["kind"]) => honest.filter((text) => text.kind === kind);
const family = ({ attackClass }: Text): string => attackClass.split("/")[0] ?? "";
/** Tasks with nothing hostile in their words, and advertising, are told apart: no text scanner can or should decide them. */
const isOutOfReach = (text: Text): boolean =>
  ["out-task", "tp-overlap", "tp-priority"].includes(family(text));

const result = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  texts: texts.length,
  attacks: {
    bySource: rates(
      attacks.filter((text) => !isOutOfReach(text)),
      ({ source, kind }) => `${source}, ${kind}s`,
    ),
    byClass: rates(attacks, (text) => `${text.source} ${text.kind} ${family(text)}`),
    leftOut: leaveOneOut(
      attacks.filter((text) => !isOutOfReach(text)),
      ownTools,
    ),
    headline: {
      "poisoned descriptions (mcp-safetybench, without overlap and priority)": rate(
        attacks.filter(
          (text) => text.source === "mcp-safetybench" && text.kind === "description" && !isOutOfReach(text),
        ),
      ),
      "injected outputs (agentdyn)": rate(attacks.filter(({ source }) => source === "agentdyn")),
      "indirect attacks, English (cyberseceval)": rate(
        attacks.filter((text) => family(text) === "out-indirect-en"),
      ),
      "indirect attacks, translated (cyberseceval)": rate(
        attacks.filter((text) => family(text) === "out-indirect-ml"),
      ),
    },
  },
  disguises: retention(judged.filter(isDisguise)),
  honest: {
    descriptions: rate(of("description")),
    descriptionsBySource: rates(of("description"), ({ source }) => source),
    servers: serverRate(of("description")),
    outputs: rates(of("output"), ({ source }) => source),
  },
  readOnly: readOnlyRates(texts, readOnlyLie),
  traces: traceRecall(),
  surfaces: values.surfaces === undefined ? undefined : surfaceRates(values.surfaces),
  speed,
};

function measureSpeed(all: readonly Text[]): { all: Speed; growth: number } {
  const sample = all
    .filter(({ isAttack }) => !isAttack)
    .map(({ text }) => text)
    .join(" ")
    .slice(0, 200_000);
  return {
    all: compareSpeed(all, ({ text, kind }) => scanText(text, { kind })),
    growth: growth((text) => scanText(text, { kind: "output" }), sample),
  };
}

function surfaceRates(path: string): {
  servers: number;
  tools: number;
  flagged: Record<string, Rate & { rules: string[] }>;
} {
  const surfaces = readSurfaces(path);
  const flagged = surfaces.flatMap((surface) => {
    const findings = scanSurface(surface, { label: surface.name });
    const fail = findings.filter(({ severity }) => severity === "fail").length;
    const rules = findings.map(({ rule, severity, where }) => `${severity} ${rule} ${where}`);
    return findings.length === 0
      ? []
      : [[surface.name, { n: surface.tools.length, warn: findings.length, fail, rules }] as const];
  });
  return {
    servers: surfaces.length,
    tools: surfaces.reduce((sum, { tools }) => sum + tools.length, 0),
    flagged: Object.fromEntries(flagged),
  };
}

if (values.json) console.log(JSON.stringify(result, null, 2));
else console.log(asMarkdown(result));
if (values.write) {
  const page = new URL("../docs/detection.md", import.meta.url);
  const [before] = readFileSync(page, "utf8").split("<!-- figures -->");
  writeFileSync(page, `${before}<!-- figures -->\n\n${asMarkdown(result)}\n`);
}

export type Result = typeof result;
