/** Reads an exemption out of an envelope. Being read says nothing about being true: that is `verifyExemption`. */
import * as v from "valibot";
import { type Envelope, readEnvelope } from "../keys/envelope.ts";
import { payloadDigest } from "../statement/read.ts";
import { readStrictJson } from "../strict-json.ts";
import { EXEMPTION_PAYLOAD_TYPE, type Exemption, exemptionSchema } from "./format.ts";
import { type ExemptionRefused, refuseExemption } from "./reasons.ts";

const MAX_BYTES = 786_432;
const MAX_DEPTH = 5;

export interface ReadExemption {
  readonly status: "read";
  readonly exemption: Exemption;
  /** Of the payload: by it an exemption is named and revoked. */
  readonly digest: string;
  /** Ids that the signatures claim. */
  readonly keyids: readonly string[];
}

/** Whether an envelope means to be an exemption, whatever it holds. */
export function isExemption(bytes: Uint8Array): boolean {
  const envelope = readEnvelope(bytes);
  return typeof envelope !== "string" && envelope.payloadType === EXEMPTION_PAYLOAD_TYPE;
}

export function readExemption(bytes: Uint8Array): ReadExemption | ExemptionRefused {
  const envelope = readEnvelope(bytes);
  if (typeof envelope === "string") return refuseExemption("exemption-malformed", envelope);
  if (envelope.payloadType !== EXEMPTION_PAYLOAD_TYPE)
    return refuseExemption("exemption-wrong-type", WRONG_TYPE);
  const read = readPayload(envelope);
  if ("status" in read) return read;
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  return { status: "read", exemption: read.exemption, digest: payloadDigest(envelope.payload), keyids };
}
export const WRONG_TYPE = "the envelope holds something else than an exemption";

export function readPayload({ payload }: Envelope): { readonly exemption: Exemption } | ExemptionRefused {
  const json = readStrictJson(payload, { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH });
  if ("fault" in json)
    return refuseExemption("exemption-malformed", `the exemption is not strict JSON: ${json.fault}`);
  const { value } = json;
  // The one member whose absence has a name: what never ends is no exception.
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isMap && !("expiresAt" in value))
    return refuseExemption("exemption-without-end", "the exemption does not say when it ends");
  const parsed = v.safeParse(exemptionSchema, value);
  if (parsed.success) return { exemption: parsed.output };
  const place = v.getDotPath(parsed.issues[0]) ?? "its top";
  return refuseExemption("exemption-malformed", `the exemption has a fault at ${place}`);
}
