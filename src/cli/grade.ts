/** One run of `grade`, and of `regrade`. */
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { count, defined, type ExitCode, TrustError } from "../core/index.ts";
import {
  type Bundle,
  bundleText,
  type GradeRequest,
  type GradeResult,
  grade,
  type Letter,
  OpeningFailed,
  planOf,
} from "../grade/index.ts";
import { CATEGORIES, type CategoryId, type MethodId } from "../probes/index.ts";
import { detectSandbox, hostsDeclaredFor, makeCanaries, readUpstream } from "../sandbox/index.ts";
import { openingError } from "../surface/index.ts";
import { offlineLaunch, type ResolvedTarget, type Target } from "../target/index.ts";
import { PLAIN_CLIENT } from "../wire/index.ts";
import { type Words, wholeNumber } from "./command.ts";
import { operatorHosts } from "./contain.ts";
import { readEvidence } from "./evidence.ts";
import type { Output } from "./output.ts";
import { labelFor, targetFrom } from "./target-options.ts";
import { version as toolVersion } from "./version.ts";

export async function runGrade(words: Words, out: Output): Promise<ExitCode> {
  const folder = words.text("out");
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const signing = await signingFrom(words, folder, out);
  if (signing === "fresh") return 0;
  const target = await targetFrom(words, out);
  const request = await gradeRequestFrom(words, { ...target, label: labelFor(words, target) }, out);
  if (words.flag("dry-run")) return showPlan(request, out);
  const { bundle, recording } = await graded(request);
  if (folder !== undefined) {
    writeFileSync(join(folder, "recording.jsonl"), recording, { mode: 0o600 });
    writeFileSync(join(folder, "bundle.json"), bundleText(bundle));
    const { gradeBadge, gradeHtml, gradeJunit, gradeMarkdown, gradeSarif } = await import(
      "../report/index.ts"
    );
    writeFileSync(join(folder, "report.html"), gradeHtml(bundle, { recording }), { mode: 0o600 });
    writeFileSync(join(folder, "badge.svg"), gradeBadge(bundle));
    writeFileSync(join(folder, "summary.md"), gradeMarkdown(bundle));
    writeFileSync(join(folder, "grade.sarif"), gradeSarif(bundle));
    writeFileSync(join(folder, "junit.xml"), gradeJunit(bundle));
  }
  await signing?.(words);
  out.json(bundle);
  show(bundle, out);
  if (folder !== undefined)
    out.line(`evidence in ${folder}: open report.html; touchstone regrade ${folder} judges it again`);
  return exitOf(bundle, words.text("min-grade"));
}

/** A server that cannot be started or reached is told of in words. */
export async function graded(request: GradeRequest): Promise<GradeResult> {
  try {
    return await grade(request);
  } catch (thrown) {
    throw thrown instanceof OpeningFailed ? unopened(request, thrown) : thrown;
  }
}

/** With --sign: what signs the evidence, its key opened before anything is run. `fresh`: there is a statement that is not old yet. */
async function signingFrom(
  words: Words,
  folder: string | undefined,
  out: Output,
): Promise<((words: Words) => Promise<unknown>) | "fresh" | undefined> {
  const [key, age] = [words.text("sign"), words.text("if-older")];
  if (key === undefined && age === undefined) return undefined;
  if (key === undefined || folder === undefined)
    throw new TrustError(
      "CLI_MISSING_ARGUMENT",
      "--sign FILE and --out DIR belong together, and --if-older needs both",
    );
  const days = /^(\d{1,4})d?$/.exec(age ?? "0")?.[1];
  if (days === undefined) throw new TrustError("CLI_BAD_VALUE", `--if-older: want days, as 14d, not ${age}`);
  const { ageOfStatement, signFolder } = await import("./attest/sign.ts");
  const old = age === undefined ? undefined : ageOfStatement(folder, Date.now());
  if (old !== undefined && old < Number(days)) {
    out.json({ status: "fresh", days: Math.floor(old) });
    out.line(`${join(folder, "statement.json")} is ${count(Math.floor(old), "day")} old: nothing was run`);
    return "fresh";
  }
  const { keysFrom } = await import("./attest/keys.ts");
  const keys = keysFrom({ ...words, texts: (name) => (name === "key" ? [key] : words.texts(name)) });
  return () => signFolder(folder, folder, words, keys);
}

/** What a grade of a target needs to know, from the words of a command. */
export async function gradeRequestFrom(
  words: Words,
  target: Target & Pick<ResolvedTarget, "resolved">,
  out: Output,
): Promise<GradeRequest> {
  const method = (words.text("method") ?? "touchstone-1") as MethodId;
  const mode = words.text("sandbox") ?? "auto";
  const operator = await operatorHosts(words);
  const base = {
    method,
    ...identitiesFrom(words.text("client")),
    environment: {
      touchstone: await toolVersion(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
    ...defined({ resolved: target.resolved }),
    seed: words.text("seed") ?? randomBytes(16).toString("hex"),
    planted: makeCanaries({ form: method === "litmus-v5" ? "marked" : "plain", random: randomBytes }),
    allowsStateChanges: words.flag("allow-state-changing"),
    windowMs: (wholeNumber(words, "window") ?? 1) * 1000,
    onProgress: (text: string) => out.progress(text),
  };
  if (target.launch.kind === "http")
    return { ...base, target, allowed: [], place: { reason: "remote target" } };
  if (mode === "none")
    return { ...base, target, allowed: operator, place: { reason: "no sandbox", detail: "--sandbox none" } };
  const detection = detectSandbox();
  if (!detection.backend)
    throw new TrustError("SBX_UNAVAILABLE", detection.reason, {
      hint: `${detection.hint}; or --sandbox none, which starts it on this machine`,
    });
  const offline = await offlineLaunch(target.launch, { onProgress: base.onProgress });
  if ("reason" in offline || offline.launch.kind === "http")
    throw new TrustError(
      "SBX_UNAVAILABLE",
      `${target.label}: ${"reason" in offline ? offline.reason : "a URL"}`,
      {
        hint: "--sandbox none starts it on this machine",
      },
    );
  const { launch, notes, resolved = target.resolved } = offline;
  for (const note of notes) out.line(`note: ${note}`);
  const upstream = words.text("upstream");
  const cwd = launch.cwd ?? process.cwd();
  const declared = hostsDeclaredFor({ file: launch.command, args: launch.args, cwd });
  return {
    ...base,
    target: { ...target, launch },
    ...defined({ resolved }),
    allowed: [...operator, ...declared.hosts],
    ...defined({ replies: upstream === undefined ? undefined : await readUpstream(upstream) }),
    forwards: words.flag("forward-declared"),
    place: { backend: detection.backend },
  };
}

/** One name is that of both sessions; with two the first is that of the session without claims. */
function identitiesFrom(text: string | undefined): Pick<GradeRequest, "identity" | "bareIdentity"> {
  if (text === undefined) return { identity: PLAIN_CLIENT };
  const [bareIdentity = PLAIN_CLIENT, identity = bareIdentity] = text.split(",").map((word) => {
    const [name = "", version = PLAIN_CLIENT.version] = word.trim().split("/");
    return { name, version };
  });
  return { identity, bareIdentity };
}

/** A server may need what the sandbox does not give. */
function unopened({ target, place }: GradeRequest, { session }: OpeningFailed): TrustError {
  const error = openingError(target, session);
  return "backend" in place && error.code === "WIRE_UNREACHABLE"
    ? new TrustError(error.code, error.message, { hint: SANDBOXED })
    : error;
}
const SANDBOXED =
  "it was started in the sandbox, without network and files of yours: --sandbox none starts it on this machine";

async function showPlan(request: GradeRequest, out: Output): Promise<ExitCode> {
  const plans = await planOf(request).catch((thrown) => {
    throw thrown instanceof OpeningFailed ? unopened(request, thrown) : thrown;
  });
  out.json({
    tools: plans.map(({ tool, calls, withheld }) => ({
      name: tool.name,
      calls: calls.map(({ probe, note, args }) => ({ probe, note, args })),
      ...(withheld === undefined ? {} : { withheld }),
    })),
  });
  for (const { tool, calls, withheld } of plans)
    out.line(
      `${out.color.bold(out.text(tool.name, 80))}  ${withheld === undefined ? count(calls.length, "call") : `not called: ${withheld}`}`,
    );
  out.line(
    `${count(
      plans.reduce((sum, { calls }) => sum + calls.length, 0),
      "call",
    )} would be made; more may follow from what they answer`,
  );
  return 0;
}

/** So many names that were looked up are listed. */
const MAX_NAMES = 10;

/** So many tools that never succeeded are listed. */
const MAX_TOOLS = 20;
/** So many hosts are named that the operator may know. */
const MAX_HOSTS = 3;

/** Hosts beyond what is declared, as --allow-host takes them. */
function undeclaredHosts({ categories }: Bundle): string[] {
  const found = categories
    .flatMap(({ probes }) => probes)
    .filter(({ id }) => id === "2.2")
    .flatMap(({ findings }) => findings);
  return found
    .filter(({ severity, where }) => severity === "fail" && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d+$/i.test(where))
    .slice(0, MAX_HOSTS)
    .map(({ where }) => where.replace(/:443$/, ""));
}

const RANK: readonly (Letter | null)[] = ["A", "B", "C", "D", "F"];

function exitOf({ grade: letter }: Bundle, minimum: string | undefined): ExitCode {
  if (letter === null) return 1;
  return minimum !== undefined && RANK.indexOf(letter) > RANK.indexOf(minimum as Letter) ? 1 : 0;
}

function show(bundle: Bundle, out: Output): void {
  const { color } = out;
  const paint =
    bundle.grade === "A" || bundle.grade === "B"
      ? color.green
      : bundle.grade === "C"
        ? color.yellow
        : color.red;
  const letter = bundle.grade ?? "not graded";
  const other = bundle.methodologyVersion === "touchstone-1" ? "litmus-v5" : "touchstone-1";
  out.line(
    `${color.bold(paint(letter))}  ${out.text(bundle.target.label, 120)}  (${bundle.methodologyVersion}; ${other}: ${bundle.grades[other]?.grade ?? "not graded"})`,
  );
  out.line(`   ${out.text(bundle.rationale, 600)}`);
  out.line();
  for (const { id, status, probes } of bundle.categories) {
    out.line(`${color.bold(id)} ${mark(status, out)} ${CATEGORIES[id as CategoryId] ?? ""}`);
    for (const probe of probes) {
      out.line(`  ${probe.id} ${mark(probe.status, out)} ${probe.title}: ${out.text(probe.reason, 200)}`);
      for (const { severity, where, message, evidence } of probe.findings.slice(0, 3)) {
        out.line(
          `      ${severity === "fail" ? color.red(severity) : color.yellow(severity)} ${out.text(where, 120)}: ${out.text(message, 240)}`,
        );
        if (evidence) out.line(`           ${color.dim(`seen: ${out.text(evidence, 140)}`)}`);
      }
      if (probe.findings.length > 3) out.line(`      ${color.dim(`and ${probe.findings.length - 3} more`)}`);
    }
  }
  const { advertised, called, succeeded, calls, tools, residual } = bundle.coverage;
  const { attempts, names } = bundle.egress;
  out.line();
  if (attempts.length > 0 || names.length > 0)
    out.line(
      `network: ${count(attempts.length, "connection")} tried, ${count(names.length, "name")} looked up${names.length === 0 ? "" : `: ${out.text(names.slice(0, MAX_NAMES).join(", "), 300)}${names.length > MAX_NAMES ? " …" : ""}`}`,
    );
  const hosts = undeclaredHosts(bundle);
  if (hosts.length > 0)
    out.line(
      `  ${color.dim(`a host that you know as its service: grade it with ${out.text(hosts.map((host) => `--allow-host ${host}`).join(" "), 300)}`)}`,
    );
  out.line(
    `coverage: ${advertised} advertised, ${called} called, ${succeeded} succeeded; ${count(calls, "call")}`,
  );
  const unproven = tools.filter((tool) => tool.succeeded === 0);
  for (const { name, called: times, succeeded: good, reason } of unproven.slice(0, MAX_TOOLS))
    out.line(
      `  ${color.yellow("never succeeded")} ${out.text(name, 80)}: ${count(times, "call")}, ${good} succeeded${reason === undefined ? "" : `; ${reason}`}`,
    );
  if (unproven.length > MAX_TOOLS)
    out.line(`  ${color.dim(`and ${unproven.length - MAX_TOOLS} more that never succeeded`)}`);
  for (const risk of residual) out.line(`not seen: ${risk}`);
  for (const [method, { notAsked }] of Object.entries(bundle.grades))
    if (notAsked.length > 0) out.line(`not asked by ${method}: ${notAsked.join("; ")}`);
  out.line(color.dim(bundle.disclaimer));
}

function mark(status: string, out: Output): string {
  const text = status.padEnd(11);
  if (status === "pass") return out.color.green(text);
  return status === "fail" ? out.color.red(text) : out.color.yellow(text);
}

export async function runRegrade(words: Words, out: Output): Promise<ExitCode> {
  const [folder, ...more] = words.positionals;
  if (folder === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "regrade needs one folder that `grade --out` has written");
  const { regraded: result } = await readEvidence(folder);
  out.json(
    result.status === "same"
      ? { status: "same", grade: result.bundle.grade }
      : { status: "different", differences: result.differences },
  );
  if (result.status === "same") {
    out.line(
      `${out.color.green("same")}  grade ${result.bundle.grade ?? "none"}, ${result.bundle.bundleDigest}`,
    );
    return 0;
  }
  out.line(out.color.red("different"));
  for (const difference of result.differences.slice(0, 20)) out.line(`  ${out.text(difference, 300)}`);
  return 1;
}
