/** Whether something may be asked of a server: one function for what is listed, called, read and prompted, so that they never disagree.
 *  Implements spec/policy.md, POL-17 to POL-22. */
import { shown } from "../core/index.ts";
import { isAtLeast, type TrustLevel } from "./levels.ts";
import { serverNamed } from "./name.ts";
import { isToolAllowed, type McpServerPolicy, type PolicyMode } from "./server.ts";

export const MODES = ["observe", "warn", "enforce"] as const;
export type Mode = (typeof MODES)[number];

/** What is controlled, each with a mode of its own. */
export const CONTROLS = ["admission", "drift", "description", "trigger"] as const;
export type Control = (typeof CONTROLS)[number];

export interface Standing {
  readonly name: string;
  /** As it counts: an admission is in it already. */
  readonly policy: McpServerPolicy;
  readonly admission:
    | {
        readonly status: "admitted";
        readonly grade: Grade | null;
        /** The level that somebody it is believed to has cleared it for. */
        readonly clearance?: string;
        /** Why an exemption that was to let it in does not count. */
        readonly lapsed?: string;
      }
    | { readonly status: "exempted"; readonly by: Waiver }
    /** No grade is wanted of it: it is taken as it was locked. */
    | { readonly status: "locked" }
    /** Nothing is asked of it, and with policy `spec` nothing has to be. */
    | { readonly status: "unasked" }
    | { readonly status: "refused"; readonly reason: string };
  /** What is known of its tools, by their exact names. */
  readonly tools: ReadonlyMap<string, ToolStanding>;
  /** What its resources say to the agent that no honest one says, by address; empty where they do not. */
  readonly resources?: ReadonlyMap<string, string>;
  /** The same of its templates for resources. */
  readonly templates?: ReadonlyMap<string, string>;
  /** The same of its prompts, by their names. */
  readonly prompts?: ReadonlyMap<string, string>;
}

/** An exception of the operator's: what a server lacks, and who lets it in all the same. */
export interface Waiver {
  readonly waived: readonly string[];
  /** What it would be refused for without it. */
  readonly lacks: string;
  readonly reason: string;
  /** Its end, as it is written. */
  readonly expires: string;
  readonly signers: readonly string[];
  /** Of the signed exemption. */
  readonly digest: string;
}

export type Grade = "A" | "B" | "C" | "D" | "F";

export interface ToolStanding {
  /** It is the one that was attested or locked. */
  readonly isPinned: boolean;
  /** It was pinned, and is another one now. */
  readonly hasDrifted: boolean;
  /** Others of its server were attested or locked, and it was not. */
  readonly isStranger?: boolean;
  /** The server lists this name more than once: which of them would be called is for the server to say. */
  readonly isTwice?: boolean;
  /** It says so itself; what a grade has found otherwise is in its grade. */
  readonly isReadOnly: boolean;
  /** What its definition says to the agent that no honest one says. */
  readonly flaw?: string;
}

export type Wish =
  | { readonly kind: "tool"; readonly name: string }
  | { readonly kind: "resource"; readonly uri: string }
  | { readonly kind: "prompt"; readonly name: string };

/** The name of a tool or a prompt, the address of a resource. */
export const nameIn = (wish: Wish): string => (wish.kind === "resource" ? wish.uri : wish.name);

export interface Rules {
  readonly mode: PolicyMode;
  readonly modes: Readonly<Record<Control, Mode>>;
}

export type DecisionKind = "allow" | "warn" | "ask" | "deny";

export interface Verdict {
  readonly kind: DecisionKind;
  readonly rule: "" | "allowed-tools" | "admission" | "grade" | "drift" | "description" | "trigger";
  readonly reason: string;
}

/** The verdict that counts, and what else was found, for the log. */
export interface Decision extends Verdict {
  readonly beside: readonly Verdict[];
}

const ALLOW: Verdict = { kind: "allow", rule: "", reason: "" };
/** The strictest answer counts; of equal ones the first. */
const STRICTNESS: readonly DecisionKind[] = ["allow", "warn", "ask", "deny"];

/** What of a server is there for a client at all. What is not is neither listed nor called. */
export function visible(rules: Rules, standing: Standing, wish: Wish): Decision {
  return strictest([
    ...(wish.kind === "tool" ? [listed(rules, standing, wish.name)] : []),
    admission(rules, standing),
    ...(wish.kind === "tool" ? [drift(rules, standing, wish.name)] : []),
    described(rules, standing, wish),
  ]);
}

/** Whether it may be done now, by whoever is behind it. `trigger` is the lowest label of what led to it. */
export function decide(rules: Rules, standing: Standing, wish: Wish, trigger: TrustLevel): Decision {
  const there = visible(rules, standing, wish);
  if (there.kind === "deny" || wish.kind !== "tool") return there;
  const { beside, ...first } = there;
  return strictest([
    first,
    ...beside,
    privilege(rules, standing, wish.name),
    triggered(rules, standing, wish.name, trigger),
  ]);
}

/** A name is a server's word: in a reason it stands so that it says nothing by itself. */
const quoted = (name: string): string => shown(JSON.stringify(name), 140);

/** The server, where a reason names it. */
const named = ({ name, policy }: Standing): string => serverNamed(name, policy.label);

function strictest(verdicts: readonly Verdict[]): Decision {
  const worst = verdicts.reduce((one, next) =>
    STRICTNESS.indexOf(next.kind) > STRICTNESS.indexOf(one.kind) ? next : one,
  );
  return { ...worst, beside: verdicts.filter((verdict) => verdict !== worst && verdict.rule !== "") };
}

/** A list of the operator's blocks in every mode. */
function listed({ mode }: Rules, standing: Standing, tool: string): Verdict {
  const { policy, tools } = standing;
  const deny = (reason: string): Verdict => ({ kind: "deny", rule: "allowed-tools", reason });
  if (tools.get(tool)?.isTwice) return deny(`${named(standing)} lists ${quoted(tool)} more than once`);
  if (!isToolAllowed(policy, tool))
    return deny(`${quoted(tool)} is not in allowed_tools of ${named(standing)}`);
  if (mode === "spec") return ALLOW;
  // Strict takes what was attested or locked, and a list can only take from that.
  const known = tools.get(tool);
  if (policy.allowedTools === null && !known?.isPinned)
    return deny(
      `${named(standing)} has no allowed_tools, and ${quoted(tool)} is neither attested nor locked`,
    );
  return known?.isStranger
    ? deny(`${quoted(tool)} of ${named(standing)} is neither attested nor locked`)
    : ALLOW;
}

function admission({ modes }: Rules, standing: Standing): Verdict {
  const { admission } = standing;
  if (admission.status === "refused")
    return controlled(
      modes.admission,
      "admission",
      `${named(standing)} is not admitted: ${admission.reason}`,
    );
  const lacking = poorGrade(admission);
  return lacking === undefined
    ? ALLOW
    : controlled(modes.admission, "grade", `${named(standing)} has ${lacking}`);
}

/** A grade that nobody is let in with. */
function poorGrade(admission: Standing["admission"]): string | undefined {
  if (admission.status !== "admitted") return undefined;
  const { grade, clearance } = admission;
  const isCleared = grade === null && clearance !== undefined;
  if (grade === "A" || grade === "B" || grade === "C" || isCleared) return undefined;
  return grade === null ? "no grade" : `grade ${grade}`;
}

/** What a server is refused for, where admission is enforced. */
export function faultOf(admission: Standing["admission"]): string | undefined {
  if (admission.status === "refused") return admission.reason;
  const lacking = poorGrade(admission);
  if (lacking === undefined) return undefined;
  const lapsed = admission.status === "admitted" ? admission.lapsed : undefined;
  return lapsed === undefined ? `it has ${lacking}` : `it has ${lacking}; ${lapsed}`;
}

/** A tool that changed is set aside alone. */
function drift({ modes }: Rules, standing: Standing, tool: string): Verdict {
  return standing.tools.get(tool)?.hasDrifted
    ? controlled(
        modes.drift,
        "drift",
        `${quoted(tool)} of ${named(standing)} is not the tool that was attested or locked`,
      )
    : ALLOW;
}

/** What something says of itself is read by the model before anybody asks for it. */
function described({ modes }: Rules, standing: Standing, wish: Wish): Verdict {
  const flaw = flawOf(standing, wish);
  if (!flaw) return ALLOW;
  return controlled(
    modes.description,
    "description",
    `${quoted(nameIn(wish))} of ${named(standing)} is hostile to read: ${flaw}`,
  );
}

/** What it says to the agent that no honest one says, where it does. */
export function flawOf({ tools, prompts, resources, templates }: Standing, wish: Wish): string | undefined {
  if (wish.kind === "tool") return tools.get(wish.name)?.flaw;
  if (wish.kind === "prompt") return prompts?.get(wish.name);
  const { uri } = wish;
  const own = [resources?.get(uri), templates?.get(uri)].filter((flaw) => flaw !== undefined);
  if (own.length > 0) return own.find((flaw) => flaw !== "");
  // An address that is not listed is there by a template, and hidden where each of those is.
  const flaws = [...(templates ?? [])].filter(([template]) => mayFit(template, uri)).map(([, flaw]) => flaw);
  return flaws.includes("") ? undefined : flaws[0];
}

/** The text before the first variable is all that is compared: whose template it is, not whether it fits. */
export function mayFit(template: string, uri: string): boolean {
  const fixed = template.split("{")[0] ?? "";
  return fixed !== "" && uri.startsWith(fixed);
}

/** A test result decides: below A only what reads is done without a question. */
function privilege({ modes }: Rules, standing: Standing, tool: string): Verdict {
  const { admission, tools } = standing;
  if (tools.get(tool)?.isReadOnly) return ALLOW;
  const asked = (rule: Verdict["rule"], but: string): Verdict => {
    const reason = `${quoted(tool)} may change something, and ${but}`;
    return modes.admission === "enforce"
      ? { kind: "ask", rule, reason }
      : controlled(modes.admission, rule, reason);
  };
  // An exception lets a server in; it says nothing of what the server does.
  if (admission.status === "exempted")
    return asked("admission", `${named(standing)} is let in by an exemption: ${admission.by.lacks}`);
  if (admission.status !== "admitted" || admission.grade === "A") return ALLOW;
  return asked(
    "grade",
    `${named(standing)} has ${admission.grade === null ? "no grade" : `grade ${admission.grade}`}`,
  );
}

/** What changes something wants a person behind it. */
function triggered({ mode, modes }: Rules, standing: Standing, tool: string, trigger: TrustLevel): Verdict {
  if (standing.tools.get(tool)?.isReadOnly || isAtLeast(trigger, "USER")) return ALLOW;
  const reason = `${quoted(tool)} of ${named(standing)} may change something, and what led to it is ${trigger}`;
  if (mode === "strict") return controlled(modes.trigger, "trigger", reason);
  return modes.trigger === "enforce"
    ? { kind: "ask", rule: "trigger", reason }
    : controlled(modes.trigger, "trigger", reason);
}

/** A finding of a control, as its mode has it: written down, shown, or in the way. */
function controlled(mode: Mode, rule: Verdict["rule"], reason: string): Verdict {
  return { kind: mode === "enforce" ? "deny" : mode === "warn" ? "warn" : "allow", rule, reason };
}
