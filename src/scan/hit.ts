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
    /** Where it begins, where that is known. */
    readonly offset?: number;
  } = {},
): Hit {
  const { severity = ruleTable[rule].severity, evidence = raw.slice(start, end), views = [], signals } = more;
  const { offset = byteOffset(raw, start) } = more;
  return {
    rule,
    severity,
    message,
    evidence: evidence.slice(0, MAX_EVIDENCE_CHARS),
    offset,
    bytes: Buffer.byteLength(raw.slice(start, end)),
    views,
    ...(signals === undefined ? {} : { signals }),
  };
}

/** Where a UTF-16 index lies in the UTF-8 bytes of a text. */
export function byteOffset(raw: string, index: number): number {
  return Buffer.byteLength(raw.slice(0, index));
}

const STEP = 4096;

/** The same for many indices of one text, which is walked through once. */
export function byteOffsets(raw: string): (index: number) => number {
  const marks: { readonly at: number; readonly bytes: number }[] = [{ at: 0, bytes: 0 }];
  return (index) => {
    for (let last = marks.at(-1); last !== undefined && last.at + STEP <= index; last = marks.at(-1)) {
      // Two units that make one character stay together.
      const isHalf = raw.codePointAt(last.at + STEP - 1) !== raw.charCodeAt(last.at + STEP - 1);
      const at = last.at + STEP - (isHalf ? 1 : 0);
      marks.push({ at, bytes: last.bytes + Buffer.byteLength(raw.slice(last.at, at)) });
    }
    // Each mark is less than a step and at most one unit short of its place.
    let number = Math.min(Math.ceil(index / (STEP - 1)), marks.length - 1);
    while ((marks[number]?.at ?? 0) > index) number--;
    const { at, bytes } = marks[number] ?? { at: 0, bytes: 0 };
    return bytes + Buffer.byteLength(raw.slice(at, index));
  };
}
