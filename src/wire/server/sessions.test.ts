import assert from "node:assert/strict";
import { test } from "node:test";
import { Conversation } from "./conversation.ts";
import { Sessions } from "./sessions.ts";

const conversation = (): Conversation =>
  new Conversation({ info: { name: "test", version: "1" }, capabilities: {}, handlers: {} });

const cases: readonly {
  readonly name: string;
  /** Who begins a session, in this order, where there is room for six. */
  readonly begun: string;
  readonly left: string;
}[] = [
  { name: "while there is room nobody has to go", begun: "aabbcc", left: "aabbcc" },
  { name: "one alone loses its own oldest", begun: "aaaaaaaa", left: "aaaaaa" },
  { name: "who begins many ends its own", begun: `a${"b".repeat(20)}`, left: "abbbbb" },
  { name: "who comes late gets room from who has most", begun: "bbbbbba", left: "abbbbb" },
  { name: "two that go on have even shares", begun: `aaaaaa${"b".repeat(20)}`, left: "aaabbb" },
  { name: "three that go on have even shares", begun: `aaaabb${"c".repeat(20)}`, left: "aabbcc" },
];
for (const { name, begun, left } of cases)
  test(`sessions: ${name} [GTW-68]`, () => {
    const sessions = new Sessions(6);
    const ids = [...begun].map((caller) => sessions.add(caller, conversation()).id);
    const kept = sessions.all.map(({ caller }) => caller);
    assert.equal(kept.sort().join(""), left);
    assert.equal(sessions.find(ids.at(-1) ?? "", begun.at(-1))?.caller, begun.at(-1));
  });

test("of one caller the oldest goes, and is closed with it [GTW-68]", () => {
  const sessions = new Sessions(2);
  let closed = 0;
  const first = conversation();
  first.close = () => void closed++;
  const { id } = sessions.add("a", first);
  const second = sessions.add("a", conversation());
  sessions.add("a", conversation());
  assert.deepEqual([closed, sessions.find(id, "a"), sessions.find(second.id, "a")], [1, undefined, second]);
});

test("a session is found by who began it alone, and is gone once it is ended", () => {
  const sessions = new Sessions(2);
  const kept = sessions.add("a", conversation());
  for (const other of ["b", "", undefined]) assert.equal(sessions.find(kept.id, other), undefined);
  sessions.end(kept);
  assert.deepEqual([sessions.find(kept.id, "a"), sessions.all], [undefined, []]);
});
