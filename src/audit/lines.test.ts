import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { test } from "node:test";
import fc from "fast-check";
import { MAX_LINE_BYTES } from "./entry.ts";
import { type LineRead, lineBatches } from "./lines.ts";

const linesOf = (...chunks: (string | Uint8Array)[]): LineRead[] =>
  [...lineBatches(chunks.map((chunk) => Buffer.from(chunk as string)))].flat();
const [TORN, LONG, NOT_UTF8] = (["line-torn", "line-too-long", "line-not-utf8"] as const).map((problem) => ({
  problem,
})) as [LineRead, LineRead, LineRead];
const x = (times: number): string => "x".repeat(times);
/** Three bytes each, so that units and bytes are not the same. */
const wide = (times: number): string => "€".repeat(times);
const bad = (text: string): Buffer => Buffer.concat([Buffer.from(text), Buffer.of(0xff)]);
const MAX = MAX_LINE_BYTES;

const cases: readonly (readonly [about: string, chunks: (string | Uint8Array)[], lines: LineRead[]])[] = [
  ["an empty file has no line", [], []],
  ["a file of empty pieces has no line", ["", ""], []],
  ["a line end alone is an empty line", ["\n"], [""]],
  ["empty lines are lines", ["\n\na\n\n"], ["", "", "a", ""]],
  ["a line may be in many pieces", ["a", "", "b", "c\n"], ["abc"]],
  ["a piece may end where a line ends", ["a\n", "b\n"], ["a", "b"]],
  ["a line end may be a piece of its own", ["a", "\n", "\n"], ["a", ""]],
  ["a letter may be in two pieces", [Buffer.of(0xc3), Buffer.of(0xa9, 10)], ["é"]],
  ["LF alone ends a line", ["a\r\nb\u2028c\u0085d\n"], ["a\r", "b\u2028c\u0085d"]],
  ["nothing is taken from the beginning of a line", ["\ufeffa\n\ufeffb\n"], ["\ufeffa", "\ufeffb"]],
  ["bytes without line end are torn", ["a"], [TORN]],
  ["what is torn comes last", ["a\nb\nc"], ["a", "b", TORN]],
  ["torn bytes need not be UTF-8", ["a\n", bad("b")], ["a", TORN]],
  ["half of a letter is torn", ["a\n", Buffer.of(0xf0, 0x9f)], ["a", TORN]],
  ["a byte that is not UTF-8 spoils its line alone", ["a\n", bad("b"), "c\nd\n"], ["a", NOT_UTF8, "d"]],
  ["a letter across a line end is none", [Buffer.of(0xc3, 10, 0xa9, 10)], [NOT_UTF8, NOT_UTF8]],
  ["halves of a pair are not UTF-8", [Buffer.of(0xed, 0xa0, 0xbd, 10)], [NOT_UTF8]],
  ["a long way to write a letter is not UTF-8", [Buffer.of(0xc1, 0x81, 10)], [NOT_UTF8]],
  ["the longest line is read", [`${x(MAX)}\n`], [x(MAX)]],
  ["the longest line is read in two pieces", [x(MAX), "\n"], [x(MAX)]],
  ["a byte more is too long", [`${x(MAX + 1)}\n`], [LONG]],
  ["a byte more is too long in two pieces", [x(MAX), "x\n"], [LONG]],
  ["a byte more is too long before its line end comes", [x(MAX), "x", "\n"], [LONG]],
  ["bytes are counted, not letters", [`${wide(21_845)}x\n`, `${wide(21_846)}\n`], [`${wide(21_845)}x`, LONG]],
  ["many lines are not too long together", [`${x(MAX)}\n${x(MAX)}\n`], [x(MAX), x(MAX)]],
  ["what is behind a long line is read", [`a\n${x(MAX + 1)}`, "x\nb\n"], ["a", LONG, "b"]],
  ["what is too long may not be UTF-8 either", [bad(x(MAX)), "\nb\n"], [LONG, "b"]],
  ["too long is told beside what is not UTF-8", [bad(x(MAX)), "\n", bad(""), "\n"], [LONG, NOT_UTF8]],
  ["a long line without end is torn", [x(MAX + 1)], [TORN]],
  ["two long lines after one another", [x(MAX), "x\n", x(MAX), "x", "\na\n"], [LONG, LONG, "a"]],
];
for (const [about, chunks, lines] of cases)
  test(`${about} [AUD-1]`, () => {
    assert.deepEqual(linesOf(...chunks), lines);
    assert.deepEqual(
      linesOf(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string)))),
      lines,
      "in one",
    );
  });

test("a line without end is not kept in memory [AUD-1]", () => {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  let given = 0;
  function* endless(): Generator<Buffer> {
    for (; given < 2000; given++) yield chunk;
  }
  const before = process.memoryUsage().arrayBuffers;
  const lines = [...lineBatches(endless())].flat();
  assert.deepEqual(lines, [TORN]);
  assert.equal(given, 2000);
  const more = process.memoryUsage().arrayBuffers - before;
  assert.equal(more < 64 * 1024 * 1024, true, `${more} bytes more are held after 2 GB`);
});

test("lines are given before all of the file is read [AUD-1]", () => {
  let given = 0;
  function* pieces(): Generator<Buffer> {
    for (; ; given++) yield Buffer.from(`${given}\n`);
  }
  assert.deepEqual(lineBatches(pieces()).next().value, ["0"]);
  assert.equal(given, 0);
});

/** By the words of AUD-1 and AUD-21. */
function defined(bytes: Buffer): LineRead[] {
  const lines: LineRead[] = [];
  let from = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    const line = bytes.subarray(from, end);
    lines.push(line.length > MAX ? LONG : isUtf8(line) ? line.toString("utf8") : NOT_UTF8);
    from = end + 1;
  }
  return from < bytes.length ? [...lines, TORN] : lines;
}

/** One buffer for all pieces, as a file is read. */
function* pieces(bytes: Buffer, cuts: readonly number[]): Generator<Buffer> {
  const buffer = Buffer.alloc(bytes.length);
  const ends = [...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].sort((a, b) => a - b);
  for (const [index, end] of ends.entries()) {
    const size = bytes.copy(buffer, 0, ends[index - 1] ?? 0, end);
    yield buffer.subarray(0, size);
    buffer.fill(0xff);
  }
}

const part = fc.oneof(
  { weight: 4, arbitrary: fc.constant(Buffer.from("\n")) },
  { weight: 4, arbitrary: fc.string({ unit: "binary" }).map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.integer({ min: MAX - 2, max: MAX + 2 }).map((size) => Buffer.alloc(size, "x")) },
  { weight: 1, arbitrary: fc.constantFrom(21_844, 21_845, 21_846).map((times) => Buffer.from(wide(times))) },
);
const place = fc.double({ min: 0, max: 1, noNaN: true });

test("wherever bytes are cut into pieces, the lines are the same [AUD-1]", () => {
  fc.assert(
    fc.property(fc.array(part), fc.array(place, { maxLength: 12 }), (parts, cuts) => {
      const bytes = Buffer.concat(parts);
      const lines = [...lineBatches(pieces(bytes, cuts))].flat();
      // Compared by `equal` first: to show how long lines differ takes long.
      assert.equal(JSON.stringify(lines) === JSON.stringify(defined(bytes)), true, `${bytes.length} bytes`);
    }),
    { numRuns: 400 },
  );
});

test("bytes in pieces of any one size give the same lines [AUD-1]", () => {
  const bytes = Buffer.concat([
    Buffer.from("é\n\n🔒€\nab"),
    Buffer.of(0xff, 10, 0xc3, 10),
    Buffer.from("z\n🔒"),
  ]);
  for (let size = 1; size <= bytes.length; size++) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    assert.deepEqual(
      linesOf(...chunks),
      ["é", "", "🔒€", NOT_UTF8, NOT_UTF8, "z", TORN],
      `${size} bytes each`,
    );
  }
});
