import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/kit/paths.ts";
import { askDesk, Desk, serveDesk, type Word } from "./desk.ts";

const what = (caller: string) => ({ caller, server: "mail", tool: "send", reason: "r", arguments: "{}" });

test("so many calls wait at the desk, and fewer of one caller [GTW-71]", async () => {
  const desk = new Desk();
  const hold = (caller: string): Promise<Word> => desk.hold(what(caller), [new AbortController().signal]);
  const held = Array.from({ length: 16 }, () => hold("bob"));
  assert.equal(await hold("bob"), "full");
  // Nobody else is kept from asking by that.
  const ann = hold("ann");
  assert.equal(desk.held.length, 17);
  desk.answer(desk.held.at(-1)?.id ?? "", true);
  assert.equal(await ann, "approved");
  desk.answer(desk.held[0]?.id ?? "", false);
  assert.equal(await held[0], "denied");
  held.push(hold("bob"));
  assert.equal(await hold("bob"), "full");
  for (let more = 16; more < 100; more++) held.push(hold(`caller ${more}`));
  assert.equal(await hold("one more"), "full");
  desk.close();
  assert.deepEqual(new Set((await Promise.all(held)).slice(1)), new Set(["gone"]));
});

test("nobody is asked before it is written down that somebody is [GTW-81]", async () => {
  const told: string[] = [];
  const desk = new Desk(({ id }) => told.push(id));
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const written: string[] = [];
  const word = desk.hold(what("ann"), [], (id) => {
    written.push(id);
    return promise;
  });
  const [id = ""] = written;
  assert.deepEqual([desk.held, told, desk.answer(id, true)], [[], [], false]);
  resolve();
  await promise;
  assert.deepEqual([desk.held.map((held) => held.id), told], [[id], [id]]);
  desk.answer(id, true);
  assert.equal(await word, "approved");
});

test("a place is taken while that is written, and free again where it cannot be [GTW-71] [GTW-81]", async () => {
  const desk = new Desk();
  const full = new Error("the disk is full");
  const failing = Array.from({ length: 16 }, () => desk.hold(what("bob"), [], () => Promise.reject(full)));
  assert.equal(await desk.hold(what("bob"), []), "full");
  for (const each of failing) await assert.rejects(each, full);
  const atOnce = (): never => {
    throw full;
  };
  for (let n = 0; n < 20; n++) await assert.rejects(desk.hold(what("bob"), [], atOnce), full);
  const next = desk.hold(what("bob"), []);
  assert.equal(desk.held.length, 1);
  desk.close();
  assert.equal(await next, "gone");
});

test("a client that goes away while that is written is not shown any more [GTW-71] [GTW-81]", async () => {
  const stop = new AbortController();
  const told: string[] = [];
  const desk = new Desk(({ id }) => told.push(id));
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const word = desk.hold(what("ann"), [stop.signal], () => promise);
  stop.abort();
  resolve();
  assert.deepEqual([await word, desk.held, told], ["gone", [], []]);
});

const signals: readonly (readonly [name: string, at: number, isBefore: boolean])[] = [
  ["the request is cancelled", 0, false],
  ["no answer can reach the client any more", 1, false],
  ["it was cancelled before", 0, true],
  ["it was closed before", 1, true],
];
for (const [name, at, isBefore] of signals)
  test(`a held call is let go where ${name} [GTW-71]`, async () => {
    const stops = [new AbortController(), new AbortController()];
    const desk = new Desk();
    if (isBefore) stops[at]?.abort();
    const word = desk.hold(
      what("ann"),
      stops.map(({ signal }) => signal),
    );
    assert.equal(desk.held.length, isBefore ? 0 : 1);
    stops[at]?.abort();
    assert.equal(await word, "gone");
    assert.deepEqual(desk.held, []);
  });

test("whoever is asked is shown the letters that were given, however many calls wait [GTW-72]", async () => {
  using folder = temporaryFolder();
  const desk = new Desk();
  const given = "äöü€".repeat(4_000);
  const words = Array.from({ length: 16 }, () => desk.hold({ ...what("ann"), arguments: given }, []));
  const path = join(folder.path, "desk.sock");
  const server = await serveDesk(desk, path);
  const { held } = await askDesk(path, { list: true });
  server.close();
  desk.close();
  await Promise.all(words);
  assert.deepEqual(
    new Set((held as { arguments: string }[]).map((each) => each.arguments)),
    new Set([given]),
  );
});
