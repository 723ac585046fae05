/** `touchstone record` between real clients and servers: nothing of what they see is another one, and all of it is in the file. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { type RecordedEvent, readRecording } from "../../src/wire/index.ts";
import { program, temporaryFolder } from "../kit/paths.ts";
import { LIMIT, peerProgram, type Report, runClient, startHttp } from "./kit.ts";

const CLIENTS: readonly (readonly string[])[] = [
  ["sdk-v1-client.mjs"],
  ["sdk-v2-client.mjs", "legacy"],
  ["sdk-v2-client.mjs", "modern"],
];

async function eventsOf(file: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const reading of readRecording(createReadStream(file))) {
    assert.equal(reading.kind, "event", JSON.stringify(reading));
    if (reading.kind === "event") events.push(reading.event);
  }
  return events;
}

/** What a client saw, but for what is another one each time. */
const seenBy = (report: Report): unknown =>
  JSON.parse(
    JSON.stringify(report, (key, value: unknown) => (/(?:At|Ms|id|url)$/i.test(key) ? undefined : value)),
  );

for (const client of CLIENTS) {
  const [file = "", ...mode] = client;
  const era = mode[0] === "modern" ? "modern" : "legacy";
  test(`${client.join(" ")} sees the same over stdio with a recorder between`, LIMIT, async () => {
    using folder = temporaryFolder();
    const { command, args } = peerProgram("own-server.mjs", "stdio", "dual");
    const direct = await runClient(file, ...mode, "stdio", command, ...args);
    const words = [program, "record", "--out", `${folder.path}/`, "--name", "own", "--", command, ...args];
    const recorded = await runClient(file, ...mode, "stdio", process.execPath, ...words);
    assert.deepEqual(seenBy(recorded), seenBy(direct));
    // A client may start its server more than once: each start has a file.
    const files = readdirSync(folder.path).map((name) => eventsOf(join(folder.path, name)));
    const events = (await Promise.all(files)).flat();
    const frames = events.filter(({ ev }) => ev === "msg");
    assert.equal(
      frames.some(({ dir }) => dir === "client->server"),
      true,
    );
    assert.equal(
      frames.some(({ raw }) => raw?.includes("gold")),
      true,
    );
    assert.equal(
      events.every(({ peer = "own" }) => peer === "own"),
      true,
    );
    assert.equal(
      frames.some((frame) => frame.era === era),
      true,
    );
  });

  test(`${client.join(" ")} sees the same over HTTP with a recorder between`, LIMIT, async () => {
    using folder = temporaryFolder();
    await using running = await startHttp(peerProgram("own-server.mjs", "http", "dual"));
    const direct = await runClient(file, ...mode, "http", running.url.href);
    const out = join(folder.path, "http.jsonl");
    const [relay, url] = await startRelay(["--http", running.url.href, "--out", out]);
    const recorded = await runClient(file, ...mode, "http", url);
    relay.kill("SIGINT");
    const code = await new Promise<number | null>((done) => relay.on("close", (status) => done(status)));
    assert.equal(code, 0);
    assert.deepEqual(seenBy(recorded), seenBy(direct));
    const kinds = new Set((await eventsOf(out)).map(({ ev }) => ev));
    for (const kind of ["http-request", "http-response", "http-body", "sse-frame", "end"])
      assert.equal(kinds.has(kind), true, kind);
  });
}

async function startRelay(words: readonly string[]): Promise<[ChildProcess, string]> {
  const relay = spawn(process.execPath, [program, "record", ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(relay.stdout)) {
    const url = /listening at (\S+),/.exec(line)?.[1];
    if (url !== undefined) return [relay, url];
  }
  throw new Error("the recorder did not say where it listens");
}

/** A server of a few words, given to Node. */
function recordCode(
  code: string,
  folder: string,
  env: Record<string, string> = {},
): {
  readonly child: ChildProcess;
  readonly out: string;
  readonly ended: Promise<{ code: number | null; said: Buffer }>;
} {
  const out = join(folder, "one.jsonl");
  const words = [program, "record", "--out", out, "--", process.execPath, "-e", code];
  const child = spawn(process.execPath, words, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<{ code: number | null; said: Buffer }>((done) =>
    child.on("close", (status) => done({ code: status, said: Buffer.concat(chunks) })),
  );
  return { child, out, ended };
}

test("every byte passes as it is, whatever it is, and the exit code is the server's", LIMIT, async () => {
  using folder = temporaryFolder();
  const code =
    "process.stdin.on('data', (c) => process.stdout.write(c)).on('end', () => { process.exitCode = 7; })";
  const { child, out, ended } = recordCode(code, folder.path);
  const bytes = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\n\u2028 not JSON \u0000\n'),
    Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256)),
    Buffer.from("no newline at the end"),
  ]);
  child.stdin?.end(bytes);
  const { code: status, said } = await ended;
  assert.equal(status, 7);
  assert.equal(said.equals(bytes), true);
  const both = (await eventsOf(out)).filter(({ ev }) => ev === "msg" || ev === "line");
  const sent = both.filter(({ dir }) => dir === "client->server");
  const heard = both.filter(({ dir }) => dir === "server->client");
  const digests = (events: readonly RecordedEvent[]): unknown[] => events.map(({ sha256 }) => sha256);
  assert.deepEqual(digests(heard), digests(sent));
});

test(
  "a signal goes to the server, and secrets of the environment do not stand in the file",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const code = `process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1000);
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", method: process.env.MY_TOKEN }) + "\\n");`;
    const { child, out, ended } = recordCode(code, folder.path, { MY_TOKEN: "tok-0123456789" });
    child.stdout?.once("data", () => child.kill("SIGTERM"));
    const { code: status, said } = await ended;
    assert.equal(status, 3);
    assert.match(said.toString(), /tok-0123456789/);
    assert.doesNotMatch(readFileSync(out, "utf8"), /tok-0123456789/);
  },
);

test("no such command, and a file that is there already", LIMIT, async () => {
  using folder = temporaryFolder();
  const { touchstone } = await import("../kit/program.ts");
  const none = await touchstone(["record", "--out", join(folder.path, "a"), "--", "no-such-command-here"]);
  assert.equal(none.code, 4);
  assert.match(none.stderr, /no-such-command-here cannot be started/);
  const again = await touchstone([
    "record",
    "--out",
    join(folder.path, "a"),
    "--",
    process.execPath,
    "-e",
    "0",
  ]);
  assert.equal(again.code, 5);
  assert.match(again.stderr, /EEXIST/);
  const wrong = await touchstone(["record"]);
  assert.equal(wrong.code, 2);
});
