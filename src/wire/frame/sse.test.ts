/** The event stream rules of the HTML standard (9.2.6), one vector each, and our bounds. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HEAD_BYTES } from "../limits.ts";
import { type SseEvent, SseReader } from "./sse.ts";

interface Read {
  readonly events: SseEvent[];
  readonly rest: string;
  readonly oversized: { head: Buffer; size: number }[];
}

function read(chunks: readonly (string | Buffer)[], maxBytes = 100_000): Read {
  const events: SseEvent[] = [];
  const oversized: { head: Buffer; size: number }[] = [];
  const reader = new SseReader(
    maxBytes,
    (event) => events.push(event),
    (head, size) => oversized.push({ head, size }),
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return { rest: reader.end().toString("utf8"), events, oversized };
}

/** What an event says, without its bytes; a block that dispatches nothing is `none`. */
type Said = "none" | { event?: string; data: string; id?: string; retryMs?: number };
function said({ event, data, hasData, id, retryMs }: SseEvent): Said {
  if (!hasData && id === undefined && retryMs === undefined) return "none";
  return {
    ...(event === "message" ? {} : { event }),
    data: data.toString("utf8"),
    ...(id === undefined ? {} : { id }),
    ...(retryMs === undefined ? {} : { retryMs }),
  };
}

interface Case {
  readonly name: string;
  readonly stream: string;
  readonly want: readonly Said[];
  readonly rest?: string;
}

const lineEnds: Case[] = [
  {
    name: "LF ends lines and blocks",
    stream: "data: a\n\ndata: b\n\n",
    want: [{ data: "a" }, { data: "b" }],
  },
  {
    name: "CRLF ends lines and blocks",
    stream: "data: a\r\n\r\ndata: b\r\n\r\n",
    want: [{ data: "a" }, { data: "b" }],
  },
  {
    name: "CR ends lines and blocks",
    stream: "data: a\r\rdata: b\r\r",
    want: [{ data: "a" }, { data: "b" }],
  },
  {
    name: "line ends may be mixed",
    stream: "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r",
    want: [{ data: "a" }, { data: "b" }, { data: "c" }],
  },
  { name: "LF CR is two line ends", stream: "data: a\n\rdata: b\n\n", want: [{ data: "a" }, { data: "b" }] },
  {
    name: "CR CRLF is two line ends",
    stream: "data: a\r\r\ndata: b\n\n",
    want: [{ data: "a" }, { data: "b" }],
  },
  {
    name: "U+2028, U+0085 and a form feed end no line",
    stream: "data: a\u2028\u0085\fb\n\n",
    want: [{ data: "a\u2028\u0085\fb" }],
  },
];

const fields: Case[] = [
  {
    name: "data lines are joined by a newline",
    stream: "data: a\ndata: b\ndata: c\n\n",
    want: [{ data: "a\nb\nc" }],
  },
  {
    name: "joined by a newline whatever ended them",
    stream: "data: a\r\ndata: b\r\n\r\n",
    want: [{ data: "a\nb" }],
  },
  {
    name: "one space after the colon is not part of the value",
    stream: "data:a\ndata: a\ndata:  a\n\n",
    want: [{ data: "a\na\n a" }],
  },
  { name: "a tab after the colon is", stream: "data:\ta\n\n", want: [{ data: "\ta" }] },
  { name: "spaces at the end are kept", stream: "data: a  \n\n", want: [{ data: "a  " }] },
  { name: "later colons belong to the value", stream: "data: a: b:c\n\n", want: [{ data: "a: b:c" }] },
  { name: "a name without a colon has the empty value", stream: "data\n\n", want: [{ data: "" }] },
  { name: "two empty data lines are one newline", stream: "data\ndata\n\n", want: [{ data: "\n" }] },
  { name: "an empty data line and a full one", stream: "data:\ndata: a\n\n", want: [{ data: "\na" }] },
  { name: "a comment is ignored", stream: ": hello\ndata: a\n:\n: b\n\n", want: [{ data: "a" }] },
  { name: "a block of comments dispatches nothing", stream: ": keep-alive\n\n", want: ["none"] },
  { name: "blank lines dispatch nothing", stream: "\n\n\n", want: ["none", "none", "none"] },
  {
    name: "unknown names are ignored",
    stream: "foo: 1\ndatas: 2\ndata : 3\n data: 4\ndata: a\n\n",
    want: [{ data: "a" }],
  },
  { name: "names are told apart by case", stream: "Data: 1\nEVENT: 2\ndata: a\n\n", want: [{ data: "a" }] },
  {
    name: "an event has the type it names",
    stream: "event: endpoint\ndata: /x\n\n",
    want: [{ event: "endpoint", data: "/x" }],
  },
  {
    name: "of two types the last one counts",
    stream: "event: a\nevent: b\ndata: x\n\n",
    want: [{ event: "b", data: "x" }],
  },
  { name: "an empty type is message", stream: "event: a\nevent:\ndata: x\n\n", want: [{ data: "x" }] },
  {
    name: "the type does not carry over to the next block",
    stream: "event: a\ndata: 1\n\ndata: 2\n\n",
    want: [{ event: "a", data: "1" }, { data: "2" }],
  },
  { name: "an event without data dispatches nothing", stream: "event: a\n\n", want: ["none"] },
  { name: "and its type is forgotten", stream: "event: a\n\ndata: b\n\n", want: ["none", { data: "b" }] },
  { name: "an id is kept as text", stream: "id: 7\ndata: a\n\n", want: [{ data: "a", id: "7" }] },
  { name: "an id may be empty", stream: "id\ndata: a\n\n", want: [{ data: "a", id: "" }] },
  { name: "an id with a NUL is ignored", stream: "id: a\0b\ndata: a\n\n", want: [{ data: "a" }] },
  {
    name: "an id with a NUL does not undo the one before",
    stream: "id: 1\nid: \0\ndata: a\n\n",
    want: [{ data: "a", id: "1" }],
  },
  {
    name: "of two ids the last one counts",
    stream: "id: 1\nid: 2\ndata: a\n\n",
    want: [{ data: "a", id: "2" }],
  },
  { name: "an id without data is told", stream: "id: 9\n\n", want: [{ data: "", id: "9" }] },
  {
    name: "retry is a number of milliseconds",
    stream: "retry: 2500\n\n",
    want: [{ data: "", retryMs: 2500 }],
  },
  { name: "retry may be 0", stream: "retry: 0\n\n", want: [{ data: "", retryMs: 0 }] },
  { name: "retry may have leading zeros", stream: "retry:007\n\n", want: [{ data: "", retryMs: 7 }] },
  {
    name: "retry with anything but digits is ignored",
    stream: "retry: 1s\nretry: -1\nretry: 1.5\nretry:\nretry:  1\nretry: \u0661\n\n",
    want: ["none"],
  },
  { name: "retry without bound is ignored", stream: "retry: 99999999999999999999\n\n", want: ["none"] },
  {
    name: "NUL and invalid names are no trouble",
    stream: "\0: a\n\0\ndata: a\0b\n\n",
    want: [{ data: "a\0b" }],
  },
];

const beginnings: Case[] = [
  { name: "a byte order mark at the start is skipped", stream: "\ufeffdata: a\n\n", want: [{ data: "a" }] },
  { name: "a second byte order mark belongs to the name", stream: "\ufeff\ufeffdata: a\n\n", want: ["none"] },
  {
    name: "a byte order mark before a comment is skipped",
    stream: "\ufeff: c\ndata: a\n\n",
    want: [{ data: "a" }],
  },
  {
    name: "a byte order mark in a later line belongs to the name",
    stream: "data: a\n\ufeffdata: b\n\n",
    want: [{ data: "a" }],
  },
  {
    name: "a byte order mark in a later block belongs to the name",
    stream: "data: a\n\n\ufeffdata: b\n\n",
    want: [{ data: "a" }, "none"],
  },
  { name: "a byte order mark in a value is kept", stream: "data: \ufeffa\n\n", want: [{ data: "\ufeffa" }] },
];

const ends: Case[] = [
  { name: "nothing is nothing", stream: "", want: [] },
  {
    name: "a block without its blank line dispatches nothing",
    stream: "data: a\n\ndata: b\n",
    want: [{ data: "a" }],
    rest: "data: b\n",
  },
  {
    name: "a line without its end dispatches nothing",
    stream: "data: a\n\ndata: b",
    want: [{ data: "a" }],
    rest: "data: b",
  },
  { name: "a CR at the very end ends a line, not a block", stream: "data: a\r", want: [], rest: "data: a\r" },
  { name: "CR CR at the very end ends a block", stream: "data: a\r\r", want: [{ data: "a" }] },
  { name: "CRLF CR at the very end ends a block", stream: "data: a\r\n\r", want: [{ data: "a" }] },
];

for (const [title, cases] of Object.entries({ "line ends": lineEnds, fields, beginnings, ends }))
  describe(`SseReader: ${title} [WIR-6]`, () => {
    for (const c of cases)
      test(c.name, () => {
        const whole = read([c.stream]);
        assert.deepEqual(whole.events.map(said), c.want);
        assert.equal(whole.rest, c.rest ?? "");
        assert.deepEqual(whole.oversized, []);
        // The same in every cut into two, and byte by byte.
        const bytes = Buffer.from(c.stream);
        for (let at = 0; at <= bytes.length; at++)
          assert.deepEqual(read([bytes.subarray(0, at), bytes.subarray(at)]), whole, `cut at ${at}`);
        assert.deepEqual(read([...bytes].map((byte) => Buffer.from([byte]))), whole, "byte by byte");
      });
  });

describe("SseReader: bytes [WIR-6]", () => {
  test("the block is what was sent, its blank line included", () => {
    const blocks = ["\ufeffid: 1\r\n: c\r\ndata: a\r\n\r\n", "\n", "data: b\r\r", "data: c\n\r\n"];
    const { events, rest } = read([`${blocks.join("")}data: d`]);
    assert.deepEqual(
      events.map(({ block }) => block.toString("utf8")),
      blocks,
    );
    assert.equal(rest, "data: d");
  });

  test("data that is not UTF-8 is kept byte by byte", () => {
    const data = Buffer.from([0xff, 0xfe, 0x00, 0xc0]);
    const { events } = read([Buffer.from("data: "), data, Buffer.from("\n\n")]);
    assert.deepEqual(events[0]?.data, data);
  });
});

describe("SseReader: bounds [WIR-9]", () => {
  test("a block of exactly the limit is an event", () => {
    const { events, oversized } = read(["data: 12\n\n"], 10);
    assert.deepEqual(events.map(said), [{ data: "12" }]);
    assert.deepEqual(oversized, []);
  });

  const cases = [
    { name: "one byte more is told once and the reader falls silent", chunks: ["data: 123\n\ndata: a\n\n"] },
    { name: "the same when the block never ends", chunks: ["data: 123", "45", "6789", "\n\n"] },
    { name: "many short lines count together", chunks: ["data\n", "data\n", "data\n\n", "data: a\n\n"] },
    { name: "comments count too", chunks: [": 23456789", "a\n\ndata: a\n\n"] },
  ];
  for (const c of cases)
    test(c.name, () => {
      const { events, oversized } = read(c.chunks, 10);
      assert.deepEqual(events, []);
      assert.equal(oversized.length, 1);
      assert.equal((oversized[0]?.size ?? 0) > 10, true);
      const sent = c.chunks.join("");
      assert.equal(sent.startsWith(oversized[0]?.head.toString() ?? "?"), true);
    });

  test("events before the oversized one are told", () => {
    const { events, oversized } = read(["data: a\n\ndata: 12345\n\n"], 10);
    assert.deepEqual(events.map(said), [{ data: "a" }]);
    assert.equal(oversized.length, 1);
  });

  test("the head that is kept is bounded", () => {
    const { oversized } = read([`data: ${"x".repeat(50_000)}`], 20_000);
    assert.equal(oversized[0]?.head.length, HEAD_BYTES);
    assert.equal(oversized[0]?.size, 50_006);
  });
});
