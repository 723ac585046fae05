/** What is written of arguments and results: that they were so and not otherwise, and what they were only where the operator wants it.
 *  Implements spec/audit-log.md, AUD-6. */
import { canonicalJson } from "../core/index.ts";
import { sha256 } from "./entry.ts";
import type { Plain } from "./plain.ts";

export interface RecordedContent {
  readonly bytes: number;
  readonly sha256: Plain;
  /** As canonical JSON; the log cuts it where it is long. */
  readonly content?: string;
}

export type ContentPolicy = "digest" | "content";

/** A value of JSON. What has no canonical form (too deep) is digested as it is written otherwise, or not at all. */
export function recordedContent(value: unknown, policy: ContentPolicy = "digest"): RecordedContent {
  const text = textOf(value);
  const recorded = { bytes: Buffer.byteLength(text), sha256: sha256(text) };
  return policy === "content" ? { ...recorded, content: text } : recorded;
}

function textOf(value: unknown): string {
  for (const write of WAYS)
    try {
      return write(value) ?? "";
    } catch {
      // The next one.
    }
  return "";
}
const WAYS = [(value: unknown) => canonicalJson(value, { isForeign: true }), JSON.stringify] as const;
