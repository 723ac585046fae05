import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Era, eraFromProbe, isRecord, META, MODERN_VERSION, modernParams } from "./era.ts";
import type { Answer, Ending, OutcomeKind } from "./outcome.ts";

const raw = Buffer.alloc(0);
const error = (code: number, data?: unknown, status?: number): Answer => ({
  kind: "error",
  error: { code, message: "", ...(data === undefined ? {} : { data }) },
  withoutId: false,
  raw,
  ...(status === undefined ? {} : { status }),
});
const http = (status: number): Ending => ({ kind: "http", status, raw });

type End = Answer | Ending | { kind: "timed-out"; afterMs: number } | { kind: "cancelled" };
interface Case {
  readonly name: string;
  readonly end: End;
  readonly want: Era | undefined;
}

/** One row at least for every kind: the type makes a new kind a compile error here. */
const table: Record<OutcomeKind, readonly Case[]> = {
  result: [
    {
      name: "a result that names versions is modern",
      end: { kind: "result", result: { supportedVersions: ["2026-07-28"] }, raw },
      want: "modern",
    },
    {
      name: "a result that names capabilities is modern",
      end: { kind: "result", result: { capabilities: {} }, raw },
      want: "modern",
    },
    { name: "an empty result is a legacy answer", end: { kind: "result", result: {}, raw }, want: "legacy" },
    { name: "so is one that is no object", end: { kind: "result", result: null, raw }, want: "legacy" },
    {
      name: "so is an answer to another question",
      end: { kind: "result", result: { content: [], supportedVersions: "2026-07-28" }, raw },
      want: "legacy",
    },
  ],
  "input-required": [
    {
      name: "asking for input is modern",
      end: { kind: "input-required", result: { resultType: "input_required" }, raw },
      want: "modern",
    },
  ],
  error: [
    { name: "unknown method is a legacy answer", end: error(-32601), want: "legacy" },
    { name: "not initialized is a legacy answer", end: error(-32000), want: "legacy" },
    { name: "bad params are a legacy answer", end: error(-32602), want: "legacy" },
    { name: "an internal error is a legacy answer", end: error(-32603), want: "legacy" },
    { name: "code 0 is a legacy answer", end: error(0), want: "legacy" },
    { name: "a header mismatch is modern", end: error(-32020), want: "modern" },
    { name: "a missing claim is modern", end: error(-32021), want: "modern" },
    { name: "an unsupported version is modern", end: error(-32022), want: "modern" },
    { name: "-32023 is no modern code", end: error(-32023), want: "legacy" },
    {
      name: "an unsupported version that lists a modern one is modern",
      end: error(-32022, { supported: ["2025-11-25", "2026-07-28"] }),
      want: "modern",
    },
    {
      name: "a later version than ours is modern too",
      end: error(-32022, { supported: ["2027-01-01"] }),
      want: "modern",
    },
    {
      name: "an unsupported version that lists only legacy ones is legacy",
      end: error(-32022, { supported: ["2025-11-25", "2025-06-18"] }),
      want: "legacy",
    },
    { name: "an empty list says nothing against it", end: error(-32022, { supported: [] }), want: "modern" },
    {
      name: "a list that is none says nothing against it",
      end: error(-32022, { supported: "x" }),
      want: "modern",
    },
    {
      name: "versions that are no text do not count",
      end: error(-32022, { supported: [1, null] }),
      want: "legacy",
    },
    { name: "an error with HTTP 200 is an answer", end: error(-32601, undefined, 200), want: "legacy" },
    { name: "an error with HTTP 400 is an answer", end: error(-32000, undefined, 400), want: "legacy" },
    { name: "a modern error with HTTP 400 is modern", end: error(-32020, undefined, 400), want: "modern" },
    { name: "an error with HTTP 401 says nothing", end: error(-32000, undefined, 401), want: undefined },
    { name: "an error with HTTP 403 says nothing", end: error(-32601, undefined, 403), want: undefined },
    { name: "an error with HTTP 307 says nothing", end: error(-32601, undefined, 307), want: undefined },
    { name: "an error with HTTP 500 says nothing", end: error(-32603, undefined, 500), want: undefined },
    {
      name: "a modern error with HTTP 503 says nothing",
      end: error(-32022, undefined, 503),
      want: undefined,
    },
  ],
  http: [
    { name: "HTTP 403 says nothing", end: http(403), want: undefined },
    { name: "HTTP 401 says nothing", end: http(401), want: undefined },
    { name: "HTTP 400 is a legacy server", end: http(400), want: "legacy" },
    { name: "HTTP 404 is a legacy server", end: http(404), want: "legacy" },
    { name: "HTTP 405 is a legacy server", end: http(405), want: "legacy" },
    { name: "HTTP 499 is a legacy server", end: http(499), want: "legacy" },
    { name: "HTTP 200 without a message says nothing", end: http(200), want: undefined },
    { name: "a redirect says nothing", end: http(307), want: undefined },
    { name: "HTTP 399 says nothing", end: http(399), want: undefined },
    { name: "a server fault says nothing", end: http(500), want: undefined },
    { name: "HTTP 503 says nothing", end: http(503), want: undefined },
  ],
  "timed-out": [{ name: "silence is legacy", end: { kind: "timed-out", afterMs: 1 }, want: "legacy" }],
  malformed: [
    { name: "a broken answer is legacy", end: { kind: "malformed", fault: "not-json", raw }, want: "legacy" },
  ],
  closed: [{ name: "leaving is legacy", end: { kind: "closed", reason: "" }, want: "legacy" }],
  crashed: [
    { name: "crashing is legacy", end: { kind: "crashed", exit: { code: 1, signal: null } }, want: "legacy" },
  ],
  unreachable: [
    { name: "an unreachable server says nothing", end: { kind: "unreachable", reason: "" }, want: undefined },
  ],
  unauthorized: [
    {
      name: "a server that wants authentication says nothing",
      end: { kind: "unauthorized", status: 401, challenge: "", raw },
      want: undefined,
    },
  ],
  oversized: [
    {
      name: "too long an answer says nothing",
      end: { kind: "oversized", bytes: 2, limit: 1, raw },
      want: undefined,
    },
  ],
  flooded: [{ name: "a flood says nothing", end: { kind: "flooded", limit: 1 }, want: undefined }],
  cancelled: [{ name: "our own cancelling says nothing", end: { kind: "cancelled" }, want: undefined }],
};

describe("eraFromProbe [WIR-13]", () => {
  for (const [kind, cases] of Object.entries(table))
    for (const c of cases)
      test(c.name, () => {
        assert.equal(c.end.kind, kind);
        assert.equal(eraFromProbe({ ...c.end, id: 1, ms: 0 }), c.want);
      });
});

describe("modernParams [WIR-12]", () => {
  const identity = { clientInfo: { name: "c", version: "1" }, claims: { roots: {} } };
  const envelope = {
    [META.version]: MODERN_VERSION,
    [META.clientInfo]: identity.clientInfo,
    [META.claims]: identity.claims,
  };
  const cases = [
    { name: "every request carries the envelope", params: {}, want: { _meta: envelope } },
    {
      name: "the caller's params and _meta members stay",
      params: { name: "t", _meta: { progressToken: 5 } },
      want: { name: "t", _meta: { ...envelope, progressToken: 5 } },
    },
    {
      name: "the caller's version wins",
      params: { _meta: { [META.version]: "1999-01-01" } },
      want: { _meta: { ...envelope, [META.version]: "1999-01-01" } },
    },
    {
      name: "the caller's claims win whole, not member by member",
      params: { _meta: { [META.claims]: { sampling: {} } } },
      want: { _meta: { ...envelope, [META.claims]: { sampling: {} } } },
    },
    {
      name: "the caller can leave a member out by setting it to undefined",
      params: { _meta: { [META.clientInfo]: undefined } },
      want: { _meta: { ...envelope, [META.clientInfo]: undefined } },
    },
    { name: "a _meta that is no object is replaced", params: { _meta: ["x"] }, want: { _meta: envelope } },
    { name: "a _meta of null is replaced", params: { _meta: null }, want: { _meta: envelope } },
  ];
  for (const c of cases)
    test(c.name, () => {
      const before = structuredClone(c.params);
      assert.deepEqual(modernParams(c.params, identity), c.want);
      assert.deepEqual(c.params, before);
    });

  test("the names and the version are the ones of 2026-07-28", () => {
    assert.equal(MODERN_VERSION, "2026-07-28");
    assert.deepEqual(Object.keys(envelope), [
      "io.modelcontextprotocol/protocolVersion",
      "io.modelcontextprotocol/clientInfo",
      "io.modelcontextprotocol/clientCapabilities",
    ]);
  });
});

describe("isRecord", () => {
  const cases = [
    { name: "an object is a record", value: {}, want: true },
    { name: "an object without a prototype is a record", value: Object.create(null), want: true },
    { name: "a list is no record", value: [], want: false },
    { name: "null is no record", value: null, want: false },
    { name: "undefined is no record", value: undefined, want: false },
    { name: "a text is no record", value: "x", want: false },
    { name: "a function is no record", value: () => {}, want: false },
  ];
  for (const c of cases) test(c.name, () => assert.equal(isRecord(c.value), c.want));
});
