/** Under load every flow is told with the place it was meant to go to. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { countFlows } from "./count-flows.ts";
import { fixtures } from "./kit.ts";

/** A tenth of what `npm run soak` does. */
const [TCP, UDP] = [200, 100];

for (const source of ["table", "sets"] as const)
  test(`each of many connections and datagrams is told with its own destination, by the kernel's ${source} [BOX-8]`, {
    timeout: 60_000,
  }, async () => {
    const counted = await countFlows(join(fixtures, "flows.mjs"), TCP, UDP, source);
    assert.deepEqual(counted, { right: TCP + UDP, wrong: [] });
  });
