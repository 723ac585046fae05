/** Long work: in slices, of each caller in order, of several at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LongWork } from "./long-work.ts";

const HERE = { aborted: false };

/** Takes so many turns of the loop, and says each of them. */
function* slow(name: string, turns: number, said: string[]): Generator<void, string> {
  for (let turn = 0; turn < turns; turn++) {
    said.push(name);
    // Longer than a slice.
    for (const until = performance.now() + 11; performance.now() < until; );
    yield;
  }
  return name;
}

test("others have their turn between two slices", async () => {
  const said: string[] = [];
  const done = new LongWork().do("ann", slow("long", 4, said), HERE);
  const other = (): void => {
    said.push("other");
    if (said.length < 6) setImmediate(other);
  };
  setImmediate(other);
  assert.equal(await done, "long");
  assert.ok(said.indexOf("other") < said.lastIndexOf("long"), said.join());
});

test("others have their turn between any two slices, however many callers there are [GTW-87]", async () => {
  const said: string[] = [];
  const work = new LongWork();
  const all = ["ann", "bob", "cat", "dan"].map((name) => work.do(name, slow(name, 3, said), HERE));
  let isOver = false;
  const other = (): void => {
    said.push("other");
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await Promise.all(all);
  isOver = true;
  const both = said.filter((name, at) => name !== "other" && at > 0 && said[at - 1] !== "other");
  assert.deepEqual(both, [], said.join());
  const slices = said.filter((name) => name !== "other");
  assert.deepEqual(slices.slice(0, 8), ["ann", "bob", "cat", "dan", "ann", "bob", "cat", "dan"]);
});

test("of one caller the first is done first, and others do not wait for it", async () => {
  const said: string[] = [];
  const work = new LongWork();
  const all = [
    work.do("ann", slow("ann 1", 4, said), HERE),
    work.do("ann", slow("ann 2", 1, said), HERE),
    work.do("bob", slow("bob", 1, said), HERE),
  ];
  assert.deepEqual(await Promise.all(all), ["ann 1", "ann 2", "bob"]);
  assert.ok(said.indexOf("bob") < said.lastIndexOf("ann 1"), said.join());
  assert.ok(said.indexOf("ann 2") > said.lastIndexOf("ann 1"), said.join());
});

test("what nobody waits for any more is left, what fails fails alone, and the next is done", async () => {
  const said: string[] = [];
  const work = new LongWork();
  const gone = { aborted: false };
  const left = work.do("ann", slow("left", 1000, said), gone);
  const failed = work.do(
    "ann",
    (function* (): Generator<void, string> {
      yield;
      throw new Error("broken");
    })(),
    HERE,
  );
  const next = work.do("ann", slow("next", 1, said), HERE);
  setImmediate(() => {
    gone.aborted = true;
  });
  await assert.rejects(left, /nobody waits/);
  await assert.rejects(failed, /broken/);
  assert.equal(await next, "next");
  assert.ok(said.length < 20, String(said.length));
});
