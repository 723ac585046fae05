/** A log in a folder of files. */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TrustError } from "../../core/index.ts";
import { CHECKPOINTS, hashesName, KEY_FILE, type LogFiles, segmentName } from "../verify.ts";
import { type Lock, takeLock } from "./lock.ts";
import type { Store } from "./store.ts";

const datasync = promisify(fdatasync);
const CHUNK_BYTES = 1024 * 1024;
/** How long a writer may not notice that the lock is gone. */
const LOOK_MS = 20;
/** A `checkpoints` file larger than this is no honest one: a note a second for a year is less. */
const MAX_SMALL_BYTES = 512 * 1024 * 1024;

/** To read a log that somebody else may be writing. */
export function logFiles(folder: string): LogFiles {
  return {
    names: () => readdirSync(folder),
    read: (name) => {
      try {
        const fd = openPlain(folder, name);
        try {
          if (fstatSync(fd).size > MAX_SMALL_BYTES)
            throw new TrustError("AUD_DAMAGED", `${name} is larger than any log makes it`);
          return readFileSync(fd);
        } finally {
          closeSync(fd);
        }
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw cause;
      }
    },
    *chunks(name, from = 0) {
      const fd = openPlain(folder, name);
      try {
        const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
        for (let at = from, size = 1; size > 0; at += size) {
          size = readSync(fd, buffer, 0, CHUNK_BYTES, at);
          if (size > 0) yield buffer.subarray(0, size);
        }
      } finally {
        closeSync(fd);
      }
    },
    stamp: (name) => {
      const { size, mtimeNs, ctimeNs, ino } = lstatSync(join(folder, name), { bigint: true });
      return [size, mtimeNs, ctimeNs, ino].join(" ");
    },
  };
}

/** No link and no folder: those are no files of a log. */
function openPlain(folder: string, name: string): number {
  try {
    const fd = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ELOOP") throw cause;
  }
  throw new TrustError("AUD_DAMAGED", `${name} is not a plain file`);
}

/** Takes the lock; whoever writes has to close it. */
export function fileStore(folder: string): Store {
  const lock = lockOf(folder);
  let segment: { readonly fd: number; size: number } | undefined;
  /** A file is not closed while it is being synced: its number would go to another. */
  let syncing: Promise<void> = Promise.resolve();
  let isClosed = false;
  let looked = Number.NEGATIVE_INFINITY;

  const look = (): void => {
    lock.assertHeld();
    looked = performance.now();
  };
  const syncFolder = (): void => {
    const fd = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  };
  /** All of a small file, or none of it. */
  const put = (name: string, content: Uint8Array): void => {
    const aside = join(folder, `${name}.new`);
    const fd = openSync(aside, "w", 0o600);
    try {
      writeFileSync(fd, content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(aside, join(folder, name));
    syncFolder();
  };

  return {
    files: logFiles(folder),
    begin(first) {
      const flags = constants.O_CREAT | constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;
      const fd = openSync(join(folder, segmentName(first)), flags, 0o600);
      const old = segment?.fd;
      if (old !== undefined) {
        fdatasyncSync(old);
        void syncing.finally(() => closeSync(old));
      }
      segment = { fd, size: fstatSync(fd).size };
      syncFolder();
    },
    write(lines) {
      if (!segment) throw new TrustError("AUD_UNWRITABLE", "no segment was begun");
      // A look at the folder costs as much as a write: while much is written it is looked at with each sync.
      if (performance.now() - looked > LOOK_MS) look();
      let done = 0;
      try {
        while (done < lines.length) done += writeSync(segment.fd, lines, done);
      } catch (cause) {
        // What was taken of it is taken back; where that fails too, recovery seals it.
        try {
          ftruncateSync(segment.fd, segment.size);
        } catch {}
        throw cause;
      }
      segment.size += lines.length;
    },
    async sync() {
      if (!segment || isClosed) return;
      const done = datasync(segment.fd);
      syncing = done.catch(() => {});
      await done;
      if (!isClosed) look();
    },
    async keepHashes(first, hashes) {
      put(hashesName(first), hashes);
    },
    async addCheckpoint(note) {
      const fd = openSync(join(folder, CHECKPOINTS), "a", 0o600);
      try {
        const { size } = fstatSync(fd);
        const bytes = Buffer.from(size === 0 ? note : `\n${note}`);
        try {
          if (writeSync(fd, bytes) !== bytes.length) throw new Error("no room for a checkpoint");
        } catch (cause) {
          ftruncateSync(fd, size);
          throw cause;
        }
        await datasync(fd);
      } finally {
        closeSync(fd);
      }
    },
    async keepKey(text) {
      put(KEY_FILE, Buffer.from(`${text}\n`));
    },
    cutCheckpoints(bytes) {
      truncateSync(join(folder, CHECKPOINTS), bytes);
    },
    cutSegment(first) {
      truncateSync(join(folder, segmentName(first)), 0);
    },
    async drop(first) {
      rmSync(join(folder, segmentName(first)));
      syncFolder();
    },
    assertOwned: lock.assertHeld,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await syncing;
      if (segment) closeSync(segment.fd);
      lock.release();
    },
  };
}

function lockOf(folder: string): Lock {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return takeLock(folder);
  } catch (cause) {
    if (cause instanceof TrustError) throw cause;
    throw new TrustError("AUD_UNWRITABLE", `${folder}: ${(cause as Error).message}`, { cause });
  }
}
