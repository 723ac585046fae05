/** What is suggested from a log: what was called and nothing else, and YAML that says exactly that, whatever names servers choose. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import type { Entry } from "../audit/index.ts";
import { readConfig } from "../core/index.ts";
import { gatewaySchema } from "./config.ts";
import { isServerName } from "./config-words.ts";
import { type Suggestion, suggest, type Today } from "./suggest.ts";
import { suggestionText } from "./suggest-text.ts";

const OBSERVED = { admission: "observe", drift: "observe", description: "observe", trigger: "observe" };
const FACTS = {
  admission: "refused",
  grade: null,
  hasDrifted: false,
  isPinned: false,
  isReadOnly: true,
  isTwice: false,
  list: "any",
  mode: "spec",
  modes: OBSERVED,
  why: "nothing vouches for it",
};
const graded = { admission: "admitted", grade: "A", isPinned: true };
const DATA = { crossing: "none", flow_mode: "observe", flows: [], trigger: "USER" };

const at = (n: number): string => new Date(Date.UTC(2026, 10, 15, 10, 0, n)).toISOString();
const idOf = (n: number): string => `d-000000000000-${String(n).padStart(4, "0")}`;

/** Entries as the log has them, numbered in their order. */
function logOf(...parts: readonly Partial<Entry>[]): Entry[] {
  return parts.map((part, n) => ({
    actor: "agent",
    at: at(n),
    data: {},
    id: idOf(n),
    n,
    outcome: "allowed",
    prev: "0".repeat(64),
    server: null,
    tool: null,
    type: "decision",
    ...part,
  }));
}

interface Called {
  readonly facts?: object;
  readonly data?: object;
  readonly outcome?: "allowed" | "denied";
}
const call = (server: string, tool: string, { facts, data, outcome = "allowed" }: Called = {}) => ({
  server,
  tool,
  outcome,
  data: { ...DATA, facts: { ...FACTS, ...facts }, ...data },
});
/** What came back of the call with this number, and nobody got it. */
const kept = (n: number, data: object): Partial<Entry> => ({
  type: "label",
  outcome: "denied",
  data: { decision: idOf(n), how: "result", ...data },
});
const flow = (server: string, tool: string, kind = "verbatim") => ({ server, tool, kind, chars: 40 });
const carrying = (...flows: object[]): Called => ({ data: { crossing: "whole", flows } });

const today = (
  servers: Readonly<
    Record<string, Partial<Today["servers"] extends ReadonlyMap<string, infer S> ? S : never>>
  >,
  more: Partial<Today> = {},
): Today => ({
  servers: new Map(
    Object.entries(servers).map(([name, said]) => [
      name,
      { label: null, isBelieved: false, tools: [], ...said },
    ]),
  ),
  allowedFlows: [],
  sanitizers: [],
  modes: OBSERVED,
  ...more,
});

const toolsOf = ({ servers }: Suggestion): Record<string, string[]> =>
  Object.fromEntries(servers.map(({ name, tools }) => [name, tools.map((tool) => tool.name)]));
const leftOf = ({ leftOut }: Suggestion): string[] =>
  leftOut.map(({ server, tool, why, seen }) => `${server} ${tool}: ${why} (${seen?.calls ?? 0})`);
const pairsOf = ({ flows }: Suggestion): string[] => flows.map(({ from, to }) => `${from} to ${to}`);
const triedOf = ({ tried }: Suggestion): string[] =>
  tried.map(({ kind, rule, server, tool, calls }) => `${kind} ${rule} ${server} ${tool} ${calls}`);

test("tools that were called and let through, sorted, with how often and when [GTW-34]", () => {
  const log = logOf(call("web", "b"), call("web", "a"), call("files", "read"), call("web", "b"));
  const suggestion = suggest(log);
  assert.deepEqual(toolsOf(suggestion), { files: ["read"], web: ["a", "b"] });
  assert.deepEqual(suggestion.servers[1]?.tools[1], {
    name: "b",
    calls: 2,
    first: at(0),
    last: at(3),
    example: idOf(3),
  });
  assert.deepEqual(suggestion.seen, { calls: 4, first: at(0), last: at(3), example: idOf(3) });
});

const leaving: readonly (readonly [
  name: string,
  log: readonly Partial<Entry>[],
  tools: Record<string, string[]>,
  left: string[],
  today?: Today,
])[] = [
  [
    "a call that was denied",
    [call("web", "a"), call("web", "rm", { outcome: "denied", data: { rule: "allowed-tools" } })],
    { web: ["a"] },
    ["web rm: denied by allowed-tools (1)"],
  ],
  [
    "a tool that drifted",
    [call("web", "a"), { type: "drift", outcome: "denied", server: "web", tool: "a" }],
    { web: [] },
    ["web a: it is not the tool that was attested or locked (1)"],
  ],
  [
    "a drifted tool that was called while drift was only observed",
    [call("web", "a"), call("web", "a", { facts: { hasDrifted: true } })],
    { web: [] },
    ["web a: it is not the tool that was attested or locked (2)"],
  ],
  [
    "but not one that was looked at again since",
    [{ type: "drift", outcome: "denied", server: "web", tool: "a" }, call("web", "a")],
    { web: ["a"] },
    [],
  ],
  [
    "a tool that its server lists twice",
    [
      call("web", "a"),
      { type: "finding", outcome: "denied", server: "web", tool: "a", data: { rule: "listed-twice" } },
    ],
    { web: [] },
    ["web a: its server lists it more than once (1)"],
  ],
  [
    "a name that no server has",
    [call("web", "a"), { outcome: "denied", data: { rule: "unknown-tool", tool: "web__x" } }],
    { web: ["a"] },
    ["null web__x: denied by unknown-tool (1)"],
  ],
  [
    "a name that the log has cut",
    [call("web", `${"x".repeat(512)}… (600 characters, sha256 0)`), call("web", "y".repeat(512))],
    { web: ["y".repeat(512)] },
    [`web ${"x".repeat(512)}… (600 characters, sha256 0): the log does not hold its whole name (1)`],
  ],
  [
    "a server that is not in the file",
    [call("web", "a"), call("gone", "b")],
    { web: ["a"] },
    ["gone null: it is not in the file (1)"],
    today({ web: {} }),
  ],
  [
    "a server that the file could not have",
    [call("web", "a"), call("a__b", "b"), call("constructor", "c")],
    { web: ["a"] },
    ["a__b null: no server can be called so (1)", "constructor null: no server can be called so (1)"],
  ],
  [
    "what is listed or locked and was never called",
    [call("web", "a")],
    { files: [], web: ["a"] },
    ["files read: listed or locked, and never called (0)", "web b: listed or locked, and never called (0)"],
    today({ web: { tools: ["b", "a", "b"] }, files: { tools: ["read"] } }),
  ],
];
for (const [name, log, tools, left, file] of leaving)
  test(`left out and told: ${name} [GTW-34]`, () => {
    const suggestion = suggest(logOf(...log), file);
    assert.deepEqual(toolsOf(suggestion), tools);
    assert.deepEqual(leftOf(suggestion), left);
  });

const ORDERS = {
  output_mode: "block",
  seen: [
    { rule: "SCAN-08", severity: "fail", where: "content[0]", message: "it gives orders" },
    { rule: "SCAN-02", severity: "warn", where: "content[0]", message: "odd letters" },
  ],
};
const TOO_MUCH = { limit: { fail: "closed", reason: "the result has 900 bytes, more than 100" } };
const keeping: readonly (readonly [
  name: string,
  log: readonly Partial<Entry>[],
  tools: Record<string, string[]>,
  left: string[],
])[] = [
  [
    "it gives orders",
    [call("web", "a"), kept(0, ORDERS), call("web", "b")],
    { web: ["b"] },
    ["web a: denied by output: the answer gives orders to the agent or hides text (SCAN-08) (1)"],
  ],
  [
    "it is too long",
    [call("web", "a"), kept(0, TOO_MUCH)],
    { web: [] },
    ["web a: denied by limits: the result has 900 bytes, more than 100 (1)"],
  ],
  [
    "it cannot be read",
    [call("web", "a"), kept(0, { rule: "unreadable", reason: "the answer is nested too deeply" })],
    { web: [] },
    ["web a: denied by unreadable: the answer is nested too deeply (1)"],
  ],
  [
    "it gives orders, and exceeds a limit that stops nothing",
    [call("web", "a"), kept(0, { ...ORDERS, limit: { fail: "open", reason: "it took 9 s, more than 1 s" } })],
    { web: [] },
    ["web a: denied by output: the answer gives orders to the agent or hides text (SCAN-08) (1)"],
  ],
  [
    "one of several, in whatever order they come",
    [call("web", "a"), call("web", "a"), kept(1, TOO_MUCH), { ...kept(0, {}), outcome: "allowed" }],
    { web: ["a"] },
    ["web a: denied by limits: the result has 900 bytes, more than 100 (1)"],
  ],
  [
    "of other sizes each time: told once, as it was last",
    [
      call("web", "a"),
      kept(0, { limit: { fail: "closed", reason: "the result has 700 bytes, more than 100" } }),
      call("web", "a"),
      kept(2, TOO_MUCH),
      call("web", "a", { outcome: "denied", data: { rule: "limits" } }),
    ],
    { web: [] },
    ["web a: denied by limits (1)", "web a: denied by limits: the result has 900 bytes, more than 100 (2)"],
  ],
  [
    "of a resource",
    [{ server: "web", data: { resource: "file:///a" } }, kept(0, ORDERS)],
    { web: [] },
    ["web file:///a: denied by output: the answer gives orders to the agent or hides text (SCAN-08) (1)"],
  ],
];
for (const [name, log, tools, left] of keeping)
  test(`an answer that was kept back is a denied call: ${name} [GTW-34]`, () => {
    const suggestion = suggest(logOf(...log));
    assert.deepEqual(toolsOf(suggestion), tools);
    assert.deepEqual(leftOf(suggestion), left);
    assert.equal(suggestion.seen.calls, Object.values(tools).flat().length);
    const notes = suggestion.servers.flatMap((server) => server.notes);
    assert.equal(
      notes.some((note) => /resources/.test(note)),
      false,
    );
  });

test("of calls whose answers were kept back no flow is taken, and none is counted as let through [GTW-34]", () => {
  const suggestion = suggest(
    logOf(
      call("web", "read", { facts: graded }),
      call("mail", "send", { facts: graded, ...carrying(flow("web", "read")) }),
      kept(1, ORDERS),
    ),
  );
  assert.deepEqual([pairsOf(suggestion), triedOf(suggestion)], [[], ["allow  web read 1"]]);
  assert.match(suggestionText(suggestion, []), /^# With it 1 of these calls would be let through/m);
});

test("calls are told in the order in which they were made, not answered", () => {
  const answer = (n: number) => ({ ...kept(n, {}), outcome: "allowed" as const });
  const { servers } = suggest(logOf(call("web", "a"), call("web", "a"), answer(1), answer(0)));
  assert.deepEqual(servers[0]?.tools, [{ name: "a", calls: 2, first: at(0), last: at(1), example: idOf(1) }]);
});

test("what somebody is asked about is no denied call: what comes of it has an entry of its own [GTW-34]", () => {
  const asked = { ...call("web", "a"), outcome: "deferred" as const };
  const { seen, leftOut } = suggest(logOf(asked, call("web", "a")));
  assert.deepEqual([seen.calls, leftOut], [1, []]);
});

const flowing: readonly (readonly [
  name: string,
  log: readonly Partial<Entry>[],
  pairs: string[],
  left: string[],
  today?: Today,
])[] = [
  [
    "a value as it is",
    [
      call("web", "read"),
      call("mail", "send", carrying(flow("web", "read"), flow("web", "list", "contained"))),
    ],
    ["web to mail"],
    [],
  ],
  ["one of its own server", [call("web", "post", carrying(flow("web", "read")))], [], []],
  [
    "one of a call that was denied",
    [call("mail", "send", { ...carrying(flow("web", "read")), outcome: "denied" })],
    [],
    [],
  ],
  [
    "an encoded one, beside others",
    [
      call("web", "read"),
      call("mail", "send", carrying(flow("web", "read"), flow("web", "read", "encoded"))),
    ],
    [],
    ["web to mail: a value came over encoded: look at it before you allow this"],
  ],
  [
    "parts alone",
    [
      call("web", "read"),
      call("mail", "send", { data: { crossing: "part", flows: [flow("web", "read", "partial")] } }),
    ],
    [],
    ["web to mail: only parts of values came over, which flow: ask tells of and lets through"],
  ],
  [
    "from a server that is gone",
    [call("mail", "send", carrying(flow("web", "read")))],
    [],
    ["web to mail: one of them is no server of the file"],
    today({ mail: {} }),
  ],
  [
    "one that is allowed and was never seen",
    [call("mail", "send")],
    [],
    ["mail to web: allowed today, and never seen"],
    today({ mail: {}, web: {} }, { allowedFlows: [{ from: "mail", to: "web" }] }),
  ],
];
for (const [name, log, pairs, left, file] of flowing)
  test(`flows: ${name} [GTW-34]`, () => {
    const suggestion = suggest(logOf(...log), file);
    assert.deepEqual(pairsOf(suggestion), pairs);
    assert.deepEqual(
      suggestion.flowsLeftOut.map(({ from, to, why }) => `${from} to ${to}: ${why}`),
      left,
    );
  });

test("a flow is counted by values and by calls, with its ways and kinds [GTW-34]", () => {
  const { flows } = suggest(
    logOf(
      call("web", "read"),
      call("mail", "send", carrying(flow("web", "read"), flow("web", "list", "contained"))),
      call("mail", "draft", carrying(flow("web", "read"))),
    ),
  );
  assert.deepEqual(flows, [
    {
      from: "web",
      to: "mail",
      values: 3,
      kinds: ["contained", "verbatim"],
      ways: [
        ["list", "send"],
        ["read", "draft"],
        ["read", "send"],
      ],
      calls: 2,
      first: at(1),
      last: at(2),
      example: idOf(2),
    },
  ]);
});

const writes = { isReadOnly: false };
const trying: readonly (readonly [
  name: string,
  log: readonly Partial<Entry>[],
  tried: string[],
  today?: Today,
])[] = [
  ["without a grade: warned of", [call("web", "a"), call("web", "a")], ["warn admission web a 2"]],
  ["with grade A", [call("web", "a", { facts: graded })], ["allow  web a 1"]],
  [
    "grade B, and it writes",
    [call("web", "a", { facts: { ...graded, ...writes, grade: "B" } })],
    ["ask grade web a 1"],
  ],
  [
    "a value of a server led to it",
    [call("web", "a", { facts: { ...graded, ...writes }, data: { trigger: "NONE" } })],
    ["deny trigger web a 1"],
  ],
  [
    "a flow that is in it",
    [
      call("web", "r", { facts: graded }),
      call("mail", "s", { facts: graded, ...carrying(flow("web", "r")) }),
    ],
    ["allow  mail s 1", "allow  web r 1"],
  ],
  [
    "a flow that is not",
    [
      call("web", "r", { facts: graded }),
      call("mail", "s", { facts: graded, ...carrying(flow("web", "r", "encoded")) }),
    ],
    ["allow  web r 1", "ask SEC-060 mail s 1"],
  ],
  [
    "a flow in parts",
    [
      call("web", "r", { facts: graded }),
      call("mail", "s", { facts: graded, ...carrying(flow("web", "r", "partial")) }),
    ],
    ["allow  web r 1", "ask SEC-060 mail s 1"],
  ],
  [
    "more flows than an entry holds",
    [
      call("web", "r", { facts: graded }),
      call("mail", "s", { facts: graded, ...carrying(...Array.from({ length: 8 }, () => flow("web", "r"))) }),
    ],
    ["allow  web r 1", "ask SEC-060 mail s 1"],
  ],
  [
    "a pair that opens nothing without a sanitizer",
    [
      call("web", "r", { facts: graded }),
      call("mail", "s", { facts: graded, ...carrying(flow("web", "r")) }),
    ],
    ["allow  web r 1", "ask SEC-060 mail s 1"],
    today({ web: {}, mail: {} }, { sanitizers: ["clean"] }),
  ],
  [
    "a tool that drifted",
    [call("web", "a", { facts: { ...graded, hasDrifted: true } })],
    ["deny allowed-tools web a 1"],
  ],
  [
    "an entry that does not hold what it was made of",
    [{ ...call("web", "a"), data: {} }],
    ["unknown  web a 1"],
  ],
];
for (const [name, log, tried, file] of trying)
  test(`what it would have said: ${name} [GTW-34]`, () =>
    assert.deepEqual(triedOf(suggest(logOf(...log), file)), tried));

test("admission is enforced where every server that was called has a grade [GTW-34]", () => {
  const good = [call("web", "a", { facts: graded }), call("mail", "a", { facts: { ...graded, grade: "C" } })];
  assert.equal(suggest(logOf(...good)).admission, "enforce");
  const bad = suggest(logOf(...good, call("files", "a", { facts: { ...graded, grade: null } })));
  assert.deepEqual([bad.admission, bad.ungraded], ["warn", ["files"]]);
});

test("a server that is taken as it was locked, exempted or cleared needs no grade [GTW-34]", () => {
  const log = logOf(
    call("web", "a", { facts: { admission: "locked", isPinned: true } }),
    call("files", "a", { facts: { admission: "exempted" } }),
    call("mail", "a", { facts: { admission: "admitted", clearance: "internal" } }),
  );
  const { admission, ungraded } = suggest(log);
  assert.deepEqual([admission, ungraded], ["enforce", []]);
});

const modesToday: readonly (readonly [
  name: string,
  modes: Record<string, string>,
  suggested: Record<string, string>,
])[] = [
  ["answers that are kept back", { output: "block" }, { output: "block" }],
  ["answers that are cleaned", { output: "redact" }, { output: "redact" }],
  ["clients that are refused", { claims: "refuse" }, { claims: "refuse" }],
  ["both", { output: "block", claims: "refuse" }, { output: "block", claims: "refuse" }],
  ["as it is by default", { output: "annotate", claims: "strip" }, {}],
  ["what only watched is as by default", { output: "observe" }, { output: "annotate" }],
  ["flows that are denied", { flow: "strict" }, { flow: "strict" }],
  ["flows that were only watched", { flow: "observe" }, {}],
  ["servers that are refused", { admission: "enforce" }, { admission: "enforce" }],
];
for (const [name, modes, suggested] of modesToday)
  test(`no mode becomes weaker than it is in the file: ${name} [GTW-34]`, () => {
    const file = today({ web: {} }, { modes: { ...OBSERVED, ...modes } });
    const text = suggestionText(suggest(logOf(call("web", "a")), file), []);
    const enforced = { drift: "enforce", description: "enforce", trigger: "enforce" };
    assert.deepEqual((parse(text) as { modes: object }).modes, {
      admission: "warn",
      ...enforced,
      flow: "ask",
      ...suggested,
    });
  });

test("calls are tried on the modes that stay [GTW-34]", () => {
  const log = logOf(call("web", "a"), call("mail", "s", carrying(flow("web", "r", "encoded"))));
  const modes = { ...OBSERVED, admission: "enforce", flow: "strict" };
  const file = today({ web: {}, mail: {} }, { modes });
  assert.deepEqual(triedOf(suggest(log, file)), ["deny admission mail s 1", "deny admission web a 1"]);
  const { tried } = suggest(
    logOf(
      call("web", "a", { facts: graded }),
      call("mail", "s", { facts: graded, ...carrying(flow("web", "r", "encoded")) }),
    ),
    file,
  );
  assert.deepEqual(
    tried.map(({ kind, tool }) => `${kind} ${tool}`),
    ["allow a", "deny s"],
  );
});

test("calls that were decided with controls on are counted", () => {
  const modes = { ...OBSERVED, trigger: "enforce" };
  const log = logOf(
    call("a", "x"),
    call("a", "x", { facts: { modes } }),
    call("a", "x", { data: { flow_mode: "ask" } }),
  );
  assert.equal(suggest(log).guarded, 2);
});

test("the policy as YAML, with what a person needs to decide [GTW-35]", () => {
  const log = logOf(
    { type: "admission", server: "web", data: { tools: 3 } },
    call("web", "read"),
    call("mail", "send", {
      facts: writes,
      ...carrying(flow("web", "read")),
      data: { crossing: "whole", flows: [flow("web", "read")], trigger: "NONE" },
    }),
    { server: "web", data: { resource: "file:///a" } },
    call("web", "rm", { outcome: "denied", data: { rule: "allowed-tools" } }),
  );
  const file = today(
    { web: { label: 'The "web"' }, mail: { isBelieved: true } },
    {
      modes: { ...OBSERVED, trigger_from: "context", output: "block", claims: "strip" },
    },
  );
  const text = suggestionText(suggest(log, file), ["From a log."]);
  assert.equal(
    text,
    `# From a log.
# Put this in place of policy, modes, mcp_servers and security in touchstone.yml, then: touchstone policy check
# Made of 2 calls, 2026-11-15T10:00:01.000Z to 2026-11-15T10:00:02.000Z, such as d-000000000000-0002. touchstone why ID tells more of each.
# With it 1 of these calls would be let through as they are.
#   denied by trigger: "mail": "send", 1 call, such as d-000000000000-0002

policy: strict

modes:
  # no grade, so that nothing of them could be called with enforce: "mail", "web"
  admission: warn
  drift: enforce
  description: enforce
  # denies calls that were seen, see above; with policy: spec they are asked about
  trigger: enforce
  flow: ask
  output: block
  trigger_from: context

mcp_servers:
  "mail":
    # today it is believed more than this: raise it by hand, where evidence vouches for it
    server_trust: none
    resource_trust: none
    allowed_tools:
      - "send" # 1 call, 2026-11-15T10:00:02.000Z, d-000000000000-0002
  "web":
    # it showed 3 tools, the list has 1
    # its resources were read once: no list limits them
    label: "The \\"web\\""
    server_trust: none
    resource_trust: none
    allowed_tools:
      - "read" # 1 call, 2026-11-15T10:00:01.000Z, d-000000000000-0001

security:
  trust_boundary:
    allowed_flows:
      # 1 value in 1 call, 2026-11-15T10:00:02.000Z, d-000000000000-0002; "read" into "send"; verbatim
      - from: "web"
        to: "mail"

# not in it:
#   "web": "rm", denied by allowed-tools, 1 call, 2026-11-15T10:00:04.000Z, d-000000000000-0004
`,
  );
});

/** What a hostile hand would call a tool. */
const HOSTILE = [
  "a\n  - rm",
  "a\r- rm",
  "a\u2028b",
  "a\u0085b",
  '"\nsecurity: {}',
  "# not a comment",
  "a # b",
  "- x",
  "null",
  "true",
  "1e3",
  "~",
  "*a",
  "&a b",
  "!!str x",
  "${HOME}",
  "a: b",
  "{a: b}",
  "'",
  "\\",
  "\u0000",
  "\u007f",
  "\u202eevil",
  "\ufeff",
  "\uffff",
  "\ud800",
  "аdd",
  "🚀",
  "__proto__",
  "constructor",
  " lead",
  "trail ",
  "…",
];
const anyName = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom("web", "mail", "files"),
);
const anyCall = fc
  .record({
    server: anyName,
    tool: anyName,
    outcome: fc.constantFrom("allowed" as const, "denied" as const),
    flows: fc.array(
      fc.record({ server: anyName, tool: anyName, kind: fc.oneof(fc.constant("verbatim"), anyName) }),
      { maxLength: 3 },
    ),
    rule: anyName,
  })
  .map(({ server, tool, outcome, flows, rule }) =>
    call(server, tool, { outcome, data: { flows, rule, crossing: "whole" } }),
  );

/** The fragment in a file that has the servers it speaks of. */
const placed = (text: string, servers: Iterable<string>): string =>
  `servers: ${JSON.stringify(Object.fromEntries([...servers].map((name) => [name, { command: "node" }])))}\n${text}`;

test("whatever they are called, names are read back as they are, and nothing else is said [GTW-35]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCall, { minLength: 1, maxLength: 8 }),
      fc.array(anyName),
      async (calls, about) => {
        const text = suggestionText(suggest(logOf(...calls)), about);
        const called = new Map<string, Set<string>>();
        for (const { server, tool, outcome } of calls)
          if (isServerName(server)) {
            const tools = called.get(server) ?? new Set();
            called.set(server, tools);
            if (outcome === "allowed" && tool !== "") tools.add(tool);
          }
        const said = parse(text) as Record<string, unknown>;
        assert.deepEqual(Object.keys(said), ["policy", "modes", "mcp_servers", "security"]);
        const entries = Object.entries(said.mcp_servers as Record<string, Record<string, unknown>>);
        assert.deepEqual(
          new Map(entries.map(([name, { allowed_tools }]) => [name, new Set(allowed_tools as string[])])),
          called,
        );
        for (const [, entry] of entries)
          assert.deepEqual(Object.keys(entry), ["server_trust", "resource_trust", "allowed_tools"]);
        const { mcp_servers, security, modes } = await readConfig(
          placed(text, flowServers(called, said)),
          "t.yml",
          gatewaySchema,
        );
        assert.deepEqual(
          [...mcp_servers].map(([name, { allowedTools }]) => [name, new Set(allowedTools)]),
          [...called].sort(([one], [other]) => (one < other ? -1 : 1)),
        );
        for (const { verified, serverTrust, resourceTrust } of mcp_servers.values())
          assert.deepEqual([verified, serverTrust, resourceTrust], [false, "NONE", "NONE"]);
        assert.deepEqual([modes.drift, modes.trigger, modes.flow], ["enforce", "enforce", "ask"]);
        const seen = new Set(
          calls
            .filter(({ outcome }) => outcome === "allowed")
            .flatMap(({ server, data }) =>
              data.flows.map((one) => JSON.stringify([(one as { server: string }).server, server])),
            ),
        );
        for (const { from, to } of security.trust_boundary?.allowed_flows ?? [])
          assert.equal(seen.has(JSON.stringify([from, to])), true);
      },
    ),
    { numRuns: 300 },
  );
});

/** A server may have answered before the log begins. */
function flowServers(called: ReadonlyMap<string, unknown>, said: Record<string, unknown>): Set<string> {
  const { trust_boundary } = said.security as {
    trust_boundary: { allowed_flows: { from: string; to: string }[] };
  };
  return new Set([...called.keys(), ...trust_boundary.allowed_flows.flatMap(({ from, to }) => [from, to])]);
}

test("the same log gives the same text, in whatever order its servers come first [GTW-35]", () => {
  const [one, other] = [call("web", "a"), call("mail", "b")];
  const textOf = (...log: Partial<Entry>[]): string =>
    suggestionText(suggest(logOf(...log)), []).replaceAll(/\d{4}-\S+|d-\S+/g, "");
  assert.equal(textOf(one, other), textOf(other, one));
});

test("many names are counted, not all told", () => {
  const unknown = Array.from({ length: 1200 }, (_, n) => ({
    outcome: "denied" as const,
    data: { rule: "unknown-tool", tool: `t${n}` },
  }));
  const suggestion = suggest(logOf(call("web", "a"), ...unknown));
  assert.equal(suggestion.leftOut.length, 1001);
  assert.equal(
    suggestion.leftOut.reduce((sum, { seen }) => sum + (seen?.calls ?? 0), 0),
    1200,
  );
  assert.match(suggestionText(suggestion, []), /^# {3}and 951 more, all with --json$/m);
});
