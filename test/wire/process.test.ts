/** Processes: what a server gets from us, and that nothing of it outlives the session. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { connect, detectContainment, supervisor } from "../../src/wire/index.ts";
import { listen } from "../kit/http.ts";
import { root, temporaryFolder } from "../kit/paths.ts";
import { carrying, startAndKill, stubbornServer } from "../kit/stubborn.ts";

/** A server made of one expression for the answer to every request. */
function serverOf(answer: string, before = ""): { command: string; args: string[] } {
  const program = `${before}
    let held = "";
    process.stdin.on("data", (chunk) => {
      held += chunk;
      for (let end = held.indexOf("\\n"); end >= 0; end = held.indexOf("\\n")) {
        const { id, method } = JSON.parse(held.slice(0, end));
        held = held.slice(end + 1);
        if (id === undefined) continue;
        const result = method === "initialize" ? { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "x", version: "1" } } : ${answer};
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
      }
    });`;
  return { command: process.execPath, args: ["-e", program] };
}

test("a server that ignores SIGTERM and leaves a detached grandchild is gone after each of 100 runs [WIR-23, WIR-24]", {
  timeout: 120_000,
}, async () => {
  assert.equal(
    detectContainment().containment,
    "pid-namespace",
    "this machine must allow pid namespaces to run this test",
  );
  assert.deepEqual(await startAndKill(100, `marker-${randomUUID()}`), { opened: 100, left: [] });
});

test("without pid namespaces the supervisor ends the server and its detached grandchild [WIR-24]", {
  timeout: 60_000,
}, async () => {
  assert.deepEqual(await startAndKill(5, `marker-${randomUUID()}`, supervisor("test")), {
    opened: 5,
    left: [],
  });
});

for (const containment of ["pid-namespace", "supervisor"] as const) {
  test(`when we are killed with SIGKILL nothing of the server is left within a second (${containment}) [WIR-25]`, {
    timeout: 30_000,
  }, async () => {
    using folder = temporaryFolder();
    const marker = `marker-${randomUUID()}`;
    const parent = join(folder.path, "parent.mjs");
    const wire = pathToFileURL(join(root, "dist/wire/index.js")).href;
    const launcher = containment === "supervisor" ? "supervisor('test')" : "detectContainment()";
    writeFileSync(
      parent,
      `import { connect, detectContainment, supervisor } from ${JSON.stringify(wire)};
       const launch = { kind: "stdio", command: process.execPath, args: ${JSON.stringify([stubbornServer, marker])} };
       const session = await connect(launch, { launcher: ${launcher} });
       console.log(session.isOpen);`,
    );
    const child = spawn(process.execPath, [parent], { stdio: ["ignore", "pipe", "inherit"] });
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    assert.equal(said.toString().trim(), "true");
    assert.ok(carrying(marker).length >= 2, "server and grandchild run");
    child.kill("SIGKILL");
    const deadline = Date.now() + 1_000;
    while (carrying(marker).length > 0 && Date.now() < deadline)
      await new Promise((done) => setTimeout(done, 20));
    assert.deepEqual(carrying(marker), []);
  });
}

test("a server gets the minimal environment and what is passed, nothing else of ours [WIR-21]", {
  timeout: 30_000,
}, async () => {
  process.env.OPERATOR_SECRET_FOR_TEST = "must not travel";
  const launch = {
    kind: "stdio",
    ...serverOf("{ names: Object.keys(process.env) }"),
    env: { GIVEN: "yes" },
  } as const;
  await using session = await connect(launch);
  const outcome = await session.request("names");
  assert.equal(outcome.kind, "result");
  const names = outcome.kind === "result" ? (outcome.result as { names: string[] }).names : [];
  const allowed = [
    "HOME",
    "LANG",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "GIVEN",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
  ];
  assert.equal(names.includes("GIVEN"), true);
  assert.deepEqual(
    names.filter((name) => !allowed.includes(name)),
    [],
  );
});

test("a server that floods stderr before it answers is not blocked, and only the newest bytes are kept [WIR-22]", {
  timeout: 30_000,
}, async () => {
  const flood = `require("node:fs").writeSync(2, "x".repeat(1024 * 1024) + "THE END");`;
  await using session = await connect(
    { kind: "stdio", ...serverOf("{}", flood) },
    { limits: { timeoutMs: 10_000 } },
  );
  assert.equal(session.opening.kind, "result");
  const tail = session.stderrTail();
  assert.equal(tail.text.endsWith("THE END"), true);
  assert.equal(tail.text.length, 64 * 1024);
  assert.equal(tail.bytes, 1024 * 1024 + 7);
});

const exits = [
  {
    name: "a non-zero exit is a crash with its code",
    program: "process.exit(7)",
    kind: "crashed",
    exit: { code: 7, signal: null },
  },
  {
    name: "a fatal signal is a crash with its name",
    program: "process.kill(process.pid, 'SIGTERM')",
    kind: "crashed",
    exit: { code: null, signal: "SIGTERM" },
  },
  {
    name: "an abort is a crash with its name",
    program: "process.abort()",
    kind: "crashed",
    exit: { code: null, signal: "SIGABRT" },
  },
  { name: "a clean exit closes the connection", program: "process.exit(0)", kind: "closed", exit: undefined },
] as const;
for (const { name, program, kind, exit } of exits) {
  for (const launcher of [detectContainment(), supervisor("test")]) {
    test(`${name} (${launcher.containment})`, { timeout: 30_000 }, async () => {
      await using session = await connect(
        { kind: "stdio", command: process.execPath, args: ["-e", program] },
        { launcher },
      );
      assert.equal(session.opening.kind, kind);
      if (session.opening.kind === "crashed") assert.deepEqual(session.opening.exit, exit);
      const later = await session.request("tools/list");
      assert.equal(later.kind, kind, "what is asked afterwards ends at once, the same way");
    });
  }
}

const failures = [
  {
    name: "a command that does not exist",
    command: "no-such-command-anywhere",
    cwd: undefined,
    reason: /no such command/,
  },
  {
    name: "a whole line in the place of a command",
    command: "sh -c 'exit 0'",
    cwd: undefined,
    reason: /^no such command: sh -c 'exit 0'; the command is sh alone, the rest are its arguments$/,
  },
  {
    name: "a file that is not executable",
    command: join(root, "README.md"),
    cwd: undefined,
    reason: /no such command/,
  },
  {
    name: "a folder that does not exist",
    command: process.execPath,
    cwd: "/no/such/folder",
    reason: /no such folder/,
  },
  {
    name: "an argument with a NUL byte",
    command: process.execPath,
    cwd: undefined,
    args: ["a\0b"],
    reason: /cannot start/,
  },
];
for (const { name, command, cwd, args = [], reason } of failures) {
  test(`${name} is unreachable, with the reason`, { timeout: 30_000 }, async () => {
    await using session = await connect({ kind: "stdio", command, args, ...(cwd ? { cwd } : {}) });
    assert.equal(session.opening.kind, "unreachable");
    assert.match(session.opening.kind === "unreachable" ? session.opening.reason : "", reason);
  });
}

test("without pid namespaces a detached child of a server that goes by itself is ended too [WIR-24]", {
  timeout: 30_000,
}, async () => {
  const marker = `marker-${randomUUID()}`;
  const starter = `require("node:child_process").spawn("sleep", ["1000"], { argv0: "${marker}", detached: true, stdio: "ignore" }).unref();`;
  {
    await using session = await connect(
      { kind: "stdio", ...serverOf("{}", starter) },
      { launcher: supervisor("test") },
    );
    assert.equal(session.isOpen, true);
    assert.equal(carrying(marker).length >= 1, true, "server and child run");
    await new Promise((done) => setTimeout(done, 300));
  }
  assert.deepEqual(carrying(marker), []);
});

test("a server is asked to go by the end of its input, then by SIGTERM, and only then killed [WIR-23]", {
  timeout: 30_000,
}, async () => {
  using folder = temporaryFolder();
  const log = join(folder.path, "log");
  const note = (what: string): string =>
    `require("node:fs").appendFileSync(${JSON.stringify(log)}, "${what} ");`;
  const stubborn = `process.on("SIGTERM", () => { ${note("term")} }); process.stdin.on("end", () => { ${note("eof")} }); setInterval(() => {}, 1000);`;
  const session = await connect(
    { kind: "stdio", ...serverOf("{}", stubborn) },
    { limits: { stopStepMs: 300 } },
  );
  await session.close();
  assert.equal(readFileSync(log, "utf8"), "eof term ");
});

for (const { name, launch } of [
  {
    name: "a process that says nothing",
    launch: (marker: string) =>
      ({
        kind: "stdio",
        command: process.execPath,
        args: ["-e", "setInterval(() => {}, 1000)", marker],
      }) as const,
  },
  {
    name: "an address where nobody answers",
    launch: (_: string, url: URL) => ({ kind: "http", url }) as const,
  },
])
  test(`who gives up while ${name} is connected to waits for nothing, and nothing is left [WIR-23]`, {
    timeout: 30_000,
  }, async () => {
    await using silent = await listen(() => {});
    const marker = `marker-${randomUUID()}`;
    const giving = new AbortController();
    const opening = connect(launch(marker, silent.url), { era: "auto", signal: giving.signal });
    await sleep(300);
    const began = performance.now();
    giving.abort();
    const session = await opening;
    assert.ok(performance.now() - began < 2_900, "it waited for the answer to its first question");
    assert.deepEqual([session.isOpen, session.leftOnProbe], [false, false]);
    assert.equal(session.opening.kind, "closed");
    assert.deepEqual(carrying(marker), []);
    // Given up before it began.
    const none = await connect(launch(marker, silent.url), { era: "auto", signal: giving.signal });
    assert.equal(none.isOpen, false);
    await none.close();
    assert.deepEqual(carrying(marker), []);
  });
