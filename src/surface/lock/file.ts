/** The lock file on disk: read whole or not at all, written beside and moved into place, by one run at a time.
 *  Implements spec/surface.md, SUR-17 and SUR-23. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { TrustError } from "../../core/index.ts";
import { type Lock, lockText, parseLock } from "./format.ts";

export const LOCK_FILE = "touchstone.lock";

/** Thousands of tools; what a stranger commits may be larger. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Writing takes far less: a guard of this age was left behind by a run that was ended. */
const STALE_MS = 60_000;

/** Undefined when there is none; an error when there is one that cannot be used. */
export async function readLock(file: string): Promise<Lock | undefined> {
  const text = await readText(file);
  return text === undefined ? undefined : parseLock(text, file);
}

/** What is refused here is told by what it is, never by what it holds: it may be anybody's file. */
async function readText(file: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    const info = await lstat(file);
    if (info.isSymbolicLink()) throw unusable(file, "a symbolic link, which is not followed");
    if (!info.isFile()) throw unusable(file, "not a regular file");
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const { size } = await handle.stat();
    if (size > MAX_BYTES) throw unusable(file, `${size} bytes, limit ${MAX_BYTES}`);
    bytes = await handle.readFile();
  } catch (cause) {
    if (cause instanceof TrustError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw unusable(file, message, cause);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unusable(file, "not valid UTF-8");
  }
}

const unusable = (file: string, why: string, cause?: unknown): TrustError =>
  new TrustError("LOCK_UNREADABLE", `${file}: ${why}`, cause === undefined ? {} : { cause });

/** Puts `lock` in the place of `before`, which is what was read. Another run that wrote meanwhile is not overwritten.
 *  A crash leaves the old file or the new one, never half of one. */
export async function writeLock(file: string, lock: Lock, before: Lock | undefined): Promise<void> {
  const text = lockText(lock);
  const bytes = Buffer.byteLength(text);
  // What could not be read again must not take the place of what can.
  if (bytes > MAX_BYTES)
    throw new TrustError("LOCK_UNREADABLE", `${file}: would have ${bytes} bytes, limit ${MAX_BYTES}`, {
      hint: "find the server with a surface of this size; `touchstone inspect NAME --json` shows it",
    });
  try {
    await mkdir(dirname(file), { recursive: true });
    await using _guard = await guard(`${file}.writing`);
    const now = (await readText(file))?.replaceAll("\r\n", "\n");
    if (now !== (before && lockText(before)))
      throw new TrustError("LOCK_CHANGED", `${file}: another run wrote it while this one looked at servers`);
    await replace(file, text);
  } catch (cause) {
    if (cause instanceof TrustError) throw cause;
    throw new TrustError("LOCK_UNREADABLE", `${file}: cannot be written: ${(cause as Error).message}`, {
      cause,
      hint: "check that the folder exists and that this user may write there",
    });
  }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, "wx", 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}

/** Holds a file that only one run can make, until it is disposed. */
async function guard(path: string): Promise<AsyncDisposable> {
  if (!(await isMade(path))) {
    const other = await lstat(path).catch(() => undefined);
    const isLeft = other !== undefined && Date.now() - other.mtimeMs > STALE_MS;
    if (isLeft) await rm(path, { force: true });
    const isFree = isLeft || other === undefined;
    if (!isFree || !(await isMade(path)))
      throw new TrustError("LOCK_CHANGED", `${path} is there: another run is writing`, {
        hint: `nothing was written; run it again, and where no other run is left, delete ${path}`,
      });
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

async function isMade(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o644)).close();
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw cause;
  }
}
