/** What a server shows to two kinds of clients, from the wire up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { capture, captureBoth, surfaceDigest } from "../../src/surface/index.ts";
import { createRecorder, type RecordedEvent } from "../../src/wire/index.ts";
import { example, scripted, target } from "./kit.ts";

const LIMIT = { timeout: 30_000 } as const;
const TOOLS = "{ result: { tools: [{ name: 'a', 'x-note': 1, annotations: { 'x-b': 2 } }, 5, null] } }";

interface Frame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

function tape(): { recorder: ReturnType<typeof createRecorder>; sent: () => Frame[] } {
  const events: RecordedEvent[] = [];
  return {
    recorder: createRecorder((line) => events.push(JSON.parse(line))),
    sent: () =>
      events.flatMap(({ dir, raw }) => (dir === "client->server" && raw ? [JSON.parse(raw) as Frame] : [])),
  };
}

test("every item and member is kept, and nothing but lists is asked for [SUR-4]", LIMIT, async () => {
  const { recorder, sent } = tape();
  const face = "{ instructions: 'be kind', capabilities: { tools: {}, 'x-own': [1] } }";
  const answer = `m.method === "tools/list" ? (m.params.cursor ? { result: { tools: [{ name: "b" }] } } : { result: { ...${TOOLS}.result, nextCursor: "2" } }) : { error: { code: -32601, message: "no" } }`;
  const { surface, unread } = await capture(target(scripted(answer, face)), { recorder });
  assert.deepEqual(surface, {
    era: "legacy",
    protocolVersion: "2025-11-25",
    claims: "none",
    info: { name: "x", version: "1" },
    capabilities: { tools: {}, "x-own": [1] },
    instructions: "be kind",
    tools: [{ name: "a", "x-note": 1, annotations: { "x-b": 2 } }, 5, null, { name: "b" }],
    resources: [],
    resourceTemplates: [],
    prompts: [],
  });
  assert.deepEqual(unread, []);
  assert.deepEqual(
    sent().map(({ method }) => method),
    [
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/list",
      "resources/list",
      "resources/templates/list",
      "prompts/list",
    ],
  );
});

for (const [claims, roots] of [
  ["none", undefined],
  ["everything", { listChanged: true }],
] as const) {
  test(`legacy: a client that claims ${claims} says so when it opens [SUR-5]`, LIMIT, async () => {
    const { recorder, sent } = tape();
    await capture(target(scripted(TOOLS)), { claims, recorder });
    const capabilities = sent()[0]?.params?.capabilities as Record<string, unknown>;
    assert.deepEqual(capabilities.roots, roots);
    assert.equal(Object.keys(capabilities).length, claims === "none" ? 0 : 5);
  });
}

test("modern: the claims are in every request [SUR-5]", LIMIT, async () => {
  const { recorder, sent } = tape();
  const { surface } = await capture(target(example("hostile-for-capable-clients"), { era: "modern" }), {
    claims: "everything",
    recorder,
  });
  assert.deepEqual([surface.era, surface.protocolVersion, surface.tools.length], ["modern", "2026-07-28", 2]);
  for (const { params } of sent()) {
    const meta = params?._meta as Record<string, Record<string, unknown>>;
    assert.deepEqual(meta["io.modelcontextprotocol/clientCapabilities"]?.elicitation, { form: {}, url: {} });
  }
});

const questions = [
  {
    name: "before it has answered the opening",
    start: "send({ id: 'q', method: 'roots/list' });",
    when: "true",
  },
  {
    name: "when it is told that we are ready",
    start: "",
    when: "m.method !== 'notifications/initialized' || send({ id: 'q', method: 'roots/list' })",
  },
];
for (const { name, start, when } of questions)
  test(`a server that asks for roots ${name} gets a refusal and goes on [SUR-5]`, LIMIT, async () => {
    const { recorder, sent } = tape();
    // It answers no list until its own question was answered.
    const answer = `${when}, m.id === "q" && (globalThis.heard = true, globalThis.held && send({ id: globalThis.held, ...${TOOLS} })), m.method?.endsWith("/list") ? (globalThis.heard ? ${TOOLS} : void (globalThis.held = m.id)) : undefined`;
    const { surface } = await capture(target(scripted(answer, "{}", start)), {
      claims: "everything",
      recorder,
    });
    assert.equal(surface.tools.length, 3);
    assert.deepEqual(
      sent().flatMap(({ id, error }) => (id === "q" ? [error?.code] : [])),
      [-32601],
    );
  });

test("a poisoned tool for capable clients only is named by SURF-01 [SUR-6]", LIMIT, async () => {
  const { none, everything, findings } = await captureBoth(target(example("hostile-for-capable-clients")));
  assert.deepEqual([none.surface.tools.length, everything?.surface.tools.length], [1, 2]);
  assert.deepEqual(
    findings.map(({ rule, message }) => `${rule} ${message}`),
    ["SURF-01 tools only for clients that claim everything: look_up_all"],
  );
  assert.notEqual(surfaceDigest(none.surface), surfaceDigest(everything?.surface ?? none.surface));
});

const differing = [
  {
    name: "another description",
    answer: "{ result: { tools: [{ name: 'a', description: claims.sampling ? 'obey' : 'help' }] } }",
    said: "tools with another content: a",
  },
  {
    name: "a tool for clients that can do nothing",
    answer: "{ result: { tools: claims.roots ? [] : [{ name: 'a' }] } }",
    said: "tools only for clients that claim nothing: a",
  },
  {
    name: "other instructions",
    answer: "{ result: { tools: [] } }",
    face: "claims.roots ? { instructions: 'obey' } : {}",
    said: "another instructions",
  },
  { name: "no difference", answer: "{ result: { tools: [{ name: 'a' }] } }", said: undefined },
];
for (const { name, answer, face, said } of differing)
  test(`two kinds of clients: ${name} [SUR-6]`, LIMIT, async () => {
    const only = `m.method === "tools/list" ? ${answer} : { error: { code: -32601, message: "no" } }`;
    const { findings } = await captureBoth(target(scripted(only, face)));
    assert.deepEqual(
      findings.map(({ rule, message }) => `${rule} ${message}`),
      said === undefined ? [] : [`SURF-01 ${said}`],
    );
  });

test("a declared list that is not read is SURF-02, once for both sessions [SUR-6]", LIMIT, async () => {
  const answer = "{ error: { code: m.method === 'tools/list' ? -32000 : -32601, message: 'busy' } }";
  const { findings } = await captureBoth(target(scripted(answer)));
  assert.deepEqual(
    findings.map(({ rule, where }) => `${rule} ${where}`),
    ["SURF-02 server tools/list"],
  );
});

const undeclared = [
  { name: "method not found", answer: "{ error: { code: -32601, message: 'no' } }", found: [] },
  {
    name: "an internal error",
    answer:
      "m.method === 'tools/list' ? { error: { code: -32603, message: 'broken' } } : { error: { code: -32601, message: 'no' } }",
    found: ["SURF-02 server tools/list: tools/list was not read: answered with error -32603: broken"],
  },
  {
    name: "no answer",
    answer: "m.method === 'prompts/list' ? undefined : { error: { code: -32601, message: 'no' } }",
    found: ["SURF-02 server prompts/list: prompts/list was not read: gave no answer in 3000 ms"],
  },
  {
    name: "one page, and then method not found",
    answer:
      "m.method === 'tools/list' && !m.params.cursor ? { result: { tools: [], nextCursor: '2' } } : { error: { code: -32601, message: 'no' } }",
    found: ["SURF-02 server tools/list: tools/list was not read: answered with error -32601: no"],
  },
];
for (const { code, found } of [
  { code: -32601, found: [] },
  {
    code: -32603,
    found: [
      "SURF-02 server resources/templates/list: resources/templates/list was not read: answered with error -32603: no",
    ],
  },
])
  test(`a server with resources answers the list of templates with ${code} [SUR-6]`, LIMIT, async () => {
    const answer = `m.method === "resources/list" ? { result: { resources: [{ uri: "a://b", name: "b" }] } } : { error: { code: m.method === "resources/templates/list" ? ${code} : -32601, message: "no" } }`;
    const { findings, none } = await captureBoth(
      target(scripted(answer, "{ capabilities: { resources: {} } }")),
    );
    assert.deepEqual(
      findings.map(({ rule, where, message }) => `${rule} ${where}: ${message}`),
      found,
    );
    assert.equal(none.surface.resources.length, 1);
  });

for (const { name, answer, found } of undeclared)
  test(`a list that is not declared ends with ${name} [SUR-6]`, LIMIT, async () => {
    const launch = scripted(answer, "{ capabilities: {} }");
    const { findings } = await captureBoth(target(launch, { limits: { timeoutMs: 3_000, stopStepMs: 300 } }));
    assert.deepEqual(
      findings.map(({ rule, where, message }) => `${rule} ${where}: ${message}`),
      found,
    );
  });

/** A server whose tools are `lists[n]` at the nth reading, and that says after each of the first `says` that they changed. */
function changing(lists: string, says: number, more = "undefined"): string {
  return `m.method === "tools/list" ? (globalThis.n = (globalThis.n ?? 0) + 1, setTimeout(() => n <= ${says} && send({ method: "notifications/tools/list_changed" })), (${more}) ?? { result: { tools: (${lists})[Math.min(n, ${lists}.length) - 1] } }) : { error: { code: -32601, message: "no" } }`;
}
const restless = [
  {
    name: "says so and shows another list",
    lists: "[['a'], ['b', 'c']]",
    says: 1,
    tools: ["b", "c"],
    first: ["a"],
    found: ["SURF-04"],
  },
  {
    name: "says so and shows the same",
    lists: "[['a', 'b'], ['b', 'a']]",
    says: 1,
    tools: ["b", "a"],
    found: [],
  },
  { name: "says so each time and shows the same", lists: "[['a']]", says: 99, tools: ["a"], found: [] },
  {
    name: "changes for ever",
    lists: "[['a'], ['b'], ['c']]",
    says: 99,
    tools: ["b"],
    first: ["a"],
    found: ["SURF-04", "SURF-02"],
  },
  { name: "says nothing", lists: "[['a'], ['b']]", says: 0, tools: ["a"], found: [] },
  {
    name: "says so and then gives no list",
    lists: "[['a']]",
    says: 1,
    more: "n > 1 ? { error: { code: 1, message: 'no' } } : undefined",
    tools: ["a"],
    found: ["SURF-02"],
  },
  {
    name: "gives no list until it says so",
    lists: "[[], ['a']]",
    says: 1,
    more: "n === 1 ? { error: { code: 1, message: 'no' } } : undefined",
    tools: ["a"],
    found: [],
  },
];
for (const { name, lists, says, more, tools, first, found } of restless)
  test(`list_changed: a server that ${name} [SUR-21]`, LIMIT, async () => {
    const answer = changing(lists, says, more);
    const launch = scripted(answer, "{ capabilities: { tools: { listChanged: true } } }");
    const { none, findings } = await captureBoth(target(launch));
    assert.deepEqual(none.surface.tools, tools);
    assert.deepEqual(none.replaced["tools/list"]?.items, first);
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      found,
    );
  });

test(
  "resources and prompts that changed are read again too, and nothing else is [SUR-21]",
  LIMIT,
  async () => {
    const { recorder, sent } = tape();
    const answer = `m.method === "prompts/list" && !globalThis.n && (globalThis.n = 1, ["resources", "prompts", "roots"].forEach((x) => send({ method: "notifications/" + x + "/list_changed" }))), { result: { tools: [], resources: [], resourceTemplates: [], prompts: [] } }`;
    await capture(target(scripted(answer)), { recorder });
    assert.deepEqual(
      sent()
        .slice(6)
        .map(({ method }) => method),
      ["resources/list", "resources/templates/list", "prompts/list"],
    );
  },
);

test("a server that turns capable clients away is still seen by the other [SUR-6]", LIMIT, async () => {
  const face = "claims.roots ? process.exit(3) : {}";
  const { none, everything, failure, findings } = await captureBoth(target(scripted(TOOLS, face)));
  assert.equal(none.surface.tools.length, 3);
  assert.deepEqual([everything, failure?.code], [undefined, "WIRE_UNREACHABLE"]);
  assert.match(
    findings.find(({ rule }) => rule === "SURF-01")?.message ?? "",
    /not for one that claims all: server exited with code 3/,
  );
});

test("what no digest takes is still compared and scanned: depth is no way out", LIMIT, async () => {
  const answer = `m.method === "tools/list" ? (process.stdout.write('{"jsonrpc":"2.0","id":' + m.id + ',"result":{"tools":[{"name":"a","x":' + '['.repeat(5000) + ']'.repeat(5000) + '}]}}\\n'), undefined) : { error: { code: -32601, message: "no" } }`;
  const { none, findings } = await captureBoth(target(scripted(answer)));
  assert.equal(none.surface.tools.length, 1);
  assert.deepEqual(findings, []);
  assert.throws(() => surfaceDigest(none.surface), /deeper than 200 levels/);
});
