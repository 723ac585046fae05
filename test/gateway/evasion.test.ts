/** Names that look like an allowed tool and are not it; in full by `npm run soak`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { evade } from "./evasion.ts";

test("500 evasive names: all denied, all in the log, none reaches the server [GTW-6]", {
  timeout: 120_000,
}, async () => {
  const { asked, denied, logged, reached } = await evade(500);
  assert.deepEqual([asked >= 490, denied, logged, reached], [true, asked, asked, []]);
});
