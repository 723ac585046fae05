/** What a contract record may carry beside its core, by registered name: the members of each, and what outcome it may stand beside.
 *  The first three are those of SEP-3004 and SEP-2809; the last one is ours, since `admission-control` has no place for a reason. */
import { shown } from "../../core/index.ts";
import { isObject } from "./canonical.ts";
import { digest, flag, form, memberFault, oneOf, orNull, text, valueWords, type Want } from "./want.ts";

export type Outcome = "allowed" | "denied" | "deferred" | "error";

/** An optional member that is null was looked for and had no value; one that is absent is not recorded. */
export interface CallerGovernance {
  readonly purpose_declared: string;
  readonly session_id?: string | null;
  readonly invoked_by_principal_id?: string | null;
  readonly flagged?: boolean | null;
  readonly sources_touched?: string | null;
  readonly sensitivity_encountered?: string | null;
  readonly output_disposition?: string | null;
  readonly human_actor_id?: string | null;
}

export interface RuntimeSecurity {
  readonly drift_status: "none" | "observed" | "confirmed";
  readonly severity: "info" | "low" | "medium" | "high";
  readonly quarantine_decision: "release" | "hold" | "quarantine";
  readonly policy_id: string;
  readonly evidence_hash?: string;
}

export interface AdmissionControl {
  readonly server_id: string;
  readonly clearance_decision: "admitted" | "denied" | "deferred";
  readonly clearance_level?: string;
  readonly trust_root_id?: string;
  readonly assertion_uri?: string;
  readonly assertion_serial?: string;
  readonly requested_tool?: string;
  /** Names in order, one space between them. Empty: none is allowed. */
  readonly tool_allowlist_scope?: string;
}

/** The entry of our own log that the record was made from. */
export interface TouchstoneDecision {
  readonly entry_id: string;
  readonly entry_number: string;
  /** Leaf hash, as in spec/audit-log.md, AUD-7. */
  readonly entry_hash: string;
  readonly entry_type: string;
  readonly server?: string;
  /** The data of the entry as JSON. Cut where it is too long, and then no JSON any more. */
  readonly detail?: string;
}

export interface Extensions {
  readonly "caller-governance"?: CallerGovernance;
  readonly "runtime-security"?: RuntimeSecurity;
  readonly "admission-control"?: AdmissionControl;
  readonly "touchstone-decision"?: TouchstoneDecision;
}

/** The one decision that may stand beside an outcome. A check that failed has none. */
export const CLEARANCE: Readonly<Record<Outcome, AdmissionControl["clearance_decision"] | undefined>> = {
  allowed: "admitted",
  denied: "denied",
  deferred: "deferred",
  error: undefined,
};

interface Registration<Data> {
  readonly members: Readonly<Record<keyof Data, Want>>;
  readonly required: readonly (keyof Data & string)[];
  /** A decision that must not contradict the outcome. */
  readonly bound?: {
    readonly member: keyof Data & string;
    readonly fits: (decision: unknown, outcome: Outcome) => boolean;
  };
}

const REGISTERED: { readonly [Name in keyof Extensions]-?: Registration<Required<Extensions>[Name]> } = {
  "caller-governance": {
    members: {
      purpose_declared: text,
      session_id: orNull(text),
      invoked_by_principal_id: orNull(text),
      flagged: orNull(flag),
      sources_touched: orNull(text),
      sensitivity_encountered: orNull(text),
      output_disposition: orNull(text),
      human_actor_id: orNull(text),
    },
    required: ["purpose_declared"],
  },
  "runtime-security": {
    members: {
      drift_status: oneOf("none", "observed", "confirmed"),
      severity: oneOf("info", "low", "medium", "high"),
      quarantine_decision: oneOf("release", "hold", "quarantine"),
      policy_id: text,
      evidence_hash: text,
    },
    required: ["drift_status", "severity", "quarantine_decision", "policy_id"],
    bound: {
      member: "quarantine_decision",
      fits: (decision, outcome) => decision !== "quarantine" || outcome !== "allowed",
    },
  },
  "admission-control": {
    members: {
      server_id: text,
      clearance_decision: oneOf("admitted", "denied", "deferred"),
      clearance_level: text,
      trust_root_id: text,
      assertion_uri: text,
      assertion_serial: text,
      requested_tool: text,
      tool_allowlist_scope: text,
    },
    required: ["server_id", "clearance_decision"],
    bound: {
      member: "clearance_decision",
      fits: (decision, outcome) => decision === CLEARANCE[outcome],
    },
  },
  "touchstone-decision": {
    members: {
      entry_id: text,
      entry_number: form("a decimal number", /^(?:0|[1-9][0-9]*)$/),
      entry_hash: digest,
      entry_type: text,
      server: text,
      detail: text,
    },
    required: ["entry_id", "entry_number", "entry_hash", "entry_type"],
  },
};

/** What is wrong with the extensions of a record. Members that are not registered are hashed like the others, and left alone. */
export function extensionsFault(extensions: unknown, outcome: Outcome): string | undefined {
  if (!isObject(extensions)) return `extensions: want an object, not ${valueWords(extensions)}`;
  const names = Object.keys(extensions);
  if (names.length === 0) return "extensions: want at least one";
  for (const name of names) {
    if (!Object.hasOwn(REGISTERED, name)) return `extensions: "${shown(name, 80)}" is not registered`;
    const { members, required, bound } = REGISTERED[name as keyof Extensions] as Registration<
      Record<string, unknown>
    >;
    const data = extensions[name];
    if (!isObject(data)) return `extensions.${name}: want an object, not ${valueWords(data)}`;
    for (const [member, want] of Object.entries(members)) {
      if (!Object.hasOwn(data, member) && !required.includes(member)) continue;
      const fault = memberFault(data, member, want);
      if (fault !== undefined) return `extensions.${name}.${fault}`;
    }
    if (bound !== undefined && !bound.fits(data[bound.member], outcome))
      return `extensions.${name}.${bound.member}: ${valueWords(data[bound.member])} contradicts the outcome "${outcome}"`;
  }
  return undefined;
}
