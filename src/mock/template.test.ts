import assert from "node:assert/strict";
import { test } from "node:test";
import { ENCODERS, fill, templateFault } from "./template.ts";

const scope = { args: { city: "Bern", n: 3, list: [1, 2] }, env: { KEY: "Aé" } };

const cases: readonly { name: string; value: unknown; want: unknown }[] = [
  { name: "an argument in a text", value: "in ${args.city}.", want: "in Bern." },
  {
    name: "a whole text keeps the type of its value",
    value: { n: "${args.n}", list: "${args.list}" },
    want: { n: 3, list: [1, 2] },
  },
  { name: "under text it becomes text", value: { text: "${args.n}" }, want: { text: "3" } },
  { name: "a value that is not there is empty", value: "<${args.none}>", want: "<>" },
  { name: "encodings are applied in order", value: "${env.KEY | base64 | reverse}", want: "pOcQ" },
  { name: "what only looks like one stays", value: "$100 and {x}", want: "$100 and {x}" },
  { name: "members of every object are not members of these", value: "<${args.constructor}>", want: "<>" },
];
for (const { name, value, want } of cases) test(name, () => assert.deepEqual(fill(value, scope), want));

const encoded: Readonly<Record<string, string>> = {
  base64: "QcOp",
  base64url: "QcOp",
  hex: "41c3a9",
  url: "A%C3%A9",
  percent: "%41%c3%a9",
  entities: "&#65;&#233;",
  escapes: "\\u0041\\u00e9",
  reverse: "éA",
  rot13: "Né",
  upper: "AÉ",
  lower: "aé",
  spaced: "A é",
  dashed: "A-é",
  json: '"Aé"',
};
test("every encoding, on a text with a letter beyond ASCII", () => {
  assert.deepEqual(
    Object.fromEntries(Object.entries(ENCODERS).map(([name, encode]) => [name, encode("Aé")])),
    encoded,
  );
});

const faults: readonly (readonly [string, RegExp | undefined])[] = [
  ["${args.x}", undefined],
  ["no placeholder", undefined],
  ["${arguments.x}", /want one of args, env, not "arguments"/],
  ["${args.x | rot14}", /no encoding "rot14"/],
  ["${args.x + 1}", /cannot be read/],
  ["${args.x", /cannot be read/],
];
for (const [text, message] of faults)
  test(`${text}: ${message === undefined ? "is fine" : "is refused"}`, () => {
    const fault = templateFault(text, ["args", "env"]);
    if (message === undefined) assert.equal(fault, undefined);
    else assert.match(String(fault), message);
  });
