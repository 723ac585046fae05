import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson } from "../core/index.ts";
import { isInstant } from "./checkpoint.ts";
import {
  type AuditEvent,
  ENTRY_TYPES,
  type Entry,
  MAX_LINE_BYTES,
  OUTCOMES,
  readEntry,
  readLine,
} from "./entry.ts";
import { scanLine } from "./scan.ts";
import { entryLine, type Placed } from "./write-entry.ts";

const PLACED: Placed = {
  n: 17,
  prev: "9b".repeat(32),
  now: Date.parse("2026-11-15T10:00:00.000Z"),
  id: "e-00000017",
  redact: (text) => text,
};
const lineOf = (event: Partial<AuditEvent>, placed: Partial<Placed> = {}): string =>
  entryLine({ type: "decision", ...event }, { ...PLACED, ...placed });
const written = (event: Partial<AuditEvent>, placed: Partial<Placed> = {}): Entry => {
  const entry = readEntry(lineOf(event, placed));
  assert.equal(typeof entry, "object", String(entry));
  return entry as Entry;
};
const dataOf = (data: Record<string, unknown>): unknown => written({ data }).data;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const x = (times: number): string => "x".repeat(times);

test("an event of which nothing is known is an entry with all members [AUD-2, AUD-3]", () => {
  assert.equal(
    lineOf({}),
    `{"actor":null,"at":"2026-11-15T10:00:00.000Z","data":{},"id":"e-00000017","n":17,"outcome":"allowed","prev":"${PLACED.prev}","server":null,"tool":null,"type":"decision"}`,
  );
});

const cutName = (shown: string, whole: string): string =>
  `${shown}… (${whole.length} characters, sha256 ${sha256(whole)})`;
const namesWritten: readonly (readonly [about: string, given: string, wanted: string])[] = [
  ["no letter at all", "", ""],
  ["512 units", x(512), x(512)],
  ["513 units", x(513), cutName(x(512), x(513))],
  ["256 pairs", "🔒".repeat(256), "🔒".repeat(256)],
  ["a pair that ends at the bound", `${x(510)}🔒y`, cutName(`${x(510)}🔒`, `${x(510)}🔒y`)],
  ["a pair across the bound", `${x(511)}🔒`, cutName(`${x(511)}\ufffd`, `${x(511)}🔒`)],
  ["half of a pair", "a\ud83d", "a\ufffd"],
  ["a pair the wrong way round", "\udd12\ud83d", "\ufffd\ufffd"],
  ["a million letters", x(1_000_000), cutName(x(512), x(1_000_000))],
];
for (const [about, given, wanted] of namesWritten)
  test(`a name of ${about} is written within bounds [AUD-3, AUD-5]`, () => {
    const { actor, server, tool } = written({ actor: given, server: given, tool: given });
    assert.deepEqual({ actor, server, tool }, { actor: wanted, server: wanted, tool: wanted });
    assert.equal(wanted.length <= 640, true, `${wanted.length} units`);
  });

const cut = (text: string, whole: string): object => ({ chars: whole.length, sha256: sha256(whole), text });
const values: readonly (readonly [about: string, given: unknown, wanted: unknown])[] = [
  ["a text of 512 units", x(512), x(512)],
  ["a text of 513 units", x(513), cut(x(512), x(513))],
  ["a text of 513 bytes", `${x(511)}é`, `${x(511)}é`],
  ["a text with a pair across the bound", `${x(511)}🔒`, cut(`${x(511)}\ufffd`, `${x(511)}🔒`)],
  ["a text with half of a pair", "\udd12", "\ufffd"],
  ["a long text with half of a pair", `\udd12${x(600)}`, cut(`\ufffd${x(511)}`, `\ufffd${x(600)}`)],
  ["a long text in a list", [x(513)], [cut(x(512), x(513))]],
  ["a long text in an object", { t: x(513) }, { t: cut(x(512), x(513)) }],
  ["zero with a sign", -0, 0],
  ["the largest integer", 2 ** 53 - 1, 2 ** 53 - 1],
  ["the smallest integer", 1 - 2 ** 53, 1 - 2 ** 53],
  ["an integer beyond them", 2 ** 53, "9007199254740992"],
  ["a fraction", 1.5, "1.5"],
  ["a number in a list", [-1e-7], ["-1e-7"]],
  ["no number", Number.NaN, "NaN"],
  ["more than all numbers", Number.NEGATIVE_INFINITY, "-Infinity"],
  ["nothing in a list", [undefined, null], [null, null]],
  ["what JSON has not", () => 1, null],
  ["truth", [true, false], [true, false]],
];
for (const [about, given, wanted] of values)
  test(`${about} is written as it can be read [AUD-2, AUD-5]`, () =>
    assert.deepEqual(dataOf({ value: given }), { value: wanted }));

const orders: readonly (readonly [about: string, given: Record<string, unknown>, wanted: string])[] = [
  ["members are sorted", { b: 1, a: 2, B: 3, a_: 4, a1: 5 }, '{"B":3,"a":2,"a1":5,"a_":4,"b":1}'],
  ["also within", { a: { d: 1, c: [{ f: 1, e: 2 }] } }, '{"a":{"c":[{"e":2,"f":1}],"d":1}}'],
  ["those without value are left out", { a: undefined, b: { c: undefined }, d: 1 }, '{"b":{},"d":1}'],
  ["names of the language are names", { toString: 1, constructor: 2 }, '{"constructor":2,"toString":1}'],
];
for (const [about, given, wanted] of orders)
  test(`in data, ${about} [AUD-2, AUD-4]`, () =>
    assert.equal(lineOf({ data: given }).split('"data":')[1]?.split(',"id"')[0], wanted));

test("what was given is not changed by writing it [AUD-5]", () => {
  const data = { b: [x(600)], a: { d: undefined, c: 1.5 } };
  const before = structuredClone(data);
  lineOf({ data });
  assert.deepEqual(data, before);
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
const listed = (levels: number): unknown => (levels === 0 ? 1 : [listed(levels - 1)]);
const selfish: Record<string, unknown> = {};
selfish.a = selfish;
const refused: readonly (readonly [about: string, data: Record<string, unknown>, message: RegExp])[] = [
  ["an empty name", { "": 1 }, /"" is no name/],
  ["a name that begins with a digit", { "1a": 1 }, /"1a" is no name/],
  ["a name that begins with a line", { _a: 1 }, /"_a" is no name/],
  ["a name with a hyphen", { "a-b": 1 }, /"a-b" is no name/],
  ["a name with a letter beyond ASCII", { ä: 1 }, /"ä" is no name/],
  ["a name with a line end", { "a\n": 1 }, /"a\\n" is no name/],
  ["a name of 65 letters", { [x(65)]: 1 }, /is no name/],
  ["a name that reaches into the language", JSON.parse('{"__proto__":1}'), /"__proto__" is no name/],
  ["a bad name without value", { "a b": undefined }, /"a b" is no name/],
  ["a bad name within", { z: 1, a: [{ "a b": 1 }] }, /"a b" is no name/],
  ["nine levels of objects", { a: nested(8) }, /deeper than 8 levels/],
  ["nine levels of lists", { a: listed(8) }, /deeper than 8 levels/],
  ["an object that holds itself", selfish, /deeper than 8 levels/],
  ["more than fits in a line", { a: Array.from({ length: 200 }, () => x(512)) }, /too long/],
];
for (const [about, data, message] of refused)
  test(`data is refused: ${about} [AUD-1, AUD-4]`, () =>
    assert.throws(() => lineOf({ data }), { name: "RangeError", message }));

test("eight levels and names of 64 letters are good [AUD-4]", () => {
  for (const data of [{ [x(64)]: 1 }, nested(8), { a: listed(7) }])
    assert.deepEqual(dataOf(data as Record<string, unknown>), data);
});

test("a line of the longest length is written, one of a byte more is not [AUD-1]", () => {
  const filled = (last: number): string =>
    lineOf({ data: { a: [...Array.from({ length: 40 }, () => "\u0000".repeat(270)), x(last)] } });
  const room = MAX_LINE_BYTES - Buffer.byteLength(filled(0));
  assert.equal(room > 0 && room <= 512, true, `${room} bytes are left`);
  assert.equal(Buffer.byteLength(filled(room)), MAX_LINE_BYTES);
  assert.throws(() => filled(room + 1), /too long/);
});

const SECRET = "hunter2-abcdefghijklmnopqrstuvwxyz";
const redact = (text: string): string => text.replaceAll(SECRET, "***");

test("a secret never shows, wherever the bound would cut it [AUD-5]", () => {
  for (let before = 512 - SECRET.length - 4; before <= 516; before++) {
    const [text, clean] = [`${x(before)}${SECRET}${x(100)}`, `${x(before)}***${x(100)}`];
    const event = { actor: text, server: text, tool: text, data: { a: text, b: [text], c: { d: text } } };
    const line = lineOf(event, { redact });
    assert.equal(line.includes("hun"), false, `with ${before} letters before it`);
    assert.equal(line.includes(sha256(text)), false, `the digest with ${before} letters before it`);
    const { actor, data } = written(event, { redact });
    assert.equal(actor, cutName(clean.slice(0, 512), clean));
    assert.deepEqual(data.b, [cut(clean.slice(0, 512), clean)]);
  }
});

test("a text that is short enough without its secret is not cut [AUD-5]", () => {
  const text = `${x(500)}${SECRET}`;
  const { tool, data } = written({ tool: text, data: { a: text } }, { redact });
  assert.deepEqual([tool, data.a], [`${x(500)}***`, `${x(500)}***`]);
});

const good = lineOf({ actor: "agent-7", data: { a: 1 } });
const swap = (from: string, to: string): string => {
  assert.equal(good.includes(from), true, from);
  return good.replace(from, to);
};
const DATA = '"data":{"a":1}';
const ID = '"id":"e-00000017"';
const readings: readonly (readonly [about: string, line: () => string, isGood: boolean])[] = [
  ["a name of 640 units", () => swap('"agent-7"', `"${x(640)}"`), true],
  ["a name of 641 units", () => swap('"agent-7"', `"${x(641)}"`), false],
  ["a name that is a number", () => swap('"agent-7"', "7"), false],
  ["a time without fractions", () => swap(".000Z", "Z"), false],
  ["an id of 8 characters", () => swap(ID, '"id":"a-345678"'), true],
  ["an id of 7 characters", () => swap(ID, '"id":"a-34567"'), false],
  ["an id of 64 characters", () => swap(ID, `"id":"${x(64)}"`), true],
  ["an id of 65 characters", () => swap(ID, `"id":"${x(65)}"`), false],
  ["an id with capitals", () => swap(ID, '"id":"E-00000017"'), false],
  ["a number below zero", () => swap('"n":17', '"n":-1'), false],
  ["the largest number", () => swap('"n":17', '"n":9007199254740991'), true],
  ["no number", () => swap('"n":17', '"n":null'), false],
  ["a hash of 63 digits", () => swap('9b9b"', '9b9"'), false],
  ["a type that there is not", () => swap('"decision"', '"decisions"'), false],
  ["data that is a list", () => swap(DATA, '"data":[]'), false],
  ["data that is null", () => swap(DATA, '"data":null'), false],
  ["a name of 64 letters in data", () => swap('"a":1', `"${x(64)}":1`), true],
  ["a name of 65 letters in data", () => swap('"a":1', `"${x(65)}":1`), false],
  ["an empty name in data", () => swap('"a":1', '"":1'), false],
  ["data of eight levels", () => swap('"a":1', `"a":${"[".repeat(7)}${"]".repeat(7)}`), true],
  ["data of nine levels", () => swap('"a":1', `"a":${'{"a":'.repeat(8)}1${"}".repeat(8)}`), false],
];
for (const [about, line, isGood] of readings)
  test(`a line with ${about} is ${isGood ? "an entry" : "none"} [AUD-3, AUD-4]`, () => {
    const entry = readEntry(line());
    assert.equal(typeof entry === "string" ? entry : "", isGood ? "" : "member-malformed");
    assert.equal(typeof readLine(line()), isGood ? "object" : "string", "read the short way");
  });

const HOSTILE =
  "\"\\/{}[],:'`$<&%\u0000\u0007\b\t\n\r\u001b\u007f\u0085\u2028\u2029\ufeff\ufffdé🔒👩‍🚀\udd12\ud83d";
const unit = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
);
const text = fc
  .tuple(fc.constantFrom(0, 0, 500, 508, 510, 511, 512), fc.string({ unit, maxLength: 12 }))
  .map(([before, end]) => x(before) + end);
const name = fc.oneof(
  fc.constantFrom("a", "B", "chars", "text", "toString", "valueOf", x(64)),
  fc.string({ unit: fc.constantFrom(..."azAZ_09"), maxLength: 3 }).map((end) => `k${end}`),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    text,
    fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.constant(-0)),
    fc.constantFrom(true, false, null, undefined),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
  ),
}));
const events: fc.Arbitrary<AuditEvent> = fc.record(
  {
    type: fc.constantFrom(...ENTRY_TYPES),
    outcome: fc.constantFrom(...OUTCOMES),
    actor: text,
    server: text,
    tool: text,
    data: fc.dictionary(name, value, { maxKeys: 4 }),
  },
  { requiredKeys: ["type"] },
);

test("whatever happens, its line is read again, and is its own canonical form [AUD-1, AUD-2, AUD-3]", () => {
  fc.assert(
    fc.property(events, (event) => {
      const line = lineOf(event);
      const entry = readEntry(line);
      assert.equal(typeof entry, "object", `${String(entry)} ${line}`);
      assert.equal(canonicalJson(entry), line);
      assert.equal(line.includes("\n"), false, "it is one line");
      assert.equal(Buffer.from(line).toString("utf8"), line, "it is UTF-8");
      const { n, prev } = PLACED;
      assert.deepEqual(readLine(line), event.type === "log" ? { n, prev, log: entry } : { n, prev });
    }),
    { numRuns: 1000 },
  );
});

/** Whether the short way says yes; where it does, the long way has to say the same. */
function isQuick(line: string): boolean {
  const [scanned, entry, read] = [scanLine(line), readEntry(line), readLine(line)];
  if (typeof entry === "string") assert.equal(read, entry, line);
  else {
    const { at, n, prev, type } = entry;
    assert.deepEqual(read, type === "log" ? { n, prev, log: entry } : { n, prev }, line);
    if (scanned) assert.deepEqual(scanned, { at, n, prev, type }, line);
  }
  const says = scanned !== undefined && isInstant(scanned.at);
  if (says) assert.equal(typeof entry, "object", `${String(entry)} ${line}`);
  return says;
}
const ADDED = ["", ...'"\\{}[],:-.019eabftnuZ_ \t\u001f\u2028é🔒'];

test("of a line with any one letter edited, the short way says what the long way says [AUD-2, AUD-21]", () => {
  const data = {
    a: [],
    b: {},
    e: [0, -10, [true, false, null], { d: "\t", e: { f: 12 } }],
    f9_: "é🔒",
    n: 7,
  };
  // By letters: a line comes from bytes that are UTF-8, where no half of a pair can be.
  const letters = [...lineOf({ actor: 'a\n"\\', data, tool: "send" })];
  const edits = letters.flatMap((_, at) =>
    ADDED.flatMap((added) => [0, 1].map((cut) => ({ at, cut, added }))),
  );
  const quick = edits.filter(({ at, cut, added }) => isQuick(letters.toSpliced(at, cut, added).join("")));
  assert.equal(quick.length > 500, true, `it said yes ${quick.length} times`);
});

test("of any line with any one letter edited too [AUD-2, AUD-21]", () => {
  const added = fc.oneof(
    fc.constantFrom(...ADDED),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(events, fc.nat(), fc.nat(1), added, (event, place, cut, letter) => {
      const letters = [...lineOf(event)];
      isQuick(letters.toSpliced(place % letters.length, cut, letter).join(""));
    }),
    { numRuns: 1000 },
  );
});
