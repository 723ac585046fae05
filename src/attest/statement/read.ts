/** Reads a statement out of an envelope. Being read says nothing about being true: that is `verifyStatement`. */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { readEnvelope } from "../keys/envelope.ts";
import { readStrictJson } from "../strict-json.ts";
import { PAYLOAD_TYPE, type Statement, statementSchema } from "./format.ts";
import { refuseStatement, type StatementRefused } from "./reasons.ts";

const MAX_BYTES = 786_432;
const MAX_DEPTH = 6;

export interface ReadStatement {
  readonly status: "read";
  readonly statement: Statement;
  /** Of the payload: by it a statement is named and revoked. */
  readonly digest: string;
  /** Ids that the signatures claim. */
  readonly keyids: readonly string[];
}

export function readStatement(bytes: Uint8Array): ReadStatement | StatementRefused {
  const envelope = readEnvelope(bytes);
  if (typeof envelope === "string") return refuseStatement("malformed", envelope);
  if (envelope.payloadType !== PAYLOAD_TYPE)
    return refuseStatement("wrong-payload-type", "the envelope holds no in-toto statement");
  const statement = readPayload(envelope.payload);
  if (typeof statement === "string") return refuseStatement("malformed", statement);
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  return { status: "read", statement, digest: payloadDigest(envelope.payload), keyids };
}

export const payloadDigest = (payload: Uint8Array): string =>
  `sha256:${createHash("sha256").update(payload).digest("hex")}`;

/** A statement, or the words for what is wrong with the bytes. */
export function readPayload(payload: Uint8Array): Statement | string {
  const json = readStrictJson(payload, { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH });
  if ("fault" in json) return `the statement is not strict JSON: ${json.fault}`;
  const parsed = v.safeParse(statementSchema, json.value);
  if (parsed.success) return parsed.output;
  return `the statement has a fault at ${v.getDotPath(parsed.issues[0]) ?? "its top"}`;
}
