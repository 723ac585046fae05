import assert from "node:assert/strict";
import { test } from "node:test";
import { type Place, sampleArguments, textPlaces, validate, withText } from "../index.ts";

const schema = {
  type: "object",
  properties: {
    mode: { enum: ["a", "b"] },
    limit: { type: "integer" },
    note: { type: "string", maxLength: 10 },
    when: { type: "string", format: "date-time" },
    tags: { type: "array", items: { type: "string" }, maxItems: 3 },
    anything: {},
    filter: {
      type: "object",
      properties: {
        field: { type: "string" },
        op: { enum: ["eq", "ne"] },
        value: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
      required: ["field", "op"],
    },
    headers: { type: "object", additionalProperties: { type: "string" } },
    kids: { type: "array", items: { $ref: "#" } },
    text: { $ref: "#/$defs/text" },
    fixed: { const: "x" },
  },
  required: ["text", "mode"],
  $defs: { text: { type: "string", description: "free text" } },
};
const places = textPlaces(schema);
const named = (path: string): Place => {
  const found = places.find((place) => place.path.join(".") === path);
  assert.ok(found, path);
  return found;
};

test("places for text: required first, those bound to a format last, no choices, no circles", () => {
  assert.deepEqual(
    places.map(({ path }) => path.join(".")),
    ["text", "note", "anything", "tags.0", "filter.field", "filter.value", "headers.example", "when"],
  );
  assert.deepEqual(named("text"), {
    path: ["text"],
    name: "text",
    schema: schema.$defs.text,
    isRequired: true,
  });
  assert.deepEqual([named("tags.0").name, named("filter.field").isRequired], ["", false]);
});

const base = sampleArguments(schema)[0]?.value ?? {};
const put: readonly {
  path: string;
  text: string;
  want: Record<string, unknown> | undefined;
  mayCut?: boolean;
}[] = [
  { path: "text", text: "hi", want: { ...base, text: "hi" } },
  { path: "note", text: "hi", want: { ...base, note: "hi" } },
  { path: "note", text: "much too long", want: undefined },
  { path: "note", text: "much too long", want: { ...base, note: "much too l" }, mayCut: true },
  { path: "tags.0", text: "hi", want: { ...base, tags: ["hi"] } },
  { path: "anything", text: "hi", want: { ...base, anything: "hi" } },
  {
    path: "filter.value",
    text: "hi",
    want: { ...base, filter: { field: "example", op: "eq", value: "hi" } },
  },
  { path: "headers.example", text: "hi", want: { ...base, headers: { example: "hi" } } },
];
for (const { path, text, want, mayCut = false } of put)
  test(`text at ${path}${mayCut ? ", cut" : ""}${want === undefined ? " is refused" : ""}`, () => {
    const value = withText(schema, base, named(path), text, { mayCut });
    assert.deepEqual(value, want);
    if (value !== undefined) assert.equal(validate(schema, value).verdict, "valid");
  });

test("what stands there already stays", () => {
  const full = { text: "t", mode: "b", filter: { field: "f", op: "ne", value: 4 }, tags: ["a", "b"] };
  assert.deepEqual(withText(schema, full, named("filter.value"), "hi"), {
    ...full,
    filter: { ...full.filter, value: "hi" },
  });
  assert.deepEqual(withText(schema, full, named("tags.0"), "hi"), { ...full, tags: ["hi", "b"] });
  assert.equal(full.filter.value, 4);
});

test("another branch is taken when the text needs it", () => {
  const either = {
    type: "object",
    oneOf: [
      { properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false },
      {
        properties: { q: { type: "string" }, k: { const: 1 } },
        required: ["q", "k"],
        additionalProperties: false,
      },
    ],
  };
  const [place] = textPlaces(either);
  assert.ok(place);
  assert.deepEqual(withText(either, { n: 1 }, place, "hi"), { q: "hi", k: 1 });
});

test("a place named __proto__ is an own member", () => {
  const odd = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
  const [place] = textPlaces(odd);
  assert.ok(place);
  const value = withText(odd, {}, place, "hi") ?? {};
  assert.deepEqual(Object.keys(value), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});
