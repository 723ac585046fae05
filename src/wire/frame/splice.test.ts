/** Members found and changed in a JSON text: all that was not meant stays as it came, byte for byte. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasInexactNumbers, itemsAt, memberNamed, membersAt, readOnce, sliceOf, spliced } from "./splice.ts";

const cases = [
  { text: '{"a":1,"b":"x"}', members: { a: "1", b: '"x"' } },
  { text: ' { "a" : [1, {"b": 2}] , "c":null } ', members: { a: '[1, {"b": 2}]', c: "null" } },
  { text: '{"a":"\\"}{","b":"\\\\"}', members: { a: '"\\"}{"', b: '"\\\\"' } },
  { text: '{"\\u0061":1.50,"b":12345678901234567890}', members: { a: "1.50", b: "12345678901234567890" } },
  { text: "{}", members: {} },
];
for (const { text, members } of cases)
  test(`members of ${text}`, () => {
    const found = membersAt(text) ?? [];
    const shown = Object.fromEntries(found.map(({ name, value }) => [name, sliceOf(text, value)]));
    assert.deepEqual(shown, members);
  });

test("what is no object has no members", () => {
  for (const text of ["[1]", '"{}"', "12", "null"]) assert.equal(membersAt(text), undefined);
});

test("of a name that stands twice the last counts, as for JSON.parse", () => {
  const text = '{"a":1,"a":2}';
  assert.equal(sliceOf(text, memberNamed(membersAt(text), "a") ?? { from: 0, end: 0 }), "2");
});

const changes = [
  { text: '{"a":1}', without: [], put: '"b":2', to: '{"b":2,"a":1}' },
  { text: "{ }", without: [], put: '"b":2', to: '{"b":2 }' },
  { text: '{"a":1, "b":2 ,"c":3}', without: ["b"], put: "", to: '{"a":1,"c":3}' },
  { text: '{"a":1,"a":2,"b":0.10}', without: ["a"], put: '"x":{}', to: '{"x":{},"b":0.10}' },
  { text: '{"a":1}', without: ["a"], put: "", to: "{}" },
  { text: '{"a":1}', without: [], put: "", to: '{"a":1}' },
];
for (const { text, without, put, to } of changes)
  test(`${text} without ${without.join() || "nothing"}, with ${put || "nothing"}`, () =>
    assert.equal(spliced(text, { from: 0, end: text.length }, { without: new Set(without), put }), to));

const twins = [
  { text: '{"a":1,"a":2}', has: true },
  { text: '{"a":{"b":1,"c":[{"d":1,"\\u0064":2}]}}', has: true },
  { text: '{"a":"a","b":["a","a"]}', has: false },
  { text: '[{"a":1},{"a":1}]', has: false },
  { text: '{"a":{"a":{"a":1}},"b":{"a":1}}', has: false },
  { text: '{"a\\"":1,"a":"\\"a\\":"}', has: false },
];
for (const { text, has } of twins)
  test(`${text} ${has ? "has" : "has no"} twins`, () => assert.deepEqual(readOnce(text), { hasTwins: has }));

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
    const { found } = readOnce(text, ["p", "a"]);
    assert.equal(found && sliceOf(text, found), is);
  });

const numbers = [
  { text: '{"a":9007199254740993}', has: true },
  { text: '{"a":9007199254740992}', has: false },
  { text: '{"a":[1,{"b":-12345678901234567890}]}', has: true },
  { text: '{"a":1e400}', has: true },
  { text: '{"a":-1e-400}', has: true },
  { text: '{"a":0.1000000000000000055511151231257827}', has: true },
  { text: '{"a":100000000000000000000,"b":1E+021,"c":0.10000000000000000}', has: false },
  { text: '{"a":0e999,"b":-0.0000000000000000000}', has: false },
  { text: '{"a":"9007199254740993","9007199254740993":1,"b":"\\"9007199254740993"}', has: false },
  { text: '{"a":1700000000.123456}', has: false },
];
for (const { text, has } of numbers)
  test(`${text} ${has ? "has" : "has no"} number that is read as another`, () =>
    assert.equal(hasInexactNumbers(text), has));

test("a number that is written as it is read is exact", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.equal(hasInexactNumbers(JSON.stringify(value)), false)),
  );
});

test("of two numbers that are read as one, at most one is exact", () => {
  const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
  fc.assert(
    fc.property(large, fc.bigInt({ min: 1n, max: 2000n }), (number, more) => {
      fc.pre(Number(number) === Number(number + more));
      assert.equal(
        [number, number + more].some((each) => hasInexactNumbers(`[${each}]`)),
        true,
      );
    }),
  );
});

const spaced = (value: unknown): fc.Arbitrary<string> =>
  fc.constantFrom(0, 1, "\t").map((indent) => JSON.stringify(value, null, indent));

test("of any object the members are those of JSON.parse, and there are no twins", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()).chain(spaced), (text) => {
      const value = JSON.parse(text) as Record<string, unknown>;
      const found = membersAt(text) ?? [];
      assert.deepEqual(
        Object.fromEntries(found.map((member) => [member.name, JSON.parse(sliceOf(text, member.value))])),
        value,
      );
      assert.deepEqual(readOnce(text), { hasTwins: false });
      for (const { name, value } of found) assert.deepEqual(readOnce(text, [name]).found, value);
    }),
  );
});

test("any object changed is the object with that change", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()).chain(spaced),
      fc.array(fc.string(), { maxLength: 4 }),
      fc.boolean(),
      (text, names, isFirst) => {
        const value = JSON.parse(text) as Record<string, unknown>;
        const [own = ""] = Object.keys(value);
        const without = new Set(isFirst ? [...names, own] : names);
        const put = without.has("put") || Object.hasOwn(value, "put") ? "" : '"put":[1]';
        const result = JSON.parse(
          spliced(text, { from: 0, end: text.trimEnd().length }, { without, put }),
        ) as object;
        const kept = Object.entries(value).filter(([name]) => !without.has(name));
        assert.deepEqual(result, { ...(put === "" ? {} : { put: [1] }), ...Object.fromEntries(kept) });
      },
    ),
  );
});

test("a name that stands twice is found among few and among many", () => {
  for (const size of [1, 2, 11, 12, 13, 14, 40, 1000]) {
    const members = Array.from(
      { length: size },
      (_, number) => `"n${number}":{"n${number}":[{"a":1},{"a":1}]}`,
    );
    assert.equal(readOnce(`{${members.join()}}`).hasTwins, false, `${size}`);
    for (const twin of new Set([0, size >> 1, size - 1]))
      assert.equal(
        readOnce(`{"x":[{${[...members, `"\\u006e${twin}":1`].join()}}]}`).hasTwins,
        true,
        `${size}`,
      );
  }
});

test("the items of a list are found as they are written", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1, "\t"), (list, indent) => {
      const text = JSON.stringify(list, null, indent);
      const items = itemsAt(text)?.map((span) => JSON.parse(sliceOf(text, span)) as unknown);
      assert.deepEqual(items, JSON.parse(text));
    }),
  );
  assert.deepEqual(
    itemsAt(' [ 1.50 ,{"a":"]"} ]')?.map((span) => sliceOf(' [ 1.50 ,{"a":"]"} ]', span)),
    ["1.50", '{"a":"]"}'],
  );
  assert.equal(itemsAt("{}"), undefined);
});
