import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalText, fitted } from "./canonical.ts";
import { CONTRACT_MANIFEST, contractExport, type ExportedEntry } from "./export.ts";
import type { Outcome } from "./extensions.ts";
import { checkChain, checkManifest, checkRecord } from "./record.ts";

const entry = (members: Partial<ExportedEntry> = {}): ExportedEntry => ({
  actor: "agent-7",
  at: "2026-11-15T10:00:00.000Z",
  data: { rule: "tools" },
  id: "d-4f0c9a1b2e",
  n: 17,
  outcome: "denied",
  server: "mail",
  tool: "send",
  type: "decision",
  hash: "9b".repeat(32),
  ...members,
});
const exported = (members: Partial<ExportedEntry> = {}) => contractExport()(entry(members));
const admitted = (data: ExportedEntry["data"], outcome: Outcome = "allowed") =>
  exported({ type: "admission", tool: null, data, outcome }).extensions["admission-control"];

// Computed by another program.
test("a decision becomes a record with this very hash", () =>
  assert.deepEqual(exported(), {
    event_id: "d-4f0c9a1b2e",
    occurred_at: "2026-11-15T10:00:00.000Z",
    principal_id: "agent-7",
    event_type: "tool_call",
    tool_name: "send",
    outcome: "denied",
    previous_hash: null,
    extensions: {
      "touchstone-decision": {
        entry_id: "d-4f0c9a1b2e",
        entry_number: "17",
        entry_hash: "9b".repeat(32),
        entry_type: "decision",
        server: "mail",
        detail: '{"rule":"tools"}',
      },
    },
    event_hash: "611998a30bd40980ab07150d1c39df43716d877df86edef62b89631e9ef1e438",
  }));

const types: readonly { name: string; members: Partial<ExportedEntry>; want: string }[] = [
  { name: "a decision about a tool is a call", members: { type: "decision" }, want: "tool_call" },
  {
    name: "a decision about no tool is an evaluation",
    members: { type: "decision", tool: null },
    want: "policy_evaluation",
  },
  { name: "an admission is a discovery", members: { type: "admission" }, want: "server_discovery" },
  {
    name: "an admission that is looked at again is a recheck",
    members: { type: "admission", data: { recheck: true } },
    want: "admission_recheck",
  },
  {
    name: "a recheck is not guessed",
    members: { type: "admission", data: { recheck: "yes" } },
    want: "server_discovery",
  },
  { name: "other types keep their names", members: { type: "drift" }, want: "drift" },
];
for (const { name, members, want } of types)
  test(name, () => assert.equal(exported(members).event_type, want, name));

test("whoever is not known is called that, and no tool is null", () => {
  const { extensions, principal_id, tool_name } = exported({ actor: " ", server: null, tool: null });
  assert.deepEqual([principal_id, tool_name], ["unknown", null]);
  assert.equal("server" in (extensions["touchstone-decision"] ?? {}), false, "no server");
  assert.equal(exported({ tool: "" }).tool_name, "", "a tool without a name is not none");
});

const bindings: readonly { outcome: Outcome; want: string | undefined }[] = [
  { outcome: "allowed", want: "admitted" },
  { outcome: "denied", want: "denied" },
  { outcome: "deferred", want: "deferred" },
  { outcome: "error", want: undefined },
];
for (const { outcome, want } of bindings)
  test(`an admission with the outcome ${outcome} carries ${want ?? "no decision"}`, () => {
    const record = exported({ type: "admission", outcome });
    assert.equal(record.extensions["admission-control"]?.clearance_decision, want, outcome);
    assert.equal(checkRecord(record), undefined, "it is conformant");
    for (const other of ["admitted", "denied", "deferred"].filter((decision) => decision !== want)) {
      const forged = {
        ...record,
        extensions: { "admission-control": { server_id: "x", clearance_decision: other } },
      };
      const words = `extensions.admission-control.clearance_decision: "${other}" contradicts the outcome "${outcome}"`;
      assert.equal(checkRecord(forged), words, other);
    }
  });

test("an admission says what it was decided by", () => {
  const data = {
    assertion: "https://mail.example/.well-known/mcp-attestation",
    clearance: "internal",
    root: "home",
    serial: 12,
    tools: ["send", "list"],
  };
  assert.deepEqual(
    exported({ type: "admission", outcome: "allowed", data }).extensions["admission-control"],
    {
      server_id: "mail",
      clearance_decision: "admitted",
      clearance_level: "internal",
      trust_root_id: "home",
      assertion_uri: "https://mail.example/.well-known/mcp-attestation",
      assertion_serial: "12",
      requested_tool: "send",
      tool_allowlist_scope: "list send",
    },
  );
  // What the log cut is an object, and no text any more.
  const cut = { clearance: { chars: 600, sha256: "", text: "" }, root: 1, serial: 1.5, assertion: null };
  assert.deepEqual(admitted(cut), { server_id: "mail", clearance_decision: "admitted" });
});

const scopes: readonly { name: string; tools: unknown; want: string | undefined }[] = [
  { name: "an empty list allows none", tools: [], want: "" },
  { name: "names are in order", tools: ["b", "a.b", "B"], want: "B a.b b" },
  {
    name: "a list with a name without characters is not given, since it would read as none",
    tools: [""],
    want: undefined,
  },
  {
    name: "a list with a space in a name is not given, since it would read as two",
    tools: ["a b"],
    want: undefined,
  },
  { name: "a list with a name that would be changed is not given", tools: ["a\n"], want: undefined },
  {
    name: "a list that would be cut is not given",
    tools: Array.from({ length: 500 }, (_, n) => `tool-${n}-of-many`),
    want: undefined,
  },
  { name: "a text is no list", tools: "send", want: undefined },
  { name: "a list of something else is none of names", tools: ["send", 1], want: undefined },
];
for (const { name, tools, want } of scopes)
  test(name, () => assert.equal(admitted({ tools })?.tool_allowlist_scope, want, name));

/** Made with another canonicaliser, by hand from SEP-2809. */
test("an admission record made elsewhere is conformant", () => {
  const record = {
    event_id: "44444444-4444-4444-4444-444444444444",
    occurred_at: "2026-06-06T12:00:03.000Z",
    principal_id: "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
    event_type: "server_discovery",
    tool_name: null,
    outcome: "denied",
    previous_hash: "d494769c1ae442ea88dd190068747abf63c0568a3b856f85791b1a50a99d48b4",
    extensions: {
      "admission-control": {
        server_id: "urn:omcp:server:weather",
        clearance_decision: "denied",
        clearance_level: "internal",
        trust_root_id: "omcp-demo",
        assertion_uri: "https://tools.example.com/.well-known/mcp-attestation",
        tool_allowlist_scope: "get_forecast list_stations",
      },
    },
    event_hash: "9bef44529d3d7c3c90843b1d555dd19bbfda88099486a124889e6511bf208e27",
  };
  assert.equal(checkRecord(record), undefined, "conformant");
});

test("our own manifest is conformant", () => {
  assert.equal(checkManifest(CONTRACT_MANIFEST), undefined, "ours");
  const reason = checkManifest({ ...CONTRACT_MANIFEST, chain_algorithm: "md5" });
  assert.equal(reason, 'chain_algorithm: want "sha-256", not "md5"', "another algorithm");
  const before = { ...CONTRACT_MANIFEST, canonical_form_version: "gif-audit/2" };
  assert.equal(checkManifest(before), undefined, "the same form under the name it had before");
  const blank = checkManifest({ ...CONTRACT_MANIFEST, storage_mechanism: " " });
  assert.equal(blank, 'storage_mechanism: want text, not " "', "nothing said");
});

/** Every UTF-16 unit, halves of characters among them, and long texts of what is cut badly. */
const piece = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "\u0000",
    "\n",
    "\u0085",
    "\u007f",
    "\ud83d",
    "\udd12",
    "😀",
    "𝅘𝅥𝅮",
    "e\u0301",
    "\u1112\u1161",
    " ",
    '"\\',
  ),
);
const hostile = fc.oneof(
  piece,
  fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join("")),
  fc.tuple(piece, piece).map(([head, body]) => `${head}${(body || "x").repeat(20_000).slice(0, 20_000)}`),
);

test("any text is fitted to one that is its own canonical form", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const fit = fitted(text);
      assert.deepEqual(canonicalText(fit), { text: fit });
      const form = canonicalText(text);
      if ("text" in form) assert.equal(fit, form.text, "a good text stays as it is");
    }),
  );
});

const name = fc.option(hostile);
const entries = fc
  .array(
    fc.record({
      actor: name,
      server: name,
      tool: name,
      outcome: fc.constantFrom<Outcome[]>("allowed", "denied", "deferred", "error"),
      type: fc.oneof(fc.constantFrom("admission", "decision", "drift", "log"), hostile),
      at: fc
        .date({ min: new Date("2000-01-01"), max: new Date("2099-01-01"), noInvalidDate: true })
        .map((date) => date.toISOString()),
      hash: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 }),
      data: fc.dictionary(
        fc.oneof(fc.constantFrom("assertion", "clearance", "recheck", "root", "serial", "tools"), hostile),
        fc.oneof(hostile, fc.array(hostile, { maxLength: 3 }), fc.jsonValue()),
        { maxKeys: 5 },
      ),
    }),
    { maxLength: 5 },
  )
  .map((drafts) => drafts.map((draft, n) => ({ ...draft, n, id: `d-${String(n).padStart(8, "0")}` })));

test("whatever entries say, their records are a conformant chain", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(entries, (all) => {
      const records = all.map(contractExport());
      assert.equal(checkChain(records), undefined, JSON.stringify(checkChain(records)));
      // It stays one when it is written to a file and read again.
      assert.equal(checkChain(JSON.parse(JSON.stringify(records)) as unknown[]), undefined, "read again");
      for (const record of records) {
        const isDecided = record.extensions["admission-control"] !== undefined;
        const { entry_type } = record.extensions["touchstone-decision"] ?? {};
        assert.equal(isDecided, entry_type === "admission" && record.outcome !== "error", "who is bound");
      }
    }),
  );
});

test("a chain that lost, swapped or repeated a record is not conformant", () => {
  const [a, b, c] = [0, 1, 2].map((n) => entry({ n, id: `d-0000000${n}` })).map(contractExport());
  assert.equal(checkChain([a, b, c]), undefined, "whole");
  const broken = { index: 1, reason: "previous_hash: not the hash of the record before" };
  for (const records of [
    [a, c],
    [a, c, b],
    [a, a, b, c],
  ])
    assert.deepEqual(checkChain(records), broken);
  assert.deepEqual(checkChain([b, c])?.index, 0, "without its head");
  assert.deepEqual(checkChain([]), undefined, "an empty one cannot be told from none");
});
