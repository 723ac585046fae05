/** A gateway in front of one person's servers: started by a client that does not wait for long, once a window, with servers that nobody
 *  has graded. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { logFolders } from "../../src/gateway/index.ts";
import { connect } from "../../src/wire/index.ts";
import { program, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { call, LIMIT, namesIn, reads, Servers, startGateway, type ToolState, textOf, writes } from "./kit.ts";

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    assert.equal(tries < 100, true, "it did not come about");
    await sleep(100);
  }
}

test("a server that never answers does not hold up the others at the start [GTW-21]", {
  timeout: 60_000,
}, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("notes", { tools: [reads("list", "a note")] });
  const file = join(folder.path, "touchstone.yml");
  const mute = { command: process.execPath, args: ["-e", "process.stdin.resume()"] };
  const config = {
    policy: "spec",
    modes: { admission: "observe" },
    servers: { mute, notes: servers.entry("notes") },
  };
  writeFileSync(file, JSON.stringify(config));
  const launch = {
    kind: "stdio",
    command: process.execPath,
    args: [program, "gateway", "--config", file],
  } as const;
  const session = await connect(launch);
  try {
    assert.equal(session.isOpen, true);
    assert.deepEqual(await namesIn(session), ["notes__list"]);
    assert.equal(textOf(await call(session, "notes__list")), "a note");
  } finally {
    await session.close();
  }
});

test(
  "what is locked and ungraded works without a grade, at level NONE, and loses what changes [GTW-12]",
  LIMIT,
  async () => {
    const tools = [reads("list", "a note"), writes("add", "added")];
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("notes", { tools });
    servers.lock({ notes: { tools } });
    const entry = { ...servers.entry("notes"), locked: true, ungraded: true };
    const config = {
      modes: { trigger: "warn" },
      mcp_servers: { notes: { allowed_tools: ["list", "add"] } },
      servers: { notes: entry },
    };
    {
      await using gateway = await startGateway(folder.path, config);
      const session = await gateway.connect();
      assert.equal(textOf(await call(session, "notes__list")), "a note");
      const added = await call(session, "notes__add", { text: "a note" });
      assert.equal(textOf(added), "added");
      assert.match(JSON.stringify(added.kind === "result" && added.result), /"level":"NONE"/);
      servers.set("notes", {
        tools: [tools[0] as ToolState, { ...tools[1], name: "add", description: "other" }],
      });
      await until(async () => (await namesIn(session)).length === 1);
      assert.deepEqual(await namesIn(session), ["notes__list"]);
      assert.match(textOf(await call(session, "notes__add")), /^Denied by drift/);
      await session.close();
    }
    // Without its lock it is nobody's: to want no grade opens nothing by itself.
    rmSync(join(folder.path, "touchstone.lock"));
    await using gateway = await startGateway(folder.path, config);
    const session = await gateway.connect();
    assert.deepEqual(await namesIn(session), []);
    await session.close();
  },
);

test("several gateways of one file have a log each, and one desk is asked for all of them [GTW-24, GTW-25]", {
  timeout: 60_000,
}, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("vault", { tools: [reads("open", "The launch code of the harbour crane is 7741-kilo-9920")] });
  servers.set("web", { tools: [writes("post", "posted")] });
  const config = {
    policy: "spec",
    modes: { admission: "observe", flow: "ask" },
    servers: { vault: servers.entry("vault"), web: servers.entry("web") },
  };
  {
    await using _only = await startGateway(folder.path, config);
    const hint = /^another gateway runs from this file: stop it, or write audit: \{ writers: many \}/;
    await assert.rejects(startGateway(folder.path, config), { code: "AUD_LOCKED", hint });
  }
  const many = { ...config, audit: { writers: "many" } };
  await using _first = await startGateway(folder.path, many);
  await using second = await startGateway(folder.path, many, {}, 20_000);
  const file = join(folder.path, "touchstone.yml");
  assert.deepEqual(await logFolders(file), [join(folder.path, "audit"), join(folder.path, "audit-2")]);
  const session = await second.connect();
  const body = textOf(await call(session, "vault__open"));
  const posting = call(session, "web__post", { body });
  let id = "";
  await until(async () => {
    const { stdout } = await touchstone(["approve", "--json", "--config", file]);
    id = (JSON.parse(stdout) as { id: string }[])[0]?.id ?? "";
    return id !== "";
  });
  assert.equal((await touchstone(["approve", id, "--config", file])).code, 0);
  const posted = await posting;
  assert.equal(textOf(posted), "posted");
  const decision = /"decision":"(d-[^"]+)"/.exec(
    JSON.stringify(posted.kind === "result" && posted.result),
  )?.[1];
  const told = await touchstone(["why", decision ?? "", "--config", file]);
  assert.match(told.stdout, /approved by operator/);
  await session.close();
});

test("a tool that repeats a value it was given is the one that was locked [GTW-12]", {
  timeout: 60_000,
}, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  const value = "harbour-basin-four";
  servers.set("notes", { tools: [reads("list", "a note", { description: `Notes of ${value}.` })] });
  const config = (env: string) => ({
    servers: { notes: { ...servers.entry("notes"), env: { PLACE: env }, locked: true, ungraded: true } },
  });
  const file = join(folder.path, "touchstone.yml");
  writeFileSync(file, JSON.stringify(config(value)));
  const locked = await touchstone(["lock", "--yes", "--sandbox", "none", "--config", file]);
  assert.equal(locked.code, 0, locked.stderr);
  assert.doesNotMatch(readFileSync(join(folder.path, "touchstone.lock"), "utf8"), new RegExp(value));
  await using gateway = await startGateway(folder.path, config(value));
  await using session = await gateway.connect();
  assert.deepEqual(await namesIn(session), ["notes__list"]);
  // Said of something else than it was given, it is another one.
  servers.set("notes", { tools: [reads("list", "a note", { description: "Notes of nobody." })] });
  await until(async () => (await namesIn(session)).length === 0);
});
