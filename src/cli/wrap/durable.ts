/** Files that are whole or not there: written beside, forced to disk, moved into place. */
import { createHash, randomBytes } from "node:crypto";
import { chown, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { TrustError } from "../../core/index.ts";

/** As large as a client's own file may be when it is read. */
const MAX_BYTES = 32 * 1024 * 1024;

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

/** Only for its owner. What is missing above it is made for its owner only, too. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

export async function writeDurably(file: string, bytes: string | Uint8Array, mode = 0o600): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(draft, "wx", mode);
    try {
      // The mask of the process takes bits away: a file keeps those it had.
      await handle.chmod(mode);
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await moveDurably(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}

export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** A new name lasts once its folder is on disk. Not every system can do that; none refuses to go on. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {}
}

export interface ConfigText {
  readonly text: string;
  readonly bytes: Buffer;
}

/** A client's config as text that gives exactly its bytes again. */
export async function readConfigText(file: string): Promise<ConfigText> {
  const refuse = (why: string, cause?: unknown): TrustError =>
    new TrustError("CFG_UNREADABLE", `${file}: ${why}`, {
      cause,
      hint: "check that it is a regular file that this user may read, in UTF-8",
    });
  try {
    const info = await stat(file);
    if (!info.isFile()) throw refuse("not a regular file");
    if (info.size > MAX_BYTES) throw refuse(`${info.size} bytes, limit ${MAX_BYTES}`);
    const bytes = await readFile(file);
    return { bytes, text: decoded(bytes) ?? fail(refuse("not valid UTF-8")) };
  } catch (cause) {
    if (cause instanceof TrustError) throw cause;
    throw refuse((cause as Error).message, cause);
  }
}

function fail(error: TrustError): never {
  throw error;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Puts `text` in the place of `before`, which is what was read. Who wrote meanwhile is not overwritten. */
export async function replaceConfig(file: string, before: ConfigText, text: string): Promise<void> {
  const now = await readConfigText(file);
  if (!now.bytes.equals(before.bytes))
    throw new TrustError("WRP_CHANGED", `${file} was changed while this ran`);
  const { mode, uid, gid } = await stat(file);
  try {
    await writeDurably(file, text, mode & 0o7777);
  } catch (cause) {
    throw new TrustError("CFG_UNREADABLE", `${file}: cannot be written: ${(cause as Error).message}`, {
      cause,
      hint: "it was left as it is; check that this user may write in its folder",
    });
  }
  // For who runs it as another user; whoever may not do that is the owner already.
  await chown(file, uid, gid).catch(() => {});
}
