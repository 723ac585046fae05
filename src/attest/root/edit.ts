/** Makes roots: a first one, and each next one from the one before. Nothing leaves here that would not be read again. */
import { canonicalJson, defined } from "../../core/index.ts";
import { toBase64 } from "../keys/base64.ts";
import type { SigningKey } from "../keys/ed25519.ts";
import { signEnvelope } from "../keys/envelope.ts";
import { toInstant } from "../keys/instant.ts";
import { ROOT_CHECKS, type RootOptions } from "./checks.ts";
import { ROOT_FORMAT, ROOT_PAYLOAD_TYPE, type RootContent, type RootKey, type TrustRoot } from "./format.ts";
import { type RootResult, readRootWith } from "./read.ts";
import type { RootReason } from "./reasons.ts";

export type RootDraft = Omit<RootContent, "format" | "version" | "issuedAt" | "expiresAt">;
export type KeyEntry = Omit<RootKey, "publicKey" | "state" | "id"> & {
  readonly id?: string;
  readonly key: Pick<SigningKey, "id" | "publicKey">;
};

export interface RootTerm {
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** One that lacks nothing but signatures waits for those that are elsewhere. */
export type SignedRoot = (
  | RootResult
  | { readonly status: "waiting"; readonly root: TrustRoot; readonly message: string }
) & { readonly bytes: Uint8Array };

export const draftRoot = (threshold: number, scheme: RootContent["scheme"]): RootDraft => ({
  threshold,
  scheme,
  keys: [],
  revokedStatements: [],
});

/** What can be changed next: all but version and dates. */
export function draftOf({ content }: TrustRoot): RootDraft {
  const { threshold, scheme, keys, revokedStatements } = content;
  return { threshold, scheme, keys, revokedStatements };
}

export function addKey(draft: RootDraft, { key, id = key.id, ...terms }: KeyEntry): RootDraft {
  const added: RootKey = { id, publicKey: toBase64(key.publicKey), state: "active", ...terms };
  return { ...draft, keys: [...draft.keys, added] };
}

/** No longer counted, and kept so that the reason can be told and the name is not given to another. */
export const retireKey = (draft: RootDraft, id: string): RootDraft =>
  withKey(draft, id, (key) => ({ ...key, state: "retired" }));

export const revokeKey = (draft: RootDraft, id: string, revokedFromMs?: number): RootDraft =>
  withKey(draft, id, ({ revokedFrom: _, ...key }) => ({
    ...key,
    state: "revoked",
    ...defined({ revokedFrom: revokedFromMs === undefined ? undefined : toInstant(revokedFromMs) }),
  }));

/** By the digest of the statement's payload, `sha256:` and 64 digits. */
export const revokeStatement = (draft: RootDraft, digest: string): RootDraft => ({
  ...draft,
  revokedStatements: [...new Set([...draft.revokedStatements, digest])].sort(),
});

export function createRoot(
  draft: RootDraft,
  term: RootTerm,
  signers: readonly SigningKey[],
  options: RootOptions,
): SignedRoot {
  return signedRoot(signRoot(rootPayload(draft, 1, term), signers), options);
}

/** The next version. Signers are those of the old threshold and of the new one; those elsewhere add theirs by `cosign`. */
export function rotate(
  old: TrustRoot,
  draft: RootDraft,
  term: RootTerm,
  signers: readonly SigningKey[],
  options: RootOptions,
): SignedRoot {
  return signedRoot(signRoot(rootPayload(draft, old.content.version + 1, term), signers), options, old);
}

const COUNTS: readonly RootReason[] = ["root-too-few-signatures", "root-not-signed-by-old"];

function signedRoot(bytes: Uint8Array, options: RootOptions, old?: TrustRoot): SignedRoot {
  const read = readRootWith(ROOT_CHECKS, bytes, options, old);
  if (read.status === "read" || !COUNTS.includes(read.reason)) return { ...read, bytes };
  const others = ROOT_CHECKS.filter(({ reason }) => !COUNTS.includes(reason));
  const rest = readRootWith(others, bytes, options, old);
  if (rest.status !== "read") return { ...rest, bytes };
  return { status: "waiting", root: rest.root, message: read.message, bytes };
}

export const rootPayload = (draft: RootDraft, version: number, term: RootTerm): Uint8Array =>
  new TextEncoder().encode(
    canonicalJson({
      ...draft,
      format: ROOT_FORMAT,
      version,
      issuedAt: toInstant(term.issuedAtMs),
      expiresAt: toInstant(term.expiresAtMs),
    }),
  );

export const signRoot = (payload: Uint8Array, signers: readonly SigningKey[]): Uint8Array =>
  signEnvelope(ROOT_PAYLOAD_TYPE, payload, signers);

function withKey(draft: RootDraft, id: string, change: (key: RootKey) => RootKey): RootDraft {
  if (!draft.keys.some((key) => key.id === id)) throw new RangeError(`the root has no key ${id}`);
  return { ...draft, keys: draft.keys.map((key) => (key.id === id ? change(key) : key)) };
}
