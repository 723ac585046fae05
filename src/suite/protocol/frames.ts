/** Questions about frames, over any transport. */
import type { Outcome } from "../../wire/index.ts";
import { frameOf, isAlive, isGone, isServed, type ProtocolCase, type Seen, type Subject } from "./case.ts";

const isLegacy = ({ era }: Subject): string | undefined =>
  era === "legacy" ? undefined : "the protocol has no initialize from 2026-07-28 on";

export const beforeInitialize: ProtocolCase = {
  id: "before_initialize",
  rule: "PROTO-01",
  title: "a request before initialize",
  skip: isLegacy,
  async ask({ stranger, timeoutMs }) {
    await using session = await stranger();
    const request = frameOf(1, "tools/list");
    const outcome = await session.sendRaw(request, { id: 1, timeoutMs });
    const what = isServed(outcome) ? "tools were listed" : said(outcome);
    return [{ isMet: !isServed(outcome), what, outcome, request }];
  },
};

export const unknownMethod: ProtocolCase = {
  id: "unknown_method",
  rule: "PROTO-02",
  title: "a method that does not exist",
  async ask({ session, timeoutMs }) {
    const method = "documents/summarise";
    const outcome = await (await session()).request(method, {}, { timeoutMs });
    const isMet = outcome.kind === "error" || (outcome.kind === "http" && outcome.status >= 400);
    return [{ isMet, what: said(outcome), outcome, request: { method } }];
  },
};

/** JSON-RPC knows texts and numbers; MCP forbids null as well. */
const BAD_IDS: readonly (readonly [name: string, id: unknown])[] = [
  ["null", null],
  ["an object", { a: 1 }],
  ["a list", [1]],
  ["true", true],
];

export const badIds: ProtocolCase = {
  id: "bad_id",
  rule: "PROTO-03",
  title: "ids that are no text and no number",
  async ask({ session, timeoutMs }) {
    const seen: Seen[] = [];
    for (const [name, id] of BAD_IDS) {
      const open = await session();
      const strays = open.strays.kept.length;
      const request = frameOf(id, "tools/list");
      // An answer under such an id is one to no request of ours.
      const outcome = await open.sendRaw(request, { timeoutMs: Math.min(timeoutMs, QUIET_MS) });
      const answered = open.strays.kept.slice(strays).some(({ head }) => head.includes('"tools"'));
      const isMet = !isServed(outcome) && !answered && !isGone(outcome);
      const how = isGone(outcome) ? "the server ended" : isMet ? said(outcome) : "it was served";
      seen.push({
        isMet,
        what: `${name}: ${how}`,
        outcome,
        request,
        ...(isGone(outcome) ? { severity: "fail" as const } : {}),
      });
    }
    return seen;
  },
};

/** Silence is an answer to these: it is not waited for as long as for others. */
const QUIET_MS = 700;

const NOT_JSON: readonly (readonly [name: string, frame: string])[] = [
  ["cut off", '{"jsonrpc":"2.0","id":71,"method":"tools/list"'],
  ["no JSON at all", "hello there"],
  ["an empty list", "[]"],
  ["a bare number", "42"],
];

export const malformedJson: ProtocolCase = {
  id: "malformed_json",
  rule: "PROTO-04",
  title: "frames that are no requests",
  async ask({ session, timeoutMs }) {
    const seen: Seen[] = [];
    for (const [name, request] of NOT_JSON) {
      const open = await session();
      const outcome = await open.sendRaw(request, { timeoutMs: Math.min(timeoutMs, QUIET_MS) });
      const isMet = !isGone(outcome) && (await isAlive(open, timeoutMs));
      const what = `${name}: ${isMet ? `${said(outcome)}, and it went on` : "it no longer answers"}`;
      seen.push({ isMet, what, outcome, request, ...(isMet ? {} : { severity: "fail" as const }) });
    }
    return seen;
  },
};

export const lateReply: ProtocolCase = {
  id: "cancel_then_reply",
  rule: "PROTO-09",
  title: "a request that is cancelled",
  skip: ({ safeCall }) => (safeCall ? undefined : "no tool that claims to read only"),
  async ask({ session, subject, timeoutMs }) {
    const open = await session();
    const late = (): number => open.strays.counts.get("late-answer") ?? 0;
    const before = late();
    const request = { method: "tools/call", params: { ...subject.safeCall } };
    const cancel = new AbortController();
    const pending = open.request("tools/call", request.params, { signal: cancel.signal, timeoutMs });
    // After the frame has left, and before most tools can have done their work.
    setImmediate(() => cancel.abort());
    const outcome = await pending;
    await new Promise((done) => setTimeout(done, QUIET_MS));
    if (outcome.kind !== "cancelled")
      return [{ isMet: true, what: "it was answered before it could be cancelled", outcome, request }];
    const isMet = late() === before;
    return [{ isMet, what: isMet ? "no answer came" : "it was answered all the same", outcome, request }];
  },
};

export const lostResponse: ProtocolCase = {
  id: "lost_response_retry",
  rule: "PROTO-10",
  title: "a call that is sent again after its answer was lost",
  skip: ({ repeatableCall }) =>
    repeatableCall ? undefined : "no tool that claims to read only and to be idempotent could be called",
  async ask({ apart, subject, timeoutMs }) {
    const request = { method: "tools/call", params: { ...subject.repeatableCall } };
    const lost = await apart();
    // The answer is on its way when the connection goes.
    const gone = lost.session.request("tools/call", request.params, { id: "retry-1", timeoutMs });
    await new Promise((done) => setTimeout(done, 50));
    await lost.session.close();
    await gone;
    const { session: next } = await apart();
    const again = await next.request("tools/call", request.params, { id: "retry-1", timeoutMs });
    const control = await next.request("tools/call", request.params, { id: "retry-2", timeoutMs });
    await next.close();
    if (!isServed(again) || !isServed(control)) {
      const isMet = again.kind === control.kind;
      return [{ isMet, what: `the retry: ${said(again)}`, outcome: again, request }];
    }
    const isMet = JSON.stringify(resultOf(again)) === JSON.stringify(resultOf(control));
    const what = isMet ? "the retry gave what a further call gives" : "the retry and a further call differ";
    return [{ isMet, what, outcome: again, request }];
  },
};

const resultOf = (outcome: Outcome): unknown => (outcome.kind === "result" ? outcome.result : undefined);

export function said(outcome: Outcome): string {
  switch (outcome.kind) {
    case "result":
    case "input-required":
      return "a result";
    case "error":
      return `error ${outcome.error.code}`;
    case "http":
      return `HTTP ${outcome.status}`;
    case "timed-out":
      return "no answer";
    case "unauthorized":
      return `HTTP ${outcome.status}`;
    default:
      return outcome.kind;
  }
}
