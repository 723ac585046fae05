/** `attest root`: a first root, and each next one. */
import { writeFileSync } from "node:fs";
import {
  addKey,
  createRoot,
  draftOf,
  draftRoot,
  type RootDraft,
  revokeKey,
  revokeStatement,
  rotate,
  type SignedRoot,
  type TrustRoot,
} from "../../attest/index.ts";
import { type ExitCode, TrustError } from "../../core/index.ts";
import { type Words, wholeNumber } from "../command.ts";
import type { Output } from "../output.ts";
import { keysFrom, newFile, publicKeyFrom } from "./keys.ts";
import { rootFrom } from "./verify.ts";

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
      return show(rootFrom(words, nowMs, true), out);
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
  const draft = keys.reduce((all, key) => addKey(all, { key, roles: ["root"] }), empty);
  const made = createRoot(draft, termFrom(words, nowMs), keys, { nowMs });
  const file = words.text("out") ?? "root.json";
  newFile(file, taken(made), 0o644);
  return told(made, file, out);
}

function next(words: Words, nowMs: number, out: Output, change: (draft: RootDraft) => RootDraft): ExitCode {
  const old = rootFrom(words, nowMs, true);
  const made = rotate(old, change(draftOf(old)), termFrom(words, nowMs), keysFrom(words), { nowMs });
  const file = words.text("out") ?? (words.text("root") as string);
  writeFileSync(file, taken(made));
  return told(made, file, out);
}

/** A root that nobody would take is not written. */
function taken(made: SignedRoot): Uint8Array {
  if (made.status === "read") return made.bytes;
  throw new TrustError(
    "ATT_UNUSABLE",
    `no root can say this: ${made.message} (${made.reason}, code ${made.code})`,
  );
}

function told(made: SignedRoot, file: string, out: Output): ExitCode {
  if (made.status !== "read") return 1;
  const { version, expiresAt } = made.root.content;
  out.json({ file, version, expiresAt });
  out.line(`${file}: version ${version}, until ${expiresAt}`);
  return 0;
}

function added(draft: RootDraft, words: Words): RootDraft {
  const file = words.text("public");
  if (file === undefined) throw new TrustError("CLI_MISSING_ARGUMENT", "root add needs --public FILE");
  const roles = words.texts("role") as ("root" | "grade" | "clearance")[];
  if (roles.length === 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "root add needs --role grade, clearance or root");
  const origins = words.texts("origin");
  const clearances = words.texts("clearance");
  return addKey(draft, {
    key: publicKeyFrom(file),
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

function show({ content, digest }: TrustRoot, out: Output): ExitCode {
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
