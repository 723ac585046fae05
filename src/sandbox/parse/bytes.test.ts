import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { printable, u16 } from "./bytes.ts";

test("a number of two bytes has its high byte first", () => {
  assert.equal(u16(Buffer.from([0xff, 0x12, 0x34]), 1), 0x1234);
});

test("bytes beyond the end count as 0", () => {
  assert.deepEqual([u16(Buffer.from([0x12]), 0), u16(Buffer.alloc(0), 7)], [0x1200, 0]);
});

test("what cannot be seen becomes a question mark", () => {
  assert.equal(printable("a b\0\n\x1b[31m\x7f\x85\xa0\xad\xe9"), "a b???[31m????\xe9");
});

test("a shown text is as long as the text and stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = printable(text);
      assert.equal(shown.length, text.length);
      assert.equal(printable(shown), shown);
    }),
  );
});
