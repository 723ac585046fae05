/** Step 1: all three are exercised at the same time, and judged from their recordings. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { count, type Finding, shown } from "../../core/index.ts";
import { type Bundle, bundleText, type GradeResult } from "../../grade/index.ts";
import { gradeHtml, type StoryLine } from "../../report/index.ts";
import type { Words } from "../command.ts";
import { graded, gradeRequestFrom } from "../grade.ts";
import type { Output } from "../output.ts";
import { CAST, commandOf, NAMES, type Name } from "./cast.ts";
import type { Claim, Scene } from "./story.ts";

export type Bundles = Readonly<Record<Name, Bundle>>;

/** Why nothing is contained; undefined where there is a sandbox. */
export type NoSandbox = string | undefined;

/** Grades all of them, and writes the evidence that is signed next. */
export async function gradeAll(
  folder: string,
  words: Words,
  noSandbox: NoSandbox,
  isKept: boolean,
  out: Output,
): Promise<Bundles> {
  const all = await Promise.all(
    NAMES.map(async (name) => [name, await gradeOne(name, words, noSandbox, out)] as const),
  );
  for (const [name, { bundle, recording }] of all) {
    const evidence = evidenceOf(folder, name);
    mkdirSync(evidence, { recursive: true, mode: 0o700 });
    writeFileSync(join(evidence, "bundle.json"), bundleText(bundle));
    writeFileSync(join(evidence, "recording.jsonl"), recording, { mode: 0o600 });
    // For who looks around afterwards.
    if (isKept)
      writeFileSync(join(evidence, "report.html"), gradeHtml(bundle, { recording }), { mode: 0o600 });
  }
  return Object.fromEntries(all.map(([name, { bundle }]) => [name, bundle])) as Bundles;
}

export const evidenceOf = (folder: string, name: Name): string => join(folder, "grades", name);

async function gradeOne(name: Name, words: Words, noSandbox: NoSandbox, out: Output): Promise<GradeResult> {
  const [command, script] = commandOf(name);
  // They are our own, and harm nothing: every tool is called, with a sandbox and without.
  const own: Words = {
    ...words,
    text: (option) => (option === "sandbox" && noSandbox !== undefined ? "none" : words.text(option)),
    flag: (option) => option === "allow-state-changing" || words.flag(option),
  };
  const target = {
    label: name,
    launch: { kind: "stdio", command, args: [script] },
    limits: { timeoutMs: 10_000 },
    secrets: [],
  } as const;
  const request = await gradeRequestFrom(own, target, out);
  const place = noSandbox === undefined ? request.place : { reason: "no sandbox", detail: noSandbox };
  return graded({ ...request, place, onProgress: (text) => out.progress(`${name}: ${text}`) });
}

export function gradeScene(bundles: Bundles, noSandbox: NoSandbox): Scene {
  const best = noSandbox === undefined ? "A" : "B";
  const letterOf = (name: Name): string => bundles[name].grade ?? "none";
  const evidence = deciding(bundles.weather);
  const claims: readonly Claim[] = [
    { claim: `the honest server gets ${best}`, holds: letterOf("notes") === best },
    { claim: "the hostile server gets F", holds: letterOf("weather") === "F" },
    {
      claim: "what decided is quoted: the text that nobody sees",
      holds:
        evidence !== undefined && /SCAN-01/.test(evidence.message) && /id_rsa/.test(evidence.evidence ?? ""),
    },
    { claim: `the server that turns later gets ${best} today`, holds: letterOf("board") === best },
  ];
  return {
    id: "grade",
    claims,
    shows: NAMES.map((name) => lineOf(name, bundles[name])),
    ...(noSandbox === undefined
      ? {}
      : { unseen: `what servers reach, read and change was not seen: ${noSandbox}` }),
    exhibits: NAMES.map((name) => ({ kind: "grade", name, bundle: bundles[name] })),
    facts: {
      servers: NAMES.map((name) => ({
        name,
        example: CAST[name],
        grade: bundles[name].grade,
        rationale: bundles[name].rationale,
        calls: bundles[name].coverage.calls,
        bundle: bundles[name].bundleDigest,
      })),
    },
  };
}

function lineOf(name: Name, bundle: Bundle): StoryLine {
  const { grade: letter, rationale, coverage } = bundle;
  const found = deciding(bundle);
  const { succeeded, advertised, calls } = coverage;
  const looked = `${succeeded} of ${count(advertised, "tool")} succeeded, ${count(calls, "call")}`;
  return {
    word: letter ?? "none",
    tone: letter === "A" || letter === "B" ? "good" : "bad",
    what: name,
    text:
      found === undefined
        ? `${shown(rationale, 120)}; ${looked}`
        : `in ${shown(placeOf(found, name), 60)}: "${shown(found.evidence ?? found.message, 120)}"`,
  };
}

/** The place in the server, without its name. */
const placeOf = ({ where }: Finding, name: Name): string =>
  where.startsWith(`${name}: `) ? where.slice(name.length + 2) : where;

/** The first of what cost it its letter. */
const deciding = ({ categories }: Bundle): Finding | undefined =>
  categories
    .flatMap(({ probes }) => probes.flatMap(({ findings }) => findings))
    .find(({ severity }) => severity === "fail");
