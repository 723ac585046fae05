import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditEvent } from "../audit/index.ts";
import type { Change } from "./changes.ts";
import { Changes } from "./flood.ts";

const changeOf = (server: string, type: AuditEvent["type"] = "drift"): Change => ({
  event: { type, outcome: "allowed", server },
  words: `${server} has changed`,
});

function changing() {
  const written: AuditEvent[] = [];
  const told: string[] = [];
  const clock = { ms: 0 };
  const telling = {
    write: (event: AuditEvent) => written.push(event),
    tell: (words: string) => told.push(words),
  };
  const changes = new Changes(telling, () => clock.ms);
  const take = (server: string, times: number, type?: AuditEvent["type"]): void =>
    changes.take(
      Array.from({ length: times }, () => changeOf(server, type)),
      (name) => `"${name}"`,
    );
  const left = (): unknown[] =>
    written.filter(({ data }) => data).map(({ server, data }) => [server, data?.left]);
  return { written, told, clock, take, left };
}

test("of a server whose lists change again and again so many changes are told, and how many more there were [GTW-93]", () => {
  const { written, told, clock, take, left } = changing();
  for (let second = 0; second < 60; second++) {
    clock.ms = second * 1_000;
    take("evil", 112);
  }
  // 256 at once, 15 that came back in a minute, and six times how many were left out.
  assert.equal(written.length, 256 + 15 + 6);
  assert.equal(told.length, written.length);
  assert.deepEqual(left()[0], ["evil", 3 * 112 - 256]);
  assert.ok(told.includes('"evil": its lists change again and again: 80 changes are not told'));
  clock.ms += 10_000;
  take("evil", 112);
  const sum = left().reduce<number>((all, one) => all + Number((one as unknown[])[1]), 0);
  assert.equal(sum + written.length - left().length, 61 * 112);
});

test("others are told of meanwhile, and who is let in each time [GTW-93]", () => {
  const { written, take } = changing();
  take("evil", 1_000);
  const before = written.length;
  take("notes", 200);
  take("evil", 10, "admission");
  assert.equal(written.length, before + 210);
});
