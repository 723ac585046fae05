import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Matcher } from "../model.ts";
import { match } from "./match.ts";

const found = (value: unknown) => ({ isFound: true as const, value });
const nothing = { isFound: false as const, reason: 'result has no "x"' };

const call = { name: "search", arguments: { q: "x" } };
const wantsQ = { required: ["q"] };

const cases: readonly { matcher: Matcher; meets: readonly unknown[]; misses: readonly unknown[] }[] = [
  {
    matcher: { is: "exact", value: { a: [1] } },
    meets: [{ a: [1] }],
    misses: [{ a: [1, 2] }, { a: [1], b: 1 }, [1], "x"],
  },
  { matcher: { is: "exact", value: null }, meets: [null], misses: [0, "", false] },
  {
    matcher: { is: "contains", value: "b" },
    meets: ["abc", ["b"], ["abc"], [["b"]]],
    misses: ["xyz", ["x"], 1, { b: "b" }],
  },
  { matcher: { is: "contains", value: 2 }, meets: [[1, 2], 2], misses: ["2", [1], 3] },
  {
    matcher: { is: "contains", value: { a: 1 } },
    meets: [{ a: 1, b: 2 }, [{ a: 1, b: 2 }]],
    misses: [{ b: 2 }, { a: { a: 1 } }, []],
  },
  { matcher: { is: "contains", value: [1, 2] }, meets: [[2, 1, 3], [[1, 2]]], misses: [[1], "12"] },
  {
    matcher: { is: "subset", value: { a: { b: [2] } } },
    meets: [{ a: { b: [1, 2], c: 1 } }],
    misses: [{ a: { b: [1] } }, { a: 1 }, []],
  },
  { matcher: { is: "subset", value: "ab" }, meets: ["ab"], misses: ["abc"] },
  { matcher: { is: "regex", value: "^a+b" }, meets: ["aab", "ab!"], misses: ["ba", 1, null, ["ab"]] },
  {
    matcher: { is: "schema", value: { type: "integer", maximum: 5 } },
    meets: [5, 0],
    misses: [6, "5", null],
  },
  { matcher: { is: "contains-all", value: ["a", "b"] }, meets: ["ab", ["b", "a"]], misses: ["a", ["b"]] },
  {
    matcher: { is: "contains-any", value: ["a", { x: 1 }] },
    meets: ["a", [{ x: 1, y: 2 }]],
    misses: ["b", []],
  },
  { matcher: { is: "icontains", value: "FoO" }, meets: ["a foo"], misses: ["fo", ["foo"]] },
  { matcher: { is: "starts-with", value: "ab" }, meets: ["abc"], misses: ["cab", "AB"] },
  {
    matcher: { is: "is-json" },
    meets: ["{}", "1", '"a"', "[".repeat(5) + "]".repeat(5)],
    misses: ["{", "", {}, "{'a':1}"],
  },
  { matcher: { is: "is-json", schema: wantsQ }, meets: ['{"q":1}'], misses: ["{}", "nonsense"] },
  {
    matcher: { is: "is-valid-tools-call" },
    meets: [call, JSON.stringify(call), { method: "tools/call", params: call }, { name: "a" }],
    misses: [
      { name: "" },
      { name: 1 },
      { name: "a", arguments: [] },
      { method: "ping", params: call },
      "x",
      [call],
      { method: "tools/call" },
    ],
  },
  {
    matcher: { is: "is-valid-tools-call", schema: wantsQ },
    meets: [call],
    misses: [{ name: "search", arguments: {} }],
  },
  {
    matcher: { is: "levenshtein", value: "kitten", max: 3 },
    meets: ["sitting", "kitten", "kit"],
    misses: ["sittingly", "", 5],
  },
  { matcher: { is: "levenshtein", value: "", max: 0 }, meets: [""], misses: ["a"] },
  { matcher: { is: "is-xml", root: "a" }, meets: ["<a/>"], misses: ["<b/>", "a", 1] },
  { matcher: { is: "is-sql" }, meets: ["SELECT 1"], misses: ["hello there", 1] },
  { matcher: { is: "not", matcher: { is: "contains", value: "x" } }, meets: ["abc", 5], misses: ["x"] },
  {
    matcher: {
      is: "oneOf",
      matchers: [
        { is: "contains", value: "a" },
        { is: "contains", value: "b" },
      ],
    },
    meets: ["a", "b"],
    misses: ["ab", ""],
  },
  {
    matcher: {
      is: "anyOf",
      matchers: [
        { is: "exact", value: 1 },
        { is: "exact", value: 2 },
      ],
    },
    meets: [1, 2],
    misses: [3],
  },
  {
    matcher: {
      is: "allOf",
      matchers: [
        { is: "contains", value: "a" },
        { is: "contains", value: "b" },
      ],
    },
    meets: ["ab"],
    misses: ["a"],
  },
];
for (const { matcher, meets, misses } of cases)
  test(`matcher ${JSON.stringify(matcher).slice(0, 80)}`, () => {
    for (const value of meets) assert.equal(match(matcher, found(value)).isMet, true, JSON.stringify(value));
    for (const value of misses)
      assert.equal(match(matcher, found(value)).isMet, false, JSON.stringify(value));
    if (!(matcher.is === "exact" && matcher.value === null)) {
      assert.equal(match(matcher, nothing).isMet, false, "what is not there meets nothing");
      assert.equal(match({ is: "not", matcher }, nothing).isMet, false, "nor its opposite");
    }
  });

test("exact null and alternatives with it hold where nothing is", () => {
  const isNull: Matcher = { is: "exact", value: null };
  assert.equal(match(isNull, nothing).isMet, true);
  assert.equal(
    match({ is: "anyOf", matchers: [{ is: "contains", value: "a" }, isNull] }, nothing).isMet,
    true,
  );
  assert.equal(match({ is: "not", matcher: isNull }, nothing).isMet, false);
});

const messages: readonly (readonly [Matcher, unknown, string])[] = [
  [{ is: "exact", value: "a" }, "b", 'expected "a", got "b"'],
  [
    { is: "contains", value: 42 },
    "42",
    'expected something that contains 42, got "42": text contains text; write 42 in quotes to look for it as text',
  ],
  [
    { is: "contains-all", value: ["a", "b"] },
    "a",
    'expected something that contains all of ["a","b"], got "a": "b" is missing',
  ],
  [{ is: "regex", value: "^a" }, 5, 'expected text that matches "^a", got 5: want text, not a number'],
  [
    { is: "schema", value: { maximum: 1 } },
    2,
    'expected a value of the schema {"maximum":1}, got 2: the value must be at most 1, is 2',
  ],
  [{ is: "is-xml" }, "<a>", 'expected well-formed XML, got "<a>": <a> is not closed'],
  [
    { is: "not", matcher: { is: "starts-with", value: "a" } },
    "ab",
    'expected not text that starts with "a", got "ab"',
  ],
  [
    { is: "anyOf", matchers: [{ is: "exact", value: 1 }] },
    2,
    "expected one of 1 matchers to hold, got 2: 0 of 1 hold",
  ],
  [{ is: "exact", value: "\u001b[2J" }, "\u202e\u0007", 'expected "\\u{1b}[2J", got "\\u{202e}\\u{7}"'],
];
for (const [matcher, value, message] of messages)
  test(`message of ${matcher.is}: ${message.slice(0, 50)}`, () =>
    assert.equal(match(matcher, found(value)).message, message));

test("messages are bounded on both sides", () => {
  const { message } = match({ is: "exact", value: "a".repeat(10_000) }, found("b".repeat(10_000)));
  assert.ok(message.length < 500, `${message.length}`);
  assert.match(message, /^expected "a{200}… \(\+9800 characters\)", got "b{200}… \(\+9800 characters\)"$/);
});

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

test("depth and size overflow nothing, and what cannot be told does not hold either way", {
  timeout: 20_000,
}, () => {
  const value = deep(20_000);
  let lists: unknown = [];
  for (let level = 0; level < 20_000; level++) lists = [lists];
  assert.equal(match({ is: "exact", value }, found(deep(20_000))).isMet, true);
  const wide = Array.from({ length: 3_000 }, (_, index) => ({ index }));
  const other = Array.from({ length: 3_000 }, (_, index) => ({ index: -1 - index }));
  const undecided: readonly (readonly [Matcher, unknown])[] = [
    [{ is: "subset", value }, deep(20_000)],
    [{ is: "contains", value: "x" }, lists],
    [{ is: "contains", value: [other[0], ...wide] }, [...wide, ...other.slice(1), other[0]]],
    [{ is: "snapshot", update: false }, value],
    [{ is: "regex", value: "x$" }, "a".repeat(2_000_000)],
    [{ is: "schema", value: { $ref: "https://example.com/" } }, 1],
  ];
  const snapshots = { defaultName: "s", stored: () => undefined, mayStore: true };
  for (const [matcher, actual] of undecided) {
    const verdict = match(matcher, found(actual), { snapshots });
    assert.deepEqual([verdict.isMet, verdict.isDecided], [false, false], verdict.message);
    assert.equal(match({ is: "not", matcher }, found(actual), { snapshots }).isMet, false, verdict.message);
  }
});

test("snapshots are new, the same, different, or stored anew", () => {
  const settings = (stored: string | undefined, mayStore = true) => ({
    snapshots: { defaultName: "test, result", stored: () => stored, mayStore },
  });
  const plain: Matcher = { is: "snapshot", update: false };
  const text = '{\n  "a": 1,\n  "b": [\n    true\n  ]\n}';
  const value = found({ b: [true], a: 1 });
  const first = match(plain, value, settings(undefined));
  assert.deepEqual(first.snapshots, [{ name: "test, result", text, state: "new", isUpdate: false }]);
  assert.equal(first.isMet, true);
  assert.equal(match(plain, value, settings(undefined, false)).isMet, false, "in CI a new one does not hold");
  assert.equal(match(plain, value, settings(text)).isMet, true);
  const changed = match(plain, value, settings(text.replace("1", "2")));
  assert.equal(changed.isMet, false);
  assert.equal(changed.message, 'snapshot "test, result": line 2: stored "  "a": 2,", got "  "a": 1,"');
  const updated = match({ is: "snapshot", name: "n", update: true }, value, settings("old"));
  assert.deepEqual(
    [updated.isMet, updated.snapshots[0]?.name, updated.snapshots[0]?.state],
    [true, "n", "different"],
  );
  assert.equal(match(plain, value).isMet, false, "without a place for them none holds");
});

test("exact and subset agree with themselves, and not is the opposite", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
      const copy: unknown = JSON.parse(JSON.stringify(a));
      assert.equal(match({ is: "exact", value: copy }, found(JSON.parse(JSON.stringify(a)))).isMet, true);
      assert.equal(match({ is: "subset", value: copy }, found(a)).isMet, true);
      for (const is of ["exact", "contains", "subset"] as const) {
        const matcher: Matcher = { is, value: b };
        assert.notEqual(match(matcher, found(a)).isMet, match({ is: "not", matcher }, found(a)).isMet);
      }
    }),
  );
});
