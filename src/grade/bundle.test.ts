import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  ADD,
  type CallParts,
  ECHO,
  ENVIRONMENT_KEY,
  egress,
  kit,
  ORDER,
  type RunParts,
  recordingOf,
  START,
  TRACE,
} from "../../test/kit/run.ts";
import { canonicalJson } from "../core/index.ts";
import type { DnsEvent } from "../sandbox/index.ts";
import { type Bundle, bundleOf, bundleText, EVIDENCE_FORMAT, sha256 } from "./bundle.ts";

function bundled(parts: RunParts = {}): Bundle {
  const { events, text } = recordingOf(parts);
  return bundleOf(events, sha256(text));
}

test("a bundle says what was judged, on what, by which method", () => {
  const { text, events } = recordingOf({ later: [{}], exchanges: [{}, { probe: "3.1" }] });
  const bundle = bundleOf(events, sha256(text));
  assert.equal(bundle.schema, EVIDENCE_FORMAT);
  assert.equal(bundle.methodologyVersion, "touchstone-1");
  assert.equal(bundle.grade, "A", bundle.rationale);
  assert.equal(bundle.ranAt, new Date(START).toISOString());
  assert.match(bundle.fingerprint ?? "", /^0x[0-9a-f]{64}$/);
  assert.match(bundle.surfaceDigest ?? "", /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(bundle.recording, { sha256: sha256(text), events: events.length });
  assert.deepEqual(Object.keys(bundle.grades), ["litmus-v5", "touchstone-1"]);
  assert.equal(bundle.grades["litmus-v5"]?.grade, "A");
  assert.match(bundle.disclaimer, /does not say that the server is safe/);
});

test("the letter at the top is that of the method of the run", () => {
  const parts = {
    later: [{ surface: { tools: [{ ...ECHO, title: "New" }] } }],
    exchanges: [{}, { probe: "3.1" }],
  };
  const [theirs, ours] = [bundled({ ...parts, terms: { method: "litmus-v5" } }), bundled(parts)];
  assert.deepEqual([theirs.grade, theirs.methodologyVersion], ["A", "litmus-v5"]);
  assert.deepEqual([ours.grade, ours.methodologyVersion], ["F", "touchstone-1"]);
  assert.deepEqual(theirs.grades, ours.grades);
});

test("the digest of a bundle is that of all its other members", () => {
  const { bundleDigest, ...rest } = bundled();
  assert.equal(bundleDigest, sha256(canonicalJson(rest)));
});

test("a server that was never shown to a plain client has no fingerprint", () => {
  const { fingerprint, surfaceDigest } = bundled({ sights: [{ surface: { claims: "everything" } }] });
  assert.deepEqual([fingerprint, surfaceDigest], [null, null]);
});

test("names that were looked up are told, each once, and whom each session presented", () => {
  const dns = (name: string): DnsEvent => ({
    kind: "dns",
    at: START + 5,
    name,
    type: "A",
    resolver: "10.0.0.1",
    protocol: "udp",
    answer: "none",
    query: "",
  });
  const bareIdentity = { name: "other", version: "2.0.0" };
  const { egress: told, environment } = bundled({
    terms: { bareIdentity },
    sandbox: [dns("b.example"), dns("a.example"), dns("b.example")],
  });
  assert.deepEqual(told.names, ["a.example", "b.example"]);
  assert.deepEqual(environment.identities, {
    none: bareIdentity,
    everything: { name: "mcp-client", version: "1.0.0" },
  });
});

test("hosts are told by who has allowed them, attempts with their verdicts", () => {
  const allowed = [
    { host: "api.example", port: 443, by: "package" },
    { host: "proxy.example", port: 8080, by: "operator" },
  ];
  const { egress: told } = bundled({
    terms: { allowed },
    sandbox: [
      egress({ verdict: "permitted", ending: "forwarded" }),
      egress({ host: "b.example", reason: "not declared" }),
    ],
  });
  assert.deepEqual(told, {
    declared: ["api.example:443"],
    baseline: ["proxy.example:8080"],
    attempts: [
      { place: "api.example:443", verdict: "permitted", ending: "forwarded", bytes: 5 },
      { place: "b.example:443", verdict: "overreach", ending: "reset", bytes: 5, reason: "not declared" },
    ],
    names: [],
  });
});

test("the text of a bundle is JSON with a line feed at its end, without the secret it tells of", () => {
  const text = bundleText(bundled({ exchanges: [{ says: `key ${ENVIRONMENT_KEY.value}` }] }));
  assert.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  assert.ok(text.includes(ENVIRONMENT_KEY.id) && !text.includes(ENVIRONMENT_KEY.value));
});

/** What the tools of a server do, whatever is drawn for the run. */
const BEHAVIOURS = [
  "honest",
  "leaks",
  "orders",
  "refuses",
  "keeps",
  "breaks",
  "traces",
  "ends",
  "silent",
] as const;
type Behaviour = (typeof BEHAVIOURS)[number];

/** The same server in another run: other seed, secrets, times, numbers and order of calls. */
function runOf(behaviours: readonly Behaviour[], seed: string, order: readonly number[]): RunParts {
  const one = kit(seed);
  for (let skipped = 0; skipped < seed.length; skipped++) one.marker();
  const secret = { id: "environment:api-key", value: one.secrets()[0]?.value ?? "", place: "environment" };
  const [mine] = one.secrets().slice(0, 1);
  const says: Readonly<Record<Behaviour, Partial<CallParts>>> = {
    honest: {},
    leaks: { says: `env: ${secret.value}` },
    orders: { says: ORDER },
    refuses: { outcome: "refused", says: "no" },
    keeps: { says: `notes: ${mine?.value}` },
    breaks: { outcome: "error", says: "broken" },
    traces: { outcome: "refused", says: TRACE, probe: "3.1", note: "malformed: nulls" },
    ends: { outcome: "crashed" },
    silent: { outcome: "hung" },
  };
  const tools = behaviours.map((_, index) => ({ ...ECHO, name: `tool${index}` }));
  const calls = behaviours.flatMap((behaviour, index): CallParts[] => [
    { tool: `tool${index}`, probe: "3.1", note: "malformed: nulls" },
    { tool: `tool${index}`, probe: "4.1", note: "secret", canaries: mine ? [mine] : [] },
    { tool: `tool${index}`, ...says[behaviour] },
  ]);
  const shuffled = [...calls.entries()]
    .sort(([a], [b]) => (order[a] ?? 0) - (order[b] ?? 0))
    .map(([, call]) => call);
  return {
    tools,
    later: [{}],
    terms: { seed, canaries: [secret], identity: { name: seed, version: "1" } },
    exchanges: shuffled.map((call, index) => ({
      ...call,
      id: `c${index + 1 + 10 * seed.length}`,
      startedAt: START + 1000 + (10 + seed.length) * index,
      ms: seed.length,
    })),
  };
}

const behaviours = fc.array(fc.constantFrom(...BEHAVIOURS), { minLength: 1, maxLength: 4 });
const orders = fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 });
const seeds = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 9 });

test("two runs of the same server have the same evidence digest, whatever was drawn, timed or numbered", () => {
  fc.assert(
    fc.property(behaviours, fc.tuple(seeds, orders), fc.tuple(seeds, orders), (what, one, other) => {
      const [a, b] = [bundled(runOf(what, ...one)), bundled(runOf(what, ...other))];
      assert.equal(a.evidenceDigest, b.evidenceDigest);
      if (one[0] !== other[0]) assert.notEqual(a.bundleDigest, b.bundleDigest);
    }),
    { numRuns: 40 },
  );
});

const BASE: RunParts = { later: [{}], exchanges: [{}, { probe: "3.1" }] };
const changes: readonly { readonly name: string; readonly parts: RunParts }[] = [
  { name: "another description", parts: { ...BASE, tools: [{ ...ECHO, description: "Other." }] } },
  { name: "another tool", parts: { ...BASE, tools: [ECHO, ADD] } },
  { name: "a finding", parts: { ...BASE, exchanges: [{ says: ORDER }, { probe: "3.1" }] } },
  { name: "a crash", parts: { ...BASE, exchanges: [{}, { probe: "3.1", outcome: "crashed" }] } },
  {
    name: "a tool that no longer succeeds",
    parts: { ...BASE, exchanges: [{ outcome: "refused" }, { probe: "3.1", outcome: "refused" }] },
  },
  { name: "a host that was reached", parts: { ...BASE, sandbox: [egress()] } },
  { name: "no sandbox", parts: { ...BASE, terms: { sandbox: { status: "skipped", reason: "no sandbox" } } } },
  { name: "other batteries", parts: { ...BASE, terms: { batteries: { "litmus-v5/bait": "sha256:00" } } } },
  { name: "another target", parts: { ...BASE, terms: { target: { label: "other", kind: "stdio" } } } },
];
for (const { name, parts } of changes)
  test(`another evidence digest: ${name}`, () =>
    assert.notEqual(bundled(parts).evidenceDigest, bundled(BASE).evidenceDigest));

const same: typeof changes = [
  { name: "another seed", parts: { ...BASE, terms: { seed: "other" } } },
  {
    name: "other words of an honest answer",
    parts: { ...BASE, exchanges: [{ says: "it is 12:01" }, { probe: "3.1" }] },
  },
  { name: "one more call of the same kind", parts: { ...BASE, exchanges: [{}, {}, { probe: "3.1" }] } },
  { name: "a connection that is allowed", parts: { ...BASE, sandbox: [egress({ verdict: "permitted" })] } },
];
for (const { name, parts } of same)
  test(`the same evidence digest: ${name}`, () =>
    assert.equal(bundled(parts).evidenceDigest, bundled(BASE).evidenceDigest));

test("the same evidence digest: another order of tools", () => {
  const [one, other] = [
    [ECHO, ADD],
    [ADD, ECHO],
  ].map((tools) => bundled({ ...BASE, tools }));
  assert.equal(one?.evidenceDigest, other?.evidenceDigest);
});
