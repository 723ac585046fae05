/** What was seen about a server. A finding is evidence; it is never thrown. */
import { ruleTable } from "./registry.ts";

export type RuleId = keyof typeof ruleTable;
export type Severity = "fail" | "warn" | "info";

export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** Where it was seen: a peer and a place in its recording, a tool, a file and line. */
  readonly where: string;
  readonly message: string;
  /** The offending bytes as text, bounded. Attacker-controlled: show it as data only. */
  readonly evidence?: string;
}

/** A finding with the severity its rule has in the registry; a weaker sighting of the same rule names its own. */
export function finding(
  rule: RuleId,
  where: string,
  message: string,
  evidence?: string,
  severity: Severity = ruleTable[rule].severity,
): Finding {
  return evidence === undefined
    ? { rule, severity, where, message }
    : { rule, severity, where, message, evidence };
}
