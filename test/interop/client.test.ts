/** Our client against servers made with both SDK generations, over every transport and in every era they share. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { connect, type Era, type EraChoice, type Launch, type Question } from "../../src/wire/index.ts";
import { facts, type Meeting } from "./client-facts.ts";
import { Heard, LIMIT, peerProgram, startHttp, tape, textOf } from "./kit.ts";

const COMMON = ["announce", "count", "echo", "greet", "was-cancelled", "weigh"];
const V1 = {
  server: "sdk-v1",
  tools: [...COMMON, "hang-up"].sort(),
  unknownTool: "tool error",
  eras: [
    ["legacy", "legacy"],
    ["auto", "legacy"],
  ],
} as const;
const V2 = { server: "sdk-v2", tools: [...COMMON, "route"].sort(), unknownTool: "error" } as const;
const DUAL = [
  ["legacy", "legacy"],
  ["modern", "modern"],
  ["auto", "modern"],
] as const;
const MODERN = [
  ["modern", "modern"],
  ["auto", "modern"],
] as const;

interface Peer extends Pick<Meeting, "server" | "tools" | "unknownTool" | "transport"> {
  readonly name: string;
  readonly args: readonly string[];
  /** What we ask for, and what we find. */
  readonly eras: readonly (readonly [EraChoice, Era])[];
  readonly hasSessions?: boolean;
}

const peers: readonly Peer[] = [
  { ...V1, name: "SDK v1 over stdio", transport: "stdio", args: ["stdio"] },
  { ...V1, name: "SDK v1 over Streamable HTTP", transport: "http", args: ["http"] },
  { ...V1, name: "SDK v1 over HTTP+SSE", transport: "sse", args: ["sse"] },
  { ...V2, name: "SDK v2, both eras, stdio", transport: "stdio", args: ["stdio", "dual"], eras: DUAL },
  { ...V2, name: "SDK v2, modern only, stdio", transport: "stdio", args: ["stdio", "modern"], eras: MODERN },
  {
    ...V2,
    name: "SDK v2, both eras, HTTP",
    transport: "http",
    args: ["http", "dual"],
    eras: DUAL,
    hasSessions: false,
  },
  { ...V2, name: "SDK v2, modern only, HTTP", transport: "http", args: ["http", "modern"], eras: MODERN },
];

test("our client against servers of both SDKs", { ...LIMIT, concurrency: 2 }, async (t) => {
  await Promise.all(peers.map((peer) => t.test(peer.name, LIMIT, (inner) => visit(inner, peer))));
});

async function visit(t: TestContext, peer: Peer): Promise<void> {
  const program = peerProgram(`${peer.server}-server.mjs`, ...peer.args);
  // An HTTP server is started once for all eras; a stdio server is started by each session.
  await using running = peer.transport === "stdio" ? undefined : await startHttp(program);
  const launch: Launch = running ? { kind: "http", url: running.url } : program;
  for (const [asked, found] of peer.eras)
    await t.test(`asked for ${asked}, found ${found}`, LIMIT, (inner) =>
      meet(inner, peer, launch, asked, found),
    );
}

async function meet(t: TestContext, peer: Peer, launch: Launch, asked: EraChoice, found: Era): Promise<void> {
  const { recorder, heard } = tape();
  const questions: Question[] = [];
  const notes = new Heard<Question>();
  await using session = await connect(launch, {
    era: asked,
    claims: { elicitation: {} },
    recorder,
    answer(question) {
      questions.push(question);
      return { action: "accept", content: { name: "Ada" } };
    },
    onNotification: (note) => notes.add(note),
  });
  const isStateless = found === "legacy" && peer.hasSessions === false;
  const meeting: Meeting = { ...peer, era: found, isStateless, session, heard, notes, questions };
  for (const { name, applies, check } of facts)
    if (applies?.(meeting) ?? true)
      await t.test(name, LIMIT, () => {
        questions.length = 0;
        return check(meeting);
      });
}

test(
  "the answer to a question travels under a new id, also when the first id was ours to choose",
  LIMIT,
  async () => {
    const { recorder, heard } = tape();
    const answer = (): object => ({ action: "decline" });
    const options = { era: "modern", claims: { elicitation: {} }, recorder, answer } as const;
    await using session = await connect(peerProgram("sdk-v2-server.mjs", "stdio"), options);
    await session.request("tools/call", { name: "greet", arguments: {} }, { id: "chosen" });
    const frames = heard.all.filter(
      ({ dir, raw }) => dir === "client->server" && raw?.includes('"tools/call"'),
    );
    const [first, second] = frames.map(({ raw }) => JSON.parse(raw ?? "").id);
    assert.equal(frames.length, 2);
    assert.equal(first, "chosen");
    assert.notEqual(second, first);
  },
);

const BOTH = [
  ["SDK v1", "legacy", peerProgram("sdk-v1-server.mjs", "stdio")],
  ["SDK v2", "legacy", peerProgram("sdk-v2-server.mjs", "stdio")],
  ["SDK v2", "modern", peerProgram("sdk-v2-server.mjs", "stdio")],
] as const;

for (const [sdk, era, launch] of BOTH) {
  test(`a question that is declined ends the call: ${sdk}, ${era}`, LIMIT, async () => {
    const answer = (): object => ({ action: "decline" });
    await using session = await connect(launch, { era, claims: { elicitation: {} }, answer });
    const outcome = await session.request("tools/call", { name: "greet", arguments: {} });
    assert.equal(textOf(outcome), "No name: decline");
  });

  test(`progress keeps a call alive beyond its time limit: ${sdk}, ${era}`, LIMIT, async () => {
    await using session = await connect(launch, { era });
    const params = { name: "count", arguments: { to: 12, everyMs: 60 } };
    const outcome = await session.request("tools/call", params, { timeoutMs: 500, progressUpToMs: 10_000 });
    assert.equal(textOf(outcome), "counted to 12");
  });
}
