/** Entries of our log as records of the audit-record contract (SEP-3004), for those who verify that form. The log itself stays what is
 *  proved: a record names its entry by number and hash. */
import { asText, defined, TrustError } from "../../core/index.ts";
import { byCodePoints, CANONICAL_FORM, eventHash, fitted, MAX_TEXT_UNITS } from "./canonical.ts";
import { type AdmissionControl, CLEARANCE, type Extensions, type Outcome } from "./extensions.ts";
import type { ContractManifest, ContractRecord } from "./record.ts";

/** An entry that was read, so that its members have the form of spec/audit-log.md, AUD-3. What its texts say is anybody's. */
export interface ExportedEntry {
  readonly actor: string | null;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly n: number;
  readonly outcome: Outcome;
  readonly server: string | null;
  readonly tool: string | null;
  readonly type: string;
  /** Leaf hash of the entry. */
  readonly hash: string;
}

export const CONTRACT_MANIFEST: ContractManifest = {
  storage_mechanism: "append-only-jsonl",
  chain_algorithm: "sha-256",
  canonical_form_version: CANONICAL_FORM,
  verification_procedure_ref: "spec/audit-log.md",
};

/** One chain: call what it returns with each entry, in order. */
export function contractExport(): (entry: ExportedEntry) => ContractRecord {
  let previous: string | null = null;
  return (entry) => {
    const body = {
      event_id: fitted(entry.id),
      occurred_at: fitted(entry.at),
      principal_id: nameOr(entry.actor, "unknown"),
      event_type: eventType(entry),
      tool_name: entry.tool === null ? null : fitted(entry.tool),
      outcome: entry.outcome,
      previous_hash: previous,
      extensions: extensionsOf(entry),
    };
    const sealed = eventHash(body);
    // Every text above was fitted, so this is a fault of ours.
    if ("fault" in sealed)
      throw new TrustError("INTERNAL", `entry ${entry.n}: ${sealed.at}: ${sealed.fault}`);
    previous = sealed.hash;
    return { ...body, event_hash: sealed.hash };
  };
}

function eventType({ type, tool, data }: ExportedEntry): string {
  if (type === "decision")
    return tool === null || data.question !== undefined ? "policy_evaluation" : "tool_call";
  if (type === "admission") return data.recheck === true ? "admission_recheck" : "server_discovery";
  return fitted(type);
}

function extensionsOf(entry: ExportedEntry): Extensions {
  const { data, hash, id, n, server, type } = entry;
  const admission = type === "admission" ? admissionOf(entry) : undefined;
  return {
    ...(admission && { "admission-control": admission }),
    "touchstone-decision": {
      entry_id: fitted(id),
      entry_number: String(n),
      entry_hash: fitted(hash),
      entry_type: fitted(type),
      ...defined({ server: textIn(server) }),
      detail: fitted(asText(data)),
    },
  };
}

/** Nothing where the check itself failed: no decision may stand beside that outcome. */
function admissionOf({ data, outcome, server, tool }: ExportedEntry): AdmissionControl | undefined {
  const decision = CLEARANCE[outcome];
  if (decision === undefined) return undefined;
  return {
    server_id: nameOr(server, "unknown"),
    clearance_decision: decision,
    ...defined({
      clearance_level: textIn(data.clearance),
      trust_root_id: textIn(data.root),
      assertion_uri: textIn(data.assertion),
      assertion_serial: textIn(Number.isSafeInteger(data.serial) ? String(data.serial) : data.serial),
      requested_tool: textIn(tool),
      tool_allowlist_scope: scopeOf(data.tools),
    }),
  };
}

/** Names of tools in one text. A list that cannot be told from another one when it is read again is not given at all: cut short, or
 *  with a space in a name, it would speak of tools that nobody allowed. `detail` has it in any case. */
function scopeOf(tools: unknown): string | undefined {
  if (!Array.isArray(tools) || !tools.every(isToolName)) return undefined;
  const scope = [...tools].sort(byCodePoints).join(" ");
  return scope.length > MAX_TEXT_UNITS ? undefined : scope;
}

const isToolName = (name: unknown): name is string =>
  typeof name === "string" && name !== "" && !name.includes(" ") && fitted(name) === name;

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" ? fitted(value) : undefined;
const nameOr = (name: string | null, otherwise: string): string => fitted(name ?? "") || otherwise;
