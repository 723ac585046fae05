/** The recording format `touchstone/recording/1`: one JSON object a line. Implements spec/recording.md, REC-1 to REC-8. */
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";

export const RECORDING_FORMAT = "touchstone/recording/1";

export type Direction = "client->server" | "server->client" | "server-stderr";

/** What a line may say beside its place and time. Members unknown to us survive reading and writing. */
export interface EventFields {
  readonly peer?: string;
  readonly era?: "legacy" | "modern" | "unknown";
  readonly dir?: Direction;
  /** Joins the parts of one HTTP exchange. */
  readonly x?: number;
  readonly [member: string]: unknown;
}

export interface RecordedEvent extends EventFields {
  readonly seq: number;
  readonly t_ms: number;
  readonly ev: string;
  /** The frame as text when it is valid UTF-8, else as base64. Never both. */
  readonly raw?: string;
  readonly raw64?: string;
  /** SHA-256 of the frame's bytes as they stand in this line, that is after redaction. */
  readonly sha256?: string;
  /** How many secrets of the operator were replaced in the frame. */
  readonly redacted?: number;
}

/** Escapes can make text six times longer, and a line has to fit into one string: larger frames are recorded as base64. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** The members that carry a frame's bytes. */
export function frameMembers(raw: Buffer): Pick<RecordedEvent, "raw" | "raw64" | "sha256"> {
  const digest = sha256(raw);
  return raw.length <= MAX_TEXT_BYTES && isUtf8(raw)
    ? { raw: raw.toString("utf8"), sha256: digest }
    : { raw64: raw.toString("base64"), sha256: digest };
}

export function sha256(bytes: Buffer | string): string {
  return hash("sha256", bytes, "hex");
}

export type Reading =
  | { readonly kind: "event"; readonly line: number; readonly event: RecordedEvent; readonly frame?: Buffer }
  | { readonly kind: "damaged"; readonly line: number; readonly reason: DamageReason; readonly text: Buffer };

type DamageReason =
  | "not-json"
  | "not-event"
  | "bad-frame"
  | "hash"
  | "oversized"
  | "unterminated"
  | "sequence";

/** Reads one line. Never throws: a line that is no event is a damaged one, bytes kept. Plain captures have no digests. */
export function readEvent(text: Buffer, line: number, isCapture = false): Reading {
  const damaged = (reason: DamageReason): Reading => ({ kind: "damaged", line, reason, text });
  if (!isUtf8(text)) return damaged("not-json");
  let value: unknown;
  try {
    value = JSON.parse(text.toString("utf8"));
  } catch {
    return damaged("not-json");
  }
  if (!isEvent(value)) return damaged("not-event");
  if (value.raw === undefined && value.raw64 === undefined) {
    return value.sha256 === undefined ? { kind: "event", line, event: value } : damaged("bad-frame");
  }
  const frame = readFrame(value);
  if (!frame) return damaged("bad-frame");
  const isUnsealed = isCapture && value.sha256 === undefined;
  if (!isUnsealed && value.sha256 !== sha256(frame)) return damaged("hash");
  return { kind: "event", line, event: value, frame };
}

function isEvent(value: unknown): value is RecordedEvent {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { seq, t_ms, ev } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(seq) && (seq as number) >= 0 && typeof t_ms === "number" && typeof ev === "string"
  );
}

function readFrame({ raw, raw64 }: RecordedEvent): Buffer | undefined {
  if (typeof raw === "string" && raw64 === undefined) return Buffer.from(raw, "utf8");
  if (typeof raw64 !== "string" || raw !== undefined) return undefined;
  const bytes = Buffer.from(raw64, "base64");
  return bytes.toString("base64") === raw64 ? bytes : undefined;
}
