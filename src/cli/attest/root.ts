/** `attest root`: a first root, and each next one. */
import {
  addKey,
  createRoot,
  draftOf,
  draftRoot,
  type RootDraft,
  readRoot,
  revokeKey,
  revokeStatement,
  rotate,
  type SignedRoot,
  type TrustRoot,
  verifyRootUpdate,
} from "../../attest/index.ts";
import { type ExitCode, TrustError } from "../../core/index.ts";
import { type Words, wholeNumber } from "../command.ts";
import type { Output } from "../output.ts";
import { keysFrom, newFile, publicKeyFrom, putFile, readBytes } from "./keys.ts";
import { rootFrom, unusable } from "./verify.ts";

const DAY_MS = 86_400_000;
const USUAL_LEVELS = ["public", "internal", "confidential"];

export async function runRoot(words: Words, out: Output): Promise<ExitCode> {
  const [verb, ...more] = words.positionals;
  if (more.length > 0) throw new TrustError("CLI_BAD_VALUE", `attest root ${verb}: what is ${more[0]}?`);
  const nowMs = Date.now();
  switch (verb) {
    case "init":
      return init(words, nowMs, out);
    case "show":
      return show(words, nowMs, out);
    case "add":
      return next(words, nowMs, out, (draft) => added(draft, words));
    case "revoke":
      return next(words, nowMs, out, (draft) => revoked(draft, words, nowMs));
    case "rotate":
      return next(words, nowMs, out, (draft) => draft);
    default:
      throw new TrustError("CLI_BAD_VALUE", "attest root: one of init, add, revoke, rotate, show");
  }
}

const termFrom = (words: Words, issuedAtMs: number): { issuedAtMs: number; expiresAtMs: number } => ({
  issuedAtMs,
  expiresAtMs: issuedAtMs + (wholeNumber(words, "days") ?? 365) * DAY_MS,
});

function init(words: Words, nowMs: number, out: Output): ExitCode {
  const keys = keysFrom(words);
  const names = words.texts("level").length === 0 ? USUAL_LEVELS : words.texts("level");
  const scheme = { name: "touchstone", levels: names.map((name, rank) => ({ name, rank: rank * 10 })) };
  const empty = draftRoot(wholeNumber(words, "threshold") ?? 1, scheme);
  const elsewhere = words.texts("public").map(publicKeyFrom);
  const draft = [...keys, ...elsewhere].reduce((all, key) => addKey(all, { key, roles: ["root"] }), empty);
  const made = createRoot(draft, termFrom(words, nowMs), keys, { nowMs });
  const file = words.text("out") ?? "root.json";
  newFile(file, usable(made), 0o644);
  return told(made, file, out);
}

function next(words: Words, nowMs: number, out: Output, change: (draft: RootDraft) => RootDraft): ExitCode {
  const old = rootFrom(words, nowMs, true);
  const made = rotate(old, change(draftOf(old)), termFrom(words, nowMs), keysFrom(words), { nowMs });
  const file = words.text("out") ?? (words.text("root") as string);
  const bytes = usable(made);
  if (made.status === "waiting" && words.text("out") === undefined)
    throw new TrustError("ATT_UNUSABLE", `${made.message}: the root stays as it is`, {
      hint: "give all keys with --key, or --out FILE for a root that others cosign",
    });
  putFile(file, bytes);
  return told(made, file, out);
}

/** A root that nobody would take, with whatever signatures, is not written. */
function usable(made: SignedRoot): Uint8Array {
  if (made.status !== "refused") return made.bytes;
  throw new TrustError(
    "ATT_UNUSABLE",
    `no root can say this: ${made.message} (${made.reason}, code ${made.code})`,
  );
}

function told(made: SignedRoot, file: string, out: Output): ExitCode {
  if (made.status === "refused") return 1;
  const { version, expiresAt } = made.root.content;
  const isWaiting = made.status === "waiting";
  out.json({ file, version, expiresAt, isWaiting });
  out.line(`${file}: version ${version}, until ${expiresAt}`);
  if (isWaiting)
    out.line(
      `${made.message}; nobody takes it before others add theirs: touchstone attest cosign --key THEIRS ${file}`,
    );
  return 0;
}

function added(draft: RootDraft, words: Words): RootDraft {
  const [file, ...more] = words.texts("public");
  if (file === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "root add needs one --public FILE");
  const roles = words.texts("role") as ("root" | "grade" | "clearance" | "exemption")[];
  if (roles.length === 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "root add needs --role grade, clearance, exemption or root");
  const origins = words.texts("origin");
  const clearances = words.texts("clearance");
  const key = publicKeyFrom(file);
  const known = draft.keys.find(({ id }) => id === key.id);
  if (known)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `${key.id} is in this root already, for ${known.roles.join(", ")}`,
      {
        hint: "what a key is for stays: make another one with touchstone attest keygen, add it, and revoke this one if it is not to be used",
      },
    );
  return addKey(draft, {
    key,
    roles,
    ...(clearances.length === 0 ? {} : { approvedClearances: clearances }),
    ...(origins.length === 0 ? {} : { origins }),
  });
}

function revoked(draft: RootDraft, words: Words, nowMs: number): RootDraft {
  const [id, digest] = [words.text("key-id"), words.text("statement")];
  if ((id === undefined) === (digest === undefined))
    throw new TrustError("CLI_MISSING_ARGUMENT", "root revoke needs --key-id ID or --statement DIGEST");
  try {
    return id === undefined ? revokeStatement(draft, digest as string) : revokeKey(draft, id, nowMs);
  } catch (cause) {
    throw new TrustError("CLI_BAD_VALUE", (cause as Error).message, { cause });
  }
}

function show(words: Words, nowMs: number, out: Output): ExitCode {
  const before = words.text("after");
  const root = before === undefined ? rootFrom(words, nowMs, true) : follower(words, before, nowMs);
  const { content, digest } = root;
  out.json({ digest, ...content });
  const { version, issuedAt, expiresAt, threshold, scheme, keys, revokedStatements } = content;
  out.line(`version ${version}, ${issuedAt} to ${expiresAt}, threshold ${threshold}`);
  out.line(`levels: ${scheme.levels.map(({ name }) => name).join(" < ")}`);
  for (const { id, state, roles, approvedClearances = [], origins = [] } of keys)
    out.line(
      `  ${id}  ${state}  ${roles.join(", ")}${approvedClearances.length === 0 ? "" : ` for ${approvedClearances.join(", ")}`}${origins.length === 0 ? "" : ` at ${origins.join(", ")}`}`,
    );
  for (const revokedDigest of revokedStatements) out.line(`  revoked statement ${revokedDigest}`);
  return 0;
}

/** A root for somebody who trusts another one so far: it has to come from the hands of that one. */
function follower(words: Words, file: string, nowMs: number): TrustRoot {
  const old = readRoot(readBytes(file), { nowMs, allowExpired: true });
  if (old.status !== "read") throw unusable(file, old);
  const named = words.text("root");
  if (named === undefined)
    throw new TrustError("CLI_MISSING_ARGUMENT", "root show needs --root FILE, the new one");
  const read = verifyRootUpdate(old.root, readBytes(named), { nowMs, allowExpired: true });
  if (read.status === "read") return read.root;
  throw unusable(named, read);
}
