/** Conversations and what is found in them. Each case says how many findings, how grave, and what they name. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ask,
  events,
  failure,
  initialize,
  inputRequired,
  type Line,
  legacyResult,
  plain,
  result,
} from "../../test/kit/claims.ts";
import { judgeClaims } from "./judge.ts";

const TARGET = "2026-07-28";
const form = { elicitation: { form: {} } };
const both = { elicitation: { form: {}, url: {} } };
const TASKS = "io.modelcontextprotocol/tasks";
const grant = { supportedVersions: [TARGET], capabilities: { tools: { listChanged: true } } };
const session = { protocolVersion: "2025-11-25", capabilities: { tools: {} } };

interface Case {
  readonly name: string;
  readonly negotiated?: readonly string[];
  readonly lines: readonly Line[];
  /** Severity and words of each finding, in order. */
  readonly want: readonly (readonly ["fail" | "warn" | "info", RegExp])[];
  readonly status?: "pass" | "fail" | "not-assessed";
}

const widening: Case[] = [
  {
    name: "the example of the page: tools were declared, a request claims elicitation [CLM-12]",
    negotiated: ["tools"],
    lines: [
      [">", ask({ tools: {} })],
      [">", ask({ tools: {}, elicitation: {} }, { id: 2 })],
    ],
    want: [["fail", /^claims elicitation, elicitation\.form beyond what was declared \(tools\)$/]],
  },
  {
    name: "the first request is measured by what was declared [CLM-9, CLM-12]",
    negotiated: [],
    lines: [[">", ask({ roots: {} })]],
    want: [["fail", /claims roots beyond what was declared \(nothing\)/]],
  },
  {
    name: "the first request sets what is agreed when nothing was declared [CLM-9]",
    lines: [
      [">", ask(form)],
      [">", ask(form, { id: 2 })],
    ],
    want: [],
    status: "pass",
  },
  {
    name: "an empty elicitation and the form mode are the same claim [CLM-3]",
    lines: [
      [">", ask({ elicitation: {} })],
      [">", ask(form, { id: 2 })],
      [">", ask({ elicitation: {} }, { id: 3 })],
    ],
    want: [],
    status: "pass",
  },
  {
    name: "less than agreed is within it [CLM-12]",
    lines: [
      [">", ask({ ...both, roots: {} })],
      [">", ask({}, { id: 2 })],
    ],
    want: [],
    status: "pass",
  },
  {
    name: "the url mode widens the form mode [CLM-12]",
    lines: [
      [">", ask(form)],
      [">", ask(both, { id: 2 })],
    ],
    want: [["fail", /claims elicitation\.url beyond what was claimed by the first request/]],
  },
  {
    name: "sampling with tools widens sampling [CLM-12]",
    lines: [
      [">", ask({ sampling: {} })],
      [">", ask({ sampling: { tools: {} } }, { id: 2 })],
    ],
    want: [["fail", /claims sampling\.tools beyond/]],
  },
  {
    name: "listChanged turned on later is a widening [CLM-2, CLM-12]",
    lines: [
      [">", ask({ roots: { listChanged: false } })],
      [">", ask({ roots: { listChanged: true } }, { id: 2 })],
    ],
    want: [["fail", /claims roots\.listChanged beyond/]],
  },
  {
    name: "an extension claimed later is a widening, other settings of an agreed one are not [CLM-4, CLM-12]",
    lines: [
      [">", ask({ extensions: { "com.example/a": { on: 1 } } })],
      [">", ask({ extensions: { "com.example/a": { on: 2 } } }, { id: 2 })],
      [">", ask({ extensions: { "com.example/a": {}, "com.example/b": {} } }, { id: 3 })],
    ],
    want: [["fail", /claims extensions\.com\.example\/b beyond/]],
  },
  {
    name: "an unknown capability claimed later is a widening [CLM-5, CLM-12]",
    lines: [
      [">", ask({})],
      [">", ask({ warp: { drive: true } }, { id: 2 })],
    ],
    want: [["fail", /claims warp, warp\.drive beyond/]],
  },
  {
    name: "every extra capability is named [CLM-12]",
    lines: [
      [">", ask({})],
      [">", ask({ roots: {}, sampling: {}, ...both }, { id: 2 })],
    ],
    want: [["fail", /claims roots, sampling, elicitation, elicitation\.form, elicitation\.url beyond/]],
  },
  {
    name: "a notification claims as a request does [CLM-8]",
    lines: [
      [">", ask({})],
      [">", { ...ask({ roots: {} }, { method: "notifications/cancelled" }), id: undefined }],
    ],
    want: [["fail", /claims roots beyond/]],
  },
  {
    name: "a widening in a batch is found [CLM-7]",
    lines: [
      [">", ask({})],
      [">", [ask({}, { id: 2 }), ask({ roots: {} }, { id: 3 })]],
    ],
    want: [["fail", /claims roots beyond/]],
  },
  {
    name: "what was agreed at initialize binds the claims of later requests [CLM-9]",
    lines: [
      [">", initialize({ roots: {} })],
      ["<", legacyResult(0, session)],
      [">", ask({ roots: {}, tools: {} }, { version: "2025-11-25" })],
      [">", ask({ roots: {}, elicitation: {} }, { id: 2, version: "2025-11-25" })],
    ],
    want: [
      ["fail", /claims elicitation, elicitation\.form beyond what was agreed at initialize \(roots, tools\)/],
    ],
  },
  {
    name: "initialize is measured by what was declared [CLM-9, CLM-12]",
    negotiated: ["tools"],
    lines: [[">", initialize(form)]],
    want: [["fail", /claims elicitation, elicitation\.form beyond what was declared/]],
  },
  {
    name: "a new session of the earlier revisions agrees anew [CLM-10]",
    lines: [
      [">", initialize({})],
      ["<", legacyResult(0, session)],
      [">", initialize(form, "2025-06-18", 7)],
      ["<", legacyResult(7, { ...session, protocolVersion: "2025-06-18" })],
      [">", ask(form, { version: "2025-06-18" })],
    ],
    want: [],
    status: "pass",
  },
  {
    name: "a client may repeat what the server granted, not what the server alone supports as an extension [CLM-9]",
    lines: [
      [">", ask({}, { id: "d", method: "server/discover" })],
      ["<", result("d", { ...grant, capabilities: { ...grant.capabilities, extensions: { [TASKS]: {} } } })],
      [">", ask({ tools: { listChanged: true } }, { id: 2 })],
      [">", ask({ extensions: { [TASKS]: {} } }, { id: 3 })],
    ],
    want: [["fail", /claims extensions\.io\.modelcontextprotocol\/tasks beyond/]],
  },
  {
    name: "claims that cannot be read agree to nothing and widen nothing [CLM-2, CLM-9]",
    lines: [
      [">", ask(["roots"])],
      [">", ask({ roots: {} }, { id: 2 })],
      [">", ask("all", { id: 3 })],
    ],
    want: [],
    status: "not-assessed",
  },
  {
    name: "another name makes no new agreement [CLM-11]",
    lines: [
      [">", ask({}, { client: "a" })],
      [">", ask(form, { id: 2, client: "b" })],
    ],
    want: [["fail", /claims elicitation, elicitation\.form beyond/]],
  },
  {
    name: "what one server was told is not agreed with another one [CLM-11]",
    lines: [
      [">", ask(form, { id: 1 }), { peer: "mail" }],
      [">", ask({}, { id: 1 })],
      [">", ask(form, { id: 2 }), { peer: "mail" }],
      [">", ask(form, { id: 2 })],
    ],
    want: [["fail", /claims elicitation, elicitation\.form beyond/]],
  },
  {
    name: "two clients of one server are told apart by the caller [CLM-11]",
    lines: [
      [">", ask(form), { session: "a" }],
      [">", ask({}), { session: "b" }],
      [">", ask(form), { session: "a" }],
    ],
    want: [],
    status: "pass",
  },
];

const uses: Case[] = [
  {
    name: "input asked for within the claim of the request [CLM-13]",
    lines: [
      [">", ask(form)],
      ["<", inputRequired(1, "elicitation/create", { mode: "form" })],
    ],
    want: [],
    status: "not-assessed",
  },
  {
    name: "an elicitation without a mode is a form [CLM-14]",
    lines: [
      [">", ask({ elicitation: { url: {} } })],
      ["<", inputRequired(1, "elicitation/create")],
    ],
    want: [["fail", /^the server uses elicitation\.form, which the client did not claim/]],
  },
  {
    name: "the url mode needs its own claim [CLM-14]",
    lines: [
      [">", ask(form)],
      ["<", inputRequired(1, "elicitation/create", { mode: "url", url: "https://e.example" })],
    ],
    want: [
      ["fail", /uses elicitation\.url, which the client did not claim \(elicitation, elicitation\.form\)/],
    ],
  },
  {
    name: "the claim of that very request counts, not an earlier one [CLM-13]",
    lines: [
      [">", ask(form)],
      [">", ask({}, { id: 2 })],
      ["<", inputRequired(2, "elicitation/create")],
    ],
    want: [["fail", /uses elicitation\.form, which the client did not claim \(nothing\)/]],
  },
  {
    name: "a request without claims claims nothing [CLM-13]",
    lines: [
      [">", ask(form)],
      [">", ask(undefined, { id: 2 })],
      ["<", inputRequired(2, "roots/list")],
    ],
    want: [["fail", /uses roots, .* \(nothing\)/]],
  },
  {
    name: "sampling with tools needs sampling.tools [CLM-14]",
    lines: [
      [">", ask({ sampling: {} })],
      ["<", inputRequired(1, "sampling/createMessage", { messages: [], tools: [{ name: "x" }] })],
    ],
    want: [["fail", /uses sampling\.tools/]],
  },
  {
    name: "sampling that nobody claimed [CLM-14]",
    lines: [
      [">", ask({})],
      ["<", inputRequired(1, "sampling/createMessage")],
    ],
    want: [["fail", /uses sampling, /]],
  },
  {
    name: "context of other servers is only advised against [CLM-14]",
    lines: [
      [">", ask({ sampling: {} })],
      ["<", inputRequired(1, "sampling/createMessage", { includeContext: "allServers" })],
    ],
    want: [["warn", /uses sampling\.context/]],
  },
  {
    name: "no context needs no claim [CLM-14]",
    lines: [
      [">", ask({ sampling: {} })],
      ["<", inputRequired(1, "sampling/createMessage", { includeContext: "none", tools: null })],
    ],
    want: [],
  },
  {
    name: "a task in place of a result needs the extension [CLM-14]",
    lines: [
      [">", ask({})],
      ["<", result(1, { resultType: "task", taskId: "t" })],
    ],
    want: [["fail", /uses extensions\.io\.modelcontextprotocol\/tasks/]],
  },
  {
    name: "a task where the extension was claimed [CLM-14]",
    lines: [
      [">", ask({ extensions: { [TASKS]: {} } })],
      ["<", result(1, { resultType: "task", taskId: "t" })],
    ],
    want: [],
  },
  {
    name: "a task that waits for input asks like any other answer [CLM-14]",
    lines: [
      [">", ask({ extensions: { [TASKS]: {} } }, { method: "tasks/get" })],
      ["<", result(1, { status: "input_required", inputRequests: { a: { method: "roots/list" } } })],
    ],
    want: [["fail", /uses roots/]],
  },
  {
    name: "inputRequests of a complete result ask for nothing [CLM-14]",
    lines: [
      [">", ask({})],
      ["<", result(1, { inputRequests: { a: { method: "roots/list" } } })],
    ],
    want: [],
  },
  {
    name: "a request of the server is measured by the claims under way [CLM-15]",
    lines: [
      [">", ask(form)],
      ["<", plain("elicitation/create", 9)],
      ["<", result(1)],
      [">", ask({}, { id: 2 })],
      ["<", plain("elicitation/create", 10)],
    ],
    want: [["fail", /uses elicitation\.form, .* \(nothing\)/]],
  },
  {
    name: "in a session of the earlier revisions the claim of initialize counts [CLM-15]",
    lines: [
      [">", initialize(form)],
      ["<", legacyResult(0, session)],
      [">", plain("tools/call", 1)],
      ["<", plain("elicitation/create", 5)],
      ["<", plain("roots/list", 6)],
    ],
    want: [["fail", /uses roots, which the client did not claim \(elicitation, elicitation\.form\)/]],
  },
  {
    name: "a task-augmented request of the server needs the claim for it [CLM-15]",
    lines: [
      [">", initialize({ sampling: {}, tasks: { list: {} } })],
      ["<", plain("sampling/createMessage", 5, { task: { ttl: 1 } })],
      ["<", plain("tasks/list", 6)],
      ["<", plain("tasks/cancel", 7)],
    ],
    want: [
      ["fail", /uses tasks\.requests\.sampling\.createMessage/],
      ["fail", /uses tasks\.cancel/],
    ],
  },
  {
    name: "the error that sends a user to a page uses the url mode [CLM-14]",
    lines: [
      [">", initialize(form)],
      [">", plain("tools/call", 1)],
      ["<", failure(1, -32042, { elicitations: [{ mode: "url" }] })],
    ],
    want: [["fail", /uses elicitation\.url/]],
  },
  {
    name: "answers nobody asked for are measured by what the client offered [CLM-13]",
    lines: [
      [">", ask(form)],
      ["<", inputRequired(77, "sampling/createMessage")],
    ],
    want: [["fail", /uses sampling/]],
  },
  {
    name: "where nobody saw a claim, nothing is said about uses [CLM-13]",
    lines: [
      ["<", plain("roots/list", 1)],
      ["<", inputRequired(2, "roots/list")],
    ],
    want: [],
    status: "not-assessed",
  },
  {
    name: "ids of two exchanges are not mixed up [CLM-13]",
    lines: [
      [">", ask(form, { id: 1 }), { exchange: 1 }],
      [">", ask({}, { id: 1 }), { exchange: 2 }],
      ["<", inputRequired(1, "elicitation/create"), { exchange: 1 }],
      ["<", result(1), { exchange: 2 }],
    ],
    want: [],
  },
];

const asking: Case[] = [
  {
    name: "a server may ask for more: told, and no failure [CLM-16]",
    lines: [
      [">", ask({})],
      ["<", failure(1, -32021, { requiredCapabilities: form })],
      [">", ask({}, { id: 2 })],
    ],
    want: [
      ["info", /^the server asks the client to claim elicitation, elicitation\.form beyond what was agreed/],
    ],
    status: "pass",
  },
  {
    name: "a client that follows widens, and the chain is told [CLM-16]",
    lines: [
      [">", ask({}, { id: 16 })],
      ["<", failure(16, -32021, { requiredCapabilities: form })],
      [">", ask(form, { id: 17 })],
    ],
    want: [
      ["info", /asks the client to claim/],
      [
        "fail",
        /; the server had asked for elicitation, elicitation\.form in its answer to tools\/call \(id 16\)$/,
      ],
    ],
  },
  {
    name: "to ask for what was agreed is nothing [CLM-16]",
    lines: [
      [">", ask(form)],
      [">", ask({}, { id: 2 })],
      ["<", failure(2, -32021, { requiredCapabilities: { elicitation: {} } })],
    ],
    want: [],
    status: "pass",
  },
];

const versions: Case[] = [
  {
    name: "an earlier revision after a later one was in use [CLM-17]",
    lines: [
      [">", ask({})],
      ["<", result(1)],
      [">", ask({}, { id: 2, version: "2025-11-25" })],
    ],
    want: [["warn", /^falls back to 2025-11-25 after 2026-07-28 was in use$/]],
    status: "pass",
  },
  {
    name: "a session opened after the stateless revision was in use [CLM-17]",
    lines: [
      [">", ask({}, { method: "server/discover" })],
      ["<", result(1, grant)],
      [">", initialize({}, "2025-11-25", 2)],
    ],
    want: [["warn", /^opens a session of 2025-11-25 after the stateless revision was in use$/]],
  },
  {
    name: "such a session agrees to nothing new [CLM-10]",
    lines: [
      [">", ask({}, { method: "server/discover" })],
      ["<", result(1, grant)],
      [">", initialize(form, "2025-11-25", 2)],
    ],
    want: [
      ["fail", /claims elicitation, elicitation\.form beyond what was claimed by the first request/],
      ["warn", /opens a session/],
    ],
  },
  {
    name: "a server that asks for more and gets it through a session has widened the claim [CLM-10, CLM-16]",
    lines: [
      [">", ask({}, { method: "server/discover" })],
      ["<", failure(1, -32021, { requiredCapabilities: { sampling: {} } })],
      [">", initialize({ sampling: {} })],
    ],
    want: [
      ["info", /asks the client to claim sampling/],
      [
        "fail",
        /claims sampling beyond .*; the server had asked for sampling in its answer to server\/discover/,
      ],
      ["warn", /opens a session/],
    ],
  },
  {
    name: "a server that supports nothing but earlier revisions is spoken to in one of them [CLM-10, CLM-17]",
    lines: [
      [">", ask({}, { method: "server/discover" })],
      ["<", failure(1, -32022, { supported: ["2025-11-25"] })],
      [">", initialize(form)],
      ["<", legacyResult(0, session)],
    ],
    want: [],
    status: "not-assessed",
  },
  {
    name: "a server that does not know discovery is spoken to in its own revision [CLM-10, CLM-17]",
    lines: [
      [">", ask({}, { method: "server/discover" })],
      ["<", failure(1, -32601)],
      [">", initialize(form)],
      ["<", legacyResult(0, session)],
      [">", plain("tools/list", 3), { headers: { "MCP-Protocol-Version": "2025-11-25" } }],
    ],
    want: [],
    status: "not-assessed",
  },
  {
    name: "a revision that was refused was never in use [CLM-17]",
    lines: [
      [">", ask({}, { version: "2099-01-01" })],
      ["<", failure(1, -32022, { supported: [TARGET] })],
      [">", ask({}, { id: 2 })],
      ["<", result(2)],
    ],
    want: [],
    status: "pass",
  },
  {
    name: "header and body that name two revisions [CLM-18]",
    lines: [
      [">", ask({}), { headers: { "mcp-protocol-version": "2025-11-25" } }],
      ["<", failure(1, -32020)],
      [">", ask({}, { id: 2 }), { headers: { "mcp-protocol-version": TARGET } }],
    ],
    want: [["warn", /^names 2025-11-25 in its header and 2026-07-28 in its body$/]],
    status: "pass",
  },
  {
    name: "a server that answers such a request with a result fails [CLM-18]",
    lines: [
      [">", ask({}), { headers: { "Mcp-Protocol-Version": "2025-11-25" } }],
      ["<", result(1)],
    ],
    want: [
      ["warn", /names 2025-11-25 in its header/],
      ["fail", /^the server gave a result to a request that names 2025-11-25 in its header and 2026-07-28/],
    ],
  },
  {
    name: "a version that is no text is a disagreement, never a crash [CLM-18, CLM-25]",
    lines: [[">", ask({}, { version: { a: [1] } }), { headers: { "mcp-protocol-version": TARGET } }]],
    want: [["warn", /names 2026-07-28 in its header and \{"a":\[1\]\} in its body/]],
  },
  {
    name: "a claim that comes back after it was left out is told [CLM-19]",
    lines: [
      [">", ask(form)],
      [">", ask({}, { id: 2 })],
      [">", ask(form, { id: 3 })],
      [">", ask(form, { id: 4 })],
    ],
    want: [["info", /^claims elicitation, elicitation\.form again after leaving it out$/]],
    status: "pass",
  },
  {
    name: "claims of a client with another name are no coming back [CLM-19]",
    lines: [
      [">", ask(form, { client: "a" })],
      [">", ask({}, { id: 2, client: "b" })],
      [">", ask(form, { id: 3, client: "a" })],
    ],
    want: [],
    status: "pass",
  },
];

for (const [title, cases] of Object.entries({ widening, uses, asking, versions }))
  describe(title, () => {
    for (const { name, negotiated, lines, want, status } of cases)
      test(name, () => {
        const verdict = judgeClaims(events(lines), { target: TARGET, negotiated });
        const told = verdict.findings.map(({ severity, message }) => `${severity}: ${message}`);
        assert.equal(told.length, want.length, told.join("\n"));
        for (const [index, [severity, words]] of want.entries()) {
          assert.equal(verdict.findings[index]?.severity, severity, told[index]);
          assert.match(verdict.findings[index]?.message ?? "", words);
        }
        assert.ok(verdict.findings.every(({ rule }) => rule === "SEC-061"));
        const isFail = want.some(([severity]) => severity === "fail");
        assert.equal(verdict.status, status ?? (isFail ? "fail" : verdict.status), verdict.reason);
        assert.equal(verdict.status === "fail", isFail);
      });
  });

describe("verdicts", () => {
  const broken = events([
    [">", ask({})],
    [">", ask(form, { id: 2 })],
    ["<", plain("roots/list", 1)],
  ]);

  for (const target of ["2025-11-25", "2024-11-05", "2099-01-01", "", "draft"])
    test(`under target "${target}" the rule does not apply and finds nothing [CLM-20]`, () => {
      const verdict = judgeClaims(broken, { target, negotiated: ["tools"] });
      assert.equal(verdict.status, "not-applicable");
      assert.match(verdict.reason, /^target .*: only under 2026-07-28 does every request restate/);
      assert.deepEqual(verdict.findings, []);
    });

  test("where nothing was declared nothing is assessed [CLM-20]", () => {
    const { status, reason, findings } = judgeClaims(broken, undefined);
    assert.equal(status, "not-assessed");
    assert.match(reason, /no security\.capability_negotiation was declared/);
    assert.deepEqual(findings, []);
  });

  test("no claims at all are not assessed, and neither is the one that sets what is agreed [CLM-23]", () => {
    const reasons = [[], [[">", ask(form)] as const]].map((lines) =>
      judgeClaims(events(lines), { target: TARGET }),
    );
    assert.deepEqual(
      reasons.map(({ status }) => status),
      ["not-assessed", "not-assessed"],
    );
    assert.match(reasons[0]?.reason ?? "", /no request claimed/);
    assert.match(reasons[1]?.reason ?? "", /no request followed/);
  });

  test("a verdict counts what it saw and says what was agreed [CLM-23]", () => {
    const verdict = judgeClaims(
      events([
        [">", ask(form, { method: "server/discover" })],
        ["<", result(1, grant)],
        [">", ask({}, { id: 2 })],
      ]),
      { target: TARGET },
    );
    assert.deepEqual(verdict, {
      status: "pass",
      reason: "1 request stayed within what was agreed",
      findings: [],
      baselines: [
        {
          peer: "notes",
          session: "",
          source: "first-request",
          agreed: ["elicitation", "elicitation.form", "tools", "tools.listChanged"],
          granted: ["tools", "tools.listChanged"],
          version: "2026-07-28",
        },
      ],
      requestsSeen: 2,
      requestsCompared: 1,
    });
  });

  test("a finding says where, what was claimed and what was agreed [CLM-21]", () => {
    const { findings } = judgeClaims(broken, { target: TARGET });
    assert.equal(findings[0]?.where, "notes: tools/call (id 2), event 1");
    assert.equal(findings[0]?.evidence, "claimed: elicitation, elicitation.form; agreed: nothing");
  });

  test("the same thing is told once, with how often it came [CLM-22]", () => {
    const lines = [1, 2, 3, 4].map((id) => [">", ask(id === 1 ? {} : form, { id })] as const);
    const { findings } = judgeClaims(events(lines), { target: TARGET });
    assert.equal(findings.length, 1);
    assert.match(findings[0]?.message ?? "", /\(and 2 more times\)$/);
  });
});
