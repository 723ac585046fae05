import assert from "node:assert/strict";
import { test } from "node:test";
import { marked, newSpanId, newTraceId, placed, readTraceParent, traceParentText } from "./trace-context.ts";

const [TRACE, SPAN] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
const WELL = `00-${TRACE}-${SPAN}-01`;
const PARENT = { traceId: TRACE, spanId: SPAN, isSampled: true };

const cases: readonly { readonly name: string; readonly text: unknown; readonly want?: object }[] = [
  { name: "a mark", text: WELL, want: PARENT },
  { name: "not sampled", text: `00-${TRACE}-${SPAN}-00`, want: { ...PARENT, isSampled: false } },
  { name: "flags that are not known", text: `00-${TRACE}-${SPAN}-fe`, want: { ...PARENT, isSampled: false } },
  { name: "random and sampled", text: `00-${TRACE}-${SPAN}-03`, want: PARENT },
  { name: "a later version", text: `01-${TRACE}-${SPAN}-01`, want: PARENT },
  { name: "a later version with more", text: `cc-${TRACE}-${SPAN}-01-what-comes`, want: PARENT },
  { name: "a later version with more that is not parted", text: `cc-${TRACE}-${SPAN}-01.what` },
  { name: "this version with more", text: `${WELL}-more` },
  { name: "this version with a part at its end that is empty", text: `${WELL}-` },
  { name: "no version", text: `ff-${TRACE}-${SPAN}-01` },
  { name: "a trace of zeros", text: `00-${"0".repeat(32)}-${SPAN}-01` },
  { name: "a span of zeros", text: `00-${TRACE}-${"0".repeat(16)}-01` },
  { name: "capitals", text: WELL.toUpperCase() },
  { name: "a trace too short", text: `00-${TRACE.slice(1)}-${SPAN}-01` },
  { name: "a trace too long", text: `00-${TRACE}0-${SPAN}-01` },
  { name: "a span too short", text: `00-${TRACE}-${SPAN.slice(1)}-01` },
  { name: "flags of one digit", text: `00-${TRACE}-${SPAN}-1` },
  { name: "letters that are no digits", text: `00-${TRACE.replace("4", "g")}-${SPAN}-01` },
  { name: "a space before it", text: ` ${WELL}` },
  { name: "a line after it", text: `${WELL}\n` },
  { name: "two of them", text: `${WELL}, ${WELL}` },
  { name: "a later version without an end", text: `01-${TRACE}-${SPAN}-01-${"a".repeat(1000)}` },
  { name: "a number", text: 1 },
  { name: "a list", text: [WELL] },
  { name: "nothing", text: undefined },
];
for (const { name, text, want } of cases)
  test(`traceparent: ${name} [GTW-45]`, () => assert.deepEqual(readTraceParent(text), want));

test("a mark is written as it is read [GTW-45]", () => {
  assert.equal(traceParentText(PARENT), WELL);
  assert.equal(traceParentText({ ...PARENT, isSampled: false }), `00-${TRACE}-${SPAN}-00`);
});

const OTHER = WELL.replace("4bf", "abc");
const places: readonly {
  readonly name: string;
  readonly meta?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly trace?: string;
  readonly want?: unknown;
}[] = [
  { name: "nothing at all" },
  { name: "_meta", meta: { traceparent: WELL, tracestate: "a=1" }, trace: TRACE },
  {
    name: "_meta before a header",
    meta: { traceparent: WELL },
    headers: { traceparent: OTHER },
    trace: TRACE,
  },
  {
    name: "a header, which is put into _meta with its state",
    meta: { progressToken: 1 },
    headers: { traceparent: WELL, tracestate: "a=1" },
    trace: TRACE,
    want: { progressToken: 1, traceparent: WELL, tracestate: "a=1" },
  },
  {
    name: "a header where _meta has none that can be read, without its state",
    meta: { traceparent: "x", tracestate: "b=2" },
    headers: { traceparent: WELL },
    trace: TRACE,
    want: { traceparent: WELL },
  },
  {
    name: "a state that no header can hold",
    headers: { traceparent: WELL, tracestate: "a".repeat(513) },
    trace: TRACE,
    want: { traceparent: WELL },
  },
  { name: "a header that cannot be read", headers: { traceparent: "x" } },
  { name: "_meta that is no map", meta: "x" },
];
for (const { name, meta, headers, trace, want = meta } of places)
  test(`the trace of a request: ${name} [GTW-45]`, () => {
    const params = { name: "a", ...(meta === undefined ? {} : { _meta: meta }) };
    const found = placed(params, headers);
    assert.equal(found.parent?.traceId, trace);
    assert.deepEqual(found.params, { name: "a", ...(want === undefined ? {} : { _meta: want }) });
  });

test("our mark stands in the place of the one that came; a state goes with its parent [GTW-45]", () => {
  const params = { name: "a", _meta: { traceparent: OTHER, tracestate: "a=1", baggage: "b=2" } };
  const kept = { traceparent: WELL, tracestate: "a=1", baggage: "b=2" };
  assert.deepEqual(marked(params, PARENT, true), { name: "a", _meta: kept });
  assert.deepEqual(marked(params, PARENT, false), {
    name: "a",
    _meta: { baggage: "b=2", traceparent: WELL },
  });
  assert.deepEqual(marked({ name: "a" }, PARENT, false), { name: "a", _meta: { traceparent: WELL } });
});

test("ids are others each time, also after the pool was drawn anew [GTW-44]", () => {
  const drawn = Array.from({ length: 3000 }, () => [newTraceId(), newSpanId()] as const);
  assert.equal(new Set(drawn.flat()).size, 6000);
  for (const [trace, span] of drawn) assert.match(`${trace} ${span}`, /^[0-9a-f]{32} [0-9a-f]{16}$/);
});
