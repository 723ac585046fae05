/** `audit prove`, `audit checkpoint` and `audit prune`. */
import { existsSync, writeFileSync } from "node:fs";
import {
  type AuditLog,
  fileStore,
  firstKept,
  leavesOf,
  logFiles,
  newestCheckpoint,
  openLog,
  proveEntry,
  proveGrowth,
  query,
  readCheckpoint,
} from "../../audit/index.ts";
import { count, type ExitCode, TrustError } from "../../core/index.ts";
import { keysFrom, newFile, readBytes } from "../attest/keys.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { folderFrom, indexesFor, keyFor } from "./folder.ts";

export async function runProve(words: Words, out: Output): Promise<ExitCode> {
  const { folder, files, more } = folderFrom(words, "prove");
  const since = words.text("since-checkpoint");
  const [id, ...others] = more;
  if (others.length > 0 || (id === undefined) === (since === undefined))
    throw new TrustError(
      "CLI_MISSING_ARGUMENT",
      "prove needs the id of an entry, or --since-checkpoint FILE",
    );
  const newest = newestCheckpoint(files);
  if (!newest) throw unsigned(folder);
  const { note, checkpoint } = newest;
  if (since !== undefined) {
    const old = readBytes(since).toString("utf8");
    const size = readCheckpoint(old)?.checkpoint.size;
    if (size === undefined) throw new TrustError("CLI_BAD_VALUE", `${since} is no checkpoint`);
    if (size > checkpoint.size)
      throw new TrustError(
        "AUD_DAMAGED",
        `${since} counts ${size} entries, the log's newest checkpoint ${checkpoint.size}`,
      );
    const proof = proveGrowth(leavesOf(files), { note: old, size }, { note, size: checkpoint.size });
    return written(words.text("out") ?? "consistency.proof", proof, out);
  }
  const [found] = query(files, { id: id as string }, indexesFor(folder));
  if (!found)
    throw new TrustError("CLI_BAD_VALUE", `${folder} has no entry ${id}`, {
      hint: `\`touchstone audit show ${folder}\` has the ids there are`,
    });
  const { n } = found.entry;
  if (n >= checkpoint.size)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `entry ${n} is not in a checkpoint yet: the newest counts ${checkpoint.size}`,
      {
        hint: "wait for the next one, or make one with `touchstone audit checkpoint --key FILE`",
      },
    );
  const proof = proveEntry(leavesOf(files), found.line, n, note, checkpoint.size);
  return written(words.text("out") ?? `${id}.tlog-proof`, proof, out);
}

function written(file: string, proof: string, out: Output): ExitCode {
  newFile(file, Buffer.from(proof), 0o644);
  out.json({ file });
  out.line(`${file}: touchstone audit verify --proof ${file} --key KEY`);
  return 0;
}

export async function runCheckpoint(words: Words, out: Output): Promise<ExitCode> {
  const { folder, files, more } = folderFrom(words, "checkpoint");
  const to = words.text("to");
  if (to === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "checkpoint needs --to FILE");
  if (words.text("key") !== undefined) await withLog(folder, words, (log) => log.checkpoint());
  const newest = newestCheckpoint(files);
  if (!newest) throw unsigned(folder);
  const { size, time, origin } = newest.checkpoint;
  const there = existsSync(to) ? readCheckpoint(readBytes(to).toString("utf8"))?.checkpoint : undefined;
  if (there && (there.size > size || there.origin !== origin))
    throw new TrustError(
      "CLI_BAD_VALUE",
      `${to} is of ${there.origin} and counts ${there.size} entries, this log ${size}`,
      {
        hint: `it may be the only proof that something is missing: touchstone audit verify ${folder} --anchor ${to}`,
      },
    );
  try {
    writeFileSync(to, newest.note);
  } catch (cause) {
    throw new TrustError("CLI_BAD_VALUE", (cause as Error).message, {
      cause,
      hint: "give a file that can be written",
    });
  }
  out.json({ file: to, size, time });
  out.line(`${to}: ${count(size, "entry", "entries")}, signed at ${time}`);
  return 0;
}

export async function runPrune(words: Words, out: Output): Promise<ExitCode> {
  const { folder, more } = folderFrom(words, "prune");
  const [, days] = /^(\d{1,5})d$/.exec(words.text("older-than") ?? "") ?? [];
  if (days === undefined || more.length > 0)
    throw new TrustError("CLI_BAD_VALUE", "prune needs --older-than DAYS, as 90d");
  let dropped = 0;
  await withLog(folder, words, async (log) => {
    const moment = Date.now() - Number(days) * 86_400_000;
    dropped = await log.prune(firstKept(logFiles(folder), log.size, moment));
  });
  out.json({ segments: dropped });
  out.line(
    dropped === 0 ? "no segment is that old" : `${count(dropped, "segment")} removed, the hashes stay`,
  );
  return 0;
}

const unsigned = (folder: string): TrustError =>
  new TrustError("CLI_BAD_VALUE", `${folder}: no checkpoint of this log can be read`, {
    hint: "`touchstone audit verify` says why",
  });

/** Opens the log as its writer. */
async function withLog(
  folder: string,
  words: Words,
  work: (log: AuditLog) => Promise<unknown>,
): Promise<void> {
  if (words.text("key") === undefined)
    throw new TrustError("CLI_MISSING_ARGUMENT", "the private key of the log is needed: --key FILE");
  const { key: own } = keyFor(
    { ...words, text: (name) => (name === "key" ? undefined : words.text(name)) },
    folder,
  );
  const [key] = keysFrom({
    ...words,
    texts: (name) => (name === "key" ? [words.text("key") ?? ""] : words.texts(name)),
  });
  if (!key || !Buffer.from(key.publicKey).equals(Buffer.from(own.publicKey)))
    throw new TrustError("ATT_UNUSABLE", `${words.text("key")} is not the key of this log`);
  const log = await openLog(fileStore(folder), { key, origin: own.name });
  try {
    await work(log);
  } finally {
    await log.close();
  }
}
