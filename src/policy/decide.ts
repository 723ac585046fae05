/** Whether something may be asked of a server: one function for what is listed, called, read and prompted, so that they never disagree.
 *  Implements spec/policy.md, POL-17 to POL-22. */
import { shown } from "../core/index.ts";
import { isAtLeast, type TrustLevel } from "./levels.ts";
import { serverNamed } from "./name.ts";
import { isToolAllowed, type PolicyMode } from "./server.ts";
import { lackingIn, type Standing } from "./standing.ts";

export const MODES = ["observe", "warn", "enforce"] as const;
export type Mode = (typeof MODES)[number];

/** What is controlled, each with a mode of its own. */
export const CONTROLS = ["admission", "drift", "description", "trigger"] as const;
export type Control = (typeof CONTROLS)[number];

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
  readonly rule:
    | ""
    | "allowed-tools"
    | "admission"
    | "grade"
    | "drift"
    | "description"
    | "task-only"
    | "trigger";
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
  const own = described(rules, standing, wish);
  if (wish.kind !== "tool") return strictest([admission(rules, standing), own]);
  const { name } = wish;
  // The server comes before its tools: where it is not admitted, that is why they are not there.
  return strictest([
    listed(standing, name),
    admission(rules, standing),
    lookedAt(rules, standing, name),
    drift(rules, standing, name),
    own,
    taskOnly(standing, name),
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
function listed(standing: Standing, tool: string): Verdict {
  const { policy, tools } = standing;
  if (tools.get(tool)?.isTwice) return unlisted(`${named(standing)} lists ${quoted(tool)} more than once`);
  return isToolAllowed(policy, tool)
    ? ALLOW
    : unlisted(`${quoted(tool)} is not in allowed_tools of ${named(standing)}`);
}

/** Strict takes what was attested or locked, and a list can only take from that; spec lets a list name others. What has changed since then, and
 *  in spec what is new, is a matter of drift. */
function lookedAt({ mode, modes }: Rules, standing: Standing, tool: string): Verdict {
  const { admission, policy, tools } = standing;
  const { isPinned = false, hasDrifted = false, isStranger = false } = tools.get(tool) ?? {};
  if (mode === "spec")
    return isStranger && !hasDrifted && policy.allowedTools === null
      ? controlled(
          modes.drift,
          "drift",
          `${quoted(tool)} of ${named(standing)} is neither attested nor locked`,
        )
      : ALLOW;
  if (isPinned || (hasDrifted && !isStranger)) return ALLOW;
  // Nothing is attested of a server that is not admitted: that is the cause then, also where it is let in.
  const cause = admission.status === "refused" ? `; it is not admitted: ${admission.reason}` : "";
  if (policy.allowedTools === null)
    return unlisted(
      `${named(standing)} has no allowed_tools, and ${quoted(tool)} is neither attested nor locked${cause}`,
    );
  return isStranger
    ? unlisted(`${quoted(tool)} of ${named(standing)} is neither attested nor locked${cause}`)
    : ALLOW;
}

const unlisted = (reason: string): Verdict => ({ kind: "deny", rule: "allowed-tools", reason });

function admission({ modes }: Rules, standing: Standing): Verdict {
  const { admission } = standing;
  if (admission.status === "refused")
    return controlled(
      modes.admission,
      "admission",
      `${named(standing)} is not admitted: ${admission.reason}`,
    );
  const lacking = lackingIn(admission);
  return lacking === undefined
    ? ALLOW
    : controlled(modes.admission, "grade", `${named(standing)} has ${lacking}`);
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

/** No mode makes it callable: its server would answer with an error. */
function taskOnly(standing: Standing, tool: string): Verdict {
  if (!standing.tools.get(tool)?.isTaskOnly) return ALLOW;
  const reason = `${quoted(tool)} of ${named(standing)} can only be called as a task, and tasks are not passed on`;
  return { kind: "deny", rule: "task-only", reason };
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
  const end = template.indexOf("{");
  const fixed = end < 0 ? template : template.slice(0, end);
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
