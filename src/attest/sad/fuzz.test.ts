import assert from "node:assert/strict";
import { test } from "node:test";
import { compareCanonical, spoilSad } from "../../../test/kit/sad-fuzz.ts";

// The soak run does ten times as much.
test("two implementations write the same bytes for 10,000 documents [SAD-2]", { timeout: 60_000 }, () =>
  assert.deepEqual(compareCanonical(10_000, 1), { documents: 10_000, different: [] }),
);

test("500 ways to spoil a signed document are all refused [SAD-8, SAD-22]", { timeout: 60_000 }, () =>
  assert.deepEqual(spoilSad(500, 2), { spoiled: 500, admitted: [] }),
);
