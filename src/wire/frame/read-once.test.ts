/** Texts that two readers would read as two. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readOnce } from "./read-once.ts";
import { sliceOf } from "./splice.ts";

const twins = [
  { text: '{"a":1,"a":2}', has: true },
  { text: '{"a":{"b":1,"c":[{"d":1,"\\u0064":2}]}}', has: true },
  { text: '{"a":"a","b":["a","a"]}', has: false },
  { text: '[{"a":1},{"a":1}]', has: false },
  { text: '{"a":{"a":{"a":1}},"b":{"a":1}}', has: false },
  { text: '{"a\\"":1,"a":"\\"a\\":"}', has: false },
];
for (const { text, has } of twins)
  test(`${text} ${has ? "has" : "has no"} twins`, () =>
    assert.deepEqual(readOnce(text), has ? { ambiguity: "twins" } : {}));

const places = [
  { text: '{"p":{"a":{"p":{"a":1}}},"a":2}', is: '{"p":{"a":1}}' },
  { text: ' { "x" : {"p":{"a":0}} , "p" : { "b" : {"a":1} , "a" : [ 1 ] } } ', is: "[ 1 ]" },
  { text: '{"\\u0070":{"\\u0061":"\\"}"}}', is: '"\\"}"' },
  { text: '{"x":{"p":{"a":0}},"a":1}', is: undefined },
  { text: '[{"p":{"a":0}}]', is: undefined },
  { text: '{"p":[{"a":1}],"q":{"a":2}}', is: undefined },
  { text: '{"p":1,"q":{"p":{"a":2},"a":3}}', is: undefined },
  { text: '{"p":{"a":1},"x":[{"b":1,"b":2}]}', is: undefined },
];
for (const { text, is } of places)
  test(`p.a of ${text} is ${is ?? "nowhere"}`, () => {
    const { found } = readOnce(text, { path: ["p", "a"] });
    assert.equal(found && sliceOf(text, found), is);
  });

test("a name that stands twice is found among few and among many", () => {
  for (const size of [1, 2, 11, 12, 13, 14, 40, 1000]) {
    const members = Array.from(
      { length: size },
      (_, number) => `"n${number}":{"n${number}":[{"a":1},{"a":1}]}`,
    );
    assert.equal(readOnce(`{${members.join()}}`).ambiguity, undefined, `${size}`);
    for (const twin of new Set([0, size >> 1, size - 1]))
      assert.equal(
        readOnce(`{"x":[{${[...members, `"\\u006e${twin}":1`].join()}}]}`).ambiguity,
        "twins",
        `${size}`,
      );
  }
});

const names = new Set(["params", "name", "arguments", "_meta", "task"]);
const free = new Set(["arguments", "_meta"]);
const spellings = [
  { text: '{"params":{"name":"a","arguments":{}}}', is: undefined },
  { text: '{"params":{"name":"a","Name":"b"}}', is: "case" },
  { text: '{"Params":{}}', is: "case" },
  { text: '{"params":{"ARGUMENTS":{"a":1}}}', is: "case" },
  { text: '{"params":{"argument\u017f":{"a":1}}}', is: "case" },
  { text: '{"params":{"argument\\u017f":{"a":1}}}', is: "case" },
  { text: '{"params":{"tas\u212a":{"a":1}}}', is: "case" },
  { text: '{"params":{"_Meta":{}}}', is: "case" },
  { text: '{"params":{"own":1,"Own":2}}', is: "twins" },
  { text: '{"params":{"own":1,"names":2}}', is: undefined },
  { text: '{"params":{"arguments":{"Name":1,"name":2,"NAME":{"Params":3}}}}', is: undefined },
  { text: '{"params":{"arguments":[{"Name":1}],"_meta":{"Name":1}}}', is: undefined },
  { text: '{"params":{"arguments":{"a":{}},"Name":1}}', is: "case" },
  { text: '{"params":{"arguments":"{","Name":1}}', is: "case" },
  { text: '{"params":{"list":[{"Name":1}]}}', is: "case" },
  { text: '{"params":{"arguments":{"a":1,"a":2}}}', is: "twins" },
];
for (const { text, is } of spellings)
  test(`${text}, read by who does not tell cases apart, is ${is ?? "the same"} [WIR-32]`, () =>
    assert.equal(readOnce(text, { names, free }).ambiguity, is));

test("names that only differ in case are two names to who gives no names of a protocol", () => {
  assert.deepEqual(readOnce('{"params":{"name":"a","Name":"b"}}'), {});
});

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const depths = [
  { text: nested(200), is: undefined },
  { text: nested(201), is: "deep" },
  { text: nested(100_000), is: "deep" },
  { text: `{"a":${'{"a":'.repeat(199)}1${"}".repeat(199)}}`, is: undefined },
  { text: `{"a":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`, is: "deep" },
  { text: `[${Array.from({ length: 1000 }, () => nested(100)).join()}]`, is: undefined },
] as const;
for (const { text, is } of depths)
  test(`${text.length} characters of ${text.slice(0, 8)} are ${is ?? "not too"} deep [WIR-32]`, () =>
    assert.equal(readOnce(text).ambiguity, is));
