import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/kit/paths.ts";
import { Serials } from "./serials.ts";

const of = (serial: number, digest = `d${serial}`) => ({ serial, digest });

test("only later statements take the place of one [GTW-32]", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "audit", "serials.json");
  const serials = new Serials(file, true);
  assert.equal(serials.take("notes", of(2)), undefined);
  assert.equal(serials.take("notes", of(2)), undefined);
  assert.match(serials.take("notes", of(2, "other")) ?? "", /another one under the same serial, 2/);
  assert.match(serials.take("notes", of(1)) ?? "", /serial 1, and 2 was taken before/);
  assert.equal(serials.take("mail", of(1)), undefined);
  assert.equal(serials.take("notes", of(3)), undefined);
  assert.match(serials.take("notes", of(2)) ?? "", /serial 2, and 3 was taken/);
  const again = new Serials(file, true);
  assert.deepEqual(again.of("notes"), of(3));
  assert.match(again.take("notes", of(2)) ?? "", /serial 2, and 3 was taken/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("who only looks writes nothing [GTW-32]", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "serials.json");
  assert.equal(new Serials(file, false).take("notes", of(1)), undefined);
  assert.equal(existsSync(file), false);
});

test("what another gateway of the file took counts, and is not forgotten by what this one takes [GTW-32]", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "audit", "serials.json");
  const [one, other] = [new Serials(file, true), new Serials(file, true)];
  assert.equal(one.take("notes", of(3)), undefined);
  assert.equal(other.take("notes", of(5)), undefined);
  // The file was put back.
  assert.match(one.take("notes", of(4)) ?? "", /serial 4, and 5 was taken before/);
  assert.deepEqual(one.of("notes"), of(5));
  assert.match(one.take("notes", of(5, "other")) ?? "", /another one under the same serial, 5/);
  assert.equal(one.take("mail", of(1)), undefined);
  const again = new Serials(file, true);
  assert.deepEqual([again.of("notes"), again.of("mail")], [of(5), of(1)]);
});

test("what is gone from the file is not forgotten while a gateway runs [GTW-32]", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "serials.json");
  const serials = new Serials(file, true);
  serials.take("notes", of(3));
  rmSync(file);
  assert.match(serials.take("notes", of(2)) ?? "", /serial 2, and 3 was taken/);
  writeFileSync(file, "{");
  assert.throws(() => serials.take("notes", of(4)), /does not hold serials/);
});

test("what could not be written was not taken, however often it is shown [GTW-32]", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "serials.json");
  const serials = new Serials(file, true);
  serials.take("notes", of(3));
  // Nothing can be written there.
  mkdirSync(`${file}.next`);
  for (let times = 0; times < 2; times++) assert.throws(() => serials.take("notes", of(4)));
  rmSync(`${file}.next`, { recursive: true });
  assert.equal(serials.take("notes", of(4)), undefined);
  assert.deepEqual(new Serials(file, true).of("notes"), of(4));
});

test("one gateway writes at a time, and a guard that was left behind holds nobody up [GTW-32]", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "serials.json");
  const guard = `${file}.writing`;
  const serials = new Serials(file, true);
  writeFileSync(guard, "");
  assert.match(serials.take("notes", of(1)) ?? "", /another gateway is writing serials\.json/);
  assert.equal(existsSync(file), false);
  utimesSync(guard, 1, 1);
  assert.equal(serials.take("notes", of(1)), undefined);
  assert.equal(existsSync(guard), false);
});

for (const [name, text] of Object.entries({
  "no JSON": "{",
  "a list": "[]",
  "a serial that is none": '{"notes":{"serial":"1","digest":"d"}}',
  "no digest": '{"notes":{"serial":1}}',
  nothing: "",
}))
  test(`a file with ${name} is not taken for an empty one [GTW-32]`, () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "serials.json");
    writeFileSync(file, text);
    assert.throws(() => new Serials(file, true), /does not hold serials/);
  });
