/** Resolves configured servers and captures each for both kinds of clients. One that fails is kept with its reason. */
import { homedir } from "node:os";
import { asTrustError, defined, type Finding, type TrustError } from "../../core/index.ts";
import { type ResolvedTarget, resolveTarget, startable } from "../../target/index.ts";
import type { Launcher } from "../../wire/index.ts";
import { type BothCaptures, captureBoth } from "../capture-both.ts";
import { lockEntry } from "./entry.ts";
import type { LockedServer } from "./format.ts";
import type { ConfiguredServer } from "./servers.ts";

export interface Resolved {
  readonly server: ConfiguredServer;
  readonly target: ResolvedTarget;
}

export interface Failed {
  readonly server: ConfiguredServer;
  readonly error: TrustError;
}

export interface Taken {
  readonly server: ConfiguredServer;
  readonly entry: LockedServer;
  readonly findings: readonly Finding[];
}

/** Makes a target ready to be started, in a sandbox for instance. */
export type ContainTarget = (target: ResolvedTarget) => Promise<{
  readonly target: ResolvedTarget;
  readonly launcher?: Launcher;
  /** What was seen of it beside the wire. */
  findings(): readonly Finding[];
}>;

export interface TakeOptions {
  readonly contain?: ContainTarget;
  readonly configFile?: string;
  readonly timeoutMs?: number;
  readonly onProgress?: (text: string) => void;
}

/** Starts nothing. */
export async function resolveServers(
  servers: readonly ConfiguredServer[],
  { configFile, timeoutMs, onProgress }: TakeOptions = {},
): Promise<{ resolved: readonly Resolved[]; failed: readonly Failed[] }> {
  const [resolved, failed]: [Resolved[], Failed[]] = [[], []];
  for (const server of servers) {
    try {
      const { reference, folder, id } = server;
      const isOwn = reference.kind === "named";
      const target = startable(
        await resolveTarget(reference, {
          machine: { folder },
          ...defined({ configFile: isOwn ? configFile : undefined, onProgress }),
        }),
      );
      const limits = { ...target.limits, ...defined({ timeoutMs }) };
      resolved.push({ server, target: { ...target, label: id, limits } });
    } catch (thrown) {
      failed.push({ server, error: ours(thrown) });
    }
  }
  return { resolved, failed };
}

/** A server that stands in several configs with the same words is started once. */
export function launchKey({ launch, era }: ResolvedTarget): string {
  const words = launch.kind === "http" ? { ...launch, url: launch.url.href } : launch;
  return JSON.stringify([words, era ?? "legacy"]);
}

/** Starts or reaches each server twice, one after the other. */
export async function takeServers(
  resolved: readonly Resolved[],
  { onProgress, contain = plain }: TakeOptions = {},
): Promise<{ taken: readonly Taken[]; failed: readonly Failed[] }> {
  const [taken, failed]: [Taken[], Failed[]] = [[], []];
  const captures = new Map<string, ReturnType<typeof captureIn>>();
  const home = process.env.HOME || homedir();
  for (const { server, target } of resolved) {
    const key = launchKey(target);
    const pending = captures.get(key) ?? captureIn(contain, target, onProgress);
    captures.set(key, pending);
    try {
      const { both, tried } = await pending;
      const { id, name, source, folder } = server;
      const entry = lockEntry({ id, name, source }, target, both, { folder, home });
      taken.push({ server, entry, findings: [...both.findings, ...tried] });
    } catch (thrown) {
      failed.push({ server, error: ours(thrown) });
    }
  }
  return { taken, failed };
}

const plain: ContainTarget = async (target) => ({ target, findings: () => [] });

async function captureIn(
  contain: ContainTarget,
  target: ResolvedTarget,
  onProgress: TakeOptions["onProgress"],
): Promise<{ both: BothCaptures; tried: readonly Finding[] }> {
  const { target: ready, launcher, findings } = await contain(target);
  const both = await captureBoth(ready, defined({ onProgress, launcher }));
  return { both, tried: findings() };
}

/** What the configs and the server did wrong stays with the server; a fault of ours goes on. */
function ours(thrown: unknown): TrustError {
  const error = asTrustError(thrown);
  if (error.code === "INTERNAL") throw thrown;
  return error;
}
