/** How a sandboxed process ends, whatever it does, and that nothing of it is left. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Running, type SandboxOptions, start } from "../../src/sandbox/index.ts";
import { root } from "../kit/paths.ts";
import { fixtures } from "./kit.ts";

const timeout = 60_000;

const odd = (thing: string, options: SandboxOptions = {}): Promise<Running> =>
  start({ command: process.execPath, args: [join(fixtures, "odd.mjs"), thing] }, options);

async function outputOf(running: Running): Promise<string> {
  const parts: Buffer[] = [];
  running.stdio.stdout?.on("data", (part: Buffer) => parts.push(part));
  await running.exited;
  return Buffer.concat(parts).toString();
}

const endings = [
  { name: "its exit code is the server's", thing: "exit7", code: 7 },
  { name: "a crash is told as the signal", thing: "segfault", code: 139 },
  { name: "it can end its own group and nobody else's", thing: "kill its group", code: 137 },
  { name: "it can end all it sees and nobody else", thing: "kill everything", code: 0 },
];
for (const { name, thing, code } of endings)
  test(name, { timeout }, async () => {
    const { exited } = await odd(thing);
    assert.equal((await exited).code, code);
  });

test("a sandbox that cannot be set up is our fault and not the server's", { timeout }, async () => {
  await assert.rejects(odd("exit7", { limits: { folderMiB: -1 } }), { code: "SBX_FAILED" });
  // A folder that is not there cannot be shown.
  await assert.rejects(odd("exit7", { exposed: ["/nonexistent/folder"] }), {
    code: "SBX_FAILED",
    message: /^jail/,
  });
});

test("a signal reaches the server", { timeout }, async () => {
  const running = await odd("end when asked");
  await once(running.stdio.stdout ?? process.stdout, "data");
  running.signal("SIGTERM");
  assert.equal((await running.exited).code, 15);
});

test("a server that will not end is ended", { timeout }, async () => {
  const running = await odd("never end");
  await once(running.stdio.stdout ?? process.stdout, "data");
  assert.equal((await running.stop()).code, 137);
});

test("too much memory ends it, and is told [BOX-3]", { timeout }, async () => {
  const running = await odd("eat memory", { limits: { memoryMiB: 300 } });
  const { code } = await running.exited;
  assert.equal(code, 137);
  assert.equal(running.events.find(({ kind }) => kind === "limit")?.kind === "limit", true);
  const limit = running.events.find((event) => event.kind === "limit");
  assert.equal(limit?.limit, "memory");
});

test("too much time ends it, and is told", { timeout }, async () => {
  const running = await odd("never end", { limits: { timeMs: 500 } });
  assert.equal((await running.exited).code, 137);
  assert.equal(running.events.find((event) => event.kind === "limit")?.limit, "time");
});

test("more processes than allowed cannot be started", { timeout }, async () => {
  const running = await odd("fork and fork", { limits: { processes: 64 } });
  const output = await outputOf(running);
  const isLimited = running.events.some((event) => event.kind === "limit" && event.limit === "processes");
  // The kernel refuses an ordinary user; whoever is root outside is ended by us.
  assert.ok(isLimited || Number(/started (\d+)/.exec(output)?.[1]) <= 64, output);
});

test("its folders are bounded", { timeout }, async () => {
  const output = await outputOf(await odd("fill its folders"));
  assert.deepEqual([...output.matchAll(/ENOSPC/g)].length, 4, output);
});

const commandLines = (): string[] =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ")];
    } catch {
      return [];
    }
  });

/** Names of the processes that this one has started and that are still there. */
const ownChildren = (): string[] =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const isOwn = Number(/PPid:\s*(\d+)/.exec(status)?.[1]) === process.pid;
      const program = /Name:\s*(\S+)/.exec(status)?.[1] ?? "";
      return isOwn && /^(?:unshare|setpriv|sh|bwrap)$/.test(program) ? [program] : [];
    } catch {
      return [];
    }
  });

test("daemons end with it", { timeout }, async () => {
  const running = await odd("daemons");
  await running.exited;
  assert.deepEqual(
    commandLines().filter((line) => /sleep 60[01]/.test(line)),
    [],
  );
});

test("when we are killed, everything is gone within a second [BOX-4]", { timeout }, async () => {
  const marker = `never-${process.pid}-${Date.now()}`;
  const wanted = pathToFileURL(join(root, "src/sandbox/index.ts")).href;
  const parent = spawn(
    process.execPath,
    [
      ...["--import", import.meta.resolve("tsx"), "--input-type=module", "-e"],
      `import { start } from ${JSON.stringify(wanted)};
       const running = await start({ command: "sh", args: ["-c", "echo up; setsid sleep 600 & exec sleep 601", "${marker}"] });
       running.stdio.stdout.on("data", () => console.log("up"));`,
    ],
    { stdio: ["ignore", "pipe", "inherit"], cwd: root },
  );
  await once(parent.stdout, "data");
  assert.equal(
    commandLines().some((line) => /sleep 60[01]/.test(line)),
    true,
  );
  parent.kill("SIGKILL");
  const killed = Date.now();
  while (commandLines().some((line) => line.includes(marker) || /sleep 60[01]/.test(line))) {
    assert.ok(Date.now() - killed < 1_000, "still there after a second");
    await new Promise((done) => setTimeout(done, 10));
  }
});

/** A tenth of what `npm run soak` does. */
const RUNS = 20;

test("no process, mount or folder is left [BOX-5]", { timeout }, async () => {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8");
  const folders = readdirSync(tmpdir()).sort();
  for (let done = 0; done < RUNS; done += 4)
    await Promise.all(Array.from({ length: 4 }, async () => (await odd("exit7", { forwards: true })).exited));
  assert.equal(readFileSync("/proc/self/mountinfo", "utf8"), mounts);
  assert.deepEqual(
    readdirSync(tmpdir())
      .sort()
      .filter((name) => !folders.includes(name) && name.startsWith("fwd-")),
    [],
  );
  assert.deepEqual(ownChildren(), []);
});
