/** One run of `lock`: finds the servers, has them allowed, captures them, compares, and writes where that was asked for.
 *  Implements spec/surface.md, SUR-18. */
import { dirname, join } from "node:path";
import { byUnits, defined, type Finding, shown, TrustError } from "../../core/index.ts";
import { credentialFile } from "../../target/index.ts";
import { shadowFindings, type ToolOwner } from "../shadows.ts";
import { LOCK_FILE, readLock, writeLock } from "./file.ts";
import { LOCK_FORMAT, type Lock, type LockedServer } from "./format.ts";
import { exitOf, judgeServers, lockFindings, type Standing, settled } from "./judge.ts";
import {
  type Configured,
  type ConfiguredServer,
  chosen,
  configuredServers,
  projectFolder,
} from "./servers.ts";
import {
  type ContainTarget,
  launchKey,
  type Resolved,
  resolveServers,
  type Taken,
  takeServers,
} from "./take.ts";

export interface LockRequest {
  /** `lock` writes a file where there is none and compares where there is one; `check` never writes; `accept` writes what
   *  is named. */
  readonly mode: "lock" | "check" | "accept";
  readonly names: readonly string[];
  readonly level: "project" | "user";
  readonly configFile?: string;
  readonly timeoutMs?: number;
  readonly onProgress?: (text: string) => void;
  readonly contain?: ContainTarget;
  /** Asked before anything is started or reached; throws or says no. */
  readonly mayStart: (resolved: readonly Resolved[]) => Promise<boolean>;
}

export interface LockResult {
  readonly file: string;
  readonly isWritten: boolean;
  readonly standings: readonly Standing[];
  /** Ids of entries that are switched off. */
  readonly disabled: readonly string[];
  readonly findings: readonly Finding[];
  readonly exit: 0 | 1 | 3 | 4;
}

/** Where the lock file of a project or of the user is. */
export function lockFile(level: LockRequest["level"], configFile?: string): string {
  if (level === "user") return join(dirname(credentialFile()), LOCK_FILE);
  return configFile === undefined ? LOCK_FILE : join(projectFolder(configFile), LOCK_FILE);
}

export async function runLock(request: LockRequest): Promise<LockResult> {
  const { mode, level, names, configFile, timeoutMs, onProgress, contain } = request;
  const file = lockFile(level, configFile);
  const old = await readLock(file);
  if (!old && mode !== "lock") throw new TrustError("LOCK_NOT_FOUND", `there is no ${shown(file)}`);
  const configured = await configuredServers({ level, ...defined({ configFile }) });
  const { servers, locked } = select(names, configured, old);
  const options = defined({ configFile, timeoutMs, onProgress, contain });
  const { resolved, failed } = await resolveServers(servers, options);
  const isAllowed = await request.mayStart(resolved);
  const run = isAllowed
    ? await takeServers(resolved, options)
    : { taken: [], failed: resolved.map(({ server }) => ({ server, error: refused() })) };
  const open = judgeServers(locked, {
    taken: run.taken,
    failed: [...failed, ...run.failed],
    configured: new Set(configured.servers.map(({ id }) => id)),
    unreadable: configured.unreadable,
  });
  const isWriting = mode === "accept" || old === undefined;
  const standings = isWriting ? open.map(settled) : open;
  const isWritten = isWriting && (await write(file, old, standings));
  return {
    file,
    isWritten,
    standings,
    disabled: configured.disabled.map(({ id }) => id),
    findings: [
      ...configured.problems,
      ...lockFindings(standings),
      ...run.taken.flatMap(({ findings }) =>
        findings.filter(
          ({ rule }) => rule === "SURF-04" || rule.startsWith("SBX-") || (isWriting && rule === "SURF-01"),
        ),
      ),
      ...shadowFindings(owners(run.taken, resolved, old)),
    ],
    exit: exitOf(standings, configured.problems.length === 0),
  };
}

const refused = (): TrustError => new TrustError("TGT_NOT_STARTABLE", "it was not allowed to start");

/** The servers that are meant: of the configs, to be captured, and of the lock file, to be compared with. */
function select(
  names: readonly string[],
  configured: Configured,
  old: Lock | undefined,
): { servers: readonly ConfiguredServer[]; locked: readonly LockedServer[] } {
  const here = new Set(configured.servers.map(({ id }) => id));
  const gone = (old?.servers ?? []).filter(({ id }) => !here.has(id));
  const wanted = new Set(chosen(names, [...configured.servers, ...gone]).map(({ id }) => id));
  if (wanted.size === 0 && configured.problems.length === 0)
    throw new TrustError("TGT_UNKNOWN_SERVER", "no config here names a server", {
      hint: "add servers to touchstone.yml or a client's project config, or use --user for your own",
    });
  return {
    servers: configured.servers.filter(({ id }) => wanted.has(id)),
    locked: (old?.servers ?? []).filter(({ id }) => wanted.has(id)),
  };
}

/** Writes the settled standings over the old file; servers that were not named stay as they are. */
async function write(file: string, old: Lock | undefined, standings: readonly Standing[]): Promise<boolean> {
  const next = new Map((old?.servers ?? []).map((server) => [server.id, server]));
  let isChanged = false;
  for (const standing of standings) {
    if (standing.status === "dropped") isChanged = next.delete(standing.server.id) || isChanged;
    if (standing.status !== "locked" && standing.status !== "accepted") continue;
    next.set(standing.server.id, standing.entry);
    isChanged = true;
  }
  if (isChanged) await writeLock(file, { format: LOCK_FORMAT, servers: [...next.values()] }, old);
  return isChanged;
}

/** Whose tools could be taken for whose: as captured, else as locked. One server in two configs is no shadow of itself. */
function owners(taken: readonly Taken[], resolved: readonly Resolved[], old: Lock | undefined): ToolOwner[] {
  const keys = new Map(resolved.map(({ server, target }) => [server.id, launchKey(target)]));
  const entries = new Map((old?.servers ?? []).map((server) => [server.id, server]));
  for (const { server, entry } of taken) entries.set(server.id, entry);
  const seen = new Set<string>();
  const byName = [...entries.values()].sort((a, b) => byUnits(a.id, b.id));
  return byName.flatMap(({ id, surfaces }) => {
    const key = keys.get(id) ?? surfaces.none.digest;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ name: id, tools: [...surfaces.none.surface.tools, ...surfaces.everything.surface.tools] }];
  });
}
