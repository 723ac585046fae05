import assert from "node:assert/strict";
import { test } from "node:test";
import { ADD, ECHO, FIXTURES, kit, sightOf } from "../../test/kit/run.ts";
import { validate } from "../schema/index.ts";

const tool = (properties: object, required: readonly string[] = Object.keys(properties)) =>
  sightOf({
    name: `tool ${JSON.stringify(properties)}`,
    inputSchema: { type: "object", properties, required },
  });
const TEXT = { type: "string" };

for (const one of [
  sightOf(ECHO),
  sightOf(ADD),
  tool({ path: TEXT }),
  tool({ color: { enum: ["red", "blue"] } }),
])
  test(`samples are valid: ${one.name}`, () => {
    const samples = kit().samples(one);
    assert.ok(samples.length > 0 && samples.length <= 22);
    for (const sample of samples) assert.equal(validate(one.inputSchema, sample).verdict, "valid");
  });

test("a schema that nothing satisfies has no samples", () =>
  assert.deepEqual(kit().samples(sightOf({ name: "never", inputSchema: false })), []));

test("every choice of an enumeration is sampled", () => {
  const colors = kit()
    .samples(tool({ color: { enum: ["red", "blue", "green"] } }))
    .map(({ color }) => color);
  assert.deepEqual([...new Set(colors)].sort(), ["blue", "green", "red"]);
});

test("an optional parameter is set in some samples and left out in others", () => {
  const has = kit()
    .samples(tool({ city: TEXT, units: TEXT }, ["city"]))
    .map((sample) => Object.hasOwn(sample, "units"));
  assert.ok(has.includes(true) && has.includes(false));
});

test("a path leads to a file that is there", () => {
  const paths = kit()
    .samples(tool({ path: TEXT }))
    .map(({ path }) => path);
  assert.equal(paths[0], FIXTURES.files[0]);
});

test("an example of the description is tried first", () => {
  const sql = { ...TEXT, description: "A statement, e.g. SELECT name FROM people" };
  assert.equal(kit().samples(tool({ sql }))[0]?.sql, "SELECT name FROM people");
  const day = { ...TEXT, description: "YYYY-MM-DD", pattern: "^\\d{4}-\\d{2}-\\d{2}$" };
  assert.equal(kit().samples(tool({ day }))[0]?.day, "2024-03-15");
});

test("two flags are set together with the others left as they are", () => {
  const flag = { type: "boolean" };
  const samples = kit().samples(tool({ name: TEXT, a: flag, b: flag, c: flag }, ["name"]));
  assert.ok(samples.some(({ a, b, c }) => a === true && b === true && c !== true));
  assert.ok(samples.some(({ a, b, c }) => a !== true && b === true && c === true));
});

test("a flag is set together with each choice", () => {
  const samples = kit().samples(tool({ wide: { type: "boolean" }, unit: { enum: ["km", "mi"] } }));
  const seen = new Set(samples.map(({ wide, unit }) => `${wide} ${unit}`));
  assert.ok(seen.has("true mi") || seen.has("false mi"), [...seen].join());
});

test("many flags make few samples", () => {
  const flags = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`f${index}`, { type: "boolean" }]),
  );
  assert.ok(kit().samples(tool(flags, [])).length <= 22);
});

test("a folder is a folder that is there, and a destination is new", () => {
  assert.equal(kit().samples(tool({ directory: TEXT }))[0]?.directory, FIXTURES.folders[0]);
  assert.equal(
    kit().samples(tool({ destination: TEXT }))[0]?.destination,
    `${FIXTURES.folders[0]}/new-destination.txt`,
  );
});

for (const name of ["sourceTimezone", "target_timezone"])
  test(`what a source or target is of is no path: ${name}`, () => {
    const described = { type: "string", description: "The zone. IANA name, e.g. Asia/Shanghai" };
    assert.equal(kit().samples(tool({ [name]: described }))[0]?.[name], "Asia/Shanghai");
    assert.equal(kit().samples(tool({ [name]: TEXT }))[0]?.[name], "UTC");
  });
for (const name of ["source", "source_file", "targetPath", "linkTarget"])
  test(`a path is a file that is there: ${name}`, () =>
    assert.equal(kit().samples(tool({ [name]: TEXT }))[0]?.[name], FIXTURES.files[0]));

const texts: readonly {
  readonly name: string;
  readonly properties: object;
  readonly text: string;
  readonly want: unknown;
}[] = [
  {
    name: "text goes into the first place for text",
    properties: { a: { type: "number" }, b: TEXT, c: TEXT },
    text: "word",
    want: "word",
  },
  {
    name: "text that is too long is cut",
    properties: { b: { type: "string", maxLength: 4 } },
    text: "words and more",
    want: "word",
  },
];
for (const { name, properties, text, want } of texts)
  test(name, () => {
    const one = tool(properties);
    const args = kit().withText(one, text);
    assert.equal(args?.b, want);
    assert.equal(validate(one.inputSchema, args).verdict, "valid");
  });

test("no text goes where none is taken", () => {
  assert.equal(kit().withText(sightOf(ADD), "word"), undefined);
  assert.equal(kit().withText(tool({ id: { type: "string", pattern: "^[0-9]{4}$" } }), "word"), undefined);
  assert.equal(kit().withText(tool({ color: { enum: ["red"] } }), "word"), undefined);
});

test("a path goes where one is wanted, and nowhere else", () => {
  assert.deepEqual(kit().withPath(tool({ text: TEXT, file_path: TEXT }), ".env")?.file_path, ".env");
  assert.equal(kit().withPath(sightOf(ECHO), ".env"), undefined);
  assert.equal(kit().withPath(sightOf(ADD), ".env"), undefined);
});

test("markers are words of fourteen letters, each once, the same for the same seed", () => {
  const [a, b] = [kit("a"), kit("a")];
  const drawn = Array.from({ length: 500 }, () => a.marker());
  for (const marker of drawn) assert.match(marker, /^[bcdfghklmnprstvz]{14}$/);
  assert.equal(new Set(drawn).size, drawn.length);
  assert.deepEqual(
    Array.from({ length: 500 }, () => b.marker()),
    drawn,
  );
  assert.ok(!drawn.includes(kit("b").marker()));
});

test("secrets are a key, an address and a token, other ones each time, shaped like real ones", () => {
  const one = kit();
  const drawn = Array.from({ length: 50 }, () => one.secrets());
  for (const secrets of drawn) {
    const [key, person, token] = secrets.map(({ value }) => value);
    assert.match(key ?? "", /^sk-proj-[A-Za-z0-9]{40}$/);
    assert.match(person ?? "", /^[a-z]+\.[0-9a-f]{20}@mail\.example$/);
    assert.match(token ?? "", /^ghs_[A-Za-z0-9]{36}$/);
    assert.deepEqual(
      secrets.map(({ id }) => id.replace(/\d+/, "#")),
      ["arguments:#:api-key", "arguments:#:pii", "arguments:#:token"],
    );
  }
  const all = drawn.flat();
  assert.equal(new Set(all.map(({ value }) => value)).size, all.length);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  for (const { value } of all) assert.doesNotMatch(value, /canary|touchstone|polygraph/i);
});

test("marked secrets have the form of the specification", () => {
  for (const { value } of kit("seed", "marked").secrets())
    assert.match(value, /^POLYGRAPH-CANARY-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("arguments that tell a tool to be quick come first", () => {
  const [first] = kit().samples(tool({ text: TEXT, timeout: { type: "number" } }, ["text"]));
  assert.ok(Object.hasOwn(first ?? {}, "timeout"));
});
