import assert from "node:assert/strict";
import { existsSync, statSync, writeFileSync } from "node:fs";
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
