/** What of a request goes on to a server: to be sent, to be looked into, and to be asked about. Pure. Implements spec/gateway.md, GTW-7
 *  and GTW-8. */
import { hasInexactNumbers, isRecord } from "../wire/index.ts";
import { isHopName } from "./answer.ts";
import { readTraceParent } from "./telemetry/trace-context.ts";

type Params = Readonly<Record<string, unknown>>;

/** What of a request goes on to the server. */
export function passedOn(params: Params): Params {
  if (!HOP_PARAMS.some((name) => Object.hasOwn(params, name))) return params;
  const { _meta, inputResponses: _inputs, requestState: _state, task: _task, ...own } = params;
  const given = Object.entries(isRecord(_meta) ? _meta : {});
  const meta = given.filter(
    ([name, value]) =>
      !isHopName(name) && name !== "progressToken" && (name !== "traceparent" || readTraceParent(value)),
  );
  return meta.length > 0 ? { ...own, _meta: Object.fromEntries(meta) } : own;
}

/** `task`: who offers no tasks takes a request that asks for one as any other. A task of a server could not be asked for its result here. */
const HOP_PARAMS = ["_meta", "inputResponses", "requestState", "task"] as const;

/** All that goes on, but for the name that was looked up: the arguments, and with them whatever stands beside them. */
export function sentIn(params: Params, lookedUp?: "name" | "uri" | "ref"): unknown {
  const sent = passedOn(params);
  const { arguments: args = {} } = sent;
  const beside = Object.keys(sent).filter((name) => name !== lookedUp && name !== "arguments");
  return beside.length === 0
    ? args
    : { ...Object.fromEntries(beside.map((name) => [name, sent[name]])), arguments: args };
}

/** A value as it is digested and shown. Where it was written with numbers that are read as others, that is how it was written: those are
 *  the bytes that are passed on. */
export const asWritten = (value: unknown, text: string | undefined): unknown =>
  text !== undefined && hasInexactNumbers(text) ? { value, written: text } : value;

/** The same without the mark of a trace, which is another one each time that a client asks. It can say nothing else. */
export function askedIn({ _meta, ...params }: Params, lookedUp?: "name" | "uri" | "ref"): unknown {
  const meta = Object.entries(isRecord(_meta) ? _meta : {}).filter(
    ([name, value]) => name !== "traceparent" || !isPlainMark(value),
  );
  return sentIn({ ...params, _meta: Object.fromEntries(meta) }, lookedUp);
}

/** Marks of later versions may have room for more. */
const isPlainMark = (value: unknown): boolean =>
  typeof value === "string" && value.startsWith("00-") && readTraceParent(value) !== undefined;
