/** Lines on the control socket: the same however the stream was cut, and bounded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lineSplitter } from "./control.ts";

function split(chunks: readonly Buffer[], maxChars = 1_000_000): { lines: string[]; fits: boolean[] } {
  const lines: string[] = [];
  const take = lineSplitter(maxChars, (line) => lines.push(line));
  return { fits: chunks.map(take), lines };
}

/** The text in pieces of the given sizes; what is left comes last. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...pieces, bytes.subarray(at)];
}

const cases = [
  { name: "a line ends with its line feed", text: "one\ntwo\n", lines: ["one", "two"] },
  { name: "what has no end yet is held back", text: "one\ntw", lines: ["one"] },
  { name: "an empty line is one", text: "\n\na\n", lines: ["", "", "a"] },
  { name: "a carriage return belongs to the line", text: "a\r\n", lines: ["a\r"] },
  { name: "nothing is no line", text: "", lines: [] },
];
for (const { name, text, lines } of cases)
  test(name, () => assert.deepEqual(split([Buffer.from(text)]).lines, lines));

test("any way to cut a stream gives the same lines", () => {
  const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " "));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(9)), (lines, sizes) => {
      const told = lines.map((text) => Buffer.from(text).toString());
      const stream = Buffer.from(lines.map((text) => `${text}\n`).join(""));
      assert.deepEqual(split(cut(stream, sizes)).lines, told);
      assert.deepEqual(split([...stream].map((byte) => Buffer.of(byte))).lines, told);
    }),
  );
});

test("a letter of several bytes may be cut in the middle", () => {
  const text = "é€🚀";
  const bytes = Buffer.from(`${text}\n`);
  for (let at = 0; at <= bytes.length; at++) assert.deepEqual(split(cut(bytes, [at])).lines, [text]);
});

const bounds = [
  { name: "a line as long as the limit fits", chunks: ["1234"], fits: [true] },
  { name: "one byte more does not", chunks: ["12345"], fits: [false] },
  { name: "nor in pieces", chunks: ["123", "4", "5"], fits: [true, true, false] },
  {
    name: "the limit is of a line and not of the stream",
    chunks: ["1234\n12", "34\n", "1234"],
    fits: [true, true, true],
  },
  { name: "it is counted anew after a line", chunks: ["1\n12345"], fits: [false] },
];
for (const { name, chunks, fits } of bounds)
  test(name, () =>
    assert.deepEqual(
      split(
        chunks.map((chunk) => Buffer.from(chunk)),
        4,
      ).fits,
      fits,
    ),
  );

test("a line without end is refused from the byte on that is too many", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (max, sizes) => {
      const { fits } = split(
        sizes.map((size) => Buffer.alloc(size, "x")),
        max,
      );
      let sent = 0;
      for (const [i, size] of sizes.entries()) {
        sent += size;
        assert.equal(fits[i], sent <= max);
      }
    }),
  );
});
