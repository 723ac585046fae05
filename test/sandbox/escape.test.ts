/** Ways out of a jail that do not go through the network, each tried for real by a program in C. */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { type EgressEvent, type SandboxEvent, start } from "../../src/sandbox/index.ts";
import { fixtures, type Tripwires, tripwires } from "./kit.ts";

const compiled = (name: string): string => {
  const program = join(folder, name);
  execFileSync("gcc", ["-O1", "-Wall", "-Werror", "-o", program, join(fixtures, `${name}.c`)]);
  return program;
};

let folder = "";
let vsock: ChildProcess;
let vsockWords = "";
let wires: Tripwires;
let events: readonly SandboxEvent[] = [];
const results = new Map<string, string>();

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "escape-"));
  wires = await tripwires();
  const [program, tripwire] = [compiled("escape"), compiled("vsock-tripwire")];
  vsock = spawn(tripwire, { stdio: ["pipe", "pipe", "inherit"] });
  let told = "";
  vsock.stdout?.on("data", (words: Buffer) => {
    told += words;
    vsockWords = told;
  });
  await once(vsock.stdout ?? process.stdout, "data");
  const port = /listening (\d+)/.exec(told)?.[1] ?? "0";
  const planted = [{ path: ".ssh/id_ed25519", content: "a key", mode: 0o600 }];
  const running = await start(
    { command: program, args: ["/home/dev/.ssh/id_ed25519", wires.abstract, wires.socket, port] },
    // The folder of the socket is there for it to see, the socket in it is not.
    { homeFiles: planted, exposed: [dirname(wires.socket)] },
  );
  const parts: Buffer[] = [];
  running.stdio.stdout?.on("data", (part: Buffer) => parts.push(part));
  await running.exited;
  ({ events } = running);
  for (const line of Buffer.concat(parts).toString().trim().split("\n")) {
    const [name = "", how = ""] = line.split("\t");
    results.set(name, how);
  }
});
after(() => {
  vsock?.kill();
  wires?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Connections that succeed, because the sinkhole takes them: they have to be on record instead. */
const CAPTURED = /^connect /;

test("at least 36 ways were tried", () => {
  assert.ok(results.size >= 36, `${results.size}: ${[...results.keys()].join(", ")}`);
});

test("each is refused, but for connections that the sinkhole takes [BOX-1, BOX-2]", () => {
  const done = [...results].filter(([name, how]) => how.startsWith("done") && !CAPTURED.test(name));
  assert.deepEqual(done, []);
});

test("what was connected to is on record", () => {
  const egress = events.filter((event): event is EgressEvent => event.kind === "egress");
  const to = egress.map(({ address, port }) => `${address} ${port}`);
  for (const place of ["203.0.113.200 6666", "203.0.113.201 8888"])
    assert.ok(to.includes(place), to.join(", "));
  const reserved = egress.find(({ port }) => port === 6666);
  assert.equal(Buffer.from(reserved?.firstBytes ?? "", "base64").toString(), "RSV");
});

test("the machine's sockets were not reached", () => {
  assert.deepEqual(wires.hits, []);
  assert.match(vsockWords, /^(?:listening \d+|none)\n$/);
});
