/** A log in a folder, as a command is given it. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Indexes,
  KEY_FILE,
  type LogFiles,
  logFiles,
  readVerifierKey,
  type VerifierKey,
} from "../../audit/index.ts";
import { TrustError } from "../../core/index.ts";
import { readBytes } from "../attest/keys.ts";
import type { Words } from "../command.ts";

export function folderFrom(
  words: Words,
  command: string,
): { folder: string; files: LogFiles; more: readonly string[] } {
  const [folder, ...more] = words.positionals;
  if (folder === undefined)
    throw new TrustError("CLI_MISSING_ARGUMENT", `audit ${command} needs the folder of a log`);
  if (!existsSync(folder)) throw new TrustError("CFG_NOT_FOUND", `${folder}: there is no such folder`);
  return { folder, files: logFiles(folder), more };
}

/** The key from elsewhere, or the one of the folder. */
export function keyFor(words: Words, folder: string | undefined): { key: VerifierKey; isOwn: boolean } {
  const given = words.text("key");
  if (given !== undefined && readVerifierKey(given))
    return { key: readVerifierKey(given) as VerifierKey, isOwn: false };
  const file = given ?? (folder === undefined ? undefined : join(folder, KEY_FILE));
  if (file === undefined)
    throw new TrustError("CLI_MISSING_ARGUMENT", "a proof needs the key of its log: --key FILE");
  const key = readVerifierKey(readBytes(file).toString("utf8"));
  if (!key)
    throw new TrustError("ATT_UNUSABLE", `${file} holds no verifier key (NAME+ID+BASE64)`, {
      hint: "a log's own is the file log.vkey in its folder",
    });
  return { key, isOwn: given === undefined };
}

/** Beside the log, where that may be written; else made each time. */
export function indexesIn(folder: string): Indexes {
  const name = (first: number): string => join(folder, `${String(first).padStart(20, "0")}.index`);
  return {
    read(first) {
      try {
        return readFileSync(name(first));
      } catch {
        return undefined;
      }
    },
    keep(first, bytes) {
      let aside: string | undefined;
      try {
        aside = mkdtempSync(join(folder, ".index-"));
        writeFileSync(join(aside, "new"), bytes, { mode: 0o600 });
        renameSync(join(aside, "new"), name(first));
      } catch {
        // A folder of somebody else's.
      } finally {
        if (aside !== undefined) rmSync(aside, { recursive: true, force: true });
      }
    },
  };
}
