/** Members found and changed in a JSON text: all that was not meant stays as it came, byte for byte. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readOnce } from "./read-once.ts";
import { itemsAt, memberNamed, membersAt, sliceOf, spliced } from "./splice.ts";

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
      assert.deepEqual(readOnce(text), {});
      for (const { name, value } of found) assert.deepEqual(readOnce(text, { path: [name] }).found, value);
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
