/** Every labelled flow of test/fixtures/flows: what has to be found, and what must not be. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { found, labelledFlows, verdictOf, wanted } from "../../test/fixtures/flows/read.ts";

const files = labelledFlows();

test("there are at least 160 labelled runs, and every kind is among them", () => {
  const cases = files.flatMap(({ cases }) => cases);
  assert.ok(cases.length >= 160, String(cases.length));
  assert.deepEqual([...new Set(cases.flatMap(({ expect }) => expect.map(({ kind }) => kind)))].sort(), [
    "contained",
    "encoded",
    "normalized",
    "partial",
    "structural-equal",
    "verbatim",
  ]);
});

for (const { theme, cases } of files)
  describe(`labelled flows: ${theme}`, () => {
    for (const one of cases)
      test(one.name, () => {
        assert.deepEqual(found(one), wanted(one));
        if (one.status !== undefined) assert.equal(verdictOf(one).status, one.status);
      });
  });
