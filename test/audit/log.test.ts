/** The writer on real files: order, durability, segments, recovery, retention, one writer at a time. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AuditLog,
  Form,
  fileStore,
  type LogOptions,
  logFiles,
  openLog,
  plain,
  SLOT,
  verifierKey,
  verifyLog,
} from "../../src/audit/index.ts";
import { AUDIT_KEY, AUDIT_ORIGIN, crash } from "../kit/audit-crash.ts";
import { storeContract } from "../kit/audit-store.ts";
import { root, temporaryFolder } from "../kit/paths.ts";

const timeout = 120_000;
const key = verifierKey(AUDIT_ORIGIN, AUDIT_KEY.publicKey);
const open = async (folder: string, options: Partial<LogOptions> = {}): Promise<AuditLog> =>
  openLog(fileStore(folder), { key: AUDIT_KEY, origin: AUDIT_ORIGIN, ...options });
const verdict = (folder: string) => verifyLog(logFiles(folder), { key });
const call = (word: string) => ({ type: "decision", server: "mail", tool: "send", data: { word } }) as const;
const segments = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();

storeContract("files", () => {
  const folder = temporaryFolder();
  return {
    open: () => fileStore(join(folder.path, "log")),
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
});

for (const durability of ["written", "synced"] as const)
  test(`entries stand in the order of their events, and are there when they are durable (${durability}) [AUD-8, AUD-9]`, {
    timeout,
  }, async () => {
    using folder = temporaryFolder();
    const log = await open(folder.path, { durability });
    const receipts = Array.from({ length: 50 }, (_, i) => log.append(call(`w${i}`)));
    assert.deepEqual(
      receipts.map(({ n }) => n),
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    await receipts[49]?.durable;
    const text = readFileSync(join(folder.path, segments(folder.path)[0] as string), "utf8");
    assert.equal(text.split("\n").length - 1, 51);
    for (const { id } of receipts) assert.equal(text.includes(`"id":"${id}"`), true, id);
    await log.close();
    assert.deepEqual(verdict(folder.path), {
      status: "whole",
      entries: 51,
      signed: 51,
      pruned: 0,
      torn: 0,
      checkpoints: 2,
    });
    assert.throws(() => log.append(call("late")), { code: "AUD_UNWRITABLE" });
  });

test("an entry that comes alone is in the file at once; of many, all that are at hand go into one write", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const store = fileStore(folder.path);
  const writes: number[] = [];
  const counted = {
    ...store,
    write(lines: Uint8Array) {
      writes.push(lines.filter((byte) => byte === 10).length);
      store.write(lines);
    },
  };
  const log = await openLog(counted, { key: AUDIT_KEY, origin: AUDIT_ORIGIN });
  const onDisk = (): number =>
    readFileSync(join(folder.path, segments(folder.path)[0] as string), "utf8").split("\n").length - 1;
  await log.append(call("first")).durable;
  writes.length = 0;
  const { durable } = log.append(call("alone"), 0);
  assert.deepEqual([writes, onDisk()], [[1], 3]);
  await durable;
  const many = Array.from({ length: 40 }, (_, i) => log.append(call(`w${i}`)));
  await Promise.all(many.map((each) => each.durable));
  assert.equal(onDisk(), 43);
  // The first few may come one by one, since nobody came with those before them.
  assert.ok(writes.length < 10, `${writes.length} writes`);
  await log.close();
  assert.equal(verdict(folder.path).status, "whole");
});

test("entries of forms and others, alone and in crowds, make one chain [AUD-2, AUD-7]", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const log = await open(folder.path);
  const form = new Form({ type: "decision", server: "mail", tool: "send", data: { word: SLOT } });
  const words: string[] = [];
  for (let turn = 0; turn < 60; turn++) {
    // Of each kind, in each place of a crowd.
    const crowd = Array.from({ length: 1 + (turn % 4) }, (_, each) => `${turn}-${each}`);
    const receipts = crowd.map((word, each) =>
      log.append(
        (turn + each) % 3 === 0 ? call(word) : { form, values: [plain(word)] },
        turn % 5 === 0 ? 0 : turn % 5 === 1 ? 9 : undefined,
      ),
    );
    await Promise.all(receipts.map(({ durable }) => durable));
    words.push(...crowd);
  }
  await log.close();
  assert.equal(verdict(folder.path).status, "whole");
  const lines = readFileSync(join(folder.path, segments(folder.path)[0] as string), "utf8")
    .trimEnd()
    .split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).data.word).filter((word) => word !== undefined),
    words,
  );
});

test("an entry that comes alone and cannot be written is told so, and nothing is written after it (AUD_UNWRITABLE)", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const store = fileStore(folder.path);
  let isFull = false;
  const failures: string[] = [];
  const filling = {
    ...store,
    write(lines: Uint8Array) {
      if (isFull) throw new Error("no room");
      store.write(lines);
    },
  };
  const onFailure = ({ code }: { readonly code: string }): void => void failures.push(code);
  const log = await openLog(filling, { key: AUDIT_KEY, origin: AUDIT_ORIGIN, onFailure });
  await log.append(call("first")).durable;
  isFull = true;
  const { durable } = log.append(call("lost"), 0);
  await assert.rejects(durable, { code: "AUD_UNWRITABLE" });
  assert.throws(() => log.append(call("late")), { code: "AUD_UNWRITABLE" });
  assert.deepEqual(failures, ["AUD_UNWRITABLE"]);
  await log.close();
});

test("whoever appends crowds without end leaves timers and the disk their turn", { timeout }, async () => {
  using folder = temporaryFolder();
  const log = await open(folder.path);
  let isTheirTurn = false;
  setTimeout(() => {
    isTheirTurn = true;
  }, 5);
  const until = performance.now() + 2_000;
  while (!isTheirTurn && performance.now() < until)
    await Array.from({ length: 64 }, (_, each) => log.append(call(`w${each}`), 9)).at(-1)?.durable;
  assert.equal(isTheirTurn, true);
  await log.close();
  assert.equal(verdict(folder.path).status, "whole");
});

for (const durability of ["written", "synced"] as const)
  test(`what comes while the last checkpoint is made is written before the log is closed (${durability}) [AUD-8]`, {
    timeout,
  }, async () => {
    using folder = temporaryFolder();
    const store = fileStore(folder.path);
    let isLast = false;
    let late: Promise<void> | undefined;
    const slow = {
      ...store,
      addCheckpoint: async (note: string): Promise<void> => {
        await store.addCheckpoint(note);
        if (isLast) late ??= log.append(call("late")).durable;
      },
    };
    const log = await openLog(slow, { key: AUDIT_KEY, origin: AUDIT_ORIGIN, durability });
    await log.append(call("early")).durable;
    isLast = true;
    await log.close();
    await late;
    const text = readFileSync(join(folder.path, segments(folder.path)[0] as string), "utf8");
    assert.match(text, /"word":"late"/);
    assert.equal(verdict(folder.path).status, "whole");
  });

test("a clock that says what entries cannot have is told, and the log goes on when it is right again (AUD_UNWRITABLE)", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const began = Date.parse("2026-11-15T10:00:00Z");
  let now = began;
  const log = await open(folder.path, { now: () => now });
  const form = new Form({ type: "decision", server: "mail", tool: "send", data: { word: SLOT } });
  const both = () => [log.append(call("a")), log.append({ form, values: [plain("a")] }, 0)];
  both();
  for (const wrong of [Number.NaN, began + 0.5, Date.parse("9999-12-31T23:59:59.999Z") + 1, -1e17]) {
    now = wrong;
    assert.throws(() => log.append(call("a")), { code: "AUD_UNWRITABLE" });
    assert.throws(() => log.append({ form, values: [plain("a")] }, 0), { code: "AUD_UNWRITABLE" });
  }
  for (now of [began + 1, -1, 0, Date.parse("9999-12-31T23:59:59.999Z"), began]) both();
  await log.close();
  assert.deepEqual(verdict(folder.path).status, "whole");
});

test("segments end by size and by age, keep their hashes, and the log goes on after it was closed [AUD-8, AUD-15]", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  let now = Date.parse("2026-11-15T10:00:00Z");
  const log = await open(folder.path, { segmentBytes: 4_000, segmentMs: 3_600_000, now: () => now });
  for (let i = 0; i < 30; i++) await log.append(call("x".repeat(100))).durable;
  const bySize = segments(folder.path).length;
  assert.equal(bySize > 2, true, `${bySize} segments`);
  now += 3_700_000;
  await log.append(call("an hour later")).durable;
  await log.append(call("in the next segment")).durable;
  await log.close();
  assert.equal(segments(folder.path).length, bySize + 1);
  const again = await open(folder.path);
  await again.append(call("again")).durable;
  await again.close();
  assert.deepEqual(verdict(folder.path).status, "whole");
  const closed = segments(folder.path).slice(0, -1);
  assert.deepEqual(
    closed.filter((name) => !readdirSync(folder.path).includes(name.replace("jsonl", "hashes"))),
    [],
  );
});

test("a checkpoint comes after so many entries, after a while, and only over what is on the disk [AUD-12, AUD-13]", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const log = await open(folder.path, { checkpointEvery: 10, checkpointMs: 200, restMs: 0 });
  const signed = (): number => (verdict(folder.path) as { signed?: number }).signed ?? -1;
  const until = async (what: () => boolean): Promise<void> => {
    for (let left = 200; left > 0 && !what(); left--) await new Promise((done) => setTimeout(done, 25));
    assert.equal(what(), true, `signed ${signed()}`);
  };
  for (let i = 0; i < 12; i++) await log.append(call("many")).durable;
  await until(() => signed() >= 11);
  const { n, durable } = log.append(call("one"));
  await durable;
  await until(() => signed() === n + 1);
  await log.close();
});

test("nothing is signed that the disk does not have yet [AUD-12]", { timeout }, async () => {
  using folder = temporaryFolder();
  const files = fileStore(folder.path);
  let held: Promise<void> | undefined;
  const store = {
    ...files,
    sync: async (): Promise<void> => {
      await held;
      await files.sync();
    },
  };
  const log = await openLog(store, { key: AUDIT_KEY, origin: AUDIT_ORIGIN });
  const checkpoints = (): string => readFileSync(join(folder.path, "checkpoints"), "utf8");
  const before = checkpoints();
  let release: () => void = () => {};
  held = new Promise((done) => {
    release = done;
  });
  await log.append(call("on its way to the disk")).durable;
  const signing = log.checkpoint();
  await sleep(100);
  assert.equal(checkpoints(), before, "the disk has not said that it has it");
  release();
  await signing;
  assert.notEqual(checkpoints(), before);
  assert.equal((verdict(folder.path) as { signed?: number }).signed, log.size);
  await log.close();
});

test("secrets are replaced before anything is hashed, long texts are cut [AUD-5, AUD-6]", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const log = await open(folder.path, { redact: (text) => text.replaceAll("hunter2", "[secret]") });
  await log.append({ ...call(`${"x".repeat(508)}hunter2 and more`), actor: "hunter2" }).durable;
  await log.close();
  const text = readFileSync(join(folder.path, segments(folder.path)[0] as string), "utf8");
  assert.doesNotMatch(text, /hunter|hunt/);
  assert.match(text, /"actor":"\[secret\]"/);
});

test("what is redacted can change, also in what stays the same [AUD-5]", { timeout }, async () => {
  using folder = temporaryFolder();
  const log = await open(folder.path);
  const event = { ...call("hunter2"), actor: "hunter2" };
  await log.append(event).durable;
  log.redactBy((text) => text.replaceAll("hunter2", "[secret]"));
  await log.append(event).durable;
  log.redactBy();
  await log.append(event).durable;
  await log.close();
  const text = readFileSync(join(folder.path, segments(folder.path)[0] as string), "utf8");
  const lines = text.split("\n").filter((line) => /hunter2|secret/.test(line));
  assert.deepEqual(
    lines.map((line) => line.includes("hunter2")),
    [true, false, true],
  );
});

test("wherever a crash cuts the last line, the rest is kept and the log goes on [AUD-14]", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const [whole, copy] = [join(folder.path, "whole"), join(folder.path, "copy")];
  const log = await open(whole);
  await log.checkpoint();
  for (const word of ["one", "two ü 🔒"]) await log.append(call(word)).durable;
  // As it stands while the writer lives: nothing of these two is signed.
  const [name = ""] = segments(whole);
  const [bytes, notes] = [readFileSync(join(whole, name)), readFileSync(join(whole, "checkpoints"))];
  await log.close();
  const begin = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  for (const cut of [
    ...Array.from({ length: 40 }, (_, i) => begin + i * 9),
    bytes.length - 1,
    bytes.length,
  ]) {
    if (cut > bytes.length) continue;
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy);
    writeFileSync(join(copy, name), bytes.subarray(0, cut));
    writeFileSync(join(copy, "checkpoints"), notes);
    const opened = await open(copy);
    await opened.append(call("after")).durable;
    await opened.close();
    const isWhole = cut === bytes.length;
    const found = verdict(copy) as { status: string; entries: number; torn: number };
    assert.deepEqual(
      [found.status, found.entries, found.torn],
      ["whole", isWhole ? 5 : 4, isWhole || cut === begin ? 0 : 1],
      `cut at ${cut - begin}`,
    );
    assert.deepEqual(
      readFileSync(join(copy, name)).subarray(0, cut),
      bytes.subarray(0, cut),
      "what was there stays",
    );
  }
});

test("lines that are no entries, a torn checkpoint and a torn new segment are recovered too [AUD-14]", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  await (await open(folder.path)).close();
  const [name = ""] = segments(folder.path);
  appendFileSync(at(name), `${"\u0000".repeat(512)}\n{"n":1}\n`);
  appendFileSync(at("checkpoints"), "\nlog.example/cra");
  const first = await open(folder.path, { segmentBytes: 500 });
  await first.append(call("x".repeat(400))).durable;
  await first.append(call("next segment")).durable;
  await first.close();
  assert.deepEqual(
    { ...verdict(folder.path), checkpoints: 0 },
    { status: "whole", entries: first.size, signed: first.size, pruned: 0, torn: 1, checkpoints: 0 },
  );
  // A segment that was begun, and nothing whole came.
  const fresh = `${String(first.size).padStart(20, "0")}.jsonl`;
  writeFileSync(at(fresh), '{"actor":nu');
  const again = await open(folder.path);
  await again.close();
  assert.equal(verdict(folder.path).status, "whole");
  assert.match(readFileSync(at(fresh), "utf8"), /^\{"actor":null,.*"event":"opened","torn":\{"bytes":11/);
});

const damages: readonly (readonly [name: string, damage: (folder: string, segment: string) => void])[] = [
  ["entries that were signed are cut off", (folder, segment) => truncateSync(join(folder, segment), 500)],
  [
    "an entry that was signed is changed",
    (folder, segment) => {
      const file = join(folder, segment);
      writeFileSync(file, readFileSync(file, "utf8").replace("w3", "w4"));
    },
  ],
  ["the segment is gone", (folder, segment) => rmSync(join(folder, segment))],
  [
    "a checkpoint is of another key",
    (folder) => {
      const file = join(folder, "checkpoints");
      writeFileSync(
        file,
        readFileSync(file, "utf8").replace(
          /(\u2014 \S+ )\S+\n$/,
          `$1${Buffer.alloc(68).toString("base64")}\n`,
        ),
      );
    },
  ],
];
for (const [name, damage] of damages)
  test(`nothing is written behind a damage: ${name} (AUD_DAMAGED) [AUD-14]`, { timeout }, async () => {
    using folder = temporaryFolder();
    const log = await open(folder.path);
    for (let i = 0; i < 5; i++) await log.append(call(`w${i}`)).durable;
    await log.close();
    damage(folder.path, segments(folder.path)[0] as string);
    await assert.rejects(open(folder.path), { code: "AUD_DAMAGED" });
    assert.equal(verdict(folder.path).status, "problem");
    // The lock is free again.
    await fileStore(folder.path).close();
  });

test("another key, or another name, does not write on this log", { timeout }, async () => {
  using folder = temporaryFolder();
  await (await open(folder.path)).close();
  await assert.rejects(open(folder.path, { origin: "log.example/other" }), { code: "AUD_DAMAGED" });
});

test("the lock of a dead process is taken, that of a living one or of another machine is not (AUD_LOCKED)", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  const lock = join(folder.path, "writer.lock");
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const { hostname } = await import("node:os");
  const owner = { pid: dead, host: hostname(), began: "1", nonce: "x" };
  writeFileSync(lock, JSON.stringify(owner));
  await (await open(folder.path)).close();
  for (const other of [
    { ...owner, host: "elsewhere" },
    { ...owner, pid: process.pid, began: null },
    "no lock of ours",
  ]) {
    writeFileSync(lock, JSON.stringify(other));
    await assert.rejects(open(folder.path), { code: "AUD_LOCKED" });
  }
  // The number of the process was given to another one since.
  writeFileSync(lock, JSON.stringify({ ...owner, pid: process.pid, began: "1" }));
  await (await open(folder.path)).close();
});

test("a writer whose lock is gone stops, and says why (AUD_LOCKED)", { timeout }, async () => {
  using folder = temporaryFolder();
  let told = "";
  const log = await open(folder.path, { onFailure: ({ code }) => (told = code) });
  rmSync(join(folder.path, "writer.lock"));
  await new Promise((done) => setTimeout(done, 50));
  // It may have noticed by itself.
  const appended = async (): Promise<void> => log.append(call("unheard")).durable;
  await assert.rejects(appended(), { code: "AUD_LOCKED" });
  assert.equal(told, "AUD_LOCKED");
  assert.throws(() => log.append(call("again")), { code: "AUD_LOCKED" });
  await log.close();
  assert.equal(verdict(folder.path).status, "whole");
});

for (const durability of ["written", "synced"] as const)
  test(`a disk that takes nothing any more ends the log (${durability}, AUD_UNWRITABLE)`, {
    timeout,
  }, async () => {
    using folder = temporaryFolder();
    const store = fileStore(folder.path);
    let isBroken = false;
    // The one thing that cannot be provoked here: a disk whose sync fails.
    const sync = (): Promise<void> => (isBroken ? Promise.reject(new Error("EIO: i/o error")) : store.sync());
    const told: string[] = [];
    const log = await openLog(
      { ...store, sync },
      { key: AUDIT_KEY, origin: AUDIT_ORIGIN, durability, onFailure: ({ code }) => told.push(code) },
    );
    isBroken = true;
    const { durable } = log.append(call("lost perhaps"));
    if (durability === "synced") await assert.rejects(durable, { code: "AUD_UNWRITABLE" });
    else await durable;
    for (let left = 100; left > 0 && !log.failure; left--) await new Promise((done) => setTimeout(done, 10));
    assert.throws(() => log.append(call("no")), { code: "AUD_UNWRITABLE" });
    assert.deepEqual(told, ["AUD_UNWRITABLE"]);
    await log.close();
  });

test("old segments go when one is closed, and are announced before [AUD-16, AUD-20]", {
  timeout,
}, async () => {
  using folder = temporaryFolder();
  let now = Date.parse("2026-11-01T10:00:00Z");
  const log = await open(folder.path, {
    segmentBytes: 2_000,
    keepMs: 7 * 86_400_000,
    checkpointEvery: 5,
    restMs: 0,
    now: () => now,
  });
  for (let day = 0; day < 14; day++) {
    for (let i = 0; i < 8; i++) await log.append(call("x".repeat(100))).durable;
    await log.checkpoint();
    now += 86_400_000;
  }
  await log.close();
  const found = verdict(folder.path) as { status: string; pruned: number };
  assert.equal(found.status, "whole", JSON.stringify(found));
  assert.equal(found.pruned > 20, true, `${found.pruned} pruned`);
  const oldest = readFileSync(join(folder.path, segments(folder.path)[0] as string), "utf8").slice(0, 400);
  assert.match(oldest, /"at":"2026-11-(?:0[6-9]|1)/);
});

test("killed at any moment, a writer has lost nothing that it acknowledged [AUD-14]", {
  timeout: 300_000,
}, async () => {
  using folder = temporaryFolder();
  const { kills, lost, notWhole, acknowledged } = await crash(folder.path, 15, {
    segmentBytes: 200_000,
    checkpointEvery: 50,
    restMs: 10,
  });
  assert.deepEqual({ kills, lost, notWhole }, { kills: 15, lost: 0, notWhole: 0 });
  assert.equal(acknowledged > 500, true, `${acknowledged} acknowledged`);
  using other = temporaryFolder();
  const synced = await crash(other.path, 15, { durability: "synced" });
  assert.deepEqual([synced.lost, synced.notWhole], [0, 0]);
});

/** In a small file system of its own. */
function onSmallDisk(script: string, folder: string): { status: number | null; output: string } {
  const program = join(folder, "program.mjs");
  copyFileSync(join(root, "test/fixtures/small-disk.mjs"), program);
  const { status, stdout, stderr } = spawnSync(
    "unshare",
    ["--map-root-user", "--mount", "sh", "-c", script, "sh", process.execPath, program, join(root, "dist")],
    { cwd: folder, encoding: "utf8", timeout: 60_000 },
  );
  return { status, output: stdout + stderr };
}

test("a full disk stops the log with a clear error, and nothing acknowledged is lost (AUD_UNWRITABLE)", {
  timeout,
}, () => {
  using folder = temporaryFolder();
  const { status, output } = onSmallDisk(
    'mkdir small && mount -t tmpfs -o size=256k tmpfs small && exec "$1" "$2" "$3" small full',
    folder.path,
  );
  assert.equal(status, 0, output);
  assert.match(output, /AUD_UNWRITABLE ENOSPC/);
  assert.match(output, /lost 0, after room was made: whole/);
});

test("a folder that cannot be written is a clear error, before and while it is used (AUD_UNWRITABLE)", {
  timeout,
}, () => {
  using folder = temporaryFolder();
  const { status, output } = onSmallDisk(
    'mkdir small && mount -t tmpfs tmpfs small && exec "$1" "$2" "$3" small readonly',
    folder.path,
  );
  assert.equal(status, 0, output);
  assert.match(output, /old log: AUD_UNWRITABLE EROFS\nnew log: AUD_UNWRITABLE E/);
});
