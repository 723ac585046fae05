/** Servers and clients that fail in every way, at once: whoever asks gets its own answer or an error, and nothing is left behind. In full by
 *  `npm run soak`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chaos, faultsOf } from "./chaos.ts";

test(
  "50 cycles of chaos: no answer goes astray, no process, file or memory is left [GTW-20, GTW-21, GTW-23]",
  {
    timeout: 240_000,
  },
  async () => assert.deepEqual(faultsOf(await chaos(50)), []),
);
