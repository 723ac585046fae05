/** Numbers that were said, found again, and how much is compared for that. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { NumberIndex } from "./number-index.ts";
import { Work } from "./work.ts";

const found = (said: string, given: string): string[] => {
  const index = new NumberIndex();
  index.add(said);
  return index.find(given, new Work()).map(({ at, end }) => given.slice(at, end));
};

test("a number is found once, behind whatever repeats itself [FLW-4]", () => {
  const [table, card] = ["12 12 12 ".repeat(300), "4929 1234 5678 9010"];
  assert.deepEqual(found(`${table}; ${card}`, `${table}; ${card}, ${card}`), [card]);
  assert.deepEqual(found(`${card}; ${card}`, `${card} and 4929-1234-5678-9010`), [
    card,
    "4929-1234-5678-9010",
  ]);
});

function stepsOf(index: NumberIndex, text: string): number {
  const work = new Work({ steps: Number.MAX_SAFE_INTEGER });
  index.find(text, work);
  return Number.MAX_SAFE_INTEGER - work.steps;
}

/** Tables in which every place begins as many others do. */
const TABLES: { readonly name: string; readonly of: (groups: number) => string }[] = [
  { name: "one number again and again", of: (n) => "12 ".repeat(n) },
  { name: "two in turn", of: (n) => "1234 5678 ".repeat(n / 2) },
  { name: "years", of: (n) => Array.from({ length: n }, (_, at) => 2019 + ((at * at) % 4)).join(" ") },
  { name: "a scale", of: (n) => Array.from({ length: n }, (_, at) => 100 + (at % 50)).join(" ") },
  {
    name: "numbers with one beginning",
    of: (n) => Array.from({ length: n }, (_, at) => `20260000000${1e6 + at}`).join("; "),
  },
];

describe("what is compared grows with what is looked up, and no faster [FLW-21]", () => {
  for (const { name, of } of TABLES)
    test(name, () => {
      const steps = (groups: number): number => {
        const index = new NumberIndex();
        index.add(of(400));
        index.add(`${of(100)}zz`);
        return stepsOf(index, `${of(groups)}zz`);
      };
      const [small, large] = [steps(2000), steps(16_000)];
      // Eight times as much; at its end a table is no longer like itself.
      assert.ok(large <= 8 * small + 1024 * 1024, `${small}, then ${large}`);
    });

  test("any groups in any order", () => {
    const groups = fc.array(fc.constantFrom("12", "34", "2019", "2020", "100"), {
      minLength: 8,
      maxLength: 400,
    });
    fc.assert(
      fc.property(groups, groups, (said, given) => {
        const index = new NumberIndex();
        index.add(said.join(" "));
        const text = Array.from({ length: 8 }, () => given.join(" ")).join(" ");
        assert.ok(stepsOf(index, text) <= text.length * 128 + 1024 * 1024);
      }),
      { numRuns: 60 },
    );
  });
});

test("where too much would be compared that is told [FLW-24]", () => {
  const index = new NumberIndex();
  let state = 5;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  // Copies of one table of years, each with faults at other places.
  const table = Array.from({ length: 8000 }, () => String(2000 + Math.floor(next() * 3)));
  for (let copy = 0; copy < 64; copy++)
    index.add(table.map((word, at) => ((at * 31 + copy * 17) % 40 === 0 ? "x" : word)).join(" "));
  const work = new Work({ steps: 100_000 });
  index.find(`${table.join(" ")} `, work);
  assert.ok(work.steps > -64 * 512, String(work.steps));
  assert.equal(work.left?.what, "numbers that are nearly alike");
});
