import assert from "node:assert/strict";
import { test } from "node:test";
import { type Places, wordsDigest } from "./words.ts";

interface Case {
  readonly name: string;
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly secrets?: readonly [a: readonly string[], b: readonly string[]];
  readonly places?: Places;
  readonly isSame: boolean;
}

const HERE: Places = { folder: "/home/me/project", home: "/home/me" };
const digest = (args: readonly string[], secrets: readonly string[] = [], places = HERE): string =>
  wordsDigest({ command: "node", args }, secrets, places);

const cases: readonly Case[] = [
  { name: "the same words", a: ["x.js"], b: ["x.js"], isSame: true },
  {
    name: "another file is loaded first",
    a: ["--require", "./evil.cjs", "x.js"],
    b: ["--require", "./evil2.cjs", "x.js"],
    isSame: false,
  },
  { name: "words that run together", a: ["a", "b"], b: ["a b"], isSame: false },
  { name: "another order", a: ["a", "b"], b: ["b", "a"], isSame: false },
  {
    name: "another secret as a word",
    a: ["--token", "abcdef123456"],
    b: ["--token", "fedcba654321"],
    secrets: [["abcdef123456"], ["fedcba654321"]],
    isSame: true,
  },
  {
    name: "another short secret behind =",
    a: ["--pin=12"],
    b: ["--pin=34"],
    secrets: [["12"], ["34"]],
    isSame: true,
  },
  {
    name: "another short secret within a word",
    a: ["u:abc@h"],
    b: ["u:xyz@h"],
    secrets: [["abc"], ["xyz"]],
    isSame: true,
  },
  {
    name: "another key that nobody named but that has the shape of one",
    a: ["ghp_0123456789abcdefABCD"],
    b: ["ghp_dcbaABCDEF9876543210"],
    isSame: true,
  },
  {
    name: "another password in an address",
    a: ["postgres://me:hunter2@db/x"],
    b: ["postgres://me:hunter3@db/x"],
    isSame: true,
  },
  {
    name: "a secret in place of a plain word",
    a: ["x.js", "plain"],
    b: ["x.js", "abcdef123456"],
    secrets: [[], ["abcdef123456"]],
    isSame: false,
  },
  { name: "a word that is written like a mark", a: ["abcdef123456"], b: ["secret"], isSame: false },
  {
    name: "another home and folder",
    a: ["/home/me/project/x.js", "--data=/home/me/d"],
    b: ["/srv/build/x.js", "--data=/home/ci/d"],
    places: { folder: "/srv/build", home: "/home/ci" },
    isSame: true,
  },
  {
    name: "another file of the folder",
    a: ["/home/me/project/x.js"],
    b: ["/srv/build/y.js"],
    places: { folder: "/srv/build", home: "/home/ci" },
    isSame: false,
  },
];
for (const { name, a, b, secrets = [[], []], places, isSame } of cases)
  test(`words: ${name} [SUR-22]`, () => {
    const [one, other] = [digest(a, secrets[0]), digest(b, secrets[1], places)];
    assert.equal(one === other, isSame, `${one} ${other}`);
    assert.match(one, /^sha256:[0-9a-f]{64}$/);
  });

test("the program and the folder it runs in count too [SUR-22]", () => {
  const digests = [
    wordsDigest({ command: "node", args: ["x.js"] }, [], HERE),
    wordsDigest({ command: "/opt/node", args: ["x.js"] }, [], HERE),
    wordsDigest({ command: "node", args: ["x.js"], cwd: "/home/me/project" }, [], HERE),
    wordsDigest({ command: "node", args: ["x.js"], cwd: "/home/me/project/other" }, [], HERE),
  ];
  assert.equal(new Set(digests).size, digests.length);
});
