/** The first bytes of a connection. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Duplex } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { type Flow, gather } from "./flow.ts";

/** Longer than any test: only what a test waits for may end the waiting. */
const NEVER_MS = 60_000;
const timeout = 10_000;

/** A stream that a test feeds. */
function fed(maxBytes: number): { readonly stream: Duplex; readonly flow: Flow } {
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  return { stream, flow: gather(stream, maxBytes) };
}

async function push(stream: Duplex, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const arrived = once(stream, "data");
    stream.push(text);
    await arrived;
  }
}
const text = (flow: Flow): string => flow.bytes().toString();
const has =
  (part: string) =>
  (bytes: Buffer): boolean =>
    bytes.includes(part);

test("enough is there when the caller says so", { timeout }, async () => {
  const { stream, flow } = fed(100);
  const asked: string[] = [];
  const why = flow.until((bytes) => {
    asked.push(bytes.toString());
    return bytes.includes("!");
  }, NEVER_MS);
  await push(stream, "hel", "lo!");
  assert.equal(await why, "enough");
  // And he is not asked about nothing.
  assert.deepEqual(asked, ["hel", "hello!"]);
});

test("enough may be there already", { timeout }, async () => {
  const { stream, flow } = fed(100);
  await push(stream, "hello!");
  assert.equal(await flow.until(has("!"), NEVER_MS), "enough");
});

test("enough at the limit is enough", { timeout }, async () => {
  const { stream, flow } = fed(5);
  const why = flow.until(has("o"), NEVER_MS);
  await push(stream, "hello world");
  assert.equal(await why, "enough");
});

test("the limit ends it", { timeout }, async () => {
  const { stream, flow } = fed(5);
  const why = flow.until(() => false, NEVER_MS);
  await push(stream, "hel", "lo");
  assert.equal(await why, "limit");
});

test("one byte below the limit is waited for more", { timeout }, async () => {
  const { stream, flow } = fed(5);
  await push(stream, "hell");
  assert.equal(await flow.until(() => false, 1), "silent");
});

test("what lies beyond the limit is counted and not kept, nor shown to the caller", { timeout }, async () => {
  const { stream, flow } = fed(5);
  const why = flow.until(has("w"), NEVER_MS);
  await push(stream, "hel", "lo world", "!".repeat(1_000));
  assert.equal(await why, "limit");
  assert.equal(text(flow), "hello");
  assert.equal(flow.total, 1_011);
});

test("its end closes it", { timeout }, async () => {
  const { stream, flow } = fed(100);
  const why = flow.until(() => false, NEVER_MS);
  await push(stream, "hello");
  assert.equal(flow.isOver, false);
  stream.push(null);
  assert.equal(await why, "closed");
  assert.equal(flow.isOver, true);
  assert.equal(text(flow), "hello");
});

test("so does an error, which goes no further", { timeout }, async () => {
  const { stream, flow } = fed(100);
  const why = flow.until(() => false, NEVER_MS);
  stream.destroy(new Error("reset"));
  assert.equal(await why, "closed");
});

test("and being destroyed", { timeout }, async () => {
  const { stream, flow } = fed(100);
  const why = flow.until(() => false, NEVER_MS);
  stream.destroy();
  assert.equal(await why, "closed");
});

test("enough counts more than its end", { timeout }, async () => {
  const { stream, flow } = fed(100);
  await push(stream, "hello!");
  stream.push(null);
  await once(stream, "end");
  assert.equal(await flow.until(has("!"), NEVER_MS), "enough");
  assert.equal(await flow.until(has("?"), NEVER_MS), "closed");
});

test("silence ends it, with and without a word", { timeout }, async () => {
  const { stream, flow } = fed(100);
  assert.equal(await flow.until(() => true, 1), "silent");
  await push(stream, "hello");
  assert.equal(await flow.until(has("!"), 1), "silent");
});

test("one can wait again, and nothing said in between is lost", { timeout }, async () => {
  const { stream, flow } = fed(100);
  const first = flow.until(has("1"), NEVER_MS);
  await push(stream, "1");
  assert.equal(await first, "enough");
  await push(stream, "2");
  const second = flow.until(has("3"), NEVER_MS);
  await push(stream, "3");
  assert.equal(await second, "enough");
  assert.equal(text(flow), "123");
});

test("stop wakes who waits, and whoever waits later", { timeout }, async () => {
  const { flow } = fed(100);
  const why = flow.until(() => false, NEVER_MS);
  flow.stop();
  assert.equal(await why, "closed");
  assert.equal(await flow.until(() => false, NEVER_MS), "closed");
  assert.deepEqual([flow.isOver, flow.wasStopped], [true, true]);
});

test("what was over by itself was not stopped", { timeout }, async () => {
  const { stream, flow } = fed(100);
  assert.equal(flow.wasStopped, false);
  stream.destroy();
  await once(stream, "close");
  flow.stop();
  assert.equal(flow.wasStopped, false);
});

test("bytes that were handed out stay as they are", { timeout }, async () => {
  const { stream, flow } = fed(100);
  await push(stream, "hel");
  const before = flow.bytes();
  assert.equal(flow.bytes(), before);
  await push(stream, "lo");
  assert.equal(before.toString(), "hel");
  assert.equal(text(flow), "hello");
});

test("nothing is kept after the release but what is handed back", { timeout }, async () => {
  const { stream, flow } = fed(8);
  await push(stream, "hello");
  flow.release();
  stream.resume();
  const taken: string[] = [];
  stream.on("data", (chunk) => taken.push(String(chunk)));
  await push(stream, " there");
  assert.deepEqual(taken, [" there"]);
  assert.equal(text(flow), "hello");
  flow.keep(Buffer.from(" world"));
  assert.equal(text(flow), "hello wo");
  assert.equal(flow.total, 11);
});

test("any way to cut a stream keeps the same bytes", { timeout: 30_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 })),
      fc.integer({ min: 1, max: 100 }),
      async (chunks, maxBytes) => {
        const { stream, flow } = fed(maxBytes);
        for (const chunk of chunks) stream.push(chunk);
        stream.push(null);
        await once(stream, "end");
        const all = Buffer.concat(chunks);
        assert.deepEqual(flow.bytes(), all.subarray(0, maxBytes));
        assert.equal(flow.total, all.length);
        const why = await flow.until(() => false, NEVER_MS);
        assert.equal(why, all.length >= maxBytes ? "limit" : "closed");
      },
    ),
  );
});
