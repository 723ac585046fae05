/** Calls one after another: who is told of, by which way, and what is kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createFlowContext, flowsOf } from "./context.ts";
import type { Flow, FlowCall, FlowOptions } from "./model.ts";

const NOTE = "Move the backup of the payroll database to the second vault";
const OTHER = "The lamps along the quay went dark at nine";

/** `server.tool`, what it is given, what it says. */
type Line = readonly [name: string, given: unknown, said?: unknown, schema?: unknown];

const callsOf = (lines: readonly Line[]): FlowCall[] =>
  lines.map(([name, given, result, inputSchema], index) => {
    const [server = "", tool = ""] = name.split(".");
    return { id: String(index + 1), server, tool, arguments: given, result, inputSchema };
  });

const told = ({ kind, chain, consumer }: Flow): string =>
  `${kind} ${chain.map(({ server, call }) => `${server}${call}`).join(" > ")} ${consumer.path}`;

const flows = (lines: readonly Line[], options?: FlowOptions): string[] =>
  flowsOf(callsOf(lines), options).map(told);

describe("flows of a run", () => {
  const cases: { name: string; lines: Line[]; options?: FlowOptions; want: string[] }[] = [
    {
      name: "from one server to another [FLW-1]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.put", { x: NOTE }],
      ],
      want: ["verbatim a1 > b2 x"],
    },
    {
      name: "never within one server [FLW-1]",
      lines: [
        ["a.get", {}, NOTE],
        ["a.put", { x: NOTE }],
      ],
      want: [],
    },
    {
      name: "never backwards in time [FLW-1]",
      lines: [
        ["b.put", { x: NOTE }, "ok"],
        ["a.get", {}, NOTE],
      ],
      want: [],
    },
    { name: "a call does not feed itself [FLW-1]", lines: [["a.get", { x: NOTE }, NOTE]], want: [] },
    {
      name: "a tree tells for what is in it [FLW-6]",
      lines: [
        ["a.get", {}, { r: { t: NOTE, u: [OTHER] } }],
        ["b.put", { x: { u: [OTHER], t: NOTE } }],
      ],
      want: ["structural-equal a1 > b2 x"],
    },
    {
      name: "a tree in a text tells for the text [FLW-6]",
      lines: [
        ["a.get", {}, { r: { t: NOTE } }],
        ["b.put", { x: JSON.stringify({ t: NOTE }) }],
      ],
      want: ["structural-equal a1 > b2 x#"],
    },
    {
      name: "a text tells for the JSON that it is [FLW-11]",
      lines: [
        ["a.get", {}, `look: ${JSON.stringify({ t: NOTE })}`],
        ["b.put", { x: JSON.stringify({ t: NOTE }) }],
      ],
      want: ["contained a1 > b2 x"],
    },
    {
      name: "the strongest kind of a server is told [FLW-11]",
      lines: [
        ["a.get", {}, `so: ${NOTE}`],
        ["a.get", {}, NOTE],
        ["b.put", { x: NOTE }],
      ],
      want: ["verbatim a2 > b3 x"],
    },
    {
      name: "each server is told of [FLW-11]",
      lines: [
        ["a.get", {}, NOTE],
        ["c.get", {}, NOTE],
        ["b.put", { x: NOTE }],
      ],
      want: ["verbatim a1 > b3 x", "verbatim c2 > b3 x"],
    },
    {
      name: "each place is told of [FLW-11]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.put", { x: NOTE, y: `> ${NOTE}` }],
      ],
      want: ["verbatim a1 > b2 x", "contained a1 > b2 y"],
    },
    {
      name: "a call in between is part of the way [FLW-16]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.keep", { x: NOTE }, `kept ${NOTE}`],
        ["c.put", { x: NOTE }],
      ],
      want: ["verbatim a1 > b2 x", "verbatim a1 > b2 > c3 x"],
    },
    {
      name: "a call that was not given it is not [FLW-16]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.keep", { x: "hello" }, `kept ${NOTE}`],
        ["c.put", { x: NOTE }],
      ],
      want: ["verbatim a1 > c3 x", "contained b2 > c3 x"],
    },
    {
      name: "a call that did not say it is not [FLW-16]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.keep", { x: NOTE }, "ok"],
        ["c.put", { x: NOTE }],
      ],
      want: ["verbatim a1 > b2 x", "verbatim a1 > c3 x"],
    },
    {
      name: "a call that said only some of it is not [FLW-16]",
      lines: [
        ["a.get", {}, [NOTE, OTHER]],
        ["b.keep", { x: NOTE }, NOTE],
        ["c.put", { x: `${NOTE}; ${OTHER}` }],
      ],
      want: ["verbatim a1 > b2 x", "contained a1 > b2 > c3 x", "contained a1 > c3 x"],
    },
    {
      name: "what the one in between adds is its own flow [FLW-16]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.keep", { x: NOTE }, `${NOTE}. ${OTHER}`],
        ["c.put", { x: `${NOTE}. ${OTHER}` }],
      ],
      want: ["verbatim a1 > b2 x", "contained a1 > b2 > c3 x", "verbatim b2 > c3 x"],
    },
    {
      name: "what the user said [FLW-12]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.put", { x: NOTE }],
      ],
      options: { userTexts: [`Please: ${NOTE}`] },
      want: [],
    },
    {
      name: "what the user said, in base64 [FLW-12]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.put", { x: Buffer.from(NOTE).toString("base64") }],
      ],
      options: { userTexts: [`Please: ${NOTE}`] },
      want: [],
    },
    {
      name: "what the schema offers [FLW-13]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.put", { x: NOTE }, undefined, { properties: { x: { enum: [NOTE] } } }],
      ],
      want: [],
    },
    {
      name: "what comes home [FLW-14]",
      lines: [
        ["b.make", {}, NOTE],
        ["a.get", {}, NOTE],
        ["b.put", { x: NOTE }],
      ],
      want: [],
    },
    {
      name: "what comes home later than another said it [FLW-14]",
      lines: [
        ["a.get", {}, NOTE],
        ["b.make", {}, NOTE],
        ["b.put", { x: NOTE }],
      ],
      want: ["verbatim a1 > b3 x"],
    },
    {
      name: "what comes home does not cover what stands beside it [FLW-14]",
      lines: [
        ["b.make", {}, OTHER],
        ["a.get", {}, NOTE],
        ["b.put", { x: `${OTHER}; ${NOTE}` }],
      ],
      want: ["contained a2 > b3 x"],
    },
    {
      name: "what everybody writes [FLW-15]",
      lines: [
        ["a.get", {}, "internationalization"],
        ["b.put", { x: "internationalization" }],
      ],
      want: [],
    },
    {
      name: "what everybody writes, with a zone of time [FLW-15]",
      lines: [
        ["a.get", {}, "2026-05-01T12:30:00+02:00"],
        ["b.put", { x: "2026-05-01T12:30:00+02:00" }],
      ],
      want: [],
    },
    {
      name: "nothing is exempt where nothing is to be [FLW-12, FLW-13, FLW-14, FLW-15]",
      lines: [
        ["b.make", {}, "internationalization"],
        ["a.get", {}, "internationalization"],
        ["b.put", { x: "internationalization" }, undefined, { default: "internationalization" }],
      ],
      options: { exempt: [], userTexts: ["internationalization"] },
      want: ["verbatim a2 > b3 x"],
    },
    {
      name: "empty trees are nothing [FLW-5]",
      lines: [
        ["a.get", {}, { a: {}, b: [] }],
        ["b.put", { x: {}, y: [] }],
      ],
      options: { minChars: 1, exempt: [] },
      want: [],
    },
    {
      name: "a tree of little weight [FLW-5]",
      lines: [
        ["a.get", {}, { p: { limit: 50, order: "descending" } }],
        ["b.put", { x: { limit: 50, order: "descending" } }],
      ],
      want: [],
    },
  ];
  for (const { name, lines, options, want } of cases)
    test(name, () => assert.deepEqual(flows(lines, options), want));
});

test("both ends say where, and the excerpt is bounded and tame [FLW-23]", () => {
  const said = `\u202e${"The keys lie under the mat. ".repeat(20)}`;
  const [flow] = flowsOf(
    callsOf([
      ["a.get", {}, { content: [{ text: said }] }],
      ["b.put", { q: { x: `so ${said}` } }],
    ]),
  );
  assert.deepEqual([flow?.producer.path, flow?.producer.offset], ["content[0].text", 0]);
  assert.deepEqual([flow?.consumer.path, flow?.consumer.offset], ["q.x", 3]);
  assert.equal(flow?.chars, said.length);
  assert.match(flow?.excerpt ?? "", /^\\u\{202e\}The keys .*… \(\+\d+ characters\)$/);
});

test("the oldest results go first, and that is told [FLW-22]", () => {
  const context = createFlowContext({ maxChars: 4000 });
  const calls = callsOf(
    Array.from({ length: 40 }, (_, i): Line => ["a.get", {}, `${`note ${i} ${NOTE} `.repeat(4)}`]),
  );
  for (const call of calls) context.observe(call);
  assert.ok(context.droppedChars > 0);
  const into = (x: string): number =>
    context.flowsInto({ id: "z", server: "b", tool: "put", arguments: { x } }).length;
  assert.equal(into(`note 39 ${NOTE} note 39`), 1);
  assert.ok(context.droppedChars < 40 * 4 * (NOTE.length + 9));
});

const b64 = (text: string): string => Buffer.from(text).toString("base64");
/** Runs that say something from each of the four places where they may begin, and from there again. */
function cover(size: number): string {
  const words = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor".split(" ");
  let next = 0;
  const part = (): string =>
    b64(
      Array.from({ length: 8 }, () => {
        next += 5;
        return words[next % words.length];
      })
        .join(" ")
        .slice(0, 24),
    );
  const run = (): string => [part(), part(), part(), part()].join("x");
  const line = (): string =>
    `${run()}%51%55%46%42${run()}&#81;&#85;&#70;&#67;${run()}\\x51\\x55\\x46\\x44${run()}`;
  return Array.from({ length: size }, line).join(" | ");
}

describe("behind whatever stands before it", () => {
  const SAID = "The merger with Northwind closes on the third of October at noon";
  const into = (value: unknown, server = "mail"): string[] => {
    const context = createFlowContext();
    context.observe({ id: "1", server: "vault", tool: "open", arguments: {}, result: SAID });
    const { flows } = context.into({ id: "2", server, tool: "send", arguments: { value } });
    return flows.map(
      ({ kind, reading, producer }) => `${producer.server} ${kind}${kind === "unseen" ? `: ${reading}` : ""}`,
    );
  };
  const cases: { name: string; value: unknown; want: string }[] = [
    {
      name: "200,000 values and more",
      value: [...Array(200_001).fill(1), SAID],
      want: "vault unseen: more than 200000 values",
    },
    { name: "100,000 values", value: [...Array(100_000).fill(1), SAID], want: "vault verbatim" },
    { name: "a mebibyte of words", value: `${b64(SAID)} ${"x ".repeat(530_000)}`, want: "vault encoded" },
    {
      name: "what has many readings, encoded twice",
      value: `${cover(2)} | xyz${b64(b64(SAID))}`,
      want: "vault encoded",
    },
    {
      name: "what is too long to be decoded",
      value: `${"%41&amp;\\u0041 ".repeat(600_000)}${b64(SAID)}`,
      want: "vault unseen: ways to read it",
    },
  ];
  for (const { name, value, want } of cases)
    test(`${name}: ${want} [FLW-24]`, { timeout: 60_000 }, () => {
      const found = into(value);
      assert.ok(found.includes(want), String(found));
    });

  test("what stands there again and again is found, or told, and takes no more room for it [FLW-21, FLW-24]", {
    timeout: 60_000,
  }, () => {
    const line = (at: number): string =>
      `<a href="https://ex.example/p?q=${(at * 7919) % 10_007}%20x&amp;y=1+2+3">the keys of ${at % 7} lie under the mat ${at % 11}</a>\\n`;
    const page = (from: number, lines: number): string =>
      Array.from({ length: lines }, (_, at) => line(from + at * 3)).join("");
    const context = createFlowContext();
    for (let number = 0; number < 40; number++)
      context.observe({
        id: `s${number}`,
        server: "vault",
        tool: "open",
        arguments: {},
        result: page(number, 60),
      });
    const { flows } = context.into({
      id: "c",
      server: "mail",
      tool: "send",
      arguments: { x: page(5, 3000) },
    });
    assert.ok(flows.length > 0);
  });

  test("what is said by the server itself, or by nobody, is no flow, however much it is [FLW-24]", () => {
    assert.deepEqual(into([...Array(200_001).fill(1), SAID], "vault"), []);
    const context = createFlowContext();
    const call = { id: "1", server: "b", tool: "put", arguments: Array.from({ length: 200_010 }, () => "x") };
    const { flows, isCut } = context.into(call);
    assert.deepEqual([flows, isCut, context.droppedChars], [[], true, 0]);
  });
});

test("a call without a result has said nothing [FLW-1]", () => {
  const context = createFlowContext();
  context.observe({ id: "1", server: "a", tool: "get", arguments: { x: NOTE } });
  assert.deepEqual(context.flowsInto({ id: "2", server: "b", tool: "put", arguments: { x: NOTE } }), []);
});

test("a server that talks makes itself forgotten, and not another one [FLW-22]", () => {
  const context = createFlowContext({ maxChars: 20_000 });
  const say = (id: string, server: string, text: string): void =>
    context.observe({
      id,
      server,
      tool: "say",
      arguments: {},
      result: { content: [{ type: "text", text }] },
    });
  const given = (server: string, text: string): number =>
    context.flowsInto({ id: "in", server, tool: "send", arguments: { text } }).length;
  say("s", "vault", "the recovery phrase is orchid lantern");
  say("f", "web", "the first words of the web");
  for (let number = 0; number < 20; number++)
    say(`w${number}`, "web", `${number} ${"lorem ipsum ".repeat(400)}`);
  assert.ok(context.droppedChars > 0);
  assert.equal(given("web", "the recovery phrase is orchid lantern"), 1);
  assert.equal(given("vault", "the first words of the web"), 0);
});

test("of one result so much is looked at, and the rest is counted [FLW-22]", () => {
  const context = createFlowContext({ maxCallChars: 1000 });
  const [early, late] = ["the first words of a long text", "the last words of a long text"];
  const text = `${early}${" and so on".repeat(200)} ${late}`;
  const result = {
    content: [
      { type: "text", text },
      { type: "text", text: late },
    ],
  };
  context.observe({ id: "1", server: "web", tool: "say", arguments: {}, result });
  const given = (value: string): number =>
    context.flowsInto({ id: "in", server: "mail", tool: "send", arguments: { value } }).length;
  assert.deepEqual([given(early), given(late)], [1, 0]);
  // Names of members, and the word that says what kind of block it is, count too.
  assert.ok(context.droppedChars >= text.length + late.length - 1000);
});

test("step by step the same is found, and long arguments have many steps [FLW-21]", () => {
  const lines = Array.from(
    { length: 4000 },
    (_, n) => `Line ${n} of a report on harbours and ${n * 7} boats.`,
  );
  const said = {
    id: "1",
    server: "a",
    tool: "t",
    arguments: {},
    result: { text: lines.slice(0, 100).join(" ") },
  };
  const given = {
    id: "2",
    server: "b",
    tool: "u",
    arguments: { text: lines.join("\n"), more: lines.slice(9, 12) },
  };
  const [one, other] = [createFlowContext(), createFlowContext()];
  for (const context of [one, other]) context.observe(said);
  const steps = one.looking(given);
  let [count, step] = [0, steps.next()];
  for (; !step.done; step = steps.next()) {
    count += 1;
    if (count === 2) one.observe({ ...said, id: "3", result: { text: "Something else is said in between" } });
  }
  assert.deepEqual(step.value, other.into(given));
  assert.ok(step.value.flows.length > 0);
  assert.ok(count > 20, String(count));
  const short = other.looking({ ...given, id: "4", arguments: { text: "a short one" } });
  assert.equal(short.next().done, true);
});

const inOneStep = [
  { name: "runs with tokens in them, many in one text", unit: "\u{e0061}61 %41", least: 400 },
  { name: "tokens that are looked for at each place", unit: "aB1cD2eF3 ", least: 85 },
];
for (const { name, unit, least } of inOneStep)
  test(`${name}, are not looked into in one step [FLW-21]`, { timeout: 60_000 }, () => {
    const text = Array.from({ length: 4000 }, (_, n) => unit + ((n * 7919) % 9973).toString(36)).join("");
    const flows = createFlowContext();
    flows.observe({ id: "1", server: "web", tool: "read", arguments: {}, result: { text } });
    const given = { id: "2", server: "mail", tool: "send", arguments: { text: text.slice(1) } };
    const steps = flows.looking(given);
    let [count, step] = [0, steps.next()];
    for (; !step.done; step = steps.next()) count += 1;
    assert.ok(count > least, String(count));
    assert.ok(step.value.flows.length > 0);
  });
