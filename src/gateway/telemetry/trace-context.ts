/** Which trace a request belongs to, by the mark that W3C Trace Context defines, and marks of our own. Pure but for the numbers it draws.
 *  Implements spec/gateway.md, GTW-45. */
import { randomFillSync } from "node:crypto";
import { isRecord } from "../../wire/index.ts";

type Params = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const MAX_CHARS = 512;
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s;
const STATE = /^[\x20-\x7e]{1,512}$/;

/** Undefined for all that is not one, letter by letter. Of a later version what this one has is taken. */
export function readTraceParent(text: unknown): TraceParent | undefined {
  if (typeof text !== "string" || text.length > MAX_CHARS) return undefined;
  const [, version, traceId = "", spanId = "", flags = "", more] = PARENT.exec(text) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const isZero = (digits: string): boolean => /^0+$/.test(digits);

export const traceParentText = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

/** Of where a request was made: what its `_meta` says, else its headers. What a header says is put into `_meta`, so that whoever looks
 *  into what is passed on sees it. */
export function placed(
  params: Params,
  headers: Headers = {},
): { readonly params: Params; readonly parent: TraceParent | undefined } {
  const meta = isRecord(params._meta) ? params._meta : {};
  const own = readTraceParent(meta.traceparent);
  if (own) return { params, parent: own };
  const parent = readTraceParent(headers.traceparent);
  if (!parent) return { params, parent: undefined };
  const { tracestate } = headers;
  const { tracestate: _orphan, ...rest } = meta;
  const marks = {
    traceparent: headers.traceparent,
    ...(typeof tracestate === "string" && STATE.test(tracestate) ? { tracestate } : {}),
  };
  return { params: { ...params, _meta: { ...rest, ...marks } }, parent };
}

/** Params with our mark in place of the one that came. Without a parent nothing is known of the rest of the trace either. */
export function marked(params: Params, mark: TraceParent, hasParent: boolean): Params {
  const { tracestate, ...rest } = isRecord(params._meta) ? params._meta : {};
  const kept = hasParent && tracestate !== undefined ? { tracestate } : {};
  return { ...params, _meta: { ...rest, ...kept, traceparent: traceParentText(mark) } };
}

/** Numbers that nobody guesses, drawn many at a time: one by one each would cost more than all else here. */
const pool = Buffer.alloc(8192);
let used = pool.length;

function drawn(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const digits = pool.toString("hex", used, used + bytes);
  used += bytes;
  return isZero(digits) ? drawn(bytes) : digits;
}

export const newTraceId = (): string => drawn(16);
export const newSpanId = (): string => drawn(8);
