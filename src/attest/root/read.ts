/** Reads a trust root from bytes, and takes a new one only from the hands of the old. Implements spec/trust-root.md. */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { readEnvelope } from "../keys/envelope.ts";
import { fromInstant } from "../keys/instant.ts";
import { readStrictJson } from "../strict-json.ts";
import { ROOT_CHECKS, type RootCheck, type RootOptions } from "./checks.ts";
import { trustedKey } from "./find.ts";
import { type RootContent, rootSchema, type TrustRoot } from "./format.ts";
import { type RootRefused, refuseRoot } from "./reasons.ts";

const MAX_BYTES = 786_432;
const MAX_DEPTH = 6;

export type RootResult = { readonly status: "read"; readonly root: TrustRoot } | RootRefused;

/** A root by itself: it holds together and its own keys have signed it. Who hands it over has to be trusted for the first one. */
export const readRoot = (bytes: Uint8Array, options: RootOptions): RootResult =>
  readRootWith(ROOT_CHECKS, bytes, options);

/** The root that comes after another one: signed by the threshold of the old and by its own. */
export const verifyRootUpdate = (old: TrustRoot, bytes: Uint8Array, options: RootOptions): RootResult =>
  readRootWith(ROOT_CHECKS, bytes, options, old);

/** With a choice of checks, so that a test can leave one out. */
export function readRootWith(
  checks: readonly RootCheck[],
  bytes: Uint8Array,
  options: RootOptions,
  old?: TrustRoot,
): RootResult {
  if (!isUsable(options)) return refuseRoot("root-malformed", "the clock or a limit is no number");
  const envelope = readEnvelope(bytes);
  if (typeof envelope === "string") return refuseRoot("root-malformed", envelope);
  const incoming = { envelope, options, ...(old === undefined ? {} : { old }) };
  for (const check of checks) {
    if (check.before !== "reading") continue;
    const fault = check.fault(incoming);
    if (fault !== undefined) return refuseRoot(check.reason, fault);
  }
  const content = readContent(envelope.payload);
  if (typeof content === "string") return refuseRoot("root-malformed", content);
  const root = trustRoot(content, envelope.payload);
  for (const check of checks) {
    if (check.before !== "use") continue;
    const fault = check.fault({ ...incoming, root });
    if (fault !== undefined) return refuseRoot(check.reason, fault);
  }
  return { status: "read", root };
}

/** A clock that is no number would be neither before nor after anything. */
const isUsable = ({ nowMs, skewMs = 0, highestVersion = 1 }: RootOptions): boolean =>
  Number.isFinite(nowMs) && Number.isFinite(skewMs) && skewMs >= 0 && Number.isSafeInteger(highestVersion);

function readContent(payload: Uint8Array): RootContent | string {
  const json = readStrictJson(payload, { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH });
  if ("fault" in json) return `the root is not strict JSON: ${json.fault}`;
  const parsed = v.safeParse(rootSchema, json.value);
  if (parsed.success) return parsed.output;
  return `the root has a fault at ${v.getDotPath(parsed.issues[0]) ?? "its top"}: ${parsed.issues[0].type}`;
}

const trustRoot = (content: RootContent, payload: Uint8Array): TrustRoot => ({
  content,
  digest: `sha256:${createHash("sha256").update(payload).digest("hex")}`,
  expiresAtMs: Number(fromInstant(content.expiresAt)),
  keys: content.keys.map(trustedKey),
});
