/** Records of the audit-record contract (SEP-3004), and whether they keep to it: alone, as a chain, and with what is said about them.
 *  Records come from anywhere. Every answer is the first reason found, or nothing. */
import { shown } from "../../core/index.ts";
import {
  CANONICAL_FORM,
  canonicalText,
  eventHash,
  type FormFault,
  type FormProblem,
  isObject,
} from "./canonical.ts";
import { type Extensions, extensionsFault, type Outcome } from "./extensions.ts";
import { digest, memberFault, oneOf, orNull, text, valueWords, type Want } from "./want.ts";

export interface ContractRecord {
  /** Unique in its chain. */
  readonly event_id: string;
  /** The recorder's clock: UTC with milliseconds, as `toISOString` writes it. */
  readonly occurred_at: string;
  readonly principal_id: string;
  readonly event_type: string;
  readonly tool_name: string | null;
  readonly outcome: Outcome;
  /** At least one. */
  readonly extensions: Extensions;
  /** Null in the first record alone. */
  readonly previous_hash: string | null;
  readonly event_hash: string;
}

export interface ContractManifest {
  readonly storage_mechanism: string;
  readonly chain_algorithm: string;
  readonly canonical_form_version: string;
  readonly verification_procedure_ref: string;
}

const instant: Want = {
  words: "an instant like 2026-06-06T12:00:00.000Z",
  fits: (value) => {
    if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
    const date = new Date(value);
    // 30 February is read as a day of March by some.
    return !Number.isNaN(date.getTime()) && date.toISOString() === value;
  },
};

const CORE: Readonly<Record<Exclude<keyof ContractRecord, "extensions">, Want>> = {
  event_id: text,
  occurred_at: instant,
  principal_id: text,
  event_type: text,
  tool_name: orNull(text),
  outcome: oneOf("allowed", "denied", "deferred", "error"),
  previous_hash: orNull(digest),
  event_hash: digest,
};

const FORM_WORDS: Readonly<Record<FormProblem, string>> = {
  missing: "missing",
  value: "want text, true, false, null or, in extensions, an object",
  control: "the text holds a control character",
  surrogate: "the text holds half of a character",
  length: "the text is too long",
  name: "a member has a name that cannot be written",
  depth: "nested too deep",
};

/** The record by itself: its members, its extensions, its hash. */
export function checkRecord(record: unknown): string | undefined {
  if (!isObject(record)) return `want an object, not ${valueWords(record)}`;
  const fault = membersFault(record, CORE);
  if (fault !== undefined) return fault;
  if (!Object.hasOwn(record, "extensions")) return "extensions: missing";
  const extended = extensionsFault(record.extensions, record.outcome as Outcome);
  if (extended !== undefined) return extended;
  // Reserved, not hashed, and without meaning so far: a value there could be anybody's.
  if (Object.hasOwn(record, "anchor_witness") && record.anchor_witness !== null)
    return "anchor_witness: want null or nothing";
  const sealed = eventHash(record);
  if ("fault" in sealed) return formWords(sealed);
  return sealed.hash === record.event_hash ? undefined : "event_hash: not the hash of this record";
}

export interface ChainFault {
  /** Of the first record that is wrong, or follows what was removed. */
  readonly index: number;
  readonly reason: string;
}

/** Records from the first one on. That some are missing at the end, or that all were made anew, no chain can tell. */
export function checkChain(records: Iterable<unknown>): ChainFault | undefined {
  const ids = new Set<string>();
  let previous: string | null = null;
  let index = 0;
  for (const record of records) {
    const reason = checkRecord(record) ?? linkFault(record as ContractRecord, previous, ids);
    if (reason !== undefined) return { index, reason };
    previous = (record as ContractRecord).event_hash;
    index += 1;
  }
  return undefined;
}

function linkFault(record: ContractRecord, previous: string | null, ids: Set<string>): string | undefined {
  if (record.previous_hash !== previous)
    return previous === null
      ? "previous_hash: want null in the first record"
      : "previous_hash: not the hash of the record before";
  const id = canonicalText(record.event_id);
  if ("fault" in id) return formWords({ ...id, at: "event_id" });
  if (ids.has(id.text)) return `event_id: "${shown(id.text, 80)}" is in the chain already`;
  ids.add(id.text);
  return undefined;
}

const MANIFEST: Readonly<Record<keyof ContractManifest, Want>> = {
  storage_mechanism: { words: "text", fits: isFilled },
  // Others may be stronger, but are not computed here.
  chain_algorithm: oneOf("sha-256"),
  // The second one is the same form under the name it had before.
  canonical_form_version: oneOf(CANONICAL_FORM, "gif-audit/2"),
  verification_procedure_ref: { words: "text", fits: isFilled },
};

/** What a recorder says about how it keeps its records. A claim without all four says nothing. */
export function checkManifest(manifest: unknown): string | undefined {
  if (!isObject(manifest)) return `want an object, not ${valueWords(manifest)}`;
  return membersFault(manifest, MANIFEST);
}

/** Whether every type of event that has to be recorded was. */
export function checkEmission(required: readonly string[], emitted: Iterable<string>): string | undefined {
  const seen = new Set(emitted);
  const missing = required.find((type) => !seen.has(type));
  return missing === undefined ? undefined : `"${shown(missing, 80)}" was not recorded`;
}

function membersFault(
  holder: Readonly<Record<string, unknown>>,
  wants: Readonly<Record<string, Want>>,
): string | undefined {
  for (const [name, want] of Object.entries(wants)) {
    const fault = memberFault(holder, name, want);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

const formWords = ({ fault, at }: FormFault): string => `${at}: ${FORM_WORDS[fault]}`;
