/** What a verdict comes to, once a person was asked where it wants one: through the client, or at the operator's desk.
 *  Implements spec/gateway.md, GTW-17 to GTW-19 and GTW-81. */
import { canonicalJson, defined, shown } from "../core/index.ts";
import { type Call, InputNeeded, isRecord } from "../wire/index.ts";
import type { Bound } from "./approval.ts";
import type { Verdict } from "./decision.ts";
import type { Word } from "./desk.ts";
import type { Gateway } from "./gateway.ts";
import { actorIn } from "./journal.ts";

export interface Settled {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly approved?: string;
  /** Where somebody was asked. */
  readonly waited?: Waited;
}

/** A call that has waited for a word: the entry that says so, and under which id where it was at the desk. */
export interface Waited {
  readonly approval?: string;
  readonly deferred: string;
}

/** What is asked about, as it is shown and as the log names it. */
export interface AskedAbout {
  readonly decision: string;
  readonly arguments: unknown;
}

/** Writes down that a call waits under an id at the desk; gives the id of the entry, and when it is durable. */
type Defer = (approval: string) => { readonly id: string; readonly written: unknown };

/** What a verdict comes to, once a person was asked where it wants one. */
export function settle(
  gateway: Gateway,
  verdict: Verdict,
  bind: () => Bound,
  call: Call,
  about: AskedAbout,
  defer: Defer,
): Settled | Promise<Settled | InputNeeded> {
  const { kind, reason } = verdict;
  if (kind === "allow" || kind === "warn") return { isAllowed: true, reason };
  if (kind === "deny") return { isAllowed: false, reason };
  return asked(gateway, verdict, bind, call, about, defer);
}

async function asked(
  gateway: Gateway,
  { reason, flowing }: Verdict,
  bind: () => Bound,
  call: Call,
  about: AskedAbout,
  defer: Defer,
): Promise<Settled | InputNeeded> {
  const bound = bind();
  const answer = call.inputs[APPROVAL];
  if (answer !== undefined) {
    const fault = gateway.approvals.open(call.state, bound);
    if (fault !== undefined)
      return { isAllowed: false, reason: `${reason}; the approval does not count: ${fault}` };
    const isYes =
      isRecord(answer) &&
      answer.action === "accept" &&
      isRecord(answer.content) &&
      answer.content.allow === true;
    const deferred = gateway.approvals.askedBy(call.state);
    const waited = deferred === undefined ? {} : { waited: { deferred } };
    return isYes
      ? { isAllowed: true, reason, approved: "client", ...waited }
      : {
          isAllowed: false,
          // Nothing where a client of the legacy era refuses to ask, or does not answer.
          reason: `${reason}; ${answer === null ? "the client gave no answer" : "it was not approved"}`,
          ...waited,
        };
  }
  const { caller, server, tool } = bound;
  const given = JSON.stringify(about.arguments);
  if (isRecord(call.claims.elicitation)) {
    const flow = flowing === undefined ? "" : ` What flows: ${shown(JSON.stringify(flowing), SHOWN_CHARS)}.`;
    const message = `${gateway.named(server)}: ${nameOf(tool)} wants your word. ${shown(reason, REASON_CHARS)}.${flow} Arguments: ${shown(given, SHOWN_CHARS)}`;
    const ask = {
      method: "elicitation/create",
      params: { mode: "form", message, requestedSchema: YES_OR_NO },
    };
    return new InputNeeded({ [APPROVAL]: ask }, gateway.approvals.seal(bound, about.decision), true);
  }
  const { desk } = gateway.options;
  if (!desk) return { isAllowed: false, reason: `${reason}; nobody could be asked` };
  // A client that has closed its side would never learn what came of it: nothing is done for nobody.
  const gone = [call.signal, ...(call.closed ? [call.closed] : [])];
  const label = gateway.servers.get(server)?.standing.policy.label ?? undefined;
  const what = {
    caller,
    ...askerIn(call),
    server,
    ...defined({ label }),
    tool,
    reason,
    arguments: shown(given, DESK_CHARS),
  };
  let waited: Waited | undefined;
  const word = await desk.hold(what, gone, (approval) => {
    const { id: deferred, written } = defer(approval);
    waited = { approval, deferred };
    return written;
  });
  const but = (why: string): Settled => ({
    isAllowed: false,
    reason: `${reason}; ${why}`,
    ...defined({ waited }),
  });
  if (word !== "approved") return but(WORDS[word]);
  // Much may have changed while it waited: then the word was for something else.
  await gateway.refreshed(server);
  return canonicalJson({ ...bind() }) === canonicalJson({ ...bound })
    ? { isAllowed: true, reason, approved: "operator", ...defined({ waited }) }
    : but("the tool or the policy changed while it waited");
}

/** Who asks, as the log has it. */
function askerIn(call: Call): { readonly actor?: string; readonly isClaimed?: boolean } {
  const actor = actorIn(call);
  return actor === undefined
    ? {}
    : { actor: shown(actor, ACTOR_CHARS), isClaimed: call.from?.caller === undefined };
}
const ACTOR_CHARS = 120;

/** A name that could be read as more than a name is quoted, so that it says nothing by itself. */
const nameOf = (tool: string): string =>
  /^[A-Za-z0-9_./:-]{1,128}$/.test(tool) ? tool : shown(JSON.stringify(tool), 128);

/** In a client's window; at the desk there is more room. What is cut is counted. */
const [SHOWN_CHARS, REASON_CHARS, DESK_CHARS] = [600, 600, 16 * 1024];
const WORDS: Readonly<Record<Exclude<Word, "approved">, string>> = {
  denied: "it was not approved",
  late: "nobody approved it in time",
  gone: "the client did not wait",
  full: "too many calls wait for approval",
};
const APPROVAL = "touchstone-approval";
const YES_OR_NO = {
  type: "object",
  properties: { allow: { type: "boolean", title: "Allow this one call", default: false } },
  required: ["allow"],
} as const;
