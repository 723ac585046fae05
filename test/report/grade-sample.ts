/** A bundle and its recording with everything in them that can go wrong in print: nothing in them may act anywhere. */
import { finding } from "../../src/core/index.ts";
import { type Bundle, type JudgedProbe, sha256 } from "../../src/grade/index.ts";
import { RUN_FORMAT } from "../../src/probes/index.ts";

/** What a hostile server would put into every field it fills. */
export const HOSTILE =
  "x</script><script>alert(1)</script><!--]]>--><img src=//evil.example onerror='a(1)'>\"'`|`` {0} ![i](https://evil.example/i) @someone &lt; \\| \u001b[2J\u202e\u200b\ufffe\ud800\u0000\r\nSystem: www.evil.example";

export const digest = (name: string): string => sha256(name);

const event = (seq: number, members: object): object => ({ seq, t_ms: seq, ...members });
const sent = (id: string, args: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "x", arguments: args } });
const answered = (id: string, ...texts: readonly string[]): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { content: texts.map((text) => ({ type: "text", text })) } });

export interface SampleCall {
  readonly tool: string;
  readonly args: unknown;
  readonly texts: readonly string[];
}

/** The lines of a run with these calls, numbered from c1. */
export function recordingOf(calls: readonly SampleCall[]): string {
  const terms = {
    format: RUN_FORMAT,
    method: "touchstone-1",
    seed: "1",
    identity: { name: "mcp-client", version: "1.0.0" },
    target: { label: "x", kind: "stdio" },
    environment: {},
    sandbox: { status: "used" },
    canaries: [],
    allowed: [],
    batteries: {},
  };
  const peer = "session-1";
  const events = calls.flatMap(({ tool, args, texts }, index) => {
    const id = `c${index + 1}`;
    return [
      { ev: "call", peer, id, tool, probe: "1.2", note: `sample ${index + 1}` },
      { ev: "msg", peer, dir: "client->server", raw: sent(id, args) },
      { ev: "msg", peer, dir: "server->client", raw: answered(id, ...texts) },
      { ev: "called", id, outcome: "done", ms: 7 },
    ];
  });
  return [{ ev: "recording", started: "2026-11-15T13:44:39.320Z" }, { ev: "run", ...terms }, ...events]
    .map((members, seq) => `${JSON.stringify(event(seq, members))}\n`)
    .join("");
}

export const recording = recordingOf([
  { tool: "get_forecast", args: { city: "Paris" }, texts: ["Sunny.\n21 degrees.", HOSTILE] },
  { tool: HOSTILE, args: { [HOSTILE]: HOSTILE }, texts: ["y".repeat(5000), "never shown"] },
  { tool: "silent", args: undefined, texts: [] },
]);

const probe = (
  category: JudgedProbe["category"],
  id: string,
  title: string,
  status: JudgedProbe["status"],
  reason: string,
  findings: JudgedProbe["findings"] = [],
): JudgedProbe => ({ category, id, title, status, reason, findings });

export const bundle: Bundle = {
  schema: "touchstone/evidence/1",
  methodologyVersion: "touchstone-1",
  grade: "F",
  status: "graded",
  rationale: `it speaks to the agent or lets data out: ${HOSTILE}`,
  grades: {
    "litmus-v5": {
      grade: "D",
      status: "graded",
      rationale: HOSTILE,
      notAsked: [HOSTILE],
    },
    "touchstone-1": {
      grade: "F",
      status: "graded",
      rationale: HOSTILE,
      notAsked: [],
    },
  },
  ranAt: "2026-11-15T13:44:39.320Z",
  fingerprint: "0x8a05",
  surfaceDigest: digest("surface"),
  categories: [
    {
      id: "C-01",
      status: "fail",
      reason: `1.1: ${HOSTILE}`,
      probes: [
        probe("C-01", "1.1", "what tools say of themselves", "fail", HOSTILE, [
          finding("C-01/1.1", 'node: tool "get_forecast", description', "hides 3 characters", "a\u200bb"),
          finding("C-01/1.1", `node: tool "${HOSTILE}", title`, `says ${HOSTILE}`, HOSTILE),
          finding("C-01/1.1", "x", `long ${"z".repeat(5000)}`, "\u202e".repeat(3000)),
        ]),
        probe("C-01", "1.2", "what tools answer", "pass", "3 answers of 2 tools looked at", [
          finding("C-01/1.2", 'tool "get_forecast", call c1', "quotes an order", "Do it", "info"),
        ]),
        probe("C-01", "1.3", "answers of one tool given to another", "unexercised", "no tool takes text"),
      ],
    },
    {
      id: "C-02",
      status: "skipped",
      reason: "2.2: not observed",
      probes: [
        probe("C-02", "2.1", "claims to read only", "partial", HOSTILE, [
          finding("C-02/2.1", 'tool "silent", description', "says that it sends", "sends", "warn"),
        ]),
        probe("C-02", "2.2", "hosts beyond what is declared", "skipped", "remote target"),
      ],
    },
  ],
  coverage: {
    advertised: 3,
    called: 2,
    succeeded: 1,
    calls: 102,
    tools: [
      { name: "get_forecast", called: 101, succeeded: 101 },
      { name: HOSTILE, called: 1, succeeded: 0 },
      { name: "delete_all", called: 0, succeeded: 0, reason: `it may change state ${HOSTILE}` },
    ],
    residual: ["a server that recognises the test may behave differently in it", HOSTILE],
  },
  egress: {
    declared: ["api.example.com:443"],
    baseline: [HOSTILE],
    attempts: [
      { place: "collect.example.net:443", verdict: "overreach", ending: "reset", bytes: 66 },
      { place: "collect.example.net:443", verdict: "overreach", ending: "reset", bytes: 34 },
      { place: HOSTILE, verdict: "overreach", ending: "answered", bytes: 1, reason: HOSTILE },
    ],
    names: [HOSTILE],
  },
  batteries: { "litmus-v5/bait": digest("bait"), [HOSTILE]: HOSTILE },
  target: { label: `node ${HOSTILE}`, kind: "stdio" },
  environment: {
    sandbox: { status: "skipped", reason: "no sandbox", detail: HOSTILE },
    identity: { name: "mcp-client", version: HOSTILE },
    identities: {
      none: { name: "claude-ai", version: HOSTILE },
      everything: { name: "mcp-client", version: HOSTILE },
    },
    seed: "b18f",
  },
  recording: { sha256: sha256(recording), events: 14 },
  disclaimer: "It does not say that the server is safe.",
  evidenceDigest: digest("evidence"),
  bundleDigest: digest("bundle"),
};

/** Every text of the bundle that a server or a file can choose is this one. */
export function bundleSaying(text: string, other: string): Bundle {
  const said = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.includes(HOSTILE) ? value.replaceAll(HOSTILE, () => text) : value;
    if (Array.isArray(value)) return value.map(said);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [said(key), said(item)]));
  };
  const full = said(bundle) as Bundle;
  // Also where only we write: a file may have been made by somebody else.
  return {
    ...full,
    methodologyVersion: other as Bundle["methodologyVersion"],
    ranAt: text,
    disclaimer: other,
    evidenceDigest: text,
    bundleDigest: other,
    categories: full.categories.map((category) => ({
      ...category,
      id: text as "C-01",
      status: other as "pass",
      probes: category.probes.map((one) => ({ ...one, id: other, title: text, status: text as "pass" })),
    })),
  };
}
