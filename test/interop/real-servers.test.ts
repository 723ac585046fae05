/** Our client against servers people use: everything they list is kept, down to members no specification knows. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import {
  type ConnectOptions,
  connect,
  type Era,
  isRecord,
  type Launch,
  type ListMethod,
  list,
  type RecordedEvent,
  type Session,
} from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import {
  type Heard,
  LIMIT,
  peerProgram,
  runClient,
  serverFrames,
  standingStream,
  startHttp,
  tape,
  textOf,
} from "./kit.ts";

const official = (name: string, ...args: readonly string[]): Launch & { readonly kind: "stdio" } =>
  peerProgram(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args);
const EVERYTHING = official("everything");
const GITLAB = { ...official("gitlab"), env: { GITLAB_PERSONAL_ACCESS_TOKEN: "x" } };

interface Real {
  readonly name: string;
  readonly launch: (folder: string) => Launch;
  readonly options: ConnectOptions;
  readonly era: Era;
  readonly version: string;
  readonly counts: Readonly<Partial<Record<ListMethod, number>>>;
}

const legacy = { era: "legacy", version: "2025-11-25" } as const;

const servers: readonly Real[] = [
  {
    ...legacy,
    name: "everything, nothing claimed",
    launch: () => EVERYTHING,
    options: {},
    counts: { "tools/list": 13, "resources/list": 7, "resources/templates/list": 2, "prompts/list": 4 },
  },
  {
    ...legacy,
    name: "everything, elicitation claimed",
    launch: () => EVERYTHING,
    options: { claims: { elicitation: {} } },
    counts: { "tools/list": 14 },
  },
  {
    ...legacy,
    name: "filesystem",
    launch: (folder) => official("filesystem", folder),
    options: { era: "auto" },
    counts: { "tools/list": 14 },
  },
  {
    ...legacy,
    name: "memory",
    launch: (folder) => ({ ...official("memory"), env: { MEMORY_FILE_PATH: `${folder}/memory.jsonl` } }),
    options: { era: "auto" },
    counts: { "tools/list": 9 },
  },
  {
    ...legacy,
    name: "sequential-thinking",
    launch: () => official("sequential-thinking"),
    options: { era: "auto" },
    counts: { "tools/list": 1 },
  },
  {
    name: "context7",
    launch: () => peerProgram("node_modules/@upstash/context7-mcp/dist/index.js"),
    options: { era: "auto" },
    era: "modern",
    version: "2026-07-28",
    counts: { "tools/list": 2 },
  },
  {
    ...legacy,
    name: "context7, asked for the legacy era",
    launch: () => peerProgram("node_modules/@upstash/context7-mcp/dist/index.js"),
    options: { era: "legacy" },
    counts: { "tools/list": 2 },
  },
  {
    name: "gitlab",
    launch: () => GITLAB,
    options: { era: "auto" },
    era: "legacy",
    version: "2024-11-05",
    counts: { "tools/list": 9 },
  },
];

/** The items of all pages, parsed from nothing but the bytes in the recording. */
function recordedItems(heard: Heard<RecordedEvent>, ids: readonly unknown[], member: string): unknown[] {
  return serverFrames(heard.all)
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ result }) => (isRecord(result) && Array.isArray(result[member]) ? result[member] : []));
}

async function checkList(
  session: Session,
  heard: Heard<RecordedEvent>,
  method: ListMethod,
  count: number,
): Promise<readonly unknown[]> {
  const listing = await list(session, method);
  const member = method === "resources/templates/list" ? "resourceTemplates" : (method.split("/")[0] ?? "");
  assert.equal(listing.end, "complete");
  assert.equal(listing.items.length, count, method);
  const ids = listing.pages.map(({ id }) => id);
  assert.deepEqual(listing.items, recordedItems(heard, ids, member));
  return listing.items;
}

test("real servers over stdio", { ...LIMIT, concurrency: 2 }, async (t) => {
  using folder = temporaryFolder();
  const checks = servers.map(({ name, launch, options, era, version, counts }) =>
    t.test(`${name}: ${era}, ${counts["tools/list"]} tools, each as it was sent`, LIMIT, async () => {
      const { recorder, heard } = tape();
      await using session = await connect(launch(folder.path), { ...options, recorder });
      assert.equal(session.isOpen, true);
      assert.equal(session.era, era);
      assert.equal(session.face?.version, version);
      for (const [method, count] of Object.entries(counts))
        await checkList(session, heard, method as ListMethod, count);
      const outcome = await session.request("tools/call", { name: "no such tool", arguments: {} });
      assert.ok(
        outcome.kind === "error" ||
          (outcome.kind === "result" && isRecord(outcome.result) && outcome.result.isError),
      );
      assert.deepEqual(session.strays, []);
      assert.equal(heard.all.filter(({ ev }) => ev === "spawn").length, 1);
    }),
  );
  await Promise.all(checks);
});

test("every gitlab tool is seen although each has an invalid input schema", LIMIT, async () => {
  const { recorder, heard } = tape();
  await using session = await connect(GITLAB, { recorder });
  const tools = await checkList(session, heard, "tools/list", 9);
  assert.ok(
    tools.every((tool) => isRecord(tool) && isRecord(tool.inputSchema) && !("type" in tool.inputSchema)),
  );
});

for (const client of [["sdk-v1-client.mjs"], ["sdk-v2-client.mjs", "legacy"]])
  test(`${client.join(" ")} sees no gitlab tool at all`, LIMIT, async () => {
    const [file = "", ...mode] = client;
    const { tools } = await runClient(
      file,
      ...mode,
      "stdio",
      "env",
      "GITLAB_PERSONAL_ACCESS_TOKEN=x",
      GITLAB.command,
      ...GITLAB.args,
    );
    assert.ok(tools.error, "the list was taken: the server or the SDK has changed");
  });

test("a tool of a real server is called, and asks its question", LIMIT, async () => {
  const asked: string[] = [];
  await using session = await connect(EVERYTHING, {
    claims: { elicitation: {} },
    answer({ method }) {
      asked.push(method);
      return { action: "decline" };
    },
  });
  const echo = await session.request("tools/call", { name: "echo", arguments: { message: "gold" } });
  assert.match(String(textOf(echo)), /gold/);
  const outcome = await session.request("tools/call", { name: "trigger-elicitation-request", arguments: {} });
  assert.equal(outcome.kind, "result");
  assert.deepEqual(asked, ["elicitation/create"]);
});

test("a file is read through the filesystem server", LIMIT, async () => {
  using folder = temporaryFolder();
  await using session = await connect(official("filesystem", folder.path));
  const path = `${folder.path}/note.txt`;
  const written = await session.request("tools/call", {
    name: "write_file",
    arguments: { path, content: "gold" },
  });
  assert.equal(written.kind, "result");
  const read = await session.request("tools/call", { name: "read_text_file", arguments: { path } });
  assert.equal(textOf(read), "gold");
  const outside = await session.request("tools/call", {
    name: "read_text_file",
    arguments: { path: "/etc/hostname" },
  });
  assert.ok(outside.kind === "result" && isRecord(outside.result) && outside.result.isError === true);
});

test("server-everything over Streamable HTTP", LIMIT, async (t) => {
  const port = await freePort();
  await using running = await startHttp(
    { ...official("everything", "streamableHttp"), env: { PORT: String(port) } },
    (output) => (output.includes(`listening on port ${port}`) ? `http://127.0.0.1:${port}/mcp` : undefined),
  );
  for (const era of ["legacy", "auto"] as const)
    await t.test(
      `asked for ${era}: 13 tools in a session with id, standing stream and DELETE`,
      LIMIT,
      async () => {
        const { recorder, heard } = tape();
        const session = await connect({ kind: "http", url: running.url }, { era, recorder });
        assert.equal(session.era, "legacy");
        await checkList(session, heard, "tools/list", 13);
        await standingStream(heard);
        assert.deepEqual(session.strays, []);
        await session.close();

        const requests = heard.all.filter(({ ev }) => ev === "http-request");
        const opening = requests.find(({ raw }) => raw?.includes('"initialize"'));
        const answer = heard.all.find(({ ev, x }) => ev === "http-response" && x === opening?.x);
        const id = isRecord(answer?.headers) ? answer.headers["mcp-session-id"] : undefined;
        assert.equal(typeof id, "string");
        const later = requests.filter(({ seq }) => seq > (answer?.seq ?? 0));
        assert.ok(later.every(({ headers }) => isRecord(headers) && headers["mcp-session-id"] === id));
        assert.deepEqual([...new Set(later.map(({ method }) => method))].sort(), ["DELETE", "GET", "POST"]);
        const [goodbye] = later.filter(({ method }) => method === "DELETE");
        const farewell = heard.all.find(({ ev, x }) => ev === "http-response" && x === goodbye?.x);
        assert.equal(farewell?.status, 200);
      },
    );
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  assert.ok(address && typeof address === "object");
  return address.port;
}
