/** The log of a gateway, and the key that signs it: one log, one writer. Implements spec/gateway.md, GTW-24. */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { generateKey, readKeyFile, type SigningKey, writeKeyFile } from "../attest/index.ts";
import { type AuditLog, fileStore, openLog } from "../audit/index.ts";
import { defined, type Placed, TrustError } from "../core/index.ts";
import { type GatewayFile, readGatewayFile } from "./config.ts";
import { bytesOf } from "./vouchers.ts";

/** Where several gateways may run from one file, each that finds a log in use takes the next. */
export async function ownLog(
  folder: string,
  { value: file, place }: Placed<GatewayFile>,
  redact: ((text: string) => string) | undefined,
  onProgress: (text: string) => void,
): Promise<{ readonly log: AuditLog; readonly logFolder: string }> {
  const { audit } = file;
  const key = logKey(folder, file, place, onProgress);
  const name = basename(folder).replace(/[^A-Za-z0-9_.-]/g, "-") || "gateway";
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const logFolder = resolve(folder, audit.folder) + suffix;
    try {
      const log = await openLog(fileStore(logFolder), {
        key,
        origin: `touchstone/${name}${suffix}`,
        durability: audit.durability,
        ...defined({ redact, keepMs: audit.keep }),
      });
      return { log, logFolder };
    } catch (cause) {
      const isInUse = cause instanceof TrustError && cause.code === "AUD_LOCKED";
      if (isInUse && audit.writers !== "many")
        throw new TrustError("AUD_LOCKED", cause.message, { cause, hint: IN_USE });
      if (!isInUse || number === MOST_LOGS) throw cause;
    }
  }
}
const MOST_LOGS = 32;
/** Clients start one for each of their windows. */
const IN_USE =
  "another gateway runs from this file: stop it, or write audit: { writers: many }, so that each writes a log of its own";

/** The folders of all logs that gateways of this file have written. */
export async function logFolders(path: string): Promise<string[]> {
  const { audit } = await readGatewayFile(path);
  const first = resolve(dirname(path), audit.folder);
  if (audit.writers !== "many") return [first];
  const others = Array.from({ length: MOST_LOGS - 1 }, (_, index) => `${first}-${index + 2}`);
  return [first, ...others.filter((each) => existsSync(each))];
}

/** The key of the log: made at the first start, beside the configuration, and for nothing else. */
function logKey(
  folder: string,
  { audit }: GatewayFile,
  place: Placed<unknown>["place"],
  onProgress: (text: string) => void,
): SigningKey {
  const file = resolve(folder, audit.key ?? "touchstone-log.key");
  const passphrase = process.env.TOUCHSTONE_PASSPHRASE;
  if (!existsSync(file) && audit.key === undefined) {
    const key = generateKey();
    const protection = passphrase
      ? ({ kind: "passphrase", passphrase } as const)
      : ({ kind: "none" } as const);
    if (isFirst(file, writeKeyFile(key, protection))) {
      onProgress(
        `made ${basename(file)}, the key that signs the log; keep a copy of the log's log.vkey elsewhere`,
      );
      return key;
    }
  }
  const bytes = bytesOf(file);
  const where = audit.key === undefined ? file : `${place(["audit", "key"])} audit.key: ${audit.key}`;
  if (!bytes)
    throw new TrustError("CFG_NOT_FOUND", `${where}: no such file`, {
      hint: "give as audit.key a key that touchstone attest keygen made, or leave it out: the gateway makes one of its own",
    });
  const read = readKeyFile(bytes, { allowPlain: true, ...defined({ passphrase }) });
  if (read.status === "read") return read.key;
  throw new TrustError("ATT_UNUSABLE", `${where}: ${read.message}`, { hint: "set TOUCHSTONE_PASSPHRASE" });
}

/** Writes a file whole, unless another one that started at the same moment has done so. */
function isFirst(file: string, text: Parameters<typeof writeFileSync>[1]): boolean {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
}
