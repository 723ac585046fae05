/** One text against what was said: kinds, places, readings. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { matchesIn } from "./match.ts";
import { runChars, Store } from "./store.ts";
import { finish, Work } from "./work.ts";

const NOTE = "Move the backup of the payroll database";

function storeOf(result: unknown, minChars = 16): Store {
  const store = new Store(minChars);
  store.add({ id: "1", server: "one", tool: "read", arguments: {}, result }, 0);
  return store;
}

const strongest = (said: unknown, given: string, minChars = 16) => {
  const order = ["verbatim", "contained", "normalized", "encoded", "partial"];
  return finish(matchesIn(given, [storeOf(said, minChars)], minChars, new Work())).sort(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind),
  )[0];
};

describe("a text is", () => {
  const cases = [
    { name: "verbatim when both are the same [FLW-7]", said: NOTE, given: NOTE, kind: "verbatim" },
    {
      name: "contained when all that was said stands in it [FLW-7]",
      said: NOTE,
      given: `> ${NOTE} <`,
      kind: "contained",
    },
    {
      name: "contained when all of it was said [FLW-7]",
      said: `> ${NOTE} <`,
      given: NOTE,
      kind: "contained",
    },
    {
      name: "contained when white space is all that is around it [FLW-7]",
      said: `a ${NOTE}`,
      given: ` ${NOTE}\n`,
      kind: "contained",
    },
    { name: "normalized in other case [FLW-8]", said: NOTE, given: NOTE.toUpperCase(), kind: "normalized" },
    {
      name: "normalized with other white space [FLW-8]",
      said: NOTE,
      given: NOTE.replaceAll(" ", "\u2003\n"),
      kind: "normalized",
    },
    {
      name: "normalized with invisible characters [FLW-8]",
      said: NOTE,
      given: [...NOTE].join("\u200b"),
      kind: "normalized",
    },
    {
      name: "normalized in other forms of letters [FLW-8]",
      said: "ｍｏｖｅ the payroll files",
      given: "move the payroll files",
      kind: "normalized",
    },
    {
      name: "encoded when it has to be read [FLW-9]",
      said: NOTE,
      given: Buffer.from(NOTE).toString("base64"),
      kind: "encoded",
    },
    {
      name: "encoded when what was said has to be read [FLW-9]",
      said: Buffer.from(NOTE).toString("hex"),
      given: NOTE,
      kind: "encoded",
    },
    {
      name: "a part when neither is all of the other [FLW-10]",
      said: `aaaa ${NOTE} bbbb`,
      given: `cccc ${NOTE} dddd`,
      kind: "partial",
    },
    {
      name: "nothing when the part is short [FLW-10]",
      said: "aaaa move the backup now bbbb",
      given: "cccc move the backup now dddd",
      kind: undefined,
    },
    {
      name: "nothing when it is another one [FLW-3]",
      said: NOTE,
      given: "The market in the old town begins",
      kind: undefined,
    },
    {
      name: "contained for a token in both [FLW-4]",
      said: "key q7Xk2Lz9 ok",
      given: "take q7Xk2Lz9!",
      kind: "contained",
    },
    {
      name: "nothing for a token that is part of another [FLW-4]",
      said: "key q7Xk2Lz9 ok",
      given: "take xq7Xk2Lz9!",
      kind: undefined,
    },
    {
      name: "contained for a long token in both [FLW-4]",
      said: "a key ghp9Xk2Lq7Rt4Vw8Zb3N.",
      given: "take ghp9Xk2Lq7Rt4Vw8Zb3N!",
      kind: "contained",
    },
    {
      name: "contained for an account in both [FLW-4]",
      said: "The account is DE89370400440532013000, as before.",
      given: "send to DE89370400440532013000",
      kind: "contained",
    },
    {
      name: "contained for a mailbox in both [FLW-4]",
      said: "Ask (eve@evil.example) for it.",
      given: "to eve@evil.example now",
      kind: "contained",
    },
    {
      name: "contained for an address in both [FLW-4]",
      said: "More at https://evil.example/x.",
      given: "go to https://evil.example/x now",
      kind: "contained",
    },
    {
      name: "contained for a card in both [FLW-4]",
      said: "It was 4929-1234-5678-9010 once",
      given: "card 4929-1234-5678-9010 ok",
      kind: "contained",
    },
    {
      name: "normalized for a card in other groups [FLW-4] [FLW-8]",
      said: "It was 4929-1234-5678-9010 once",
      given: "card 4929 1234 5678 9010 ok",
      kind: "normalized",
    },
    {
      name: "normalized for a mailbox in other case [FLW-4] [FLW-8]",
      said: "Ask (eve@evil.example) for it.",
      given: "to Eve@Evil.Example now",
      kind: "normalized",
    },
    {
      name: "normalized for an account with characters that are not seen [FLW-4] [FLW-8]",
      said: "The account is DE89370400440532013000, as before.",
      given: "send to DE89\u200b370400440532013000 now",
      kind: "normalized",
    },
    {
      name: "encoded for an account in a longer text that is encoded [FLW-4] [FLW-9]",
      said: "The account is DE89370400440532013000, as before.",
      given: Buffer.from("send it to DE89370400440532013000 today").toString("base64"),
      kind: "encoded",
    },
    {
      name: "nothing for an account that goes on [FLW-4]",
      said: "The account is DE89370400440532013000, as before.",
      given: "send to DE893704004405320130001",
      kind: undefined,
    },
    {
      name: "nothing for words of sixteen characters in both [FLW-4]",
      said: "It is state-of-the-art, they say.",
      given: "not state-of-the-art at all",
      kind: undefined,
    },
  ];
  for (const { name, said, given, kind } of cases)
    test(name, () => assert.equal(strongest(said, given)?.kind, kind));
});

test("places of a value that stands by itself are those in the texts [FLW-4] [FLW-23]", () => {
  const match = strongest("Ask (eve@evil.example) for it.", "to eve@evil.example now");
  assert.deepEqual([match?.text, match?.from, match?.at, match?.isAll], ["eve@evil.example", 5, 3, false]);
});

test("places are those in the texts as they are [FLW-23]", () => {
  const match = strongest(`said: ${NOTE}`, `${NOTE}`);
  assert.deepEqual([match?.from, match?.at, match?.isAll], [6, 0, true]);
});

test("what was decoded has a reading and no place [FLW-23]", () => {
  const match = strongest(NOTE, encodeURIComponent(NOTE));
  assert.deepEqual([match?.reading, match?.from, match?.at], ["percent", undefined, undefined]);
  const both = strongest(Buffer.from(NOTE).toString("base64"), Buffer.from(NOTE).toString("hex"));
  assert.equal(both?.reading, "hex, then as said: base64");
});

describe("with another threshold", () => {
  const cases = [
    {
      name: "eight characters of a longer text [FLW-3]",
      said: "the blue heron sleeps",
      given: "blue heron",
      minChars: 8,
      kind: "contained",
    },
    {
      name: "seven are too few [FLW-3]",
      said: "the blue heron sleeps",
      given: "blue he",
      minChars: 8,
      kind: undefined,
    },
    {
      name: "one character that is all that was said [FLW-3]",
      said: "x",
      given: "axb",
      minChars: 1,
      kind: "contained",
    },
    {
      name: "a value of eight characters that stands by itself [FLW-4]",
      said: "write to a@b.example soon",
      given: "mail a@b.example now",
      minChars: 8,
      kind: "contained",
    },
    {
      name: "a number ends with the rule for tokens [FLW-4]",
      said: "It was 4929-1234-5678-9010 once",
      given: "card 4929-1234-5678-9010 ok",
      minChars: 17,
      kind: undefined,
    },
    { name: "more than the default [FLW-3]", said: NOTE, given: NOTE, minChars: 40, kind: undefined },
    {
      name: "more than the default, and long enough [FLW-3]",
      said: `${NOTE}!`,
      given: `${NOTE}!`,
      minChars: 40,
      kind: "verbatim",
    },
  ];
  for (const { name, said, given, minChars, kind } of cases)
    test(name, () => assert.equal(strongest(said, given, minChars)?.kind, kind));

  test("runs are found from eight characters on, and from sixteen at most [FLW-3]", () => {
    assert.deepEqual([1, 8, 12, 16, 50].map(runChars), [
      { raw: 8, normal: 8 },
      { raw: 8, normal: 8 },
      { raw: 12, normal: 8 },
      { raw: 16, normal: 12 },
      { raw: 16, normal: 12 },
    ]);
  });
});
