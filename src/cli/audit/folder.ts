/** A log in a folder, as a command is given it. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Indexes,
  KEY_FILE,
  type LogFiles,
  logFiles,
  numbersOf,
  readVerifierKey,
  type VerifierKey,
} from "../../audit/index.ts";
import { TrustError } from "../../core/index.ts";
import { cacheFolder } from "../../target/index.ts";
import { readBytes } from "../attest/keys.ts";
import type { Words } from "../command.ts";

export function folderFrom(
  words: Words,
  command: string,
): { folder: string; files: LogFiles; more: readonly string[] } {
  const [folder, ...more] = words.positionals;
  if (folder === undefined)
    throw new TrustError("CLI_MISSING_ARGUMENT", `audit ${command} needs the folder of a log`);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new TrustError("CFG_NOT_FOUND", `${folder}: there is no such folder`, {
      hint: "give the folder that the log is written to",
    });
  const files = logFiles(folder);
  // Nothing shown of a folder that holds no log would read as a log with nothing in it. `verify` has words of its own.
  if (command !== "verify" && !holdsLog(files.names()))
    throw new TrustError("CFG_NOT_FOUND", `${folder}: there is no log in it`, {
      hint: "give the folder that the log is written to",
    });
  return { folder, files, more };
}

const holdsLog = (names: readonly string[]): boolean =>
  names.includes(KEY_FILE) || numbersOf(names, "jsonl").length > 0;

const NO_KEY = "give the folder of a log, which has its key in log.vkey, or the key with --key FILE";

/** The key from elsewhere, or the one of the folder. */
export function keyFor(words: Words, folder: string | undefined): { key: VerifierKey; isOwn: boolean } {
  const given = words.text("key");
  if (given !== undefined && readVerifierKey(given))
    return { key: readVerifierKey(given) as VerifierKey, isOwn: false };
  const file = given ?? (folder === undefined ? undefined : join(folder, KEY_FILE));
  if (file === undefined)
    throw new TrustError("CLI_MISSING_ARGUMENT", "a proof needs the key of its log: --key FILE");
  const key = readVerifierKey(readBytes(file, NO_KEY).toString("utf8"));
  if (!key)
    throw new TrustError("ATT_UNUSABLE", `${file} holds no verifier key (NAME+ID+BASE64)`, {
      hint: "a log's own is the file log.vkey in its folder",
    });
  return { key, isOwn: given === undefined };
}

/** In the user's cache: who can write to the folder of a log must not be able to hide entries of it. */
export function indexesFor(folder: string): Indexes {
  const where = join(cacheFolder(process.env, "audit"), sha256(realpathSync(folder)).slice(0, 32));
  const name = (first: number): string => join(where, `${first}.index`);
  return {
    read(first) {
      try {
        return readFileSync(name(first));
      } catch {
        return undefined;
      }
    },
    keep(first, bytes) {
      try {
        mkdirSync(where, { recursive: true, mode: 0o700 });
        const aside = `${name(first)}.${process.pid}`;
        writeFileSync(aside, bytes, { mode: 0o600 });
        renameSync(aside, name(first));
      } catch {
        // Then it is made anew the next time.
      }
    },
  };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
