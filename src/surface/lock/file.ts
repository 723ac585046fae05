/** The lock file on disk: read whole or not at all, written beside and moved into place. */
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { TrustError } from "../../core/index.ts";
import { type Lock, lockText, parseLock } from "./format.ts";

export const LOCK_FILE = "touchstone.lock";

/** Thousands of tools; what a stranger commits may be larger. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Undefined when there is none; an error when there is one that cannot be used. */
export async function readLock(file: string): Promise<Lock | undefined> {
  const refuse = (why: string, cause?: unknown): TrustError =>
    new TrustError("LOCK_UNREADABLE", `${file}: ${why}`, { cause });
  let bytes: Buffer;
  try {
    const info = await stat(file);
    if (!info.isFile()) throw refuse("not a regular file");
    if (info.size > MAX_BYTES) throw refuse(`${info.size} bytes, limit ${MAX_BYTES}`);
    bytes = await readFile(file);
  } catch (cause) {
    if (cause instanceof TrustError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw refuse(message, cause);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuse("not valid UTF-8", cause);
  }
  return parseLock(text, file);
}

/** A crash leaves the old file or the new one, never half of one. */
export async function writeLock(file: string, lock: Lock): Promise<void> {
  const text = lockText(lock);
  const bytes = Buffer.byteLength(text);
  // What could not be read again must not take the place of what can.
  if (bytes > MAX_BYTES)
    throw new TrustError("LOCK_UNREADABLE", `${file}: would have ${bytes} bytes, limit ${MAX_BYTES}`, {
      hint: "find the server with a surface of this size; `touchstone inspect NAME --json` shows it",
    });
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(draft, "wx", 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (cause) {
    const isOurs = (cause as NodeJS.ErrnoException).code !== "EEXIST";
    if (isOurs) await rm(draft, { force: true });
    throw new TrustError("LOCK_UNREADABLE", `${file}: cannot be written: ${(cause as Error).message}`, {
      cause,
      hint: "check that the folder exists and that this user may write there",
    });
  }
}
