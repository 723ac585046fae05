/** Recordings as calls with their answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedEvent } from "../wire/index.ts";
import { callsIn } from "./recorded.ts";

const frame = (dir: "client->server" | "server->client", raw: string): RecordedEvent =>
  ({ ev: "msg", seq: 1, t: 0, dir, raw }) as unknown as RecordedEvent;

test("numbers of a recording are compared as they are written [FLW-2]", () => {
  const n = "4929123456781234567";
  const heard = [
    frame(
      "client->server",
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"to":${n},"sum":1.50}}}`,
    ),
    frame("server->client", `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"of":${n}}}}`),
  ].map((event) => ({ server: "bank", at: 0, event }));
  const [call] = callsIn(heard);
  assert.deepEqual(call?.arguments, { to: n, sum: 1.5 });
  assert.deepEqual(call?.result, { structuredContent: { of: n } });
});
