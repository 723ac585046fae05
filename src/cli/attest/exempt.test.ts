/** When an exemption ends, as it is said on the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { endFrom } from "./exempt.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const cases: readonly (readonly [text: string, want: string | RegExp])[] = [
  ["1", "2026-11-16T12:00:00.000Z"],
  ["90", "2027-02-13T12:00:00.000Z"],
  ["91", /ends within 90 days/],
  ["9999", /ends within 90 days/],
  ["0", /0 is over/],
  ["-1", /want days/],
  ["1.5", /want days/],
  ["30d", /want days/],
  ["", /want days/],
  ["2026-11-15", "2026-11-16T00:00:00.000Z"],
  ["2026-12-31", "2027-01-01T00:00:00.000Z"],
  ["2026-11-14", /is over/],
  ["2026-11-31", /want days/],
  ["2027-02-13", /ends within 90 days/],
  ["2026-11-15T12:00:01Z", "2026-11-15T12:00:01.000Z"],
  ["2026-11-15T12:00:00Z", /is over/],
  ["2026-11-15T13:00:00", /want days/],
  ["2026-11-15T13:00:00+01:00", /want days/],
  ["never", /want days/],
];
for (const [text, want] of cases)
  test(`--expires "${text}" [EXM-5]`, () => {
    if (typeof want === "string") assert.equal(new Date(endFrom(text, NOW)).toISOString(), want);
    else assert.throws(() => endFrom(text, NOW), want);
  });
