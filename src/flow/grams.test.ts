/** Runs that texts share: every one that is long enough, in any number of texts, and however often its parts occur. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { GramIndex, type Shared } from "./grams.ts";
import { gramsOf } from "./hashes.ts";
import { Work } from "./work.ts";

const STEP = 9;
const LEAST = 16;

function indexed(...texts: string[]): { find(text: string, least: number): Shared[] } {
  const index = new GramIndex(STEP, texts);
  for (const [number, text] of texts.entries()) index.add(number, gramsOf(text));
  return {
    find: (text, least) =>
      index.find(text, gramsOf(text), least, new Work(), { left: Number.POSITIVE_INFINITY }),
  };
}

describe("a shared run", () => {
  const cases = [
    { name: "all of both", said: "the keys lie here", asked: "the keys lie here", runs: ["0:0+17"] },
    {
      name: "inside what is asked",
      said: "the keys lie here",
      asked: ">> the keys lie here <<",
      runs: ["0:3+17"],
    },
    {
      name: "inside what was said",
      said: ">> the keys lie here <<",
      asked: "the keys lie here",
      runs: ["3:0+17"],
    },
    {
      name: "of sixteen characters",
      said: "..0123456789abcdef",
      asked: "0123456789abcdef",
      runs: ["2:0+16"],
    },
    {
      name: "of fifteen characters is none",
      said: "..0123456789abcde.",
      asked: "0123456789abcde!",
      runs: [],
    },
    { name: "of nothing", said: "the keys lie here", asked: "", runs: [] },
  ];
  for (const { name, said, asked, runs } of cases)
    test(`${name} [FLW-3]`, () =>
      assert.deepEqual(
        indexed(said)
          .find(asked, LEAST)
          .map(({ from, at, length }) => `${from}:${at}+${length}`),
        runs,
      ));

  test("is found at every place of a text [FLW-7]", () => {
    const value = "0123456789abcdef";
    for (let shift = 0; shift < 40; shift++) {
      const [run] = indexed(`${"-".repeat(shift)}${value}${"~".repeat(5)}`).find(value, LEAST);
      assert.equal(run?.from, shift);
    }
  });

  test("is found in each of several texts [FLW-7]", () => {
    const runs = indexed("the keys lie here", "a line between", "so the keys lie here.").find(
      "the keys lie here",
      LEAST,
    );
    assert.deepEqual(runs.map(({ text }) => text).sort(), [0, 2]);
  });

  test("is found although its ends occur a thousand times [FLW-7]", () => {
    const mails = Array.from({ length: 1000 }, (_, i) => `member-${i}@post.example.com`);
    const index = indexed(mails.join("\n"));
    for (const mail of mails) assert.ok(index.find(mail, mail.length).length > 0, mail);
  });

  test("is found although a hundred texts before it say nearly the same [FLW-7]", () => {
    const texts = Array.from(
      { length: 100 },
      (_, i) => `Dear member, your number is ${i * 37}, kind regards`,
    );
    const index = indexed(...texts);
    for (const [number, text] of texts.entries())
      assert.ok(index.find(text, text.length).some((run) => run.text === number) || number >= 16, text);
    assert.ok(
      index.find("your number is 3663, kind", LEAST).some(({ text, length }) => text === 99 && length === 25),
    );
  });

  test("any run of sixteen characters of any text is found [FLW-3]", () => {
    const letters = fc.array(fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz ,"), {
      minLength: 16,
      maxLength: 300,
    });
    fc.assert(
      fc.property(letters, fc.nat(), (units, seed) => {
        const said = units.join("");
        const from = seed % (said.length - 15);
        assert.ok(indexed(said).find(`#${said.slice(from, from + 16)}#`, LEAST).length > 0);
      }),
    );
  });

  test("what is found is shared [FLW-3]", () => {
    const letters = fc.array(fc.constantFrom(..."abc"), { maxLength: 200 }).map((units) => units.join(""));
    fc.assert(
      fc.property(letters, letters, (said, asked) => {
        for (const { from, at, length } of indexed(said).find(asked, LEAST)) {
          assert.ok(length >= LEAST);
          assert.equal(said.slice(from, from + length), asked.slice(at, at + length));
        }
      }),
    );
  });
});
