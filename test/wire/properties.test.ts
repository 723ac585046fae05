/** What holds for all bytes, however they are cut. Each property runs on values made up anew; a failure prints its seed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { WHOLE_CHANNEL } from "../../src/wire/channel/channel.ts";
import { Calls } from "../../src/wire/client/calls.ts";
import {
  createRecorder,
  decodeHeader,
  type Ending,
  encodeHeader,
  type Id,
  type Line,
  LineReader,
  type Reading,
  readMessage,
  readRecording,
  type SseEvent,
  SseReader,
} from "../../src/wire/index.ts";
import { sha256 } from "../../src/wire/recording/format.ts";
import { redactor } from "../../src/wire/recording/redact.ts";
import { peer, resultFrame } from "../kit/peer.ts";

const TIMEOUT = { timeout: 60_000 };
const RUNS = { numRuns: 2_000 };

/** Bytes built from pieces that matter to a format, and from any others. */
const bytesOf = (...pieces: readonly string[]): fc.Arbitrary<Buffer> =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...pieces).map((piece) => Buffer.from(piece)) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)) },
      ),
      { maxLength: 30 },
    )
    .map((parts) => Buffer.concat(parts));

/** Places at which a stream is cut, as parts of its length. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });

function chunksOf(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [
    0,
    ...at.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** The lines of a stream by the shortest way: all at once. */
function splitLines(bytes: Buffer): { bytes: Buffer; terminated: boolean }[] {
  const parts = bytes.toString("latin1").split("\n");
  const last = parts.pop() ?? "";
  const lines = parts.map((part) => ({ bytes: Buffer.from(part, "latin1"), terminated: true }));
  return last === "" ? lines : [...lines, { bytes: Buffer.from(last, "latin1"), terminated: false }];
}

describe("LineReader, for all bytes and cuts [WIR-1, WIR-2]", () => {
  const stream = bytesOf("\n", "\r\n", "\n\n", "a", '{"id":1}', "é");
  const read = (chunks: readonly Buffer[], maxBytes: number, headBytes: number): Line[] => {
    const lines: Line[] = [];
    const reader = new LineReader({ maxBytes, headBytes }, (line) => lines.push(line));
    for (const chunk of chunks) reader.push(chunk);
    reader.end();
    return lines;
  };

  test("lines and their newlines are the stream", TIMEOUT, () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, at) => {
        const parts = read(chunksOf(bytes, at), 1000, 0).flatMap((line) => {
          assert.equal(line.kind, "line");
          return line.kind === "line" ? [line.bytes, Buffer.from(line.terminated ? "\n" : "")] : [];
        });
        assert.deepEqual(Buffer.concat(parts), bytes);
      }),
      RUNS,
    );
  });

  test("each line is whole, or its size, digest and head are right", TIMEOUT, () => {
    fc.assert(
      fc.property(stream, cuts, fc.nat(12), fc.nat(12), (bytes, at, maxBytes, headBytes) => {
        const want = splitLines(bytes).map(
          ({ bytes: line, terminated }): Line =>
            line.length <= maxBytes
              ? { kind: "line", bytes: line, terminated }
              : {
                  kind: "oversized",
                  head: line.subarray(0, headBytes),
                  size: line.length,
                  sha256: sha256(line),
                  terminated,
                },
        );
        assert.deepEqual(read(chunksOf(bytes, at), maxBytes, headBytes), want);
      }),
      RUNS,
    );
  });
});

describe("SseReader, for all bytes and cuts [WIR-6]", () => {
  const stream = bytesOf(
    ...[
      "\n",
      "\r",
      "\r\n",
      "\n\n",
      "\r\r",
      "data",
      "data:",
      "data: x",
      "event: e",
      "id: 1",
      "id: \0",
      "retry: 5",
    ],
    ...[":", ": c", " ", "x", "\ufeff", "\n\ufeffdata: y\n"],
  );
  const read = (
    chunks: readonly Buffer[],
    maxBytes = 10_000,
  ): { events: SseEvent[]; rest: Buffer; oversized: number } => {
    const events: SseEvent[] = [];
    let oversized = 0;
    const reader = new SseReader(
      maxBytes,
      (event) => events.push(event),
      () => {
        oversized += 1;
      },
    );
    for (const chunk of chunks) reader.push(chunk);
    return { rest: reader.end(), events, oversized };
  };

  test("blocks and the rest are the stream, and cuts change nothing", TIMEOUT, () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, at) => {
        const whole = read([bytes]);
        assert.deepEqual(Buffer.concat([...whole.events.map(({ block }) => block), whole.rest]), bytes);
        assert.deepEqual(read(chunksOf(bytes, at)), whole);
      }),
      RUNS,
    );
  });

  /** The rules of the HTML standard for a stream that is there as a whole. */
  function standard(bytes: Buffer): { event: string; data: string }[] {
    const lines = bytes
      .toString("latin1")
      .replace(/^\xef\xbb\xbf/, "")
      .split(/\r\n|\r|\n/);
    lines.pop();
    const found: { event: string; data: string }[] = [];
    let [event, data] = ["", [] as string[]];
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) found.push({ event: event || "message", data: data.join("\n") });
        [event, data] = ["", []];
        continue;
      }
      const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "data") data.push(value);
      if (name === "event") event = value;
    }
    return found;
  }

  test("the events are those of the standard", TIMEOUT, () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, at) => {
        const { events } = read(chunksOf(bytes, at));
        assert.deepEqual(
          events
            .filter(({ hasData }) => hasData)
            .map(({ event, data }) => ({
              event: Buffer.from(event).toString("latin1"),
              data: data.toString("latin1"),
            })),
          // A type that is not UTF-8 is read with replacement characters, as the standard says for the whole stream.
          standard(bytes).map(({ event, data }) => ({
            event: Buffer.from(Buffer.from(event, "latin1").toString("utf8")).toString("latin1"),
            data,
          })),
        );
      }),
      RUNS,
    );
  });

  test("with a limit it stops at the same event, and tells once", TIMEOUT, () => {
    fc.assert(
      fc.property(stream, cuts, fc.nat(20), (bytes, at, maxBytes) => {
        const [whole, cut] = [read([bytes], maxBytes), read(chunksOf(bytes, at), maxBytes)];
        assert.deepEqual(cut.events, whole.events);
        assert.equal(cut.oversized, whole.oversized);
        assert.equal(whole.oversized <= 1, true);
        for (const { block } of whole.events) assert.equal(block.length <= maxBytes, true);
      }),
      RUNS,
    );
  });
});

/** Bytes that come close to messages: their members with values of all kinds, whole and broken. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>("2.0", 1, 2, "1", null, -0, 1.5, {}, [], { code: 1, message: "x" }, "__proto__"),
);
const nearMessage = fc
  .record(
    {
      jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant<unknown>("2.0") }, value),
      id: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }) }, value),
      method: fc.oneof(fc.constantFrom("ping", "notifications/progress", "roots/list"), value),
      params: value,
      result: fc.oneof(value, fc.record({ resultType: fc.constant("input_required"), inputRequests: value })),
      error: value,
    },
    { requiredKeys: [] },
  )
  .map((message) => JSON.stringify(message));
const frame: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: nearMessage.map((text) => Buffer.from(text)) },
  {
    weight: 2,
    arbitrary: fc.array(nearMessage, { maxLength: 4 }).map((items) => Buffer.from(`[${items.join()}]`)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(nearMessage, fc.nat(200))
      .map(([text, length]) => Buffer.from(text).subarray(0, length)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: bytesOf("{", "}", "[", "]", '"id"', ":", "1", ",", '"', " ", "\\u12", "\ufeff") },
);

describe("readMessage, for all bytes [WIR-3]", () => {
  const kinds = ["request", "notification", "result", "error", "batch", "malformed"];
  test("it gives one of the six kinds and does not throw", TIMEOUT, () => {
    fc.assert(
      fc.property(frame, (bytes) => {
        const message = readMessage(bytes);
        assert.equal(kinds.includes(message.kind), true);
        if (message.kind === "batch")
          for (const item of message.items)
            assert.equal(kinds.includes(item.kind) && item.kind !== "batch", true);
      }),
      RUNS,
    );
  });

  test("what was written as a message is read as it", TIMEOUT, () => {
    const id = fc.oneof(fc.string(), fc.maxSafeInteger());
    const any = fc.jsonValue().map((made) => JSON.parse(JSON.stringify(made)) as unknown);
    const params = fc.dictionary(fc.string(), any).map((made) => JSON.parse(JSON.stringify(made)) as unknown);
    const message = fc.oneof(
      fc.record({ kind: fc.constant("request"), id, method: fc.string(), params }),
      fc.record({ kind: fc.constant("notification"), method: fc.string(), params }),
      fc.record({ kind: fc.constant("result"), id, result: any }),
      fc.record({
        kind: fc.constant("error"),
        id: fc.option(id),
        error: fc.record({ code: fc.maxSafeInteger(), message: fc.string(), data: any }),
      }),
    );
    fc.assert(
      fc.property(message, ({ kind, ...members }) => {
        const text = JSON.stringify({ jsonrpc: "2.0", ...members });
        const want = JSON.parse(JSON.stringify({ kind, ...members })) as unknown;
        assert.deepEqual(readMessage(Buffer.from(text)), want);
      }),
      RUNS,
    );
  });
});

describe("requests, for all frames [WIR-7, WIR-8]", () => {
  const exchange = fc.constantFrom(WHOLE_CHANNEL, 1, 2);
  const ending = fc.constantFrom<Ending>(
    { kind: "closed", reason: "gone" },
    { kind: "crashed", exit: { code: 1, signal: null } },
    { kind: "http", status: 404, raw: Buffer.alloc(0) },
  );
  type Step = (calls: Calls, open: (id: Id, exchange: number) => void) => void;
  const id = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom("1", "2", "x"));
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(id, exchange).map(
        ([id, x]): Step =>
          (_, open) =>
            open(id, x),
      ),
    },
    {
      weight: 6,
      arbitrary: fc.tuple(frame, exchange, fc.option(fc.constant(200), { nil: undefined })).map(
        ([bytes, x, status]): Step =>
          (calls) =>
            calls.receive(bytes, x, status),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom("oversized" as const, "not-json" as const), frame, exchange).map(
        ([fault, bytes, x]): Step =>
          (calls) =>
            calls.broken(fault, bytes, bytes.length, x, 5),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          id,
          fc.constantFrom({ kind: "cancelled" } as const, { kind: "timed-out", afterMs: 1 } as const),
        )
        .map(
          ([id, why]): Step =>
            (calls) =>
              calls.giveUp(id, why),
        ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(exchange, ending).map(
        ([x, why]): Step =>
          (calls) =>
            calls.ended(x, why),
      ),
    },
  );

  test("each request is settled exactly once, with its own id", TIMEOUT, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const settled: number[] = [];
        const calls = new Calls({ incoming() {}, stray() {} });
        const open = (id: Id, x: number): void => {
          if (calls.isOpen(id)) return;
          const number = settled.push(0) - 1;
          calls.open(id, x, (outcome) => {
            assert.equal(outcome.id, id);
            settled[number] = (settled[number] ?? 0) + 1;
          });
        };
        for (const play of steps) play(calls, open);
        calls.ended(WHOLE_CHANNEL, { kind: "closed", reason: "gone" });
        assert.ok(
          settled.every((times) => times === 1),
          settled.join(),
        );
      }),
      RUNS,
    );
  });

  test("a session takes all frames, and each of its requests ends", TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(frame, { freq: 4 }), { maxLength: 30 }), async (frames) => {
        const { session, send, end } = peer(() => [], { answer: () => ({}) });
        const requests = [];
        for (const bytes of frames) {
          if (bytes === null) requests.push(session.request("tools/call"));
          else send(bytes);
          await Promise.resolve();
        }
        // Answered questions make requests of their own: let them, then end.
        await new Promise(setImmediate);
        end({ kind: "closed", reason: "gone" });
        for (const outcome of await Promise.all(requests)) assert.equal(typeof outcome.kind, "string");
      }),
      RUNS,
    );
  });

  test("a session opens on any answer to initialize, or not, and does not throw", TIMEOUT, async () => {
    const hostile = fc.oneof(value, fc.constantFrom<unknown>({ toString: null, valueOf: null }, [[[]]]));
    const hello = fc.oneof(
      fc.record(
        { protocolVersion: hostile, capabilities: value, serverInfo: value, instructions: value },
        { requiredKeys: [] },
      ),
      value,
    );
    await fc.assert(
      fc.asyncProperty(hello, async (result) => {
        const { session } = peer(({ id, method }) =>
          method === "initialize" ? [resultFrame(id, result)] : [],
        );
        const outcome = await session.initialize();
        assert.ok(outcome.kind === "result" || outcome.kind === "input-required", "an answer");
        await session.close();
      }),
      RUNS,
    );
  });
});

async function readAll(bytes: Buffer, at: readonly number[]): Promise<Reading[]> {
  const chunks = (async function* () {
    yield* chunksOf(bytes, at);
  })();
  const readings: Reading[] = [];
  for await (const reading of readRecording(chunks)) readings.push(reading);
  return readings;
}

describe("recordings, for all events and bytes [REC-4, REC-12, REC-13]", () => {
  const taken = ["seq", "t_ms", "ev", "raw", "raw64", "sha256", "redacted", "peer", "era", "format"];
  const fields = fc
    .dictionary(
      fc.string().filter((name) => !taken.includes(name)),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 4 },
    )
    .map((made) => JSON.parse(JSON.stringify(made)) as Record<string, unknown>);
  const recorded = fc.record({
    ev: fc.oneof(fc.constantFrom("msg", "line", "http-body"), fc.string()),
    fields,
    bytes: fc.option(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
        fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      ),
    ),
  });

  test("what is written is read again, byte by byte and member by member", TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(recorded, { maxLength: 12 }), cuts, async (events, at) => {
        const lines: string[] = [];
        const recorder = createRecorder((line) => lines.push(line));
        const tap = recorder.peer("p");
        for (const { ev, fields, bytes } of events)
          if (bytes) tap.frame(ev, fields, bytes);
          else tap.event(ev, fields);
        await recorder.close();
        const readings = (await readAll(Buffer.from(lines.join("")), at)).slice(1, -1);
        assert.equal(readings.length, events.length);
        for (const [index, reading] of readings.entries()) {
          const { ev, fields, bytes } = events[index] ?? assert.fail();
          assert.ok(reading.kind === "event", JSON.stringify(reading));
          assert.equal(reading.event.ev, ev);
          assert.deepEqual(reading.frame, bytes ?? undefined);
          const { seq, t_ms, ev: _ev, peer, era, raw, raw64, sha256, ...others } = reading.event;
          assert.deepEqual(others, fields);
        }
      }),
      RUNS,
    );
  });

  const good = fc
    .tuple(fc.nat(5), fc.string())
    .map(([seq, raw]) => JSON.stringify({ seq, t_ms: 0, ev: "msg", raw, sha256: sha256(raw) }));
  const opening = fc.constant('{"seq":0,"t_ms":0,"ev":"recording","format":"touchstone/recording/1"}');
  const anyLine = fc.oneof(
    { weight: 3, arbitrary: good },
    { weight: 1, arbitrary: opening },
    { weight: 2, arbitrary: fc.tuple(good, fc.nat(90)).map(([line, length]) => line.slice(0, length)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );
  const anyFile = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(anyLine, { maxLength: 12 }).map((lines) => Buffer.from(lines.join("\n"))),
    },
    { weight: 1, arbitrary: bytesOf("\n", "{", "}", '"seq":0', ",", '"t_ms":0', '"ev":"x"') },
  );

  test("any file can be read, and no line of it is lost", TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, cuts, async (bytes, at) => {
        const readings = await readAll(bytes, at);
        const lines = splitLines(bytes);
        assert.equal(readings.length, lines.length);
        for (const [index, reading] of readings.entries()) {
          const line = lines[index]?.bytes ?? assert.fail();
          assert.equal(reading.line, index + 1);
          if (reading.kind === "damaged") assert.deepEqual(reading.text, line);
          else assert.deepEqual(reading.event, JSON.parse(line.toString()));
        }
      }),
      RUNS,
    );
  });
});

/** The forms REC-11 names, written down a second time. */
function formsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = new Map([
    ["as it is", secret],
    ["escaped", escaped],
    ["escaped with \\/", escaped.replaceAll("/", "\\/")],
    ["escaped twice", JSON.stringify(escaped).slice(1, -1)],
    ["URL-encoded", encodeURIComponent(secret)],
    ["hexadecimal", bytes.toString("hex")],
    ["hexadecimal in capitals", bytes.toString("hex").toUpperCase()],
  ]);
  for (const offset of [0, 1, 2]) {
    // The characters of base64 that depend on the secret alone, and on all of it but the bytes at its ends.
    const groups = Buffer.concat([Buffer.alloc(offset), bytes]);
    const whole = groups.subarray(0, groups.length - (groups.length % 3)).toString("base64");
    const own = whole.slice(offset === 0 ? 0 : offset + 1);
    forms.set(`base64 at ${offset}`, own);
    forms.set(`base64url at ${offset}`, own.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

describe("redaction, for all secrets [REC-9, REC-10, REC-11]", () => {
  // No character of the mark or of hexadecimal: a secret that occurs in our own words cannot be kept out of them.
  const secret = fc.string({
    unit: fc.constantFrom(...'GHIJKLMNPQUVWXYZ/+~ "\\<>&%=?ö€😀\n'),
    minLength: 7,
    maxLength: 24,
  });
  const place = fc.record({
    form: fc.nat(),
    before: fc.string({ unit: "binary", maxLength: 6 }),
    after: fc.string({ unit: "binary", maxLength: 6 }),
  });
  const strings = (found: unknown): string[] => {
    if (typeof found === "string") return [found];
    if (typeof found !== "object" || found === null) return [];
    return Object.entries(found).flatMap(([key, member]) => [key, ...strings(member)]);
  };

  test("no form of a secret is in the file, in whatever line it came", TIMEOUT, async () => {
    await fc.assert(
      fc.asyncProperty(secret, fc.array(place, { minLength: 1, maxLength: 5 }), async (hidden, places) => {
        const forms = formsOf(hidden);
        const planted = places.map(({ form, before, after }) => {
          const [name = "", text = ""] = [...forms][form % forms.size] ?? [];
          return { name, text: before + text + after };
        });
        const lines: string[] = [];
        const recorder = createRecorder((line) => lines.push(line), {
          secrets: [hidden],
          about: { command: planted[0]?.text ?? "" },
        });
        const tap = recorder.peer("p");
        for (const { text } of planted) {
          tap.frame("msg", { dir: "server->client" }, text);
          tap.frame(
            "msg",
            { dir: "server->client" },
            Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
          );
          tap.event("spawn", { argv: [text], env: { [text]: text } });
        }
        await recorder.close();

        for (const reading of await readAll(Buffer.from(lines.join("")), [])) {
          assert.ok(reading.kind === "event", "the line is an event");
          const { raw64: _, ...event } = reading.event;
          const said = [...strings(event), reading.frame?.toString("latin1") ?? ""];
          for (const [name, form] of forms)
            for (const text of said) {
              assert.ok(!text.includes(form), `${name} in ${JSON.stringify(text)}`);
              assert.ok(
                !text.includes(Buffer.from(form).toString("latin1")),
                `${name} in ${JSON.stringify(text)}`,
              );
            }
          assert.equal(reading.event.sha256, reading.frame && sha256(reading.frame));
        }
      }),
      RUNS,
    );
  });

  test("what is no secret is not touched", TIMEOUT, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const frame = Buffer.from(bytes);
        assert.deepEqual(redactor(["a-secret-of-ours"])?.frame(frame), { bytes: frame, count: 0 });
      }),
      RUNS,
    );
  });

  test("a secret cut anywhere leaves at most two characters", TIMEOUT, () => {
    fc.assert(
      fc.property(
        secret,
        fc.string({ maxLength: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (hidden, before, at) => {
          const whole = Buffer.from(hidden);
          const length = Math.floor(at * whole.length);
          const cut = Buffer.concat([Buffer.from(before), whole.subarray(0, length)]);
          const clean = redactor([hidden])?.frame(cut, true).bytes.toString("latin1") ?? "";
          const beginning = whole.subarray(0, length).toString("latin1");
          if (beginning.length >= 3) assert.ok(!clean.endsWith(beginning), clean);
        },
      ),
    );
  });
});

describe("header values, for all texts [WIR-19]", () => {
  test("they survive, as characters a header may carry", TIMEOUT, () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.base64String().map((inner) => `=?base64?${inner}?=`),
    );
    fc.assert(
      fc.property(text, (given) => {
        const header = encodeHeader(given);
        assert.match(header, /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/);
        assert.equal(decodeHeader(header), given);
      }),
      RUNS,
    );
  });
});

describe("time is linear in bytes [WIR-2]", () => {
  const CHUNK = 64 * 1024;
  const LARGE = 50_000_000;

  /** Shorter times say more about the machine's memory than about our work. */
  const LEAST_MS = 25;

  /** The best of three runs, in milliseconds of our own work: what else the machine does must not count. */
  function timeOf(work: (bytes: number) => void, bytes: number): number {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 3; run++) {
      const start = process.cpuUsage();
      work(bytes);
      const { user, system } = process.cpuUsage(start);
      best = Math.min(best, (user + system) / 1000);
    }
    return best;
  }

  const inChunks = (push: (chunk: Buffer) => void, bytes: number, fill: string): void => {
    const chunk = Buffer.alloc(CHUNK, fill);
    for (let sent = 0; sent < bytes; sent += CHUNK) push(chunk);
  };
  const lines = (maxBytes: number, fill: string) => (bytes: number) => {
    const reader = new LineReader({ maxBytes, headBytes: 4096 }, () => {});
    inChunks((chunk) => reader.push(chunk), bytes, fill);
    reader.end();
  };
  const events = (fill: string) => (bytes: number) => {
    const reader = new SseReader(
      2 * LARGE,
      () => {},
      () => {},
    );
    inChunks((chunk) => reader.push(chunk), bytes, fill);
    reader.end();
  };
  const redact = redactor(["sk-live-0123456789", "another/secret+value", "a\nsecret of\nmany lines"]);
  const cases = [
    { name: "one line", bytes: LARGE, work: lines(2 * LARGE, "x") },
    { name: "one line over the limit", bytes: LARGE, work: lines(1000, "x") },
    { name: "many short lines", bytes: LARGE / 5, work: lines(2 * LARGE, "0123456789abcdef\n") },
    { name: "one event line", bytes: LARGE, work: events("x") },
    { name: "one event of many lines", bytes: LARGE / 20, work: events("data: 0123456789\n") },
    { name: "carriage returns", bytes: LARGE / 200, work: events("\r") },
    {
      name: "a broken message",
      bytes: LARGE / 2,
      work: (bytes: number) => void readMessage(Buffer.alloc(bytes, '{"id" ')),
    },
    {
      name: "redaction of a frame full of beginnings",
      bytes: LARGE / 50,
      work: (bytes: number) => void redact?.frame(Buffer.alloc(bytes, "sk-live-012345678 "), true),
    },
  ];
  for (const c of cases)
    test(`${c.name}: four times the bytes, not sixteen times the time`, TIMEOUT, () => {
      c.work(c.bytes / 4);
      const [quarter, whole] = [timeOf(c.work, c.bytes / 4), timeOf(c.work, c.bytes)];
      assert.ok(
        whole <= 8 * Math.max(quarter, LEAST_MS),
        `${whole} ms for ${c.bytes} bytes, ${quarter} ms for a quarter`,
      );
    });

  const redacting = (secret: string, fill: string): ((bytes: number) => void) => {
    const made = redactor([secret]);
    return (bytes) => void made?.frame(Buffer.alloc(bytes, fill));
  };
  const key = Array.from(
    { length: 26 },
    (_, line) => `${line} MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj`,
  ).join("\n");
  const pairs = [
    {
      name: "a key of many lines costs no more than a few tokens",
      bytes: 400_000,
      simple: redacting("sk-live-0123456789", "The quick brown fox. "),
      hard: redacting(key, "The quick brown fox. "),
    },
    {
      name: "a frame full of beginnings of a secret costs no more than any other",
      bytes: 400_000,
      simple: redacting("sk-live-0123456789", "The quick brown fox. "),
      hard: redacting("sk-live-0123456789", "sk-live-012345678 "),
    },
    {
      name: "backslashes in a secret cost no more than letters, whatever the peer sends",
      bytes: 4_000,
      simple: redacting("\\secret", "\\"),
      hard: redacting("\\\\\\secret", "\\"),
    },
  ];
  for (const c of pairs)
    test(`redaction: ${c.name}`, TIMEOUT, () => {
      const [simple, hard] = [timeOf(c.simple, c.bytes), timeOf(c.hard, c.bytes)];
      assert.ok(hard <= 40 * Math.max(simple, 1), `${hard} ms against ${simple} ms`);
    });
});
