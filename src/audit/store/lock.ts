/** One writer a log: a file that says who it is. A process that is gone holds nothing. */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { TrustError } from "../../core/index.ts";

export interface Lock {
  /** Throws when the lock is no longer ours. */
  assertHeld(): void;
  release(): void;
}

const NAME = "writer.lock";

export function takeLock(folder: string): Lock {
  const file = join(folder, NAME);
  const own = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    began: beganOf(process.pid),
    nonce: randomBytes(8).toString("hex"),
  });
  const mine = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(mine, own, { flag: "wx", mode: 0o600 });
  try {
    if (!linked(mine, file)) {
      removeStale(file);
      if (!linked(mine, file)) throw locked(file);
    }
    const held = fileKey(mine);
    return {
      assertHeld() {
        if (fileKey(file) !== held)
          throw new TrustError("AUD_LOCKED", `${file} is no longer ours: another process has taken the log`);
      },
      release() {
        try {
          if (readFileSync(file, "utf8") === own) rmSync(file);
        } catch {
          // Gone already, with its folder.
        }
      },
    };
  } finally {
    rmSync(mine, { force: true });
  }
}

/** The numbers of files that are gone are given to others. */
function fileKey(file: string): string | undefined {
  try {
    const { ino, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}

/** A link is made by one of two that try. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw cause;
  }
}

/** Moves the lock of a dead process away; of two that try, the one that moved something else puts it back. */
function removeStale(file: string): void {
  const seen = readOrNothing(file);
  if (seen === undefined) return;
  if (isAlive(seen)) throw locked(file, seen);
  const aside = `${file}.stale.${randomBytes(4).toString("hex")}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readOrNothing(aside);
  if (moved !== seen) linked(aside, file);
  rmSync(aside, { force: true });
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** In doubt it is: on another machine, or where nobody can tell. */
function isAlive(text: string): boolean {
  let owner: { pid?: unknown; host?: unknown; began?: unknown };
  try {
    owner = JSON.parse(text) as typeof owner;
  } catch {
    return true;
  }
  const { pid, host, began } = owner;
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0 || host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = beganOf(pid);
  // The number may have been given to another process since.
  return now === null || began === null || now === began;
}

/** When a process began, as the kernel counts; null where that cannot be known. */
function beganOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function locked(file: string, owner?: string): TrustError {
  const [, pid] = /"pid":(\d+)/.exec(owner ?? "") ?? [];
  return new TrustError(
    "AUD_LOCKED",
    `${file}: ${pid === undefined ? "another process" : `process ${pid}`} writes this log`,
  );
}
