/** Two runs that write one lock file: what the first has written is never lost. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { TrustError } from "../../src/core/index.ts";
import { type LockRequest, type LockResult, readLock, runLock, writeLock } from "../../src/surface/index.ts";
import { type Project, project } from "./lock-kit.ts";

const LIMIT = { timeout: 60_000 } as const;
const LONG_AGO = new Date(Date.now() - 3_600_000);

/** Lets nobody on before all have come. */
function meeting(size: number): () => Promise<boolean> {
  let [here, open] = [0, (): void => {}];
  const all = new Promise<void>((done) => {
    open = done;
  });
  return async () => {
    here += 1;
    if (here === size) open();
    await all;
    return true;
  };
}

const request = (here: Project, more: Partial<LockRequest> = {}): LockRequest => ({
  mode: "lock",
  names: [],
  level: "project",
  configFile: join(here.folder, "touchstone.yml"),
  mayStart: async () => true,
  ...more,
});

function twoServers(): Project {
  const here = project();
  here.write("touchstone.yml", JSON.stringify({ servers: { a: here.server("a"), b: here.server("b") } }));
  for (const name of ["a", "b"]) here.show(name, { tools: [{ name: `tool_${name}` }] });
  return here;
}

function parted(ended: readonly PromiseSettledResult<LockResult>[]): {
  written: readonly LockResult[];
  refused: readonly TrustError[];
} {
  return {
    written: ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    refused: ended.flatMap((each) => (each.status === "rejected" ? [each.reason as TrustError] : [])),
  };
}

test(
  "two that accept at the same time: one writes, the other is refused and says so [SUR-23]",
  LIMIT,
  async () => {
    using here = twoServers();
    await runLock(request(here));
    for (const name of ["a", "b"]) here.show(name, { tools: [{ name: `new_${name}` }] });
    const mayStart = meeting(2);
    const { written, refused } = parted(
      await Promise.allSettled(
        ["a", "b"].map((name) => runLock(request(here, { mode: "accept", names: [name], mayStart }))),
      ),
    );
    assert.deepEqual(
      written.map(({ isWritten }) => isWritten),
      [true],
    );
    assert.deepEqual(
      refused.map(({ code, exit }) => [code, exit]),
      [["LOCK_CHANGED", 2]],
    );
    const lost = written[0]?.standings[0]?.server.id === "a" ? "b" : "a";
    const now = here.lock();
    assert.equal(now.includes(`new_${lost}`), false, "the refused run wrote nothing");
    await runLock(request(here, { mode: "accept", names: [lost] }));
    const { standings } = await runLock(request(here, { mode: "check" }));
    assert.deepEqual(
      standings.map(({ status }) => status),
      ["same", "same"],
    );
  },
);

test("two that write the first file: the second does not take its place [SUR-23]", LIMIT, async () => {
  using here = twoServers();
  const mayStart = meeting(2);
  const { written, refused } = parted(
    await Promise.allSettled(["a", "b"].map((name) => runLock(request(here, { names: [name], mayStart })))),
  );
  assert.deepEqual([written.length, refused.map(({ code }) => code)], [1, ["LOCK_CHANGED"]]);
  assert.equal((await readLock(here.lockFile))?.servers.length, 1);
  assert.deepEqual(
    readdirSync(here.folder).filter((file) => /\.(tmp|writing)$/.test(file)),
    [],
  );
});

test(
  "a run that is writing is waited for by nobody; one that was ended is in nobody's way [SUR-23]",
  LIMIT,
  async () => {
    using here = twoServers();
    const guard = `${here.lockFile}.writing`;
    writeFileSync(guard, "");
    await assert.rejects(runLock(request(here)), (error: TrustError) => {
      assert.equal(error.code, "LOCK_CHANGED");
      assert.match(error.message, /touchstone\.lock\.writing is there: another run is writing/);
      assert.match(error.hint, /delete .*touchstone\.lock\.writing/);
      return true;
    });
    assert.deepEqual([existsSync(guard), existsSync(here.lockFile)], [true, false]);
    utimesSync(guard, LONG_AGO, LONG_AGO);
    assert.equal((await runLock(request(here))).isWritten, true);
    assert.equal(existsSync(guard), false);
  },
);

test("line ends of Windows are no change of another run", LIMIT, async () => {
  using here = twoServers();
  await runLock(request(here));
  const lock = await readLock(here.lockFile);
  assert.ok(lock, "it was written");
  const text = here.lock();
  writeFileSync(here.lockFile, text.replaceAll("\n", "\r\n"));
  await writeLock(here.lockFile, lock, lock);
  assert.equal(here.lock(), text);
});
