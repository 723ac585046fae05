/** What is turned away before it is a request to anybody: each time there is an entry, and who is answered is told its id. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, serveStdio } from "../../src/wire/index.ts";
import { gatewayOf, LIMIT, reads, type Story } from "./kit.ts";
import { until } from "./program.ts";
import { MODERN, modernRequest, post } from "./raw-clients.ts";

const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;
const TOKEN = "t".repeat(20);
const KNOWN = { authorization: `Bearer ${TOKEN}` };
const guarded = (): Promise<Story> =>
  gatewayOf(
    { notes: { tools: [reads("say", "hello")] } },
    { ...OPEN, tokens: { ann: { env: "ANN" } } },
    { ANN: TOKEN },
  );

/** The id that an answer names, and the entries that have it. */
const idIn = (text: string): string | undefined => /\(decision (d-[0-9a-f]+-\w+)\)/.exec(text)?.[1];
interface Denied {
  readonly id: string;
  readonly actor: string | null;
  readonly outcome: string;
  readonly data: Readonly<Record<string, unknown>>;
}
const decisions = (gateway: Story): Denied[] => gateway.entries("decision") as unknown as Denied[];

const call = modernRequest(1, "tools/call", { name: "notes__say", arguments: {} });
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

interface Case {
  readonly name: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly answer: RegExp;
  readonly wanted: { readonly reason: string; readonly rule: string; readonly status?: number };
}
const CASES: readonly Case[] = [
  {
    name: "a header that says something else than the body",
    body: call.body,
    headers: { ...call.headers, "mcp-name": "notes__other" },
    status: 400,
    answer: /-32020/,
    wanted: { reason: "Header mismatch: Mcp-Name", rule: "door", status: 400 },
  },
  {
    name: "a legacy batch",
    body: `[${PING},${PING}]`,
    headers: { "mcp-session-id": "SESSION" },
    status: 200,
    answer: /-32600.*Batches are not supported/,
    wanted: { reason: "Batches are not supported", rule: "unreadable" },
  },
  {
    name: "a modern batch",
    body: `[${call.body}]`,
    headers: { "mcp-protocol-version": MODERN },
    status: 400,
    answer: /-32600.*Batches are not supported/,
    wanted: { reason: "Batches are not supported", rule: "unreadable" },
  },
  {
    name: "what is no JSON",
    body: '{"jsonrpc":"2.0",',
    status: 400,
    answer: /-32700/,
    wanted: { reason: "Parse error", rule: "unreadable" },
  },
  {
    name: "what is no JSON, as a modern client says it",
    body: '{"jsonrpc":"2.0",',
    headers: { "mcp-protocol-version": MODERN },
    status: 400,
    answer: /-32700/,
    wanted: { reason: "Parse error", rule: "unreadable" },
  },
  {
    name: "JSON that is no message",
    body: '{"jsonrpc":"2.0","id":7}',
    status: 400,
    answer: /"id":7.*-32600/,
    wanted: { reason: "Invalid request: no-method-no-answer", rule: "unreadable" },
  },
  {
    name: "a session that is not there",
    body: PING,
    headers: { "mcp-session-id": "nobody" },
    status: 404,
    answer: /-32001/,
    wanted: { reason: "Session not found", rule: "door", status: 404 },
  },
];
for (const { name, body, headers = {}, status, answer, wanted } of CASES)
  test(`${name} is written down, and its answer names the entry [GTW-70]`, LIMIT, async () => {
    await using gateway = await guarded();
    const opening = await post(
      gateway.url,
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}',
      { headers: KNOWN },
    );
    const session = String(opening.headers["mcp-session-id"]);
    const own = Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [key, value.replace("SESSION", session)]),
    );
    const reply = await post(gateway.url, body, { headers: { ...KNOWN, ...own } });
    assert.equal(reply.status, status);
    assert.match(reply.text, answer);
    const id = idIn(reply.text);
    assert.notEqual(id, undefined, reply.text);
    await until(() => decisions(gateway).some((entry) => entry.id === id));
    const entry = decisions(gateway).find((each) => each.id === id);
    assert.deepEqual([entry?.actor, entry?.outcome, entry?.data], ["ann", "denied", { ...wanted, times: 1 }]);
  });

test("who is not let in has an entry, and is not told its id [GTW-70]", LIMIT, async () => {
  await using gateway = await guarded();
  const strange = await post(gateway.url, PING, { headers: { authorization: "Bearer nobody" } });
  const foreign = await post(gateway.url, PING, { headers: { ...KNOWN, origin: "https://evil.example" } });
  assert.deepEqual(
    [strange, foreign].map(({ status, text }) => [status, idIn(text)]),
    [
      [401, undefined],
      [403, undefined],
    ],
  );
  await until(() => decisions(gateway).length === 2);
  assert.deepEqual(
    decisions(gateway).map(({ data }) => [data.status, data.rule]),
    [
      [401, "door"],
      [403, "door"],
    ],
  );
});

test(
  "the same refusal is written once a second, and each answer names an entry [GTW-70]",
  LIMIT,
  async () => {
    await using gateway = await guarded();
    const bad = (): Promise<string> => post(gateway.url, "{", { headers: KNOWN }).then(({ text }) => text);
    const ids = (await Promise.all(Array.from({ length: 40 }, bad))).map(idIn);
    await sleep(1_100);
    ids.push(idIn(await bad()));
    const told = (): number => decisions(gateway).reduce((sum, { data }) => sum + Number(data.times), 0);
    await until(() => told() === 41, 5_000);
    const written = decisions(gateway).map(({ id }) => id);
    assert.ok(written.length <= 5, `${written.length} entries`);
    assert.deepEqual([...new Set(ids)].sort(), written.sort());
  },
);

test(
  "over stdio what cannot be read is written down too, and the next line is heard [GTW-70]",
  LIMIT,
  async () => {
    await using gateway = await gatewayOf({ notes: { tools: [reads("say", "hello")] } }, OPEN);
    const [input, output] = [new PassThrough(), new PassThrough()];
    serveStdio(gateway.assembled.gateway.definition(), input, output);
    let said = "";
    output.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
    });
    for (const line of ["good morning", `[${PING}]`, PING]) input.write(`${line}\n`);
    await until(() => said.trim().split("\n").length === 3);
    const [garbage = "", batch = "", ping = ""] = said.trim().split("\n");
    assert.match(garbage, /-32700/);
    assert.match(batch, /Batches are not supported/);
    assert.ok(isRecord(JSON.parse(ping).result));
    await until(() => decisions(gateway).length === 2);
    assert.deepEqual(
      decisions(gateway).map(({ id }) => id),
      [idIn(garbage), idIn(batch)],
    );
  },
);
