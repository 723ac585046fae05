/** One run of `sandbox`: a command, what it tries while it runs, and what that amounts to. */
import { randomBytes } from "node:crypto";
import { count, defined, type ExitCode, TrustError } from "../core/index.ts";
import {
  type EgressEvent,
  hostsDeclaredFor,
  makeCanaries,
  placeOf,
  readUpstream,
  requireSandbox,
  type SandboxEvent,
  sandboxFindings,
  sentText,
  start,
} from "../sandbox/index.ts";
import { offlineLaunch } from "../target/index.ts";
import { type Words, wholeNumber } from "./command.ts";
import { canaryFinder, operatorHosts } from "./contain.ts";
import type { Output } from "./output.ts";
import { targetFrom } from "./target-options.ts";

export async function runSandbox(words: Words, out: Output): Promise<ExitCode> {
  const backend = requireSandbox();
  const target = await targetFrom(words, out);
  const offline = await offlineLaunch(target.launch, { onProgress: (text) => out.progress(text) });
  if ("reason" in offline || offline.launch.kind === "http")
    throw new TrustError(
      "TGT_NOT_STARTABLE",
      `${target.label}: ${"reason" in offline ? offline.reason : "a URL"}`,
      {
        hint: "give a file, a package or a command",
      },
    );
  const { launch, notes } = offline;
  for (const note of notes) out.aside(`note: ${out.text(note, 400)}`);
  const cwd = launch.cwd ?? process.cwd();
  const declared = hostsDeclaredFor({ file: launch.command, args: launch.args, cwd });
  for (const fault of declared.faults) out.aside(`note: not declared properly: ${out.text(fault, 300)}`);
  const allowed = [...(await operatorHosts(words)), ...declared.hosts];
  const upstream = words.text("upstream");
  const { canaries, ...planted } = makeCanaries({ form: "plain", random: randomBytes });
  const [seconds, memoryMiB, linger] = ["time", "memory", "linger"].map((name) => wholeNumber(words, name));
  const startedAt = Date.now();
  const tell = (event: SandboxEvent): void => {
    const line = lineOf(event, out);
    if (line !== "") out.aside(`${((event.at - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  };
  out.clear();
  const running = await start(launch, {
    ...planted,
    backend,
    allowed,
    ...(upstream === undefined ? {} : { replies: await readUpstream(upstream) }),
    forwards: words.flag("forward-declared"),
    exposed: words.texts("expose"),
    limits: defined({ memoryMiB, timeMs: seconds === undefined ? undefined : seconds * 1000 }),
    onEvent: tell,
  });
  const { stdin, stdout, stderr } = running.stdio;
  // In JSON mode stdout is for the document alone.
  stdout.pipe(out.isJson ? process.stderr : process.stdout, { end: false });
  stderr.pipe(process.stderr, { end: false });
  process.stdin.pipe(stdin, { end: linger === undefined });
  if (linger !== undefined) process.stdin.once("end", () => void running.stop({ afterMs: linger * 1000 }));
  const release = onInterrupt(
    () => running.signal("SIGTERM"),
    () => void running.stop(),
  );
  const exit = await running.exited;
  release();
  process.stdin.destroy();
  const findings = sandboxFindings(target.label, running.events, canaryFinder(canaries));
  const isClean = !findings.some(({ rule }) => rule === "SBX-01" || rule === "SBX-02" || rule === "SBX-03");
  const of = (wanted: SandboxEvent["kind"]): object[] =>
    running.events.flatMap(({ kind, ...rest }) => (kind === wanted ? [rest] : []));
  out.json({
    command: [launch.command, ...launch.args],
    backend: { name: backend.name, versions: backend.versions },
    allowed,
    ...(declared.faults.length > 0 ? { declarationFaults: declared.faults } : {}),
    egress: of("egress"),
    dns: of("dns"),
    canaryReads: of("canary-read"),
    fileChanges: of("file-change"),
    limits: of("limit"),
    gaps: of("gap"),
    planted: canaries.map(({ id, place, where }) => ({ id, place, where })),
    findings,
    exit,
  });
  out.aside();
  out.aside(summary(running.events, exit.code));
  for (const { rule, severity, message } of findings.filter(({ rule }) => rule === "SBX-03"))
    out.aside(`${out.color.red(severity)} ${rule} ${out.text(message, 300)}`);
  return isClean ? 0 : 1;
}

/** The first time it is asked to end, the second time it is ended. */
function onInterrupt(first: () => void, second: () => void): () => void {
  let times = 0;
  const listener = (): void => {
    times += 1;
    if (times === 1) first();
    else second();
  };
  process.on("SIGINT", listener);
  process.on("SIGTERM", listener);
  return () => {
    process.off("SIGINT", listener);
    process.off("SIGTERM", listener);
  };
}

function lineOf(event: SandboxEvent, out: Output): string {
  const { color } = out;
  switch (event.kind) {
    case "egress": {
      const paint = { overreach: color.red, permitted: color.green, loopback: color.dim }[event.verdict];
      return `${paint(event.verdict.padEnd(9))}  ${out.text(placeOf(event), 120)}  ${egressDetails(event, out)}`;
    }
    case "dns":
      return `${color.dim("name     ")}  ${out.text(event.name, 200)}  ${event.type}`;
    case "canary-read":
      return `${color.yellow("planted  ")}  ${event.path}  ${event.how}`;
    case "file-change":
      return `${color.dim("file     ")}  ${out.text(event.path, 200)}  ${event.how}`;
    case "limit":
      return `${color.red("ended    ")}  ${event.limit}: ${event.reason}`;
    case "gap":
      return `${color.red("gap      ")}  ${out.text(event.reason, 200)}`;
  }
}

function egressDetails(event: EgressEvent, out: Output): string {
  const { bytes, tls, reason, ending, process: owner, notes } = event;
  const sent = out.text(sentText(event).split("\r\n")[0] ?? "", 60);
  const isReadable = /^[\x20-\x7e]+$/.test(sent) && (tls === undefined || tls.plaintext !== undefined);
  return [
    count(bytes, "byte"),
    tls?.plaintext !== undefined ? "TLS ended here" : tls?.refusal !== undefined ? `TLS: ${tls.refusal}` : "",
    isReadable && bytes > 0 ? `"${sent}"` : "",
    ending === "reset" ? "" : ending,
    reason ?? "",
    owner === undefined ? "" : out.color.dim(`[${out.text(owner.command.split(" ")[0] ?? "", 40)}]`),
    ...notes,
  ]
    .filter((part) => part !== "")
    .join("  ");
}

/** What it amounts to, in one line; what did not happen is not counted up. */
function summary(events: readonly SandboxEvent[], code: number): string {
  const distinct = (of: (event: SandboxEvent) => string | undefined): number =>
    new Set(events.map(of).filter((key) => key !== undefined)).size;
  const places = (verdict: EgressEvent["verdict"]): number =>
    distinct((event) => (event.kind === "egress" && event.verdict === verdict ? placeOf(event) : undefined));
  const names = distinct((event) => (event.kind === "dns" ? event.name.toLowerCase() : undefined));
  const read = distinct((event) => (event.kind === "canary-read" ? event.path : undefined));
  const parts = [
    [places("overreach"), `${count(places("overreach"), "place")} beyond what is declared`],
    [places("permitted"), count(places("permitted"), "declared place")],
    [places("loopback"), `${count(places("loopback"), "port")} of its own machine`],
    [names, `${count(names, "name")} looked up`],
    [read, `${count(read, "planted file")} read`],
  ] as const;
  const tried = parts.flatMap(([n, words]) => (n > 0 ? [words] : []));
  return `exit code ${code}; ${tried.length === 0 ? "nothing was tried" : tried.join(", ")}`;
}
