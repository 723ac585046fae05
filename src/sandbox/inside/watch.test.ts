/** Planted files: what counts as a read, and what does not. */
import assert from "node:assert/strict";
import {
  accessSync,
  chmodSync,
  closeSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import type { CanaryReadEvent, SandboxEvent } from "../events.ts";
import type { Reporter } from "./reporter.ts";
import { plant, type Watch } from "./watch.ts";

const FILE = ".ssh/id_ed25519";
const SHOWN = "/home/dev/.ssh/id_ed25519";

interface Planted extends Disposable {
  /** Where the file really is. */
  readonly file: string;
  readonly folder: string;
  /** What is told by a look now. */
  look(): readonly CanaryReadEvent[];
}

function reporterOf(take: (event: SandboxEvent) => void): Reporter {
  const never = (what: unknown): never => assert.fail(String(what));
  return { event: take, gap: never, say: never };
}

function planted(): Planted {
  const temporary = temporaryFolder();
  const events: SandboxEvent[] = [];
  const reporter = reporterOf((event) => events.push(event));
  const folder = join(temporary.path, "home");
  mkdirSync(folder);
  const files = [{ path: FILE, content: "a planted key\n", mode: 0o600 }];
  const watch: Watch = plant([{ folder, shown: "/home/dev", files }], reporter);
  nextTick(temporary.path);
  return {
    file: join(folder, FILE),
    folder: temporary.path,
    look() {
      watch.look();
      nextTick(temporary.path);
      return events.splice(0).map((event) => {
        assert.equal(event.kind, "canary-read");
        return event as CanaryReadEvent;
      });
    },
    [Symbol.dispose]() {
      closeAllIn(temporary.path);
      temporary[Symbol.dispose]();
    },
  };
}

/** The clock of files stands still for some milliseconds: a change is seen from the next tick on. */
function nextTick(folder: string): void {
  const probe = join(folder, "tick");
  writeFileSync(probe, "");
  const { ctimeMs } = statSync(probe);
  while (statSync(probe).ctimeMs === ctimeMs) chmodSync(probe, 0o600);
}

/** The watch holds its files as long as the process lives; this one goes on with other tests. */
function closeAllIn(folder: string): void {
  for (const fd of readdirSync("/proc/self/fd")) {
    try {
      if (readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)) closeSync(Number(fd));
    } catch {
      // The one the list was read with.
    }
  }
}

/** Where files are mounted with `noatime` there is nothing to see; the sandbox mounts its own. */
function hasAccessTimes(): boolean {
  using folder = temporaryFolder();
  const file = join(folder.path, "probe");
  writeFileSync(file, "x");
  utimesSync(file, new Date(0), new Date());
  readFileSync(file);
  return statSync(file).atimeMs > 0;
}
const skip = hasAccessTimes() ? false : "no access times in the temporary folder";

function openAndClose(file: string): void {
  closeSync(openSync(file, "r"));
}

/** As a thief would, who knows how he is watched. */
function readAndSetBack(file: string): void {
  const { atime, mtime } = statSync(file);
  readFileSync(file);
  utimesSync(file, atime, mtime);
}

const cases: readonly {
  readonly name: string;
  readonly act: (file: string, folder: string) => void;
  readonly told: readonly string[];
}[] = [
  { name: "nothing done is nothing told", act: () => {}, told: [] },
  { name: "a look at its name and rights is no read", act: (file) => void statSync(file), told: [] },
  { name: "a question whether it may be read is none", act: (file) => accessSync(file), told: [] },
  { name: "a list of its folder is none", act: (file) => void readdirSync(join(file, "..")), told: [] },
  { name: "to open it and read nothing is none", act: openAndClose, told: [] },
  { name: "a read is", act: (file) => void readFileSync(file), told: ["read"] },
  {
    name: "one byte is",
    act: (file) => {
      const fd = openSync(file, "r");
      readSync(fd, Buffer.alloc(1));
      closeSync(fd);
    },
    told: ["read"],
  },
  { name: "a copy is", act: (file, folder) => copyFileSync(file, join(folder, "copy")), told: ["read"] },
  {
    name: "a read through a link is",
    act: (file, folder) => {
      symlinkSync(file, join(folder, "link"));
      readFileSync(join(folder, "link"));
    },
    told: ["read"],
  },
  {
    name: "many reads between two looks are one",
    act: (file) => {
      for (let i = 0; i < 5; i++) readFileSync(file);
    },
    told: ["read"],
  },
  { name: "a read whose time is set back shows as a change", act: readAndSetBack, told: ["changed"] },
  { name: "other rights are a change", act: (file) => chmodSync(file, 0o644), told: ["changed"] },
  { name: "other content is a change", act: (file) => writeFileSync(file, "x"), told: ["changed"] },
  { name: "no content any more is a change", act: (file) => truncateSync(file, 0), told: ["changed"] },
  {
    name: "a second name is a change",
    act: (file, folder) => linkSync(file, join(folder, "second")),
    told: ["changed"],
  },
  {
    name: "another name is a change",
    act: (file, folder) => renameSync(file, join(folder, "away")),
    told: ["changed"],
  },
  { name: "its removal is told", act: (file) => rmSync(file), told: ["removed"] },
  {
    name: "the removal of its folder too",
    act: (file) => rmSync(join(file, ".."), { recursive: true }),
    told: ["removed"],
  },
  {
    name: "another file in its place is its removal",
    act: (file, folder) => {
      writeFileSync(join(folder, "other"), "a planted key\n");
      renameSync(join(folder, "other"), file);
    },
    told: ["removed"],
  },
  {
    name: "a read does not hide a change",
    act: (file) => {
      readFileSync(file);
      writeFileSync(file, "x");
    },
    told: ["read", "changed"],
  },
  {
    name: "a read before the removal is not forgotten",
    act: (file) => {
      readFileSync(file);
      rmSync(file);
    },
    told: ["read", "removed"],
  },
];
for (const { name, act, told } of cases)
  test(`planted files: ${name}`, { skip }, () => {
    using one = planted();
    act(one.file, one.folder);
    const events = one.look();
    assert.deepEqual(
      events.map(({ how }) => how),
      told,
    );
    for (const event of events) {
      assert.equal(event.path, SHOWN);
      assert.ok(Number.isSafeInteger(event.at));
    }
    // And not again.
    assert.deepEqual(one.look(), []);
  });

test("each read is told, however many looks were taken", { skip }, () => {
  using one = planted();
  for (let i = 0; i < 3; i++) {
    readFileSync(one.file);
    assert.deepEqual(
      one.look().map(({ how }) => how),
      ["read"],
    );
    assert.deepEqual(one.look(), []);
  }
});

test("it is told when it was read, and not when that was noticed", { skip }, () => {
  using one = planted();
  readFileSync(one.file);
  const { atimeMs } = statSync(one.file);
  nextTick(one.folder);
  assert.deepEqual(
    one.look().map(({ at }) => at),
    [Math.round(atimeMs)],
  );
});

test("a file that was moved away is watched where it is", { skip }, () => {
  using one = planted();
  const away = join(one.folder, "away");
  renameSync(one.file, away);
  one.look();
  readFileSync(away);
  assert.deepEqual(
    one.look().map(({ how, path }) => `${how} ${path}`),
    [`read ${SHOWN}`],
  );
});

test("whoever holds it open is seen to read it after its removal, which is told once", { skip }, () => {
  using one = planted();
  const fd = openSync(one.file, "r");
  rmSync(one.file);
  const told = [one.look()];
  readSync(fd, Buffer.alloc(1));
  told.push(one.look(), one.look());
  closeSync(fd);
  assert.deepEqual(
    told.map((events) => events.map(({ how }) => how)),
    [["removed"], ["read"], []],
  );
});

test("a link in its place leads the watch nowhere", { skip }, () => {
  using one = planted();
  const other = join(one.folder, "of this machine");
  writeFileSync(other, "x");
  utimesSync(other, new Date(1_000), new Date(2_000));
  rmSync(one.file);
  symlinkSync(other, one.file);
  one.look();
  one.look();
  const { atimeMs, mtimeMs } = statSync(other);
  assert.deepEqual([atimeMs, mtimeMs], [1_000, 2_000]);
});

test("files are planted with their content and rights, in folders for their owner alone", () => {
  using one = planted();
  assert.equal(readFileSync(one.file, "utf8"), "a planted key\n");
  assert.equal(statSync(one.file).mode & 0o777, 0o600);
  assert.equal(statSync(join(one.file, "..")).mode & 0o777, 0o700);
});

test("every place has its own files, and only the one that was read is told", { skip }, () => {
  using folder = temporaryFolder();
  const told: string[] = [];
  const reporter = reporterOf((event) => told.push(event.kind === "canary-read" ? event.path : event.kind));
  const place = (name: string, shown: string, ...paths: string[]) => ({
    folder: join(folder.path, name),
    shown,
    files: paths.map((path) => ({ path, content: "x", mode: 0o600 })),
  });
  const watch = plant(
    [place("home", "/home/dev", ".npmrc", ".env"), place("work", "/home/dev/project", ".env")],
    reporter,
  );
  readFileSync(join(folder.path, "work/.env"));
  watch.look();
  closeAllIn(folder.path);
  assert.deepEqual(told, ["/home/dev/project/.env"]);
});
