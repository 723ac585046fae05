/** Looks at the servers of a plan once, as `lock` does, started exactly as the gateway will start them. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { asTrustError, defined, type Finding } from "../../core/index.ts";
import { scanSurface } from "../../scan/index.ts";
import {
  type Change,
  drift,
  type Lock,
  type LockedServer,
  launchKey,
  type Resolved,
  resolveServers,
  takeServers,
} from "../../surface/index.ts";
import { CONFIG_FILE } from "../../target/index.ts";
import type { Launch } from "../../wire/index.ts";
import { type Words, wholeNumber } from "../command.ts";
import { wordSecrets } from "../command-line.ts";
import { commandLine, consentError, mayStart, type Starter, startNotes } from "../consent.ts";
import { containment, type SandboxUse } from "../contain.ts";
import { inOneLine } from "../last-words.ts";
import type { Output } from "../output.ts";
import { writeDurably } from "./durable.ts";
import type { Candidate, Stay } from "./plan.ts";

export interface Looked {
  readonly candidate: Candidate;
  /** What the lock file is to hold of it: what it held before, where there was something. */
  readonly entry: LockedServer;
  /** How it differs from what was locked before. */
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
  readonly sandbox?: SandboxUse;
}

const LOOK_MS = 30_000;

export interface Shown {
  readonly out: Output;
  /** From here on these are not printed either. */
  readonly hide: (secrets: readonly string[]) => void;
}

/** Undefined where somebody said no. */
export async function lookAt(
  candidates: readonly Candidate[],
  folder: string,
  old: Lock | undefined,
  words: Words,
  { out, hide }: Shown,
): Promise<{ readonly looked: readonly Looked[]; readonly failed: readonly Stay[] } | undefined> {
  if (candidates.length === 0) return { looked: [], failed: [] };
  const contain = await containment(words, (text) => out.progress(text));
  const seconds = wholeNumber(words, "timeout");
  const timeoutMs = seconds === undefined ? LOOK_MS : seconds * 1000;
  const { resolved, failed } = await resolvedIn(folder, candidates, timeoutMs);
  hide(resolved.flatMap(({ target }) => [...target.secrets, ...wordSecrets(target.launch)]));
  const faults: Stay[] = failed.map(({ server, error }) => fault(candidates, server.id, error.message));
  if (resolved.length > 0 && !(await isAllowed(resolved, candidates, words.flag("yes"), out)))
    return undefined;
  const uses = new Map<string, SandboxUse>();
  const run = await takeServers(resolved, {
    onProgress: (text) => out.progress(text),
    async contain(target) {
      const contained = await contain(target);
      if (contained.use) uses.set(launchKey(target), contained.use);
      return contained;
    },
  });
  for (const { server, error } of run.failed) {
    const used = uses.get(launchKey(targetOf(resolved, server.id)));
    const hint = used?.status === "used" ? " (in the sandbox; --sandbox none does without)" : "";
    faults.push(fault(candidates, server.id, `${inOneLine(error.message, server.id)}${hint}`));
  }
  const looked = run.taken.map(({ server, entry, findings }) => {
    const before = old?.servers.find(({ id }) => id === entry.id);
    return {
      candidate: candidates.find(({ as }) => as === server.id) as Candidate,
      // What was looked at once is not looked away from: a change is taken by `lock --accept` alone.
      entry: before ?? entry,
      changes: before ? drift(before, entry) : [],
      findings: [
        ...findings.filter(({ rule }) => rule === "SURF-04" || rule.startsWith("SBX-")),
        ...scanSurface(entry.surfaces.none.surface, { label: entry.id }),
      ],
      ...defined({ sandbox: uses.get(launchKey(targetOf(resolved, server.id))) }),
    };
  });
  return { looked, failed: faults };
}

const targetOf = (resolved: readonly Resolved[], id: string): Resolved["target"] =>
  (resolved.find(({ server }) => server.id === id) as Resolved).target;

const fault = (candidates: readonly Candidate[], id: string, message: string): Stay => ({
  name: candidates.find(({ as }) => as === id)?.name ?? id,
  reason: message.replace(`${id}: `, ""),
  isFault: true,
});

/** Resolved from a file like the one that the gateway will run from: what is looked at is what will be started. */
async function resolvedIn(folder: string, candidates: readonly Candidate[], timeoutMs: number) {
  const draft = join(folder, `draft-${randomBytes(6).toString("hex")}.yml`);
  const servers = Object.fromEntries(candidates.map(({ as, server }) => [as, server]));
  try {
    await writeDurably(draft, JSON.stringify({ servers }));
    const { resolved, failed } = await resolveServers(
      candidates.map(({ as, entry }) => ({
        id: as,
        name: as,
        source: CONFIG_FILE,
        where: `${entry.file}:${entry.line}:${entry.column}`,
        reference: { kind: "named", name: as, args: [] },
        folder,
      })),
      { configFile: draft, timeoutMs },
    );
    for (const { server, target } of resolved) {
      const wanted = candidates.find(({ as }) => as === server.id)?.launch;
      if (!wanted || !isSameStart(target.launch, wanted))
        throw asTrustError(new Error(`${server.id} would not be started as the client starts it`));
    }
    return {
      resolved: resolved.map(({ server, target }) => ({
        server,
        target: { ...target, era: "auto" as const },
      })),
      failed,
    };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whether one is started as wanted. The token of a login comes to it that stands in nobody's entry. */
export function isSameStart(one: Launch, wanted: Launch): boolean {
  if (one.kind === "stdio" || wanted.kind === "stdio")
    return isDeepStrictEqual({ env: {}, ...one }, { env: {}, ...wanted });
  const { authorization, ...others } = one.headers ?? {};
  const given = { ...others, ...defined({ authorization: wanted.headers?.authorization && authorization }) };
  return (
    one.url.href === wanted.url.href &&
    one.transport === wanted.transport &&
    isDeepStrictEqual(given, { ...wanted.headers })
  );
}

/** Each command once, under all names it has. */
async function isAllowed(
  resolved: readonly Resolved[],
  candidates: readonly Candidate[],
  yes: boolean,
  out: Output,
): Promise<boolean> {
  const starters = new Map<string, Starter>();
  for (const { server, target } of resolved) {
    const key = launchKey(target);
    const same = starters.get(key);
    const { entry } = candidates.find(({ as }) => as === server.id) ?? {};
    const takes = entry?.origin === "project" && entry.start.kind === "launch" ? entry.start.reads : [];
    starters.set(key, {
      name: same ? `${same.name}, ${server.id}` : server.id,
      command: commandLine(target),
      where: same ? `${same.where}, ${server.where}` : server.where,
      notes: startNotes(target.launch, takes),
    });
  }
  const all = [...starters.values()];
  const answer = await mayStart(all, { yes, out });
  if (answer === "no-terminal") throw consentError(all);
  return answer === "yes";
}
