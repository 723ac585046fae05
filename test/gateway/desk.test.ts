/** Calls that wait for a person at the gateway: shown with both sides, answered once, by nobody else; and why each was decided so. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askDesk, type Held } from "../../src/gateway/index.ts";
import type { Outcome } from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { call, LIMIT, later, reads, Servers, startGateway, textOf, writes } from "./kit.ts";
import { entriesIn, startProgram, until } from "./program.ts";

const SECRET = "The launch code of the harbour crane is 7741-kilo-9920";
const HOLD_MS = 20_000;

/** A gateway in which one call waits. */
async function waiting(folder: string) {
  const servers = new Servers(folder);
  servers.set("vault", { tools: [reads("open", SECRET)] });
  servers.set("web", { tools: [writes("post", "posted")] });
  const gateway = await startGateway(
    folder,
    {
      policy: "spec",
      modes: { admission: "observe", flow: "ask" },
      servers: { vault: servers.entry("vault"), web: servers.entry("web") },
    },
    {},
    HOLD_MS,
  );
  const session = await gateway.connect();
  await call(session, "vault__open");
  const controller = new AbortController();
  const outcome = session.request(
    "tools/call",
    { name: "web__post", arguments: { body: SECRET } },
    { signal: controller.signal },
  );
  const socket = join(folder, "audit", "approve.sock");
  const [held] = await heldAt(socket, 1);
  return { gateway, session, servers, outcome, socket, held, controller };
}

async function heldAt(socket: string, count: number): Promise<readonly Held[]> {
  for (let tries = 0; ; tries++) {
    const { held } = (await askDesk(socket, { list: true })) as unknown as { held: readonly Held[] };
    if (held.length === count || tries > 100) return held;
    await sleep(50);
  }
}

const answers: readonly {
  readonly name: string;
  readonly words: readonly string[];
  readonly becomes: RegExp;
  readonly sent: number;
}[] = [
  { name: "approved", words: [], becomes: /^posted$/, sent: 1 },
  { name: "denied", words: ["--deny"], becomes: /^Denied by SEC-060: .*it was not approved/, sent: 0 },
];
for (const { name, words, becomes, sent } of answers)
  test(
    `a call that waits is shown and ${name} by command, and \`why\` tells of it [GTW-17] [GTW-25] [GTW-26]`,
    LIMIT,
    async () => {
      using folder = temporaryFolder();
      const { gateway, session, servers, outcome, held } = await waiting(folder.path);
      await using running = gateway;
      await using client = session;
      const config = ["--config", join(folder.path, "touchstone.yml")];
      const listed = await touchstone(["approve", ...config]);
      assert.match(listed.stdout, /1 call waits for a word/);
      const [deferred] = running.entries("decision").slice(-1);
      assert.deepEqual([deferred?.outcome, dataOf(deferred).approval], ["deferred", held?.id]);
      // The name is the client's own word, and is shown as that.
      const asker = `"${deferred?.actor}" (by its own word)`;
      assert.ok(listed.stdout.includes(`web: post, asked by ${asker}\n`), listed.stdout);
      assert.match(listed.stdout, /why: vault\.open .*reaches web\.post/);
      assert.match(listed.stdout, /with: \{"body":"The launch code/);
      assert.deepEqual(servers.received("web", "tools/call"), []);
      const done = await touchstone(["approve", held?.id ?? "", ...words, ...config]);
      assert.equal(done.code, 0, done.stderr);
      assert.match(textOf(await outcome), becomes);
      assert.equal(servers.received("web", "tools/call").length, sent);
      const again = await touchstone(["approve", held?.id ?? "", ...config]);
      assert.deepEqual([again.code, /nothing waits under/.test(again.stderr)], [2, true]);
      const decision = running.entries("decision").at(-1);
      const why = await touchstone(["why", String(decision?.id), ...config]);
      assert.match(why.stdout, /by SEC-060: vault\.open/);
      assert.match(why.stdout, /from vault: open \(NONE, .*content\[0\]\.text into body, verbatim/);
      assert.match(why.stdout, /made again from the entry: the same/);
      const isApproved = sent === 1;
      assert.deepEqual(
        [decision?.outcome, dataOf(decision).approved, dataOf(decision).approval, dataOf(decision).deferred],
        [isApproved ? "allowed" : "denied", isApproved ? "operator" : undefined, held?.id, deferred?.id],
      );
      assert.match(why.stdout, new RegExp(`waited for a word under ${held?.id}, as ${deferred?.id} says`));
      const before = await touchstone(["why", String(deferred?.id), ...config]);
      assert.match(before.stdout, new RegExp(`waits for a word under ${held?.id}[\\s\\S]*: the same`));
      assert.equal(client.isOpen, true);
    },
  );

const dataOf = (entry: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> =>
  entry?.data as Readonly<Record<string, unknown>>;

test(
  "a gateway that is killed while a call waits has written down that it waits, for whom and under which id [GTW-81]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("vault", { tools: [reads("open", SECRET)] });
    servers.set("web", { tools: [writes("post", "posted")] });
    await using program = await startProgram(folder.path, {
      policy: "spec",
      modes: { admission: "observe", flow: "ask" },
      servers: { vault: servers.entry("vault"), web: servers.entry("web") },
    });
    let id = 0;
    const send = (method: string, params: object): void =>
      void program.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`);
    let said = "";
    program.child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
    });
    const clientInfo = { name: "my-agent", version: "1" };
    send("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    send("tools/call", { name: "vault__open", arguments: {} });
    await until(() => said.includes(SECRET));
    send("tools/call", { name: "web__post", arguments: { body: SECRET } });
    await until(() => program.words().includes("waits for a person"));
    const listed = await touchstone(["approve", "--config", join(folder.path, "touchstone.yml")]);
    assert.match(listed.stdout, /web: post, asked by "my-agent" \(by its own word\)$/m);
    program.child.kill("SIGKILL");
    const [approval] = /a-[0-9a-f]{8}/.exec(listed.stdout) ?? [];
    const entry = entriesIn(join(folder.path, "audit"), "decision").at(-1);
    assert.deepEqual(
      [entry?.outcome, entry?.actor, entry?.server, entry?.tool, dataOf(entry).kind, dataOf(entry).approval],
      ["deferred", "my-agent", "web", "post", "ask", approval],
    );
    assert.deepEqual(servers.received("web", "tools/call"), []);
  },
);

test("a caller that a token names is shown by that name [GTW-81]", LIMIT, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("vault", { tools: [reads("open", SECRET)] });
  servers.set("web", { tools: [writes("post", "posted")] });
  const config = {
    policy: "spec",
    modes: { admission: "observe", flow: "ask" },
    tokens: { ada: { env: "ADA" } },
    servers: { vault: servers.entry("vault"), web: servers.entry("web") },
  };
  const token = "a".repeat(20);
  await using gateway = await startGateway(folder.path, config, { ADA: token }, HOLD_MS);
  await using session = await gateway.connect({ token });
  await call(session, "vault__open");
  const outcome = call(session, "web__post", { body: SECRET });
  const socket = join(folder.path, "audit", "approve.sock");
  const [held] = await heldAt(socket, 1);
  const listed = await touchstone(["approve", "--config", join(folder.path, "touchstone.yml")], {
    env: { ADA: token },
  });
  assert.match(listed.stdout, /web: post, asked by ada$/m);
  assert.equal(gateway.entries("decision").at(-1)?.actor, "ada");
  await askDesk(socket, { id: held?.id, allow: false });
  await outcome;
});

test("the desk is for the operator's own user [GTW-25]", LIMIT, async () => {
  using folder = temporaryFolder();
  const { gateway, session, socket, held, outcome } = await waiting(folder.path);
  await using _running = gateway;
  await using _client = session;
  assert.equal(statSync(socket).mode & 0o777, 0o600);
  for (const request of [{}, { id: held?.id }, { id: held?.id, allow: "yes" }, { id: 1, allow: true }, []])
    assert.deepEqual(await askDesk(socket, request), { fault: "not a request" });
  assert.deepEqual(await askDesk(socket, { id: "a-00000000", allow: true }), { isDone: false });
  await askDesk(socket, { id: held?.id, allow: false });
  assert.match(textOf(await outcome), /it was not approved/);
});

test("a word for a tool that changes while the call waits does not count [GTW-17]", LIMIT, async () => {
  using folder = temporaryFolder();
  const { gateway, session, servers, socket, held, outcome } = await waiting(folder.path);
  await using running = gateway;
  await using _client = session;
  servers.set("web", { tools: [writes("post", "posted", { description: "posts everywhere" })] });
  const isChanged = (): boolean =>
    JSON.stringify(running.assembled.gateway.servers.get("web")?.upstream.lists.tools).includes("everywhere");
  for (let tries = 0; !isChanged() && tries < 100; tries++) await sleep(50);
  await askDesk(socket, { id: held?.id, allow: true });
  assert.match(textOf(await outcome), /changed while it waited/);
  assert.deepEqual(servers.received("web", "tools/call"), []);
});

test("nor where its server tells nobody of the change [GTW-17] [GTW-10]", LIMIT, async () => {
  using folder = temporaryFolder();
  const { gateway, session, servers, socket, held, outcome } = await waiting(folder.path);
  await using _running = gateway;
  await using _client = session;
  const changed = writes("post", "posted", { description: "posts everywhere" });
  servers.set("web", { tools: [changed], announces: false });
  using _ = later(5_100);
  await askDesk(socket, { id: held?.id, allow: true });
  assert.match(textOf(await outcome), /changed while it waited/);
  assert.deepEqual(servers.received("web", "tools/call"), []);
});

test("a client that goes away takes its call with it [GTW-18]", LIMIT, async () => {
  using folder = temporaryFolder();
  const { gateway, session, servers, socket, held, outcome, controller } = await waiting(folder.path);
  await using _running = gateway;
  await using _client = session;
  controller.abort();
  assert.equal((await outcome).kind satisfies Outcome["kind"], "cancelled");
  assert.deepEqual(await heldAt(socket, 0), []);
  assert.deepEqual(await askDesk(socket, { id: held?.id, allow: true }), { isDone: false });
  assert.deepEqual(servers.received("web", "tools/call"), []);
});

test(
  "a legacy client that closes its connection takes its call with it, and nothing else [GTW-71]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("vault", { tools: [reads("open", SECRET)] });
    servers.set("web", { tools: [writes("post", "posted"), reads("slow", "", { ending: "hang" })] });
    const entries = { vault: servers.entry("vault"), web: servers.entry("web") };
    const config = { policy: "spec", modes: { admission: "observe", flow: "ask" }, servers: entries };
    await using gateway = await startGateway(folder.path, config, {}, HOLD_MS);
    const post = (method: string, params: object, session?: string, signal?: AbortSignal) =>
      fetch(gateway.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(session === undefined ? {} : { "mcp-session-id": session }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: Math.random().toString(36), method, params }),
        ...(signal ? { signal } : {}),
      });
    const version = { protocolVersion: "2025-06-18", capabilities: {} };
    const session = (await post("initialize", version)).headers.get("mcp-session-id") ?? "";
    await (await post("tools/call", { name: "vault__open", arguments: {} }, session)).text();
    const controller = new AbortController();
    const asked = { name: "web__post", arguments: { body: SECRET } };
    const calls = [asked, { name: "web__slow", arguments: {} }].map((params) =>
      post("tools/call", params, session, controller.signal).catch(() => "closed"),
    );
    const socket = join(folder.path, "audit", "approve.sock");
    const [held] = await heldAt(socket, 1);
    while (servers.received("web", "tools/call").length === 0) await sleep(20);
    controller.abort();
    assert.deepEqual(await Promise.all(calls), ["closed", "closed"]);
    assert.deepEqual(await heldAt(socket, 0), []);
    assert.deepEqual(await askDesk(socket, { id: held?.id, allow: true }), { isDone: false });
    // What reached its server goes on: in this era that is no cancellation.
    assert.deepEqual(servers.received("web", "notifications/cancelled"), []);
    const { data } = gateway.entries("decision").at(-1) as { data: { reason: string } };
    assert.match(data.reason, /the client did not wait$/);
  },
);

test(
  "a word is given for all of the arguments: they are shown, and what is more is counted [GTW-72]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("vault", { tools: [reads("open", SECRET)] });
    servers.set("web", { tools: [writes("post", "posted")] });
    const entries = { vault: servers.entry("vault"), web: servers.entry("web") };
    const config = { policy: "spec", modes: { admission: "observe", flow: "ask" }, servers: entries };
    await using gateway = await startGateway(folder.path, config, {}, HOLD_MS);
    await using session = await gateway.connect();
    await call(session, "vault__open");
    const late = { body: `${"a".repeat(5000)} ${SECRET}`, to: "mallory" };
    const calls = [late, { ...late, rest: "z".repeat(20_000) }].map((args) =>
      call(session, "web__post", args),
    );
    const socket = join(folder.path, "audit", "approve.sock");
    const held = [...(await heldAt(socket, 2))].sort((a, b) => a.arguments.length - b.arguments.length);
    const [one, other] = held;
    assert.equal(one?.arguments, JSON.stringify(late));
    assert.match(other?.arguments ?? "", /^.{16384}… \(\+\d{4} characters\)$/);
    const approve = (...words: string[]) =>
      touchstone(["approve", ...words, "--config", join(folder.path, "touchstone.yml")]);
    const few = await approve();
    assert.doesNotMatch(few.stdout, /mallory/);
    assert.match(few.stdout, new RegExp(`all of it: touchstone approve ${one?.id} --show`));
    const all = await approve(one?.id ?? "", "--show");
    assert.match(all.stdout, /"to":"mallory"}$/m);
    assert.equal((await approve("a-00000000", "--show")).code, 2);
    assert.equal((await heldAt(socket, 2)).length, 2, "nothing was answered by that");
    for (const { id } of held) await askDesk(socket, { id, allow: false });
    await Promise.all(calls);
  },
);

test("nobody answers: it is denied [GTW-19]", LIMIT, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("vault", { tools: [reads("open", SECRET)] });
  servers.set("web", { tools: [writes("post", "posted")] });
  await using gateway = await startGateway(folder.path, {
    policy: "spec",
    modes: { admission: "observe", flow: "ask" },
    servers: { vault: servers.entry("vault"), web: servers.entry("web") },
  });
  await using session = await gateway.connect();
  await call(session, "vault__open");
  assert.match(textOf(await call(session, "web__post", { body: SECRET })), /nobody approved it in time/);
  assert.deepEqual(servers.received("web", "tools/call"), []);
});

test("each decision can be made again from the log [GTW-26]", LIMIT, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("mail", { tools: [reads("list", "letters"), writes("send")] });
  await using gateway = await startGateway(folder.path, {
    policy: "spec",
    modes: { admission: "warn" },
    servers: { mail: servers.entry("mail") },
    mcp_servers: { mail: { allowed_tools: ["list"] } },
  });
  await using session = await gateway.connect();
  await call(session, "mail__list");
  await call(session, "mail__send");
  const config = ["--config", join(folder.path, "touchstone.yml")];
  for (const { id } of gateway.entries("decision")) {
    const { stdout } = await touchstone(["why", String(id), ...config]);
    assert.match(stdout, /made again from the entry: the same/);
  }
  const nothing = await touchstone(["why", "d-000000000000-none", ...config]);
  assert.equal(nothing.code, 2);
});

test("a folder too deep for the desk's socket is told of before anything is started", LIMIT, async () => {
  using folder = temporaryFolder();
  const deep = join(folder.path, "x".repeat(110));
  mkdirSync(deep);
  await assert.rejects(
    startGateway(deep, { servers: { mail: { command: process.execPath, args: ["none.mjs"] } } }),
    /approve\.sock: a socket has a name of at most 103 bytes/,
  );
  assert.deepEqual(readdirSync(folder.path), ["x".repeat(110)]);
});
