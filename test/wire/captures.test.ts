/** Captures of real traffic, made by other tools before this format existed: all of them are readable, nothing is lost. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createRecorder, type Reading, readMessage, readRecording } from "../../src/wire/index.ts";
import { root } from "../kit/paths.ts";

const folder = join(root, "test/fixtures/wire-captures");

/** How many lines each capture has, and how many messages are in them. */
const captures: Readonly<Record<string, { lines: number; messages: number }>> = {
  "bridge-legacy-client-to-modern-server.http.jsonl": { lines: 37, messages: 20 },
  "bridge-legacy-client-to-modern-server.stdio.jsonl": { lines: 24, messages: 21 },
  "bridge-modern-client-to-legacy-server.http.jsonl": { lines: 40, messages: 22 },
  "demo-http-auto.jsonl": { lines: 78, messages: 42 },
  "demo-http-errors-dual.jsonl": { lines: 175, messages: 67 },
  "demo-http-errors-modern-only.jsonl": { lines: 174, messages: 66 },
  "demo-http-legacy.jsonl": { lines: 86, messages: 50 },
  "demo-stdio-auto.jsonl": { lines: 50, messages: 41 },
  "demo-stdio-legacy.jsonl": { lines: 45, messages: 41 },
  "demo-stdio-pin.jsonl": { lines: 50, messages: 41 },
  "everything-http-auto.jsonl": { lines: 38, messages: 13 },
  "everything-http-legacy.jsonl": { lines: 34, messages: 11 },
  "everything-stdio-auto.jsonl": { lines: 23, messages: 14 },
  "everything-stdio-legacy.jsonl": { lines: 16, messages: 12 },
};

async function readText(text: string): Promise<Reading[]> {
  const source = (async function* () {
    yield Buffer.from(text);
  })();
  const readings: Reading[] = [];
  for await (const reading of readRecording(source)) readings.push(reading);
  return readings;
}

const damagedOf = (readings: readonly Reading[]): unknown[] =>
  readings.flatMap((reading) =>
    reading.kind === "damaged" ? [`line ${reading.line}: ${reading.reason}: ${reading.text.toString()}`] : [],
  );
const eventsOf = (readings: readonly Reading[]): Record<string, unknown>[] =>
  readings.flatMap((reading) => (reading.kind === "event" ? [{ ...reading.event }] : []));

test("every capture in the folder is in the table", () => {
  assert.deepEqual(
    readdirSync(folder).filter((name) => name !== "README.md"),
    Object.keys(captures),
  );
});

for (const [name, { lines, messages }] of Object.entries(captures))
  describe(`${name} [REC-13, REC-15]`, () => {
    const text = readFileSync(join(folder, name), "utf8");
    const parsed = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

    test("every line is an event with all its members", async () => {
      const readings: Reading[] = [];
      for await (const reading of readRecording(join(folder, name))) readings.push(reading);
      assert.deepEqual(damagedOf(readings), []);
      assert.deepEqual(eventsOf(readings), parsed);
      assert.equal(readings.length, lines);
    });

    test("written again line by line it is the same", async () => {
      const first = eventsOf(await readText(text));
      const again = await readText(first.map((event) => `${JSON.stringify(event)}\n`).join(""));
      assert.deepEqual(damagedOf(again), []);
      assert.deepEqual(eventsOf(again), parsed);
    });

    test("every member survives our own recorder", async () => {
      const written: string[] = [];
      const recorder = createRecorder((line) => written.push(line));
      for (const { seq, t_ms, ev, raw, ...members } of parsed)
        if (typeof raw === "string") recorder.peer("p").frame(String(ev), members, raw);
        else recorder.event(String(ev), members);
      await recorder.close();
      const readings = await readText(written.join(""));
      assert.deepEqual(damagedOf(readings), []);
      const kept = eventsOf(readings).slice(1, -1);
      assert.deepEqual(
        kept.map(({ seq, t_ms, peer, era, sha256, ...members }) => members),
        parsed.map(({ seq, t_ms, ...members }) => members),
      );
    });

    test("every message in it is read as one", () => {
      let count = 0;
      for (const event of parsed)
        for (const message of [event.msg, event.body])
          if (message !== undefined) {
            count += 1;
            const read = readMessage(Buffer.from(JSON.stringify(message)));
            const items = read.kind === "batch" ? read.items : [read];
            for (const item of items) assert.notEqual(item.kind, "malformed", JSON.stringify(message));
          }
      assert.equal(count, messages);
    });
  });
