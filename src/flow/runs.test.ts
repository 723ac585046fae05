/** Which runs are found: all that are long, all that are the whole of one side, and short ones where they are asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RunIndex } from "./runs.ts";
import { Work } from "./work.ts";

const [LEAST, PARTIAL] = [16, 32];

function found(said: string, asked: string, part?: { from: number; end: number }): string[] {
  const index = new RunIndex(LEAST, PARTIAL);
  index.add("something else that was said before it");
  index.add(said);
  return index
    .find(asked, new Work(), part && [part])
    .filter(({ text }) => text === 1)
    .map(({ at, length }) => asked.slice(at, at + length).trim());
}

const VALUE = "k7Qz-4411-Lx9p-wW"; // 17 characters
const around = (size: number): string => "lorem ipsum dolor sit amet consetetur ".repeat(4).slice(0, size);
const others = (size: number): string =>
  "UT WISI ENIM AD MINIM VENIAM QUIS NOSTRUD ".repeat(4).slice(0, size);

const cases = [
  {
    name: "a short value inside a long text, asked for by itself",
    said: around(60) + VALUE + around(9),
    asked: VALUE,
    runs: [VALUE],
  },
  {
    name: "a short text that was said, inside a long one",
    said: VALUE,
    asked: others(50) + VALUE + others(40),
    runs: [VALUE],
  },
  {
    name: "the same with white space around it, as long as that may be",
    said: `${" ".repeat(40)}${VALUE}\n`,
    asked: others(50) + VALUE + others(40),
    runs: [VALUE],
  },
  {
    name: "a short run of two long texts is none",
    said: around(60) + VALUE + around(40),
    asked: others(50) + VALUE + others(40),
    runs: [],
  },
  {
    name: "unless it is asked for there",
    said: around(60) + VALUE + around(40),
    asked: others(50) + VALUE + others(40),
    part: { from: 50, end: 67 },
    runs: [VALUE],
  },
];
for (const { name, said, asked, part, runs } of cases)
  test(`${name} [FLW-7]`, () => assert.deepEqual(found(said, asked, part), runs));

test("a run of 32 characters is found wherever it stands in two long texts [FLW-7]", () => {
  const letters = (least: number, most: number) =>
    fc.string({ unit: fc.constantFrom("a", "b", " ", "é"), minLength: least, maxLength: most });
  fc.assert(
    fc.property(
      letters(32, 40),
      letters(0, 90),
      letters(0, 90),
      letters(0, 90),
      letters(0, 90),
      (run, a, b, c, d) => {
        const index = new RunIndex(LEAST, PARTIAL);
        const [said, asked] = [`${a}!${run}!${b}`, `${c}?${run}?${d}`];
        index.add(said);
        const runs = index.find(asked, new Work()).map(({ at, length }) => asked.slice(at, at + length));
        assert.equal(
          runs.some((one) => one === run),
          true,
          JSON.stringify(runs),
        );
      },
    ),
  );
});

test("what is found stands in both texts [FLW-7]", () => {
  const word = fc.constantFrom("alpha", "beta", "gamma", " ", "-", "delta42", "Ω");
  const text = fc.array(word, { minLength: 4, maxLength: 60 }).map((words) => words.join(""));
  fc.assert(
    fc.property(text, text, (said, asked) => {
      const index = new RunIndex(LEAST, PARTIAL);
      index.add(said);
      for (const { from, at, length } of index.find(asked, new Work(), [{ from: 0, end: asked.length }]))
        assert.equal(asked.slice(at, at + length), said.slice(from, from + length));
    }),
  );
});
