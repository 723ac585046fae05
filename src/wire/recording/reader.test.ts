import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";
import type { Reading } from "./format.ts";
import { readRecording } from "./reader.ts";

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(source: string | AsyncIterable<Buffer>): Promise<Reading[]> {
  const readings: Reading[] = [];
  for await (const reading of readRecording(source)) readings.push(reading);
  return readings;
}

const opening = '{"seq":0,"t_ms":0,"ev":"recording","format":"touchstone/recording/1"}';
const event = (seq: number, members = ""): string => `{"seq":${seq},"t_ms":0,"ev":"x"${members}}`;
const frame = (seq: number, raw: string): string =>
  event(seq, `,"raw":${JSON.stringify(raw)},"sha256":"${createHash("sha256").update(raw).digest("hex")}"`);

/** A good line is its seq, a damaged one its reason. */
const told = (reading: Reading): number | string =>
  reading.kind === "event" ? reading.event.seq : reading.reason;

interface Case {
  readonly name: string;
  readonly lines: readonly string[];
  /** What stands between and after the lines; a newline unless told. */
  readonly text?: string;
  readonly want: readonly (number | string)[];
}

const whole = [opening, event(1), frame(2, "a"), event(3)];
const recordings: Case[] = [
  { name: "nothing is no line", lines: [], text: "", want: [] },
  { name: "a whole recording is all events", lines: whole, want: [0, 1, 2, 3] },
  {
    name: "a missing line is a break in sequence",
    lines: [opening, event(1), event(3), event(4)],
    want: [0, 1, "sequence", 4],
  },
  {
    name: "a repeated line is a break in sequence",
    lines: [opening, event(1), event(1), event(2)],
    want: [0, 1, "sequence", 2],
  },
  {
    name: "two lines in the wrong order are breaks in sequence",
    lines: [opening, event(2), event(1), event(2)],
    want: [0, "sequence", "sequence", 2],
  },
  {
    name: "a damaged line takes one number",
    lines: [opening, "garbage", event(2)],
    want: [0, "not-json", 2],
  },
  {
    name: "a damaged line beside a missing one",
    lines: [opening, "garbage", event(3)],
    want: [0, "not-json", "sequence"],
  },
  { name: "an empty line is a damaged one", lines: [opening, "", event(2)], want: [0, "not-json", 2] },
  {
    name: "a changed byte in a frame does not match its digest",
    lines: [opening, frame(1, "abc").replace("abc", "abd"), event(2)],
    want: [0, "hash", 2],
  },
  {
    name: "a frame without its digest is damaged in a recording",
    lines: [opening, event(1, ',"raw":"a"'), event(2)],
    want: [0, "hash", 2],
  },
  {
    name: "a second opening line does not begin anew",
    lines: [opening, event(1), opening, event(1)],
    want: [0, 1, "sequence", 1],
  },
  {
    name: "another format is not held to the sequence",
    lines: [opening.replace("/1", "/9"), event(7)],
    want: [0, 7],
  },
  {
    name: "the opening line may have any number",
    lines: [opening.replace('"seq":0', '"seq":5'), event(6), event(8)],
    want: [5, 6, "sequence"],
  },
];
const captures: Case[] = [
  {
    name: "without an opening line numbers may start again",
    lines: [event(1), event(2), event(1), event(9)],
    want: [1, 2, 1, 9],
  },
  { name: "a frame may lack its digest", lines: [event(1, ',"dir":"server-stderr","raw":"up"')], want: [1] },
  {
    name: "a frame that has a digest must match it",
    lines: [frame(1, "a").replace('"a"', '"b"')],
    want: ["hash"],
  },
  {
    name: "parsed messages are members like others",
    lines: [event(1, ',"msg":{"id":1},"body":[1]')],
    want: [1],
  },
];
const tails: Case[] = [
  {
    name: "a last line without its newline is whole if it can be read",
    lines: [],
    text: whole.join("\n"),
    want: [0, 1, 2, 3],
  },
  {
    name: "a last line cut in the middle is unterminated",
    lines: [],
    text: whole.join("\n").slice(0, -5),
    want: [0, 1, 2, "unterminated"],
  },
  {
    name: "a last line cut within its frame is unterminated",
    lines: [],
    text: [opening, frame(1, "a").slice(0, 40)].join("\n"),
    want: [0, "unterminated"],
  },
  {
    name: "a last line whose frame was changed is unterminated",
    lines: [],
    text: [opening, frame(1, "a").replace('"a"', '"b"')].join("\n"),
    want: [0, "unterminated"],
  },
  {
    name: "a last line out of order is a break in sequence",
    lines: [],
    text: [opening, event(5)].join("\n"),
    want: [0, "sequence"],
  },
  { name: "CRLF line ends are read too", lines: [], text: whole.join("\r\n"), want: [0, 1, 2, 3] },
  {
    name: "a byte order mark damages the first line only",
    lines: [],
    text: `\ufeff${whole.join("\n")}\n`,
    want: ["not-json", 1, 2, 3],
  },
];

for (const [title, cases] of Object.entries({
  "recordings [REC-12, REC-14]": recordings,
  "captures [REC-15]": captures,
  "the last line [REC-12]": tails,
}))
  describe(`readRecording: ${title}`, () => {
    for (const c of cases)
      test(c.name, async () => {
        const bytes = Buffer.from(c.text ?? c.lines.map((line) => `${line}\n`).join(""));
        const readings = await readAll(chunksOf(bytes, 1 << 16));
        assert.deepEqual(readings.map(told), c.want);
        assert.deepEqual(
          readings.map(({ line }) => line),
          c.want.map((_, index) => index + 1),
        );
        assert.deepEqual(await readAll(chunksOf(bytes, 1)), readings, "byte by byte");
      });
  });

describe("readRecording: what is kept", () => {
  test("a damaged line is kept byte by byte [REC-12]", async () => {
    const bad = Buffer.from([0x7b, 0xff, 0x00, 0x0d]);
    const readings = await readAll(
      chunksOf(Buffer.concat([Buffer.from(`${opening}\n`), bad, Buffer.from("\n")]), 7),
    );
    assert.deepEqual(readings[1], { kind: "damaged", line: 2, reason: "not-json", text: bad });
  });

  test("a line out of order is kept whole [REC-14]", async () => {
    const readings = await readAll(chunksOf(Buffer.from(`${opening}\n${frame(4, "a")}\n`), 9));
    assert.deepEqual(readings[1], {
      kind: "damaged",
      line: 2,
      reason: "sequence",
      text: Buffer.from(frame(4, "a")),
    });
  });

  test("a recording is read from a file", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "run.jsonl");
    writeFileSync(file, whole.map((line) => `${line}\n`).join(""));
    assert.deepEqual((await readAll(file)).map(told), [0, 1, 2, 3]);
  });

  test("a file that is not there is an error of ours", async () => {
    using folder = temporaryFolder();
    await assert.rejects(readAll(join(folder.path, "missing")), { code: "ENOENT" });
  });

  test("lines are given as they come, not at the end", async () => {
    const chunks = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(`${opening}\n${event(1)}\n`);
      assert.fail("the second chunk was asked for before the first one was read");
    };
    const reading = readRecording(chunks());
    assert.equal(told((await reading.next()).value as Reading), 0);
    assert.equal(told((await reading.next()).value as Reading), 1);
    await reading.return(undefined);
  });
});
