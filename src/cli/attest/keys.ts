/** Keys in files: made, read, never printed. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generateKey, keyIdOf, readKeyFile, type SigningKey, writeKeyFile } from "../../attest/index.ts";
import { type ExitCode, TrustError, unreadable } from "../../core/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";

export async function runKeygen(words: Words, out: Output): Promise<ExitCode> {
  const [file, ...more] = words.positionals;
  if (file === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "keygen needs the name of one new file");
  const passphrase = passphraseFrom(words);
  if (passphrase === undefined && !words.flag("plain"))
    throw new TrustError("CLI_MISSING_ARGUMENT", "keygen needs a passphrase", {
      hint: "set TOUCHSTONE_PASSPHRASE or give --passphrase-file; --plain writes the key unprotected",
    });
  const key = generateKey();
  const protection =
    passphrase === undefined ? ({ kind: "none" } as const) : ({ kind: "passphrase", passphrase } as const);
  const publicText = `${JSON.stringify({ id: key.id, publicKey: Buffer.from(key.publicKey).toString("base64") }, null, 2)}\n`;
  newFile(file, writeKeyFile(key, protection), 0o600);
  newFile(`${file}.pub`, Buffer.from(publicText), 0o644);
  out.json({ id: key.id, private: file, public: `${file}.pub`, isProtected: passphrase !== undefined });
  out.line(`${key.id}`);
  out.line(
    `${file} is the private key${passphrase === undefined ? ", NOT protected" : ""}; ${file}.pub goes into a trust root`,
  );
  return 0;
}

export function newFile(file: string, bytes: Uint8Array, mode: number): void {
  try {
    writeFileSync(file, bytes, { flag: "wx", mode });
  } catch (cause) {
    throw unwritable(file, cause as NodeJS.ErrnoException);
  }
}

/** Writes a file, and the folder that it is to lie in where that is not there. */
export function putFile(file: string, bytes: Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  } catch (cause) {
    throw unwritable(file, cause as NodeJS.ErrnoException);
  }
}

function unwritable(file: string, cause: NodeJS.ErrnoException): TrustError {
  const message = cause.code === "EEXIST" ? `${file} exists already` : cause.message;
  return new TrustError("CLI_BAD_VALUE", message, { cause, hint: HINTS[cause.code ?? ""] ?? OTHER_HINT });
}
const OTHER_HINT = "give a file in a folder that this user may write to";
const HINTS: Readonly<Record<string, string>> = {
  EEXIST: "nothing is overwritten; give a new name",
  ENOENT: "there is no such folder: make it first, or give another one",
};

export function readBytes(file: string, absent = "check the path"): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unreadable(file, cause, { absent });
  }
}

function passphraseFrom(words: Words): string | undefined {
  const file = words.text("passphrase-file");
  if (file === undefined) return process.env.TOUCHSTONE_PASSPHRASE || undefined;
  const [line = ""] = readBytes(file).toString("utf8").split(/\r?\n/);
  if (line === "")
    throw new TrustError("CLI_BAD_VALUE", `--passphrase-file: the first line of ${file} is empty`);
  return line;
}

/** The keys that a command was given. One passphrase opens all of them. */
export function keysFrom(words: Words): SigningKey[] {
  const files = words.texts("key");
  if (files.length === 0) throw new TrustError("CLI_MISSING_ARGUMENT", "a private key is needed: --key FILE");
  const passphrase = passphraseFrom(words);
  return files.map((file) => {
    const read = readKeyFile(readBytes(file, "touchstone attest keygen FILE makes a key"), {
      allowPlain: words.flag("plain"),
      ...(passphrase === undefined ? {} : { passphrase }),
    });
    if (read.status === "read") return read.key;
    throw new TrustError("ATT_UNUSABLE", `${file}: ${read.message}`, {
      hint: KEY_HINTS[read.reason] ?? "give the private key that keygen wrote: FILE, not FILE.pub",
    });
  });
}
const OPEN_IT = "set TOUCHSTONE_PASSPHRASE or give --passphrase-file";
const KEY_HINTS: Readonly<Record<string, string>> = {
  "key-plain": "--plain takes a key file that nothing protects",
  "passphrase-needed": OPEN_IT,
  "passphrase-wrong": OPEN_IT,
};

export function publicKeyFrom(file: string): { readonly id: string; readonly publicKey: Uint8Array } {
  let value: unknown;
  try {
    value = JSON.parse(readBytes(file).toString("utf8"));
  } catch {
    value = undefined;
  }
  const { id, publicKey } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const bytes = typeof publicKey === "string" ? Buffer.from(publicKey, "base64") : Buffer.alloc(0);
  if (bytes.length !== 32 || id !== keyIdOf(bytes))
    throw new TrustError("ATT_UNUSABLE", `${file}: not a public key that keygen wrote`);
  return { id, publicKey: bytes };
}
