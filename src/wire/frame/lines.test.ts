import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sha256 } from "../recording/format.ts";
import { type Line, LineReader } from "./lines.ts";

interface Bounds {
  readonly maxBytes?: number;
  readonly headBytes?: number;
}

function linesOf(
  chunks: readonly (string | Buffer)[],
  { maxBytes = 1000, headBytes = 4 }: Bounds = {},
): Line[] {
  const lines: Line[] = [];
  const reader = new LineReader({ maxBytes, headBytes }, (line) => lines.push(line));
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return lines;
}

/** A whole line with its newline, or without when it had none. */
const shownLine = (line: Line): string =>
  line.kind === "line" ? line.bytes.toString("latin1") + (line.terminated ? "\n" : "") : line.kind;

describe("LineReader splits [WIR-1]", () => {
  const cases = [
    { name: "nothing gives no line", chunks: [], want: [] },
    { name: "an empty chunk gives no line", chunks: ["", ""], want: [] },
    { name: "one newline is one empty line", chunks: ["\n"], want: ["\n"] },
    { name: "each newline ends a line", chunks: ["\n\n\n"], want: ["\n", "\n", "\n"] },
    { name: "a chunk may hold several lines", chunks: ["a\nb\nc\n"], want: ["a\n", "b\n", "c\n"] },
    { name: "a line may come in several chunks", chunks: ["a", "b", "c\n"], want: ["abc\n"] },
    {
      name: "a chunk may end one line and begin the next",
      chunks: ["a", "b\nc", "d\n"],
      want: ["ab\n", "cd\n"],
    },
    { name: "a newline may come alone", chunks: ["a", "\n", "\n"], want: ["a\n", "\n"] },
    { name: "an empty chunk inside a line changes nothing", chunks: ["a", "", "b\n"], want: ["ab\n"] },
    { name: "the end gives what is left without its newline", chunks: ["a\nb"], want: ["a\n", "b"] },
    { name: "a carriage return belongs to the line", chunks: ["a\r\nb\r", "\n"], want: ["a\r\n", "b\r\n"] },
    {
      name: "a carriage return after a newline begins the next line",
      chunks: ["a\n\rb\n"],
      want: ["a\n", "\rb\n"],
    },
    { name: "a carriage return alone ends no line", chunks: ["a\rb\n"], want: ["a\rb\n"] },
    { name: "vertical tab and form feed end no line", chunks: ["a\vb\fc\n"], want: ["a\vb\fc\n"] },
    { name: "NUL bytes are kept", chunks: ["a\0\n", "\0"], want: ["a\0\n", "\0"] },
  ];
  for (const c of cases) test(c.name, () => assert.deepEqual(linesOf(c.chunks).map(shownLine), c.want));

  test("the two bytes of U+0A00 and U+2028 hold no newline to split at", () => {
    const text = "\u0a00\u2028\u0085";
    assert.deepEqual(linesOf([`${text}\n`]), [{ kind: "line", bytes: Buffer.from(text), terminated: true }]);
  });

  test("a character cut between two chunks is whole in the line", () => {
    const bytes = Buffer.from("é€😀\n");
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    assert.deepEqual(linesOf(single), linesOf([bytes]));
  });

  test("the end can be told twice", () => {
    const lines: Line[] = [];
    const reader = new LineReader({ maxBytes: 10, headBytes: 4 }, (line) => lines.push(line));
    reader.push(Buffer.from("a"));
    reader.end();
    reader.end();
    assert.deepEqual(lines.map(shownLine), ["a"]);
  });
});

describe("LineReader bounds [WIR-2]", () => {
  const long = "0123456789ab";
  const oversized = (head: string, whole: string, terminated: boolean): Line => ({
    kind: "oversized",
    head: Buffer.from(head),
    size: whole.length,
    sha256: sha256(whole),
    terminated,
  });
  const line = (text: string): Line => ({ kind: "line", bytes: Buffer.from(text), terminated: true });
  const cases = [
    { name: "a line of exactly the limit is a line", chunks: ["0123456789\n"], want: [line("0123456789")] },
    {
      name: "one byte more is oversized: head, size and hash of the whole",
      chunks: ["0123456789a\n"],
      want: [oversized("0123", "0123456789a", true)],
    },
    {
      name: "the newline does not count",
      chunks: ["0123456789", "\n"],
      want: [line("0123456789")],
    },
    {
      name: "an oversized line in many chunks is hashed whole",
      chunks: [...long, "\n"],
      want: [oversized("0123", long, true)],
    },
    {
      name: "bytes after the limit was passed still count",
      chunks: [long, long, `${long}\n`],
      want: [oversized("0123", long + long + long, true)],
    },
    {
      name: "an oversized line may end without its newline",
      chunks: [long],
      want: [oversized("0123", long, false)],
    },
    {
      name: "the line after an oversized one is read as usual",
      chunks: [`${long}\nab`, "c\n"],
      want: [oversized("0123", long, true), line("abc")],
    },
    {
      name: "two oversized lines have their own hashes",
      chunks: [`${long}\n${long}!\n`],
      want: [oversized("0123", long, true), oversized("0123", `${long}!`, true)],
    },
  ];
  for (const c of cases)
    test(c.name, () => assert.deepEqual(linesOf(c.chunks, { maxBytes: 10, headBytes: 4 }), c.want));

  test("no head is kept when none is wanted", () => {
    assert.deepEqual(linesOf([`${long}\n`], { maxBytes: 10, headBytes: 0 }), [oversized("", long, true)]);
  });

  test("the head does not depend on how the bytes were cut, even when it may be longer than the limit", () => {
    const bounds = { maxBytes: 4, headBytes: 8 };
    assert.deepEqual(linesOf([...long, "\n"], bounds), linesOf([`${long}\n`], bounds));
  });

  test("the head is a copy, so that it does not hold a large chunk in memory", () => {
    const chunk = Buffer.alloc(100_000, "x");
    const [first] = linesOf([chunk], { maxBytes: 10, headBytes: 4 });
    assert.ok(first?.kind === "oversized", "the line is too long");
    assert.equal(first.head.buffer.byteLength < chunk.length, true);
  });
});
