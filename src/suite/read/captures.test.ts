import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readIn, readTexts } from "../../../test/fixtures/suites/read.ts";
import { TrustError } from "../../core/index.ts";
import { withCaptures } from "./captures.ts";
import { piecesOf } from "./template.ts";

test("captured values keep their type alone and become words among words", async () => {
  const { tests } = await readIn("good", "full.yml", { KEY: "k", TOKEN: "t" });
  const steps = tests.find((one) => one.kind === "steps");
  assert.ok(steps?.kind === "steps");
  const [create, read] = steps.steps;
  assert.deepEqual(create?.capture, { id: "result.structuredContent.id" });
  assert.deepEqual(withCaptures(create?.args ?? {}, {}), { owner: "nobody", price: "${5}" });
  assert.deepEqual([create?.server, read?.server], ["local", "remote"]);
  assert.deepEqual(withCaptures(read?.args ?? {}, { id: 7 }), {
    id: 7,
    label: "no. 7 of nobody",
    price: "${5}",
  });
  assert.deepEqual(withCaptures({ a: ["x ${id}"] }, { id: { b: [1] } }), { a: ['x {"b":[1]}'] });
});

test("what a server said is never looked at for names", () => {
  const said = { a: "${b}", b: "secret" };
  assert.deepEqual(withCaptures({ x: "${a}", y: "<${a}>" }, said), { x: "${b}", y: "<${b}>" });
});

test("a name that was not captured, or reaches into the language, is refused", () => {
  for (const name of ["id", "constructor", "__proto__", "toString"])
    assert.throws(
      () => withCaptures({ x: `\${${name}}` }, {}),
      (error) => error instanceof TrustError && error.code === "CFG_BAD_VALUE",
    );
});

/** Texts that are full of what matters here. */
const tricky = fc.string({
  unit: fc.constantFrom("$", "{", "}", "a", "b", "_", "-", " ", "é", "\\"),
  maxLength: 30,
});

test("pieces of any text: a fault, or pieces", () => {
  fc.assert(
    fc.property(tricky, (text) => {
      const pieces = piecesOf(text);
      if ("fault" in pieces) assert.ok(text.includes("${"));
      else if (!text.includes("${")) assert.deepEqual(pieces, text === "" ? [] : [{ text }]);
    }),
  );
});

const suiteOf = (args: unknown, value: string): string =>
  JSON.stringify({
    servers: { s: { command: ["x"] } },
    variables: { a: { value }, n: { value: 5 } },
    stepwise: [
      {
        name: "t",
        default_server: "s",
        steps: [{ call: { tool: "t" }, capture: { b: "result" } }, { call: { tool: "t", args } }],
      },
    ],
    tools: [{ name: "u", server: "s", tool: "t", args: { x: "${a}", y: "<${a}>" } }],
  });

test("any text of a variable arrives as it is, in tests and in steps", async () => {
  await fc.assert(
    fc.asyncProperty(tricky, tricky, async (value, said) => {
      const args = { one: "${a}", two: "<${a}|${b}>", three: "${a}{b}", four: "${b}", five: "${n}" };
      const { tests } = await readTexts({ "s.yml": suiteOf(args, value) });
      const [steps, tool] = tests;
      assert.ok(tool?.kind === "tool" && steps?.kind === "steps");
      assert.deepEqual(tool.args, { x: value, y: `<${value}>` });
      assert.deepEqual(withCaptures(steps.steps[1]?.args ?? {}, { b: said }), {
        one: value,
        two: `<${value}|${said}>`,
        three: `${value}{b}`,
        four: said,
        five: 5,
      });
    }),
    { numRuns: 60 },
  );
});

test("any text in arguments is read or refused with a code", async () => {
  await fc.assert(
    fc.asyncProperty(tricky, async (text) => {
      try {
        const { tests } = await readTexts({ "s.yml": suiteOf({ x: text }, "$") });
        const [steps] = tests;
        assert.ok(steps?.kind === "steps");
        withCaptures(steps.steps[1]?.args ?? {}, { b: "said" });
      } catch (error) {
        assert.ok(error instanceof TrustError && error.code === "CFG_BAD_VALUE", String(error));
      }
    }),
    { numRuns: 100 },
  );
});
