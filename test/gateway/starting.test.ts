/** Servers that are slow to start, or never do: nobody waits for them who wants something else. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LineReader } from "../../src/wire/frame/lines.ts";
import { connect, type Outcome } from "../../src/wire/index.ts";
import { listen } from "../kit/http.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { call, LIMIT, namesIn, reads, Servers, textOf } from "./kit.ts";
import { leftOf, startProgram, until } from "./program.ts";

const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;
const TOOLS = [reads("say", "hello")];

/** It says nothing, and its command line is nobody else's. */
const mute = (seconds: string): object => ({ command: "sleep", args: [seconds] });

/** Of one that never answers a first request was given up after so long; what is measured here is far below. */
const LONG_MS = 5_000;

test(
  "over stdio a server that never answers holds back nobody, and is ended with the rest [GTW-85]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("good", { tools: TOOLS });
    const began = performance.now();
    const marker = `${90_000 + (process.pid % 1000)}.25`;
    await using program = await startProgram(folder.path, {
      ...OPEN,
      servers: { mute: mute(marker), good: servers.entry("good") },
    });
    const { child } = program;
    const answers: Record<string, unknown>[] = [];
    const lines = new LineReader({ maxBytes: 1e6, headBytes: 1000 }, (line) => {
      if (line.kind !== "oversized") answers.push(JSON.parse(line.bytes.toString("utf8")));
    });
    child.stdout?.on("data", (chunk: Buffer) => lines.push(chunk));
    const send = (message: object): void =>
      void child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const answered = (id: number): Promise<void> => until(() => answers.some((each) => each.id === id));
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    send({ id: 1, method: "initialize", params });
    await answered(1);
    assert.ok(performance.now() - began < LONG_MS, `initialize took ${performance.now() - began} ms`);
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "good__say", arguments: {} } });
    await answered(2);
    send({ id: 3, method: "tools/list" });
    await answered(3);
    const listed = answers.find(({ id }) => id === 3)?.result;
    assert.match(JSON.stringify(listed), /good__say/);
    const ending = performance.now();
    child.stdin?.end();
    await once(child, "exit");
    assert.ok(performance.now() - ending < LONG_MS, `the end took ${performance.now() - ending} ms`);
    assert.equal(child.exitCode, 0);
    assert.deepEqual(await leftOf(marker), []);
  },
);

test("over HTTP it listens at once, and ends soon after SIGTERM [GTW-85]", LIMIT, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("good", {
    tools: TOOLS,
    prompts: [{ name: "greet", answer: "hi" }],
    resources: [{ uri: "note://1", name: "one", answer: "a note" }],
  });
  const began = performance.now();
  const marker = `${91_000 + (process.pid % 1000)}.25`;
  await using program = await startProgram(folder.path, {
    ...OPEN,
    listen: "http://127.0.0.1:0/mcp",
    servers: { mute: mute(marker), good: servers.entry("good") },
  });
  assert.ok(performance.now() - began < LONG_MS, `it listened after ${performance.now() - began} ms`);
  await using session = await connect({ kind: "http", url: program.url });
  // All of this is asked before the server is up.
  const answers = await Promise.all([
    call(session, "good__say"),
    session.request("prompts/get", { name: "good__greet" }),
    session.request("resources/read", { uri: "note://1" }),
    session.request("prompts/list"),
  ]);
  for (const [at, word] of ["hello", "hi", "a note", "good__greet"].entries())
    assert.match(textOf(answers[at] as Outcome), new RegExp(word));
  const ending = performance.now();
  assert.equal(await program.end(), 0);
  assert.ok(performance.now() - ending < LONG_MS, `the end took ${performance.now() - ending} ms`);
  assert.deepEqual(await leftOf(marker), []);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  test(
    `over stdio it ends soon after ${signal}, though its client keeps its end open [GTW-85]`,
    LIMIT,
    async () => {
      using folder = temporaryFolder();
      const servers = new Servers(folder.path);
      servers.set("good", { tools: TOOLS });
      await using program = await startProgram(folder.path, {
        ...OPEN,
        servers: { good: servers.entry("good") },
      });
      const { child } = program;
      await until(() => program.words().includes("good: let in"));
      const ending = performance.now();
      child.kill(signal);
      await Promise.race([once(child, "exit"), sleep(LONG_MS)]);
      assert.equal(child.exitCode, 0, `after ${performance.now() - ending} ms`);
    },
  );

test("an address that is taken is a fault of the file, and starts nothing [GTW-85]", LIMIT, async () => {
  using folder = temporaryFolder();
  await using other = await listen(() => {});
  const [file, marker] = [join(folder.path, "touchstone.yml"), join(folder.path, "started")];
  const config = (where: string): void =>
    writeFileSync(file, `servers:\n  a: { command: touch, args: ["${marker}"] }\nlisten: ${where}\n`);
  const at = `http://127.0.0.1:${other.url.port}/mcp`;
  config(at);
  const { code, stderr } = await touchstone(["gateway", "--config", file]);
  assert.equal(code, 2);
  assert.match(stderr, new RegExp(`:3:9 listen: ${at}: something else listens at this address already`));
  assert.match(stderr, /end the other one .*another port/);
  assert.doesNotMatch(stderr, /report it/);
  assert.equal(existsSync(marker), false);
  // The log was closed: the next one can have it.
  config("stdio");
  assert.equal((await touchstone(["gateway", "--config", file])).code, 0);
});

test("a server that comes later than a list waits for is announced [GTW-85]", LIMIT, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  for (const name of ["good", "late"]) servers.set(name, { tools: TOOLS });
  const { command, args } = servers.entry("late");
  const words = [String(command), ...(args as string[])].map((word) => `'${word}'`).join(" ");
  await using program = await startProgram(folder.path, {
    ...OPEN,
    listen: "http://127.0.0.1:0/mcp",
    servers: {
      good: servers.entry("good"),
      late: { command: "sh", args: ["-c", `sleep 8; exec ${words}`] },
    },
  });
  const heard: string[] = [];
  await using session = await connect(
    { kind: "http", url: program.url },
    { onNotification: ({ method }) => void heard.push(method) },
  );
  const began = performance.now();
  assert.deepEqual(await namesIn(session), ["good__say"]);
  assert.ok(performance.now() - began < 7_000, "the list waited for long");
  heard.length = 0;
  const again = performance.now();
  assert.deepEqual(await namesIn(session), ["good__say"]);
  assert.ok(performance.now() - again < 2_000, "a second list waited as well");
  await until(() => heard.includes("notifications/tools/list_changed"));
  assert.deepEqual(await namesIn(session), ["good__say", "late__say"]);
});
