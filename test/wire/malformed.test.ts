/** Hundreds of ways to answer wrongly. Each request must end in the one outcome its case names; none may throw or hang. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connect, DEFAULT_LIMITS, type Id, type Outcome, type Session } from "../../src/wire/index.ts";
import { filledIn, straysOf, told } from "../kit/outcomes.ts";
import { root } from "../kit/paths.ts";
import { peer, resultFrame } from "../kit/peer.ts";
import {
  chosenIds,
  type EndingCase,
  endings,
  type Group,
  groups,
  type Lines,
  late,
  nearTheLimit,
  SMALL_LIMIT,
} from "./malformed-stdio.ts";

const launch = {
  kind: "stdio",
  command: process.execPath,
  args: [join(root, "test/fixtures/scripted-server.mjs")],
} as const;
const PATIENCE_MS = 20_000;

const asLines = (lines: Lines, id: Id): Buffer =>
  Buffer.concat(
    (typeof lines === "string" || Buffer.isBuffer(lines) ? [lines] : lines).flatMap((line) => [
      filledIn(line, id),
      Buffer.from("\n"),
    ]),
  );

describe("malformed frames over stdio, one session for all [WIR-3, WIR-4, WIR-7, WIR-8]", () => {
  let session: Session;
  const waiting = new Map<unknown, () => void>();
  const heard = (key: unknown): Promise<void> => new Promise((done) => waiting.set(key, done));
  let nextId = 1000;

  before(async () => {
    session = await connect(launch, {
      onNotification({ method, params }) {
        const { progressToken, requestId } = (params ?? {}) as { progressToken?: Id; requestId?: Id };
        if (method === "notifications/progress") waiting.get(`sent ${progressToken}`)?.();
        if (method === "notifications/late") waiting.get(`late ${requestId}`)?.();
      },
    });
    assert.equal(session.isOpen, true);
  });
  after(() => session.close());

  /** The server sends progress behind its bytes. It comes later than the request may go on, so that a request which is
   *  still open then ends as timed out at once, without a wait. */
  const ending = { timeoutMs: PATIENCE_MS, progressUpToMs: 1 };

  async function play(id: Id, params: Record<string, unknown>): Promise<[Outcome, string[]]> {
    const known = straysOf(session);
    const isSent = heard(`sent ${id}`);
    const isLate = params.late === undefined ? undefined : heard(`late ${id}`);
    const outcome = await session.request("play", params, { ...ending, id });
    await isSent;
    await isLate;
    const strays = straysOf(session);
    for (const reason of known) strays.splice(strays.indexOf(reason), 1);
    return [outcome, strays];
  }

  const run = (group: Group, name: string, lines: Lines, isLate = false, chosen?: Id): void =>
    void test(name, { timeout: PATIENCE_MS }, async () => {
      const id = chosen ?? nextId++;
      const bytes = asLines(lines, id);
      const [outcome, strays] = await play(id, { [isLate ? "late" : "send"]: bytes.toString("base64") });
      assert.deepEqual(
        { outcome: told(outcome), strays },
        { outcome: group.want, strays: group.strays ?? [] },
      );
      assert.equal(outcome.id, id);
      // The bytes that ended the request are kept as they came.
      if ("raw" in outcome && !Array.isArray(lines)) assert.deepEqual(outcome.raw, bytes.subarray(0, -1));
    });

  for (const [title, list] of Object.entries(groups))
    describe(title, () => {
      for (const group of list)
        for (const [name, lines] of Object.entries(group.cases)) run(group, `${name}: ${group.want}`, lines);
    });

  describe("after the client gave up", () => {
    for (const group of late)
      for (const [name, lines] of Object.entries(group.cases))
        run(group, `${name}: ${group.strays?.join(", ")}`, lines, true);
  });

  describe("ids of our choice", () => {
    for (const group of chosenIds)
      for (const [name, lines] of Object.entries(group.cases))
        run(group, `${name}: ${group.want}`, lines, false, group.id);
  });

  test("after all of them the session still works, and nothing leaked into Object", async () => {
    const { kind } = await session.request(
      "play",
      {
        send: Buffer.from(`{"jsonrpc":"2.0","id":999999,"result":{}}\n`).toString("base64"),
      },
      { id: 999_999 },
    );
    assert.equal(kind, "result");
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});

const playing = (
  limits: { maxFrameBytes: number; stopStepMs?: number },
  use: (session: Session) => Promise<void>,
): Promise<void> =>
  connect(launch, { limits }).then(async (session) => {
    try {
      assert.equal(session.isOpen, true);
      await use(session);
    } finally {
      await session.close();
    }
  });

describe("frames near the limit over stdio [WIR-2, WIR-9]", { concurrency: 3 }, () => {
  for (const group of nearTheLimit)
    for (const [name, lines] of Object.entries(group.cases))
      test(`${name}: ${group.want}`, { timeout: PATIENCE_MS }, () =>
        playing({ maxFrameBytes: SMALL_LIMIT }, async (session) => {
          const send = asLines(lines, group.id).toString("base64");
          const outcome = await session.request("play", { send }, { id: group.id });
          // Answered by the next request, so that everything behind the answer has been read as well.
          const next = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 99, result: {} })}\n`).toString(
            "base64",
          );
          assert.equal((await session.request("play", { send: next }, { id: 99 })).kind, "result");
          assert.deepEqual(
            { outcome: told(outcome), strays: straysOf(session) },
            { outcome: group.want, strays: group.strays ?? [] },
          );
          if (outcome.kind !== "oversized") return;
          assert.equal(outcome.limit, SMALL_LIMIT);
          assert.equal(outcome.bytes > SMALL_LIMIT, true);
          assert.equal(outcome.raw.length, 4096);
        }),
      );
});

describe("what a server does after its bytes over stdio [WIR-7]", { concurrency: 4 }, () => {
  const paramsOf = ({ send = "", next }: EndingCase, id: Id): Record<string, unknown> => ({
    send: filledIn(send, id).toString("base64"),
    ...(next === "silence"
      ? { quiet: true }
      : next === "close"
        ? { next }
        : "exit" in next
          ? { next: "exit", code: next.exit }
          : { next: "signal", signal: next.signal }),
  });
  for (const c of endings)
    test(`${c.name}: ${c.want}`, { timeout: PATIENCE_MS }, () =>
      playing(
        { maxFrameBytes: c.want === "oversized" ? SMALL_LIMIT : 1 << 24, stopStepMs: 100 },
        async (session) => {
          const stays = c.next === "close" || c.next === "silence";
          const outcome = await session.request("play", paramsOf(c, 7), {
            id: 7,
            timeoutMs: stays ? 400 : PATIENCE_MS,
          });
          assert.deepEqual(
            { outcome: told(outcome), strays: straysOf(session) },
            { outcome: c.want, strays: c.strays ?? [] },
          );
        },
      ),
    );

  test(
    "once the process is gone every later request ends the same way at once",
    { timeout: PATIENCE_MS },
    () =>
      playing({ maxFrameBytes: 1 << 24 }, async (session) => {
        const first = await session.request("play", { next: "exit", code: 3 });
        const second = await session.request("play", {});
        assert.equal(told(first), "crashed 3");
        assert.equal(told(second), "crashed 3");
        assert.equal(second.ms, 0);
      }),
  );
});

describe("input a server asks for [WIR-16]", () => {
  /** Asks once with these input requests, then gives a result. */
  const asking = (inputRequests: unknown): ReturnType<typeof peer> =>
    peer(
      ({ id, params }) => [
        resultFrame(
          id,
          params?.inputResponses === undefined
            ? { resultType: "input_required", inputRequests }
            : { ok: true },
        ),
      ],
      { answer: () => ({ action: "accept" }) },
    );

  const cases = [
    { name: "input requests of null", inputRequests: null },
    { name: "input requests that are a number", inputRequests: 5 },
    { name: "input requests that are a text", inputRequests: "ab" },
    { name: "input requests that are a list", inputRequests: [{ method: "m" }] },
    { name: "an input request of null", inputRequests: { a: null } },
    { name: "an input request that is a number", inputRequests: { a: 5 } },
    { name: "an input request without a method", inputRequests: { a: {} } },
    { name: "an input request whose method is a number", inputRequests: { a: { method: 5 } } },
  ];
  for (const c of cases)
    test(`${c.name}: the request ends and does not throw`, async () => {
      const { kind } = await asking(c.inputRequests).session.request("tools/call");
      assert.ok(kind === "result" || kind === "input-required" || kind === "malformed", kind);
    });

  test("is answered under the same keys, whatever they are called", async () => {
    const { session, sent } = asking(JSON.parse('{"__proto__":{"method":"m"},"a":{"method":"m"}}'));
    assert.equal((await session.request("tools/call")).kind, "result");
    assert.deepEqual(Object.keys(sent[1]?.params?.inputResponses ?? {}), ["__proto__", "a"]);
  });
});

describe("floods [WIR-9]", () => {
  const notification = '{"jsonrpc":"2.0","method":"m"}';
  const cases = [
    { name: "more messages than the limit", frames: Array<string>(100).fill(notification) },
    {
      name: "more messages than the limit in one batch",
      frames: [`[${Array(100).fill(notification).join()}]`],
    },
    { name: "more noise than the limit", frames: Array<string>(100).fill("x") },
    { name: "more noise than the limit in one batch", frames: [`[${Array(100).fill("1").join()}]`] },
  ];
  for (const c of cases)
    test(`${c.name} end the connection`, async () => {
      let heard = 0;
      const { session } = peer(({ method }) => (method === "play" ? c.frames : []), {
        limits: { ...DEFAULT_LIMITS, maxMessages: 10, timeoutMs: 1_000 },
        onNotification: () => {
          heard += 1;
        },
      });
      assert.equal((await session.request("play")).kind, "flooded");
      assert.equal(heard + (session.strays.counts.get("noise") ?? 0) <= 10, true);
    });
});
