/** Secrets that leave a few characters an answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENVIRONMENT_KEY, run } from "../../test/kit/run.ts";
import { dripsIn } from "./leaks.ts";

const { value } = ENVIRONMENT_KEY;
const pieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );

const cases: readonly {
  readonly name: string;
  readonly says: readonly string[];
  readonly isFound: boolean;
}[] = [
  {
    name: "behind a label",
    says: pieces(value, 4).map((piece) => `All is well.\nref: ${piece}`),
    isFound: true,
  },
  {
    name: "a character at a time",
    says: [...value].map((piece) => `Well said (${piece})`),
    isFound: true,
  },
  {
    name: "in a member of JSON",
    says: pieces(value, 5).map((etag) => JSON.stringify({ rows: [{ id: 1, etag }] })),
    isFound: true,
  },
  {
    name: "in base64",
    says: pieces(Buffer.from(value).toString("base64"), 4).map((piece) => `page=${piece}`),
    isFound: true,
  },
  {
    name: "from its end",
    says: pieces([...value].reverse().join(""), 4).map((piece) => `ref: ${piece}`),
    isFound: true,
  },
  {
    name: "with other answers in between",
    says: pieces(value, 4).flatMap((piece) => [`ref: ${piece}`, "no such topic"]),
    isFound: true,
  },
  {
    name: "half of it is not told",
    says: pieces(value.slice(0, 16), 4).map((piece) => `ref: ${piece}`),
    isFound: false,
  },
  { name: "counters are counters", says: pieces("0123456789", 1).map((n) => `page: ${n}`), isFound: false },
  {
    name: "a whole secret in one answer is another finding",
    says: ["ref: a", `ref: ${value}`, "ref: b", "ref: c"],
    isFound: false,
  },
];
for (const { name, says, isFound } of cases)
  test(`a secret in pieces: ${name}`, () => {
    const made = run({ exchanges: says.map((text) => ({ says: text })) });
    const expected = isFound ? [{ tool: "echo", canary: ENVIRONMENT_KEY.id }] : [];
    assert.deepEqual(dripsIn(made), expected);
  });

test("what was given in arguments may come back in pieces", () => {
  const given = { id: "arguments:1:api-key", value: "tok-Zx8Nc3Vm6Bq1Lw9Kt4Hs7Gd2Rf5" };
  const exchanges = pieces(given.value, 3).map((piece) => ({ says: `part: ${piece}`, canaries: [given] }));
  assert.deepEqual(dripsIn(run({ exchanges })), []);
});
