/** What a scanner returns: one sighting in one text, with its place in the raw bytes. */
import { type RuleId, ruleTable, type Severity } from "../core/index.ts";

export interface Hit {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** What was seen, in words for people. */
  readonly message: string;
  /** The text that was matched, bounded. Attacker-controlled: show it as data only. */
  readonly evidence: string;
  /** Where it begins in the UTF-8 bytes of the raw text, and how many of them it covers. */
  readonly offset: number;
  readonly bytes: number;
  /** How the text had to be read for this to be seen: `["base64"]`; empty when it stands there plainly. */
  readonly views: readonly string[];
  /** The weak signs that together make the hit, each with its weight. */
  readonly signals?: readonly Signal[];
}

export interface Signal {
  readonly name: string;
  /** The sign in words: `gives the reader an order`. */
  readonly words: string;
  readonly weight: number;
  readonly evidence: string;
  readonly offset: number;
}

/** Long enough to recognise a text by, short enough for a line. */
const MAX_EVIDENCE_CHARS = 120;

/** A hit on `raw` from UTF-16 index `start` up to `end`. */
export function hit(
  rule: RuleId,
  raw: string,
  start: number,
  end: number,
  message: string,
  more: {
    readonly severity?: Severity;
    readonly evidence?: string;
    readonly views?: readonly string[];
    readonly signals?: readonly Signal[];
  } = {},
): Hit {
  const { severity = ruleTable[rule].severity, evidence = raw.slice(start, end), views = [], signals } = more;
  return {
    rule,
    severity,
    message,
    evidence: evidence.slice(0, MAX_EVIDENCE_CHARS),
    offset: byteOffset(raw, start),
    bytes: Buffer.byteLength(raw.slice(start, end)),
    views,
    ...(signals === undefined ? {} : { signals }),
  };
}

/** Where a UTF-16 index lies in the UTF-8 bytes of a text. */
export function byteOffset(raw: string, index: number): number {
  return Buffer.byteLength(raw.slice(0, index));
}
