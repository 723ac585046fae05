import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedEvent } from "./format.ts";
import { requestsAt } from "./in-progress.ts";

const started = Date.parse("2026-01-01T00:00:00Z");
let seq = 0;
const line = (t_ms: number, ev: string, rest: object): RecordedEvent => ({ seq: seq++, t_ms, ev, ...rest });
const sent = (t_ms: number, message: object): RecordedEvent =>
  line(t_ms, "msg", { dir: "client->server", raw: JSON.stringify(message) });
const got = (t_ms: number, message: object): RecordedEvent =>
  line(t_ms, "msg", { dir: "server->client", raw: JSON.stringify(message) });

const events = [
  line(0, "recording", { started: "2026-01-01T00:00:00.000Z" }),
  sent(10, { id: 1, method: "initialize" }),
  got(50, { id: 1, result: {} }),
  sent(60, { method: "notifications/initialized" }),
  sent(100, { id: 2, method: "tools/call", params: { name: "a" } }),
  sent(110, { id: "2", method: "tools/call", params: { name: "b" } }),
  got(150, { id: 2, method: "sampling/createMessage" }),
  got(200, { id: 2, result: {} }),
  got(300, { id: "2", error: {} }),
  line(310, "msg", { dir: "server->client", raw: "not JSON" }),
];

const cases = [
  { name: "before anything was sent there is nothing", at: -50, ids: [] },
  { name: "within a request there is that one", at: 30, ids: [1] },
  { name: "a time that is a little early belongs to the request it precedes", at: 95, ids: [2] },
  { name: "between requests there is none", at: 75, ids: [] },
  { name: "two at once are both told, by type of their ids", at: 160, ids: [2, "2"] },
  { name: "one that was answered is over", at: 250, ids: ["2"] },
  { name: "after the last answer there is none", at: 400, ids: [] },
];
for (const { name, at, ids } of cases)
  test(name, () =>
    assert.deepEqual(
      requestsAt(events, started + at).map(({ id }) => id),
      ids,
    ),
  );

test("a recording without a start tells nothing", () => {
  assert.deepEqual(requestsAt([], started), []);
});
