/** What a policy comes to before anything is started: who would be admitted, how far each would be believed, what could be called. Pure. */
import { defined } from "../core/index.ts";
import {
  type AdmissionWord,
  admissionWord,
  decide,
  effectiveServerTrust,
  faultOf,
  type McpServerPolicy,
  type PolicyTable,
  policyFor,
  type Rules,
  type Standing,
  type TrustLevel,
  type Waiver,
} from "../policy/index.ts";
import { pinsOf, seenBy, standingOf, type Voucher, wayIn } from "./standing.ts";

export interface ServerView {
  readonly name: string;
  /** How people call it. */
  readonly label: string | null;
  /** `unverified`: it lacks what is asked of it, and is let in all the same. */
  readonly status: AdmissionWord;
  readonly grade: string | null;
  readonly clearance?: string;
  /** What it is refused for, where admission is enforced; else empty. */
  readonly fault: string;
  /** What would let it in, where that is known. */
  readonly wayIn?: string;
  /** Why it is refused, or why an exemption does not help it; else empty. */
  readonly reason: string;
  /** Who lets it in, where it lacks what is asked of it. */
  readonly exemption?: Waiver;
  readonly level: TrustLevel;
  /** Tools that are listed by the operator, or attested or locked, each as it was looked at; `*` where any is meant. */
  readonly tools: readonly ToolView[];
  /** The `*` among them is for any tool, and not the name of one. */
  readonly isAny?: true;
}

export interface ToolView {
  readonly name: string;
  /** What is said to a call that only reads, and to one that may change something, when nothing of a server led to it. */
  readonly reads: string;
  readonly changes: string;
}

/** In some way, by somebody. */
export const canBeCalled = ({ reads, changes }: ToolView): boolean =>
  [reads, changes].some((said) => !said.startsWith("deny"));

export function viewOf(
  server: { readonly name: string; readonly url?: string },
  table: PolicyTable,
  rules: Rules,
  voucher: Voucher,
): ServerView {
  const { name } = server;
  const policy = policyFor(table, server);
  // What is known of its tools is what they said when they were locked.
  const { tools: seen = [], hasTasks = false } = seenBy(voucher) ?? {};
  const standing = standingOf({ name, policy, mode: rules.mode, tools: seen, hasTasks, voucher });
  const { admission } = standing;
  const pins = pinsOf(voucher);
  const names = new Set([...(policy.allowedTools ?? []), ...pins.keys()]);
  const isAny = policy.allowedTools === null && rules.mode === "spec";
  if (isAny) names.add("*");
  const said = (tool: string, isReadOnly: boolean): string => {
    // An exemption is for the tools that were there, and for no others.
    const hasDrifted = admission.status === "exempted" && !pins.has(tool);
    const isStranger = (admission.status === "exempted" || pins.size > 0) && !pins.has(tool);
    const { flaw, isTwice, isTaskOnly } = standing.tools.get(tool) ?? {};
    const known = {
      isPinned: pins.has(tool),
      hasDrifted,
      isReadOnly,
      isStranger,
      ...defined({ flaw, isTwice, isTaskOnly }),
    };
    const tools = new Map([[tool, known]]);
    const { kind, rule } = decide(rules, { ...standing, tools }, { kind: "tool", name: tool }, "USER");
    return rule === "" ? kind : `${kind} (${rule})`;
  };
  return {
    name,
    label: policy.label,
    status: admissionWord(admission, rules.modes.admission),
    grade: admission.status === "admitted" ? admission.grade : null,
    ...(admission.status === "admitted" ? defined({ clearance: admission.clearance }) : {}),
    fault: faultOf(admission) ?? "",
    ...defined({ wayIn: wayIn(admission, rules.modes.admission) }),
    reason: reasonOf(admission),
    ...(admission.status === "exempted" ? { exemption: admission.by } : {}),
    level: effectiveServerTrust(standing.policy),
    ...(isAny ? { isAny } : {}),
    tools: [...names]
      .sort()
      .map((tool) => ({ name: tool, reads: said(tool, true), changes: said(tool, false) })),
  };
}

/** Names in the list of the operator that were not there when somebody looked. In strict nobody can call them: most are misspelt. */
export function unseenIn(
  { allowedTools }: McpServerPolicy,
  { mode }: Pick<Rules, "mode">,
  voucher: Voucher,
): readonly string[] {
  const pins = pinsOf(voucher);
  if (mode === "spec" || pins.size === 0) return [];
  return (allowedTools ?? []).filter((tool) => !pins.has(tool));
}

function reasonOf(admission: Standing["admission"]): string {
  if (admission.status === "refused") return admission.reason;
  return admission.status === "admitted" ? (admission.lapsed ?? "") : "";
}
