/** Our client against servers people use: everything they list is kept, down to members no specification knows. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import {
  type ConnectOptions,
  connect,
  type Era,
  type Launch,
  type ListMethod,
  list,
  type Question,
  type RecordedEvent,
  type Session,
} from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import {
  type Heard,
  isProgress,
  LIMIT,
  memberOf,
  peerProgram,
  resultOf,
  runClient,
  serverFrames,
  standingStream,
  startHttp,
  tape,
  textOf,
} from "./kit.ts";

type Stdio = Launch & { readonly kind: "stdio" };
const official = (name: string, ...args: readonly string[]): Stdio =>
  peerProgram(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args);
// Installed by itself it finds a zod that it does not expect, and every input schema it sends is invalid.
const GITLAB: Stdio = {
  ...peerProgram("alone/node_modules/@modelcontextprotocol/server-gitlab/dist/index.js"),
  env: { GITLAB_PERSONAL_ACCESS_TOKEN: "x" },
};
const CONTEXT7 = peerProgram("node_modules/@upstash/context7-mcp/dist/index.js");

interface Real {
  readonly name: string;
  readonly launch: (folder: string) => Launch;
  readonly options?: ConnectOptions;
  readonly era?: Era;
  readonly version?: string;
  readonly counts: Readonly<Partial<Record<ListMethod, number>>>;
}

const servers: readonly Real[] = [
  {
    name: "everything, nothing claimed",
    launch: () => official("everything"),
    options: { era: "legacy", claims: {} },
    counts: { "tools/list": 13, "resources/list": 7, "resources/templates/list": 2, "prompts/list": 4 },
  },
  {
    name: "everything, elicitation claimed",
    launch: () => official("everything"),
    options: { claims: { elicitation: {} } },
    counts: { "tools/list": 14 },
  },
  {
    name: "filesystem",
    launch: (folder) => official("filesystem", folder),
    counts: { "tools/list": 14 },
  },
  {
    name: "memory",
    launch: (folder) => ({ ...official("memory"), env: { MEMORY_FILE_PATH: `${folder}/memory.jsonl` } }),
    counts: { "tools/list": 9, "resources/list": 1 },
  },
  {
    name: "sequential-thinking",
    launch: () => official("sequential-thinking"),
    counts: { "tools/list": 1 },
  },
  {
    name: "gitlab",
    launch: () => GITLAB,
    version: "2024-11-05",
    counts: { "tools/list": 9 },
  },
  {
    name: "context7",
    launch: () => CONTEXT7,
    era: "modern",
    version: "2026-07-28",
    counts: { "tools/list": 2 },
  },
  {
    name: "context7, asked for the legacy era",
    launch: () => CONTEXT7,
    options: { era: "legacy" },
    counts: { "tools/list": 2 },
  },
  {
    name: "a server whose tool list no SDK accepts",
    launch: () => peerProgram("odd-server.mjs"),
    counts: { "tools/list": 5 },
  },
];

test("real servers over stdio", { ...LIMIT, concurrency: 2 }, async (t) => {
  using folder = temporaryFolder();
  const visit = async ({
    launch,
    options,
    era = "legacy",
    version = "2025-11-25",
    counts,
  }: Real): Promise<void> => {
    const { recorder, heard } = tape();
    await using session = await connect(launch(folder.path), { era: "auto", ...options, recorder });
    assert.equal(session.isOpen, true);
    assert.equal(session.era, era);
    assert.equal(session.face?.version, version);
    for (const [method, count] of Object.entries(counts))
      assert.equal((await wholeList(session, heard, method as ListMethod)).length, count, method);
    const { kind, ...rest } = await session.request("tools/call", { name: "no such tool", arguments: {} });
    const isRefused = kind === "error" || memberOf(memberOf(rest, "result"), "isError") === true;
    assert.equal(isRefused, true);
    assert.deepEqual(session.strays.kept, []);
    assert.equal(heard.all.filter(({ ev }) => ev === "spawn").length, 1);
  };
  await Promise.all(
    servers.map((server) => {
      const { name, era = "legacy", counts } = server;
      const title = `${name}: ${era}, ${counts["tools/list"]} tools, each as it was sent`;
      return t.test(title, LIMIT, () => visit(server));
    }),
  );
});

/** Lists everything, and compares it with what the bytes in the recording say. */
async function wholeList(
  session: Session,
  heard: Heard<RecordedEvent>,
  method: ListMethod,
): Promise<readonly unknown[]> {
  const { items, pages, end } = await list(session, method);
  const member = method === "resources/templates/list" ? "resourceTemplates" : (method.split("/")[0] ?? "");
  const ids = pages.map(({ id }): unknown => id);
  const sent = serverFrames(heard.all)
    .filter(({ id }) => ids.includes(id))
    .map(({ result }) => memberOf(result, member));
  assert.equal(end, "complete");
  assert.deepEqual(items, sent.flat());
  return items;
}

test("members and items unknown to everybody are handed on", LIMIT, async () => {
  await using session = await connect(peerProgram("odd-server.mjs"));
  assert.equal(memberOf(session.face?.info, "x-mood"), "odd");
  assert.deepEqual(memberOf(session.face?.capabilities, "x-capability"), { level: 9 });
  const { items } = await list(session, "tools/list");
  const tool = items.find((item) => memberOf(item, "name") === "more-than-known");
  assert.equal(memberOf(tool, "x-note"), "Members nobody defined are where things hide.");
  assert.equal(memberOf(memberOf(tool, "annotations"), "category"), "unknown to everybody");
  assert.equal(items.at(-1), "not even an object");
});

test("gitlab's tools have invalid input schemas, and all nine are seen", LIMIT, async () => {
  await using session = await connect(GITLAB);
  const { items } = await list(session, "tools/list");
  const schemas = items.map((tool) => memberOf(tool, "inputSchema"));
  assert.deepEqual(schemas, Array(9).fill({ $schema: "http://json-schema.org/draft-07/schema#" }));
});

for (const client of [["sdk-v1-client.mjs"], ["sdk-v2-client.mjs", "legacy"]])
  test(`a list with one odd tool is lost whole to ${client.join(" ")}`, LIMIT, async () => {
    const [file = "", ...mode] = client;
    const { command, args } = peerProgram("odd-server.mjs");
    const { connected, tools } = await runClient(file, ...mode, "stdio", command, ...args);
    assert.equal(connected.error, undefined);
    assert.notEqual(tools.error, undefined);
  });

test("server-everything asks for roots, a sample and an answer, and gets them", LIMIT, async () => {
  const answers: Readonly<Record<string, unknown>> = {
    "roots/list": { roots: [{ uri: "file:///mine", name: "mine" }] },
    "sampling/createMessage": { role: "assistant", model: "none", content: { type: "text", text: "gold" } },
    "elicitation/create": { action: "decline" },
  };
  const notes: Question[] = [];
  const { recorder, heard } = tape();
  await using session = await connect(official("everything"), {
    claims: { roots: {}, sampling: {}, elicitation: {} },
    recorder,
    answer: ({ method }) => answers[method],
    onNotification: (note) => void notes.push(note),
  });
  const call = (name: string, given: object = {}): ReturnType<Session["request"]> =>
    session.request("tools/call", { name, arguments: given }, { progressUpToMs: 10_000 });
  assert.equal((await wholeList(session, heard, "tools/list")).length, 16);
  assert.match(String(textOf(await call("get-roots-list"))), /file:\/\/\/mine/);
  assert.match(String(textOf(await call("trigger-sampling-request", { prompt: "a metal" }))), /gold/);
  resultOf(await call("trigger-elicitation-request"));
  resultOf(await call("trigger-long-running-operation", { duration: 0.2, steps: 2 }));
  assert.equal(notes.filter(isProgress).length, 2);
  const asked = serverFrames(heard.all).flatMap(({ id, method }) =>
    id !== undefined && method ? [method] : [],
  );
  assert.deepEqual([...new Set(asked)].sort(), Object.keys(answers).sort());
});

test(
  "a file is written and read through the filesystem server, and nothing beside its folder",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    await using session = await connect(official("filesystem", folder.path));
    const path = `${folder.path}/note.txt`;
    const call = (name: string, given: object): ReturnType<Session["request"]> =>
      session.request("tools/call", { name, arguments: given });
    resultOf(await call("write_file", { path, content: "gold" }));
    assert.equal(textOf(await call("read_text_file", { path })), "gold");
    assert.equal(resultOf(await call("read_text_file", { path: "/etc/hostname" })).isError, true);
  },
);

test("server-everything over Streamable HTTP", LIMIT, async (t) => {
  const port = await freePort();
  const program = { ...official("everything", "streamableHttp"), env: { PORT: String(port) } };
  await using running = await startHttp(program, (output) =>
    output.includes(`listening on port ${port}`) ? `http://127.0.0.1:${port}/mcp` : undefined,
  );
  for (const era of ["legacy", "auto"] as const)
    await t.test(`asked for ${era}: a session with id, standing stream and DELETE`, LIMIT, async () => {
      const { recorder, heard } = tape();
      const session = await connect({ kind: "http", url: running.url }, { era, recorder });
      assert.equal(session.era, "legacy");
      assert.equal((await wholeList(session, heard, "tools/list")).length, 13);
      await standingStream(heard);
      assert.deepEqual(session.strays.kept, []);
      await session.close();

      const requests = heard.all.filter(({ ev }) => ev === "http-request");
      const answerTo = (request: RecordedEvent | undefined): RecordedEvent | undefined =>
        heard.all.find(({ ev, x }) => ev === "http-response" && x === request?.x);
      const opened = answerTo(requests.find(({ raw }) => raw?.includes('"initialize"')));
      const id = memberOf(opened?.headers, "mcp-session-id");
      assert.equal(typeof id, "string");
      const later = requests.filter(({ seq }) => seq > (opened?.seq ?? 0));
      assert.deepEqual(
        new Set(later.map(({ headers }) => memberOf(headers, "mcp-session-id"))),
        new Set([id]),
      );
      assert.deepEqual([...new Set(later.map(({ method }) => method))].sort(), ["DELETE", "GET", "POST"]);
      assert.equal(answerTo(later.find(({ method }) => method === "DELETE"))?.status, 200);
    });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const port = memberOf(server.address(), "port");
  await new Promise((done) => server.close(done));
  return Number(port);
}
