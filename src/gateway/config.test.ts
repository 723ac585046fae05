/** The file of the gateway: what is written there means one thing, and everything else is refused where it stands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig, TrustError } from "../core/index.ts";
import { FLOW_MODES, type GatewayFile, gatewaySchema } from "./config.ts";
import { GRADES } from "./config-server.ts";

const read = (text: string): Promise<GatewayFile> => readConfig(text, "touchstone.yml", gatewaySchema);

const MINIMAL = "servers:\n  files: { command: node }\n";
const DEFAULTS = {
  limits: { calls: [] },
  listen: "stdio",
  tokens: {},
  policy: "strict",
  questions: { elicitation: "pass", sampling: "refuse", roots: "refuse" },
  modes: {
    admission: "enforce",
    drift: "enforce",
    description: "enforce",
    trigger: "enforce",
    flow: "ask",
    output: "annotate",
    claims: "strip",
    trigger_from: "flow",
  },
  mcp_servers: new Map(),
  security: {},
  audit: { folder: "audit", durability: "written", content: "digest" },
};

test("one server is enough, and everything else is at its strictest [GTW-1]", async () =>
  assert.deepEqual(await read(MINIMAL), {
    ...DEFAULTS,
    servers: { files: { command: "node", sandbox: false, locked: false } },
  }));

const SHA = "0123456789abcdef".repeat(4);
const FULL = `
listen: http://0.0.0.0:8808/mcp
tokens:
  ci: { env: CI_TOKEN, servers: [files], tools: [files__read] }
  dev: { sha256: ${SHA} }
servers:
  files:
    command: node
    args: [server.js, "1.0"]
    cwd: files
    env: { ROOT: /srv }
    sandbox: true
    statement: files.grade.json
    require: { grade: B, methods: [touchstone-1], max_age: 90d }
  web.v2: { url: https://mcp.example/mcp, headers: { X-Team: a }, auth: { bearer_env: WEB }, era: modern, transport: http, locked: true }
  local: { url: http://127.0.0.1:9000/mcp }
root: trust-root.json
policy: spec
modes: { admission: warn, drift: observe, trigger: enforce, flow: strict, trigger_from: context }
questions: { elicitation: refuse, roots: pass }
mcp_servers:
  files: { server_trust: tool, resource_trust: none, verified: true, allowed_tools: [read], label: Files }
  "https://mcp.example/mcp/": { allowed_tools: [] }
security:
  trust_boundary:
    allowed_flows: [{ from: web.v2, to: files }]
    required_sanitizers: [files.clean]
audit: { folder: log, key: log.key, durability: synced, content: content, keep: 12h }
egress: { allow: ["*.example.com:443"] }
limits: { timeout_ms: 1000, max_frame_bytes: 1024, max_messages: 10, max_pages: 5, calls: [{ server: files, tool: read, rate: 60/m, argument_bytes: 5, result_bytes: 6, time: 30s, fail: open }] }
`;
test("every key is read as it is written [GTW-1]", async () =>
  assert.deepEqual(await read(FULL), {
    listen: "http://0.0.0.0:8808/mcp",
    tokens: {
      ci: { env: "CI_TOKEN", servers: ["files"], tools: ["files__read"] },
      dev: { sha256: SHA },
    },
    servers: {
      files: {
        command: "node",
        args: ["server.js", "1.0"],
        cwd: "files",
        env: { ROOT: "/srv" },
        sandbox: true,
        statement: "files.grade.json",
        require: { grade: "B", methods: ["touchstone-1"], max_age: 90 * 86_400_000 },
        locked: false,
      },
      "web.v2": {
        url: "https://mcp.example/mcp",
        headers: { "X-Team": "a" },
        auth: { bearer_env: "WEB" },
        era: "modern",
        transport: "http",
        sandbox: false,
        locked: true,
      },
      local: { url: "http://127.0.0.1:9000/mcp", sandbox: false, locked: false },
    },
    root: "trust-root.json",
    policy: "spec",
    questions: { elicitation: "refuse", sampling: "refuse", roots: "pass" },
    modes: {
      admission: "warn",
      drift: "observe",
      description: "enforce",
      trigger: "enforce",
      flow: "strict",
      output: "annotate",
      claims: "strip",
      trigger_from: "context",
    },
    mcp_servers: new Map([
      [
        "files",
        {
          serverTrust: "TOOL",
          resourceTrust: "NONE",
          verified: true,
          allowedTools: ["read"],
          label: "Files",
        },
      ],
      [
        "https://mcp.example/mcp",
        { serverTrust: "NONE", resourceTrust: "NONE", verified: false, allowedTools: [], label: null },
      ],
    ]),
    security: {
      trust_boundary: {
        allowed_flows: [{ from: "web.v2", to: "files" }],
        required_sanitizers: ["files.clean"],
      },
    },
    audit: { folder: "log", key: "log.key", durability: "synced", content: "content", keep: 12 * 3_600_000 },
    egress: { allow: ["*.example.com:443"] },
    limits: {
      timeout_ms: 1000,
      max_frame_bytes: 1024,
      max_messages: 10,
      max_pages: 5,
      calls: [
        {
          server: "files",
          tool: "read",
          rate: { calls: 60, ms: 60_000 },
          argument_bytes: 5,
          result_bytes: 6,
          time: 30_000,
          fail: "open",
        },
      ],
    },
  }));

test("the words of each mode are these [GTW-1]", () =>
  assert.deepEqual(
    [GRADES, FLOW_MODES].map((words) => words.join(" ")),
    ["A B C D F", "observe ask strict"],
  ));

for (const [word, ms] of [
  ["0s", 0],
  ["45s", 45_000],
  ["30m", 1_800_000],
  ["12h", 43_200_000],
  ["90d", 7_776_000_000],
] as const)
  test(`${word} is ${ms} milliseconds [GTW-1]`, async () =>
    assert.equal((await read(`${MINIMAL}audit: { keep: ${word} }\n`)).audit.keep, ms));

const ofServer = (body: string): string => `servers:\n  files: { ${body} }\n`;
const WANT_WAY = "want exactly one of command and url";
const WANT_NAME = "want letters, digits, - _ and . only, at most 64";
const WANT_TIME = "want a time such as 90d, 12h or 30m";
const WANT_LISTEN = 'want "stdio" or a URL such as http://127.0.0.1:8808/mcp';
const WANT_BOOLEAN = "want true or false, without quotes";

/** What is wrong, where, and how the message begins. */
const unknown: readonly (readonly [name: string, text: string, at: string])[] = [
  ["at the top", `${MINIMAL}sever: {}\n`, '3:1 unknown key "sever", did you mean "servers"?'],
  [
    "at the top, far from all",
    `${MINIMAL}plugins: {}\n`,
    '3:1 unknown key "plugins", known keys: egress, limits, listen, tokens, servers, root, policy, modes, questions, mcp_servers, security, audit',
  ],
  [
    "of a server",
    "servers:\n  files:\n    command: node\n    sandbx: true\n",
    '4:5 unknown key "servers.files.sandbx", did you mean "sandbox"?',
  ],
  [
    "of what is required",
    ofServer("command: node, require: { grad: A }"),
    '2:38 unknown key "servers.files.require.grad", did you mean "grade"?',
  ],
  [
    "of how a server is spoken to",
    ofServer("url: https://a.example, auth: { bearer_env: A, bearer: B }"),
    '2:59 unknown key "servers.files.auth.bearer", known keys: bearer_env',
  ],
  [
    "of a token",
    `${MINIMAL}tokens:\n  ci: { evn: T }\n`,
    '4:9 unknown key "tokens.ci.evn", did you mean "env"?',
  ],
  ["of the modes", `${MINIMAL}modes:\n  flows: ask\n`, '4:3 unknown key "modes.flows", did you mean "flow"?'],
  [
    "of a policy",
    `${MINIMAL}mcp_servers:\n  files: { allowed_tool: [a] }\n`,
    '4:12 unknown key "mcp_servers.files.allowed_tool", did you mean "allowed_tools"?',
  ],
  [
    "under security",
    `${MINIMAL}security:\n  trust_boundry: {}\n`,
    '4:3 unknown key "security.trust_boundry", did you mean "trust_boundary"?',
  ],
  [
    "of the boundary",
    `${MINIMAL}security:\n  trust_boundary:\n    allowed_flow: []\n`,
    '5:5 unknown key "security.trust_boundary.allowed_flow", did you mean "allowed_flows"?',
  ],
  [
    "of a pair",
    `${MINIMAL}security:\n  trust_boundary:\n    allowed_flows:\n      - { from: a, to: b, via: c }\n`,
    '6:27 unknown key "security.trust_boundary.allowed_flows.0.via", known keys: from, to',
  ],
  ["of the log", `${MINIMAL}audit: { keeep: 90d }\n`, '3:10 unknown key "audit.keeep", did you mean "keep"?'],
  [
    "of a limit",
    `${MINIMAL}limits: { calls: [{ rat: 1/s }] }\n`,
    '3:21 unknown key "limits.calls.0.rat", did you mean "rate"?',
  ],
  ["of the limits", `${MINIMAL}limits: { timeout: 5 }\n`, '3:11 unknown key "limits.timeout", '],
  [
    "of a call, for all of them",
    `${MINIMAL}limits:\n  rate: 1/m\n`,
    '4:3 unknown key "limits.rate", it belongs elsewhere: limits.calls[].rate',
  ],
  ["of egress", `${MINIMAL}egress: { alow: [] }\n`, '3:11 unknown key "egress.alow", did you mean "allow"?'],
];
for (const [name, text, at] of unknown)
  test(`an unknown key ${name} is refused [GTW-1]`, () => isRefused(text, "CFG_UNKNOWN_KEY", at));

const twice: readonly (readonly [name: string, text: string, at: string])[] = [
  ["a server", `${MINIMAL}  files: { command: deno }\n`, '3:3 the key "files" stands twice'],
  ["a key of a server", ofServer("command: a, command: b"), '2:24 the key "command" stands twice'],
  ["a key at the top", `${MINIMAL}policy: strict\npolicy: spec\n`, '4:1 the key "policy" stands twice'],
  ["a token", `${MINIMAL}tokens:\n  ci: { env: A }\n  "ci": { env: B }\n`, '5:3 the key "ci" stands twice'],
];
for (const [name, text, at] of twice)
  test(`${name} that stands twice is refused [GTW-1]`, () => isRefused(text, "CFG_DUPLICATE_KEY", at));

const wrong: readonly (readonly [name: string, text: string, at: string, ids?: string])[] = [
  ["an empty file", "", "1:1 servers is missing"],
  ["a list for a file", "- servers\n", "1:1 the file: want a map"],
  ["no servers", "policy: spec\n", "1:1 servers is missing"],
  ["servers without a value", "servers:\n", "1:9 servers: want a map of server names"],
  ["a list of servers", "servers: [files]\n", "1:10 servers: want a map"],
  ["a text for a server", "servers:\n  files: node\n", "2:10 servers.files: want a map"],
  [
    "a quoted boolean for sandbox",
    ofServer('command: a, sandbox: "true"'),
    `2:33 servers.files.sandbox: ${WANT_BOOLEAN}`,
  ],
  ["a number for sandbox", ofServer("command: a, sandbox: 1"), `2:33 servers.files.sandbox: ${WANT_BOOLEAN}`],
  [
    "a word for ungraded",
    ofServer("command: a, locked: true, ungraded: on"),
    `2:48 servers.files.ungraded: ${WANT_BOOLEAN}`,
  ],
  [
    "ungraded without locked",
    ofServer("command: a, ungraded: true"),
    "2:34 servers.files.ungraded: ungraded goes with locked",
  ],
  [
    "ungraded beside a statement",
    ofServer("command: a, locked: true, statement: s.json, ungraded: true"),
    "2:67 servers.files.ungraded: ungraded goes with locked",
  ],
  [
    "a word for variables",
    ofServer("command: a, variables: on"),
    `2:35 servers.files.variables: ${WANT_BOOLEAN}`,
  ],
  ["a number of writers", `${MINIMAL}audit: { writers: 2 }\n`, "3:19 audit.writers: want one or many"],
  ["a word for locked", ofServer("command: a, locked: yes"), `2:32 servers.files.locked: ${WANT_BOOLEAN}`],
  [
    "a quoted boolean for verified",
    `${MINIMAL}mcp_servers:\n  files: { verified: "true" }\n`,
    `4:22 mcp_servers.files.verified: ${WANT_BOOLEAN}`,
  ],
  [
    "a text for a list of tools",
    `${MINIMAL}mcp_servers:\n  files:\n    allowed_tools: search\n`,
    "5:20 mcp_servers.files.allowed_tools: want a list of names",
  ],
  [
    "a list of tools without a value, in strict",
    `${MINIMAL}mcp_servers:\n  files:\n    allowed_tools:\n`,
    "5:19 mcp_servers.files.allowed_tools: want a list of names; [] allows none; in strict, without this key, what was attested or locked is meant",
  ],
  ...[
    ["statement", "command: a, statement: s", "2:35"],
    ["clearance", "url: 'https://a.example/', clearance: c, require: { clearance: x }", "2:50"],
    ["require.clearance", "url: 'https://a.example/', require: { clearance: x }", "2:61"],
    ["exemption", "command: a, exemption: e", "2:35"],
  ].map(([key, entry = "", at]): (typeof wrong)[number] => [
    `${key} where there is no root`,
    ofServer(entry),
    `${at} servers.files.${key}: who may sign one? name a trust root at the top of the file, root: FILE`,
  ]),
  [
    "a text for the servers of a token",
    `${MINIMAL}tokens:\n  ci: { env: T, servers: files }\n`,
    "4:26 tokens.ci.servers: want a list of names",
  ],
  [
    "a text for the tools of a token",
    `${MINIMAL}tokens:\n  ci: { env: T, tools: files__read }\n`,
    "4:24 tokens.ci.tools: want a list of names",
  ],
  [
    "a rate as a number",
    `${MINIMAL}limits: { calls: [{ rate: 60 }] }\n`,
    "3:27 limits.calls.0.rate: want a rate such as 60/m or 5/s",
  ],
  [
    "a rate without a unit",
    `${MINIMAL}limits: { calls: [{ rate: "60" }] }\n`,
    "3:27 limits.calls.0.rate: want a rate such as 60/m or 5/s",
  ],
  ...["0/m", "000000/s"].map((rate): (typeof wrong)[number] => [
    `the rate ${rate}`,
    `${MINIMAL}limits: { calls: [{ rate: ${rate} }] }\n`,
    "3:27 limits.calls.0.rate: want a rate such as 60/m or 5/s",
  ]),
  ...["2147483648", "1e99"].map((ms): (typeof wrong)[number] => [
    `a time limit of ${ms} ms`,
    `${MINIMAL}limits: { timeout_ms: ${ms} }\n`,
    "3:23 limits.timeout_ms: want at most 2147483647",
  ]),
  [
    "a call that may take longer than any timer",
    `${MINIMAL}limits: { calls: [{ time: 25d }] }\n`,
    "3:27 limits.calls.0.time: want at most 24d",
  ],
  [
    "a call that may take no time",
    `${MINIMAL}limits: { calls: [{ time: 0s }] }\n`,
    "3:27 limits.calls.0.time: want at least 1s",
  ],
  [
    "a limit that limits nothing",
    `${MINIMAL}limits: { calls: [{ server: files }] }\n`,
    "3:19 limits.calls.0: want rate, argument_bytes, result_bytes or time",
  ],
  [
    "a limit for a tool of nobody",
    `${MINIMAL}limits: { calls: [{ tool: a, time: 1s }] }\n`,
    "3:27 limits.calls.0.tool: a tool is of a server",
  ],
  [
    "a limit for a server that is not there",
    `${MINIMAL}limits: { calls: [{ server: fils, time: 1s }] }\n`,
    '3:29 limits.calls.0.server: there is no server "fils"',
  ],
  [
    "a limit that fails otherwise",
    `${MINIMAL}limits: { calls: [{ time: 1s, fail: never }] }\n`,
    "3:37 limits.calls.0.fail: want closed or open",
  ],
  [
    "bytes below one",
    `${MINIMAL}limits: { calls: [{ result_bytes: 0 }] }\n`,
    "3:35 limits.calls.0.result_bytes: want at least 1",
  ],
  [
    "one limit without a list",
    `${MINIMAL}limits: { calls: { time: 1s } }\n`,
    "3:18 limits.calls: want a list",
  ],
  [
    "a text for the sanitizers",
    `${MINIMAL}security:\n  trust_boundary:\n    required_sanitizers: clean\n`,
    "5:26 security.trust_boundary.required_sanitizers: want a list of names",
  ],
  [
    "a text for the words of a command",
    ofServer("command: a, args: b"),
    "2:30 servers.files.args: want a list",
  ],
  ["a list for a command", ofServer("command: [node, a]"), "2:21 servers.files.command: want text"],
  [
    "a mode that is misspelt",
    `${MINIMAL}modes: { drift: enforced }\n`,
    "3:17 modes.drift: want one of observe, warn, enforce",
  ],
  [
    "a mode in capitals",
    `${MINIMAL}modes: { drift: Enforce }\n`,
    "3:17 modes.drift: want one of observe, warn, enforce",
  ],
  [
    "off for a mode",
    `${MINIMAL}modes: { admission: off }\n`,
    "3:21 modes.admission: want one of observe, warn, enforce",
  ],
  [
    "a mode without a value",
    `${MINIMAL}modes:\n  trigger:\n`,
    "4:11 modes.trigger: want one of observe, warn, enforce",
  ],
  [
    "a mode of another control",
    `${MINIMAL}modes: { flow: enforce }\n`,
    "3:16 modes.flow: want one of observe, ask, strict",
  ],
  [
    "another source of the trigger",
    `${MINIMAL}modes: { trigger_from: user }\n`,
    "3:24 modes.trigger_from: want flow or context",
  ],
  [
    "a question by another word",
    `${MINIMAL}questions: { sampling: ask }\n`,
    "3:24 questions.sampling: want pass or refuse",
  ],
  ["modes without a value", `${MINIMAL}modes:\n`, "3:7 modes: want a map of controls"],
  ["a policy in capitals", `${MINIMAL}policy: Strict\n`, "3:9 policy: want strict or spec"],
  ["a policy for a server without a body", `${MINIMAL}mcp_servers:\n  files:\n`, "4:9 mcp_servers.files: "],
  ["a root without a value", `${MINIMAL}root:\n`, "3:6 root: want text"],
  [
    "another durability",
    `${MINIMAL}audit: { durability: yes }\n`,
    "3:22 audit.durability: want written or synced",
  ],
  ["another content", `${MINIMAL}audit: { content: none }\n`, "3:19 audit.content: want digest or content"],
  ["a time without a unit", `${MINIMAL}audit: { keep: 90 }\n`, `3:16 audit.keep: ${WANT_TIME}`],
  ["a time in words", `${MINIMAL}audit: { keep: 90 days }\n`, `3:16 audit.keep: ${WANT_TIME}`],
  ["a time below nothing", `${MINIMAL}audit: { keep: -1d }\n`, `3:16 audit.keep: ${WANT_TIME}`],
  ["a time of two parts", `${MINIMAL}audit: { keep: 1d12h }\n`, `3:16 audit.keep: ${WANT_TIME}`],
  [
    "a time in years",
    ofServer("command: a, require: { max_age: 1y }"),
    `2:44 servers.files.require.max_age: ${WANT_TIME}`,
  ],
  [
    "a grade that there is not",
    ofServer("command: a, require: { grade: E }"),
    "2:42 servers.files.require.grade: want one of A, B, C, D, F",
  ],
  [
    "a grade in small letters",
    ofServer("command: a, require: { grade: a }"),
    "2:42 servers.files.require.grade: want one of A, B, C, D, F",
  ],
  [
    "a grade for all that is required",
    ofServer("command: a, require: A"),
    "2:33 servers.files.require: want a map with clearance",
  ],
  [
    "no method at all",
    ofServer("command: a, require: { methods: [] }"),
    "2:44 servers.files.require.methods: name a method",
  ],
  ["a server with a space", "servers:\n  my files: { command: a }\n", `2:3 servers.my files: ${WANT_NAME}`],
  [
    "a server with letters beyond ASCII",
    "servers:\n  größe: { command: a }\n",
    `2:3 servers.größe: ${WANT_NAME}`,
  ],
  ["a server with a slash", "servers:\n  a/b: { command: a }\n", `2:3 servers.a/b: ${WANT_NAME}`],
  ["a server that begins with a dash", "servers:\n  -a: { command: a }\n", `2:3 servers.-a: ${WANT_NAME}`],
  ["a server that begins with a dot", "servers:\n  .a: { command: a }\n", `2:3 servers..a: ${WANT_NAME}`],
  [
    "a server with a name too long",
    `servers:\n  ${"a".repeat(65)}: { command: a }\n`,
    `2:3 servers.${"a".repeat(65)}: ${WANT_NAME}`,
  ],
  [
    "a server with a line in its name",
    'servers:\n  "a\\n": { command: a }\n',
    "2:3 servers.a\n: want letters",
  ],
  ["a server without a name", 'servers:\n  "": { command: a }\n', "2:3 servers.: must not be empty"],
  ["a token with a space", `${MINIMAL}tokens:\n  c i: { env: T }\n`, `4:3 tokens.c i: ${WANT_NAME}`],
  [
    "two policies for one server",
    `${MINIMAL}mcp_servers:\n  "https://a.example/mcp": {}\n  "https://A.example:443/mcp/": {}\n`,
    '5:3 mcp_servers.https://A.example:443/mcp/: this is the same server as "https://a.example/mcp"',
  ],
  [
    "two policies for one server, by a URL with a key in it",
    `${MINIMAL}mcp_servers:\n  "https://a.example/mcp?key=s3cr3t": {}\n  "https://A.example/mcp?key=s3cr3t": {}\n`,
    '5:3 mcp_servers.https://A.example/mcp?…: this is the same server as "https://a.example/mcp?…"',
  ],
  [
    "a wrong value of such a server",
    `${MINIMAL}mcp_servers:\n  "https://a.example/mcp?key=s3cr3t": { verified: "no" }\n`,
    "4:51 mcp_servers.https://a.example/mcp?….verified: want true or false, without quotes",
  ],
  [
    "a command and a URL",
    "servers:\n  files:\n    command: a\n    url: https://a.example/\n",
    `3:5 servers.files: ${WANT_WAY}`,
  ],
  ["neither a command nor a URL", "servers:\n  files: {}\n", `2:10 servers.files: ${WANT_WAY}`],
  [
    "a sandbox for a URL",
    ofServer("url: https://a.example/, sandbox: true"),
    "2:46 servers.files.sandbox: a server at a URL has no sandbox here",
  ],
  [
    "an upstream that is no URL",
    ofServer("url: nonsense"),
    "2:17 servers.files.url: want an http or https URL",
  ],
  [
    "an upstream of another scheme",
    ofServer("url: ftp://a.example/"),
    "2:17 servers.files.url: want an http or https URL",
  ],
  [
    "an upstream with a user",
    ofServer("url: https://me:pw@a.example/"),
    "2:17 servers.files.url: the URL holds a user name or password",
  ],
  [
    "an upstream with a user behind a slash",
    ofServer("url: https:///me:pw@a.example/"),
    "2:17 servers.files.url: ",
  ],
  ["a number to listen to", `listen: 8808\n${MINIMAL}`, `1:9 listen: ${WANT_LISTEN}`],
  ["a word to listen to", `listen: tcp\n${MINIMAL}`, `1:9 listen: ${WANT_LISTEN}`],
  [
    "an address without a scheme to listen to",
    `listen: 127.0.0.1:8808\n${MINIMAL}`,
    `1:9 listen: ${WANT_LISTEN}`,
  ],
  [
    "an https URL to listen to",
    `listen: https://127.0.0.1:8808/mcp\n${MINIMAL}`,
    `1:9 listen: ${WANT_LISTEN}`,
  ],
  [
    "a URL with a user to listen to",
    `listen: http://me@127.0.0.1:8808/\n${MINIMAL}`,
    `1:9 listen: ${WANT_LISTEN}`,
  ],
  [
    "a URL with a query to listen to",
    `listen: http://127.0.0.1:8808/?a=1\n${MINIMAL}`,
    `1:9 listen: ${WANT_LISTEN}`,
  ],
  [
    "a token of a variable and of a digest",
    `${MINIMAL}tokens:\n  ci: { env: T, sha256: ${SHA} }\n`,
    "4:7 tokens.ci: want exactly one of env and sha256",
    "GTW-1, GTW-3",
  ],
  [
    "a token of neither",
    `${MINIMAL}tokens:\n  ci: {}\n`,
    "4:7 tokens.ci: want exactly one of env and sha256",
    "GTW-1, GTW-3",
  ],
  [
    "a token in clear",
    `${MINIMAL}tokens:\n  ci: hunter2\n`,
    "4:7 tokens.ci: want a map with env or sha256",
    "GTW-1, GTW-3",
  ],
  [
    "a digest that is too short",
    `${MINIMAL}tokens:\n  ci: { sha256: abc }\n`,
    "4:17 tokens.ci.sha256: want the SHA-256 of the token",
    "GTW-1, GTW-3",
  ],
  [
    "a digest in capitals",
    `${MINIMAL}tokens:\n  ci: { sha256: ${SHA.toUpperCase()} }\n`,
    "4:17 tokens.ci.sha256: want the SHA-256 of the token",
    "GTW-1, GTW-3",
  ],
  [
    "a token for a server that there is not",
    `${MINIMAL}tokens:\n  ci: { env: T, servers: [files, flies] }\n`,
    '4:34 tokens.ci.servers.1: there is no server "flies" in this file',
    "GTW-1, GTW-3",
  ],
  [
    "a token for a tool of a server that it does not open",
    "servers:\n  files: { command: a }\n  web: { command: b }\ntokens:\n  ci: { env: T, servers: [web], tools: [files__read] }\n",
    '5:41 tokens.ci.tools.0: "files__read" is no tool of a server that this token opens: want SERVER__TOOL',
    "GTW-1, GTW-3",
  ],
  ...["flies__read", "read", "files", "files_read", "__read", "Files__read"].map(
    (tool): (typeof wrong)[number] => [
      `a token for the tool ${tool}`,
      `${MINIMAL}tokens:\n  ci: { env: T, tools: [files__read, ${tool}] }\n`,
      `4:38 tokens.ci.tools.1: "${tool}" is no tool of a server in this file: want SERVER__TOOL`,
      "GTW-1, GTW-3",
    ],
  ),
];
for (const [name, text, at, ids = "GTW-1"] of wrong)
  test(`${name} is refused [${ids}]`, () => isRefused(text, "CFG_BAD_VALUE", at));

test("a name that reaches into every object is refused [GTW-1]", () =>
  isRefused(
    "servers:\n  __proto__: { command: a }\n",
    "CFG_UNKNOWN_KEY",
    '2:3 nothing may be called "__proto__"',
  ));

test("maxAge is another spelling of max_age [GTW-1]", async () => {
  const entry = ofServer("command: a, statement: s, require: { grade: B, maxAge: 12h }");
  const { servers } = await read(`root: root.json\n${entry}`);
  assert.deepEqual(servers.files?.require, { grade: "B", max_age: 43_200_000 });
});

test("trigger: context is trigger_from: context, enforced [GTW-1]", async () => {
  const { modes } = await read(`${MINIMAL}modes: { trigger: context }\n`);
  assert.deepEqual([modes.trigger, modes.trigger_from], ["enforce", "context"]);
});

const spelt: readonly (readonly [name: string, text: string, code: string, at: string, hint: string])[] = [
  [
    "both spellings of an age",
    "servers:\n  a:\n    command: x\n    statement: s\n    require:\n      maxAge: 1d\n      max_age: 1d\n",
    "CFG_BAD_VALUE",
    "6:7 servers.a.require.maxAge: max_age says this already: keep one of the two",
    "correct servers.a.require.maxAge",
  ],
  [
    "both spellings of an age, in JSON",
    '{"servers":{"a":{"command":"x","statement":"s","require":{"max_age":"1d","maxAge":"2d"}}}}',
    "CFG_BAD_VALUE",
    "1:74 servers.a.require.maxAge: max_age says this already",
    "correct servers.a.require.maxAge",
  ],
  [
    "what is wrong with an age by its other spelling",
    ofServer("command: a, statement: s, require: { maxAge: 1y }"),
    "CFG_BAD_VALUE",
    `2:57 servers.files.require.maxAge: ${WANT_TIME}`,
    "give servers.files.require.maxAge a time such as 90d, 12h or 30m",
  ],
  [
    "an age beside what is required",
    ofServer("command: a, maxAge: 1d"),
    "CFG_UNKNOWN_KEY",
    '2:24 unknown key "servers.files.maxAge", it belongs elsewhere: servers.files.require.maxAge',
    "write servers.files.require.maxAge instead",
  ],
  [
    "the trigger said twice",
    `${MINIMAL}modes:\n  trigger_from: flow\n  trigger: context\n`,
    "CFG_BAD_VALUE",
    "5:3 modes.trigger: trigger_from says this already",
    "correct modes.trigger",
  ],
  ...(
    [
      ["under security", `${MINIMAL}security:\n  trigger: context\n`, "4:3", "security.trigger"],
      ["at a server", ofServer("command: a, trigger: context"), "2:24", "servers.files.trigger"],
      ["at the top", `${MINIMAL}trigger: context\n`, "3:1", "trigger"],
      [
        "of a policy",
        `${MINIMAL}mcp_servers: { files: { trigger: context } }\n`,
        "3:25",
        "mcp_servers.files.trigger",
      ],
    ] as const
  ).map(([where, text, at, key]): (typeof spelt)[number] => [
    `the trigger ${where}`,
    text,
    "CFG_UNKNOWN_KEY",
    `${at} unknown key "${key}", it belongs elsewhere: modes.trigger`,
    "write modes.trigger instead",
  ]),
  [
    "a requirement without a statement",
    ofServer("command: a, require: { grade: A }"),
    "CFG_BAD_VALUE",
    "2:33 servers.files.require: it needs a statement to look into",
    "correct servers.files.require",
  ],
  [
    "a clearance for a command",
    ofServer("command: a, require: { clearance: x }"),
    "CFG_BAD_VALUE",
    "2:46 servers.files.require.clearance: a clearance is for a server at a URL",
    "correct servers.files.require.clearance",
  ],
  [
    "a clearance without a level",
    ofServer("url: https://a.example, clearance: x"),
    "CFG_BAD_VALUE",
    "2:47 servers.files.clearance: it needs the level that is wanted",
    "correct servers.files.clearance",
  ],
  [
    "a mode in another form",
    `${MINIMAL}modes: { drift: Enforced }\n`,
    "CFG_BAD_VALUE",
    "3:17 modes.drift: want one of observe, warn, enforce",
    "write modes.drift: enforce",
  ],
];
for (const [name, text, code, at, hint] of spelt)
  test(`${name} is refused, with what to write [GTW-1]`, async () => {
    await isRefused(text, code, at);
    await assert.rejects(read(text), { hint });
  });

const own = ["127.0.0.1:8808", "127.8.9.10", "localhost:8808", "LOCALHOST", "[::1]:8808", "127.1"];
const foreign = [
  "0.0.0.0:8808",
  "[::]:8808",
  "192.168.1.5:8808",
  "mcp.example",
  "localhost.example",
  "127.0.0.1.example",
  "x127.0.0.1.example",
  "128.0.0.1",
  "[::ffff:8.8.8.8]",
];
for (const host of own) {
  test(`${host} is this machine's own, to listen to and for an upstream [GTW-2]`, async () => {
    const { listen, servers } = await read(
      `listen: "http://${host}/mcp"\n${ofServer(`url: "http://${host}/"`)}`,
    );
    assert.equal(listen, `http://${host}/mcp`);
    assert.equal(servers.files?.url, `http://${host}/`);
  });
}
for (const host of foreign) {
  test(`${host} is listened to only with a token [GTW-2]`, async () => {
    const text = `listen: "http://${host}/mcp"\n${MINIMAL}`;
    for (const without of [text, `${text}tokens: {}\n`])
      await assert.rejects(
        read(without),
        (error) =>
          error instanceof TrustError &&
          /^touchstone\.yml:1:9 listen: others than this machine need a token/.test(error.message),
      );
    assert.equal((await read(`${text}tokens: { ci: { env: T } }\n`)).listen, `http://${host}/mcp`);
  });
  test(`an upstream at ${host} is spoken to by https only [GTW-2]`, async () => {
    const want = "2:17 servers.files.url: http is for this machine only: want https";
    await isRefused(ofServer(`url: "http://${host}/mcp"`), "CFG_BAD_VALUE", want);
    const { servers } = await read(ofServer(`url: "https://${host}/mcp"`));
    assert.equal(servers.files?.url, `https://${host}/mcp`);
  });
}

/** With its code, at its place, in the words that follow. */
function isRefused(text: string, code: string, at: string): Promise<void> {
  return assert.rejects(read(text), (error: unknown) => {
    assert.equal(error instanceof TrustError, true, `not a coded error: ${error}`);
    const { code: found, message } = error as TrustError;
    const want = `touchstone.yml:${at}`;
    assert.deepEqual([found, message.slice(0, want.length)], [code, want], message);
    return true;
  });
}

test("a flow between servers that are not there is refused where it stands [GTW-1]", () =>
  assert.rejects(
    readConfig(
      "servers:\n  a: { command: x }\nsecurity:\n  trust_boundary:\n    allowed_flows:\n      - { from: a, to: b }\n",
      "touchstone.yml",
      gatewaySchema,
    ),
    /touchstone\.yml:6:24 security\.trust_boundary\.allowed_flows\.0\.to: there is no server "b" in this file/,
  ));
