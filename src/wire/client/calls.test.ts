/** Which frame ends which request: one table of small plays. `seen` is what came of them, in order. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { WHOLE_CHANNEL } from "../channel/channel.ts";
import type { Id } from "../frame/message.ts";
import { HEAD_BYTES } from "../limits.ts";
import type { Ending, Outcome, Stray } from "../outcome.ts";
import { Calls } from "./calls.ts";

type Step =
  | { open: Id; x?: number }
  | { frame: string | Buffer; x?: number; status?: number }
  | { timeOut: Id }
  | { cancel: Id }
  | { oversized: string }
  | { unterminated: string }
  | { ended: Ending; x?: number };

interface Case {
  readonly name: string;
  readonly play: readonly Step[];
  readonly seen: readonly string[];
}

const closed: Ending = { kind: "closed", reason: "gone" };
const crashed: Ending = { kind: "crashed", exit: { code: 3, signal: null } };
const refused: Ending = { kind: "http", status: 404, raw: Buffer.alloc(0) };

const result = (id: unknown, value: unknown = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result: value });
const error = (id: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "no" } });

function told(outcome: Outcome): string {
  const more = [
    ...("fault" in outcome ? [outcome.fault] : []),
    ...("withoutId" in outcome && outcome.withoutId ? ["without id"] : []),
    ...("status" in outcome && outcome.status !== undefined ? [`HTTP ${outcome.status}`] : []),
  ];
  return [JSON.stringify(outcome.id), outcome.kind, ...more].join(" ");
}

/** The stream that belongs to no request. */
const STANDING = 99;

/** Plays the steps; then everything still open is told as `open`. */
function seenBy(play: readonly Step[]): string[] {
  const seen: string[] = [];
  const opened: Id[] = [];
  const calls = new Calls({
    incoming: (message) => seen.push(`${message.kind} ${message.method}`),
    stray: ({ reason, fault }) =>
      seen.push(fault === undefined ? `stray ${reason}` : `stray ${reason} ${fault}`),
    isStanding: (exchange) => exchange === STANDING,
  });
  for (const step of play) {
    if ("open" in step) {
      opened.push(step.open);
      calls.open(step.open, step.x ?? WHOLE_CHANNEL, (outcome) => seen.push(told(outcome)));
    } else if ("frame" in step) calls.receive(Buffer.from(step.frame), step.x ?? WHOLE_CHANNEL, step.status);
    else if ("timeOut" in step) calls.giveUp(step.timeOut, { kind: "timed-out", afterMs: 1 });
    else if ("cancel" in step) calls.giveUp(step.cancel, { kind: "cancelled" });
    else if ("oversized" in step)
      calls.broken("oversized", Buffer.from(step.oversized), 100, WHOLE_CHANNEL, 50);
    else if ("unterminated" in step)
      calls.broken("not-json", Buffer.from(step.unterminated), step.unterminated.length, WHOLE_CHANNEL, 50);
    else calls.ended(step.x ?? WHOLE_CHANNEL, step.ended);
  }
  for (const id of opened) if (calls.isOpen(id)) seen.push(`${JSON.stringify(id)} open`);
  return seen;
}

function check(cases: readonly Case[]): void {
  for (const c of cases) test(c.name, () => assert.deepEqual(seenBy(c.play), c.seen));
}

describe("Calls: answers [WIR-8]", () => {
  check([
    { name: "a result ends its request", play: [{ open: 5 }, { frame: result(5) }], seen: ["5 result"] },
    { name: "an error ends its request", play: [{ open: 5 }, { frame: error(5) }], seen: ["5 error"] },
    {
      name: "a text id is answered by that text",
      play: [{ open: "a" }, { frame: result("a") }],
      seen: ['"a" result'],
    },
    { name: "the id 0 is an id", play: [{ open: 0 }, { frame: result(0) }], seen: ["0 result"] },
    { name: "the empty text is an id", play: [{ open: "" }, { frame: result("") }], seen: ['"" result'] },
    {
      name: "a result that asks for input is told apart",
      play: [{ open: 5 }, { frame: result(5, { resultType: "input_required" }) }],
      seen: ["5 input-required"],
    },
    {
      name: "another result type is a result",
      play: [{ open: 5 }, { frame: result(5, { resultType: "complete" }) }],
      seen: ["5 result"],
    },
    {
      name: "each of two requests gets its own answer, in any order",
      play: [{ open: 1 }, { open: 2 }, { frame: result(2) }, { frame: error(1) }],
      seen: ["2 result", "1 error"],
    },
    {
      name: "the status of the response it came in goes with an answer",
      play: [
        { open: 5, x: 1 },
        { frame: error(5), x: 1, status: 404 },
      ],
      seen: ["5 error HTTP 404"],
    },
    {
      name: "requests and notifications of the peer end nothing",
      play: [
        { open: 5 },
        { frame: '{"jsonrpc":"2.0","id":5,"method":"ping"}' },
        { frame: '{"jsonrpc":"2.0","method":"notifications/message"}' },
      ],
      seen: ["request ping", "notification notifications/message", "5 open"],
    },
  ]);
});

describe("Calls: ids that do not fit [WIR-8]", () => {
  check([
    {
      name: 'the text "5" for the number 5 ends it as malformed',
      play: [{ open: 5 }, { frame: result("5") }],
      seen: ["5 malformed id-type"],
    },
    {
      name: 'the number 5 for the text "5" ends it as malformed',
      play: [{ open: "5" }, { frame: result(5) }],
      seen: ['"5" malformed id-type'],
    },
    {
      name: "an error with the id in the other type does too",
      play: [{ open: 5 }, { frame: error("5") }],
      seen: ["5 malformed id-type"],
    },
    {
      name: "the exact id wins over its twin",
      play: [{ open: 5 }, { open: "5" }, { frame: result("5") }],
      seen: ['"5" result', "5 open"],
    },
    {
      name: "the other type is found among several open requests",
      play: [{ open: 5 }, { open: 6 }, { frame: result("6") }],
      seen: ["6 malformed id-type", "5 open"],
    },
    {
      name: "an answer to nothing is stray",
      play: [{ frame: result(5) }, { frame: error(6) }],
      seen: ["stray unknown-id", "stray unknown-id"],
    },
    {
      name: "an unknown id beside one open request makes it malformed when time is out",
      play: [{ open: 5 }, { frame: result(6) }, { timeOut: 5 }],
      seen: ["stray unknown-id", "5 malformed unknown-id"],
    },
    {
      name: "an unknown id beside two open requests says nothing about either",
      play: [{ open: 5 }, { open: 6 }, { frame: result(7) }, { timeOut: 5 }, { timeOut: 6 }],
      seen: ["stray unknown-id", "5 timed-out", "6 timed-out"],
    },
    {
      name: "a second answer is a duplicate",
      play: [{ open: 5 }, { frame: result(5) }, { frame: result(5) }, { frame: error(5) }],
      seen: ["5 result", "stray duplicate-answer", "stray duplicate-answer"],
    },
    {
      name: "a duplicate does not make the next request suspect",
      play: [{ open: 5 }, { frame: result(5) }, { open: 6 }, { frame: result(5) }, { timeOut: 6 }],
      seen: ["5 result", "stray duplicate-answer", "6 timed-out"],
    },
    {
      name: "an answer after the time-out is late",
      play: [{ open: 5 }, { timeOut: 5 }, { frame: result(5) }],
      seen: ["5 timed-out", "stray late-answer"],
    },
    {
      name: "an answer after cancelling is late",
      play: [{ open: 5 }, { cancel: 5 }, { frame: error(5) }],
      seen: ["5 cancelled", "stray late-answer"],
    },
    {
      name: "an answer after the end of its exchange is late",
      play: [
        { open: 5, x: 1 },
        { ended: closed, x: 1 },
        { frame: result(5), x: 2 },
      ],
      seen: ["5 closed", "stray late-answer"],
    },
    {
      name: "an id may be used again once its request has ended",
      play: [{ open: 5 }, { timeOut: 5 }, { open: 5 }, { frame: result(5) }],
      seen: ["5 timed-out", "5 result"],
    },
    {
      name: "over HTTP an answer in the exchange of another request answers neither",
      play: [
        { open: 5, x: 1 },
        { open: 6, x: 2 },
        { frame: result(6), x: 1 },
        { ended: closed, x: 1 },
      ],
      seen: ["stray unknown-id", "5 malformed unknown-id", "6 open"],
    },
    {
      name: "nor does an error, or one that is malformed or of the other type",
      play: [
        { open: 5, x: 1 },
        { open: 6, x: 2 },
        { frame: error(6), x: 1 },
        { frame: result("6"), x: 1 },
        { frame: '{"jsonrpc":"1.0","id":6,"result":{}}', x: 1 },
        { frame: result(5), x: 1 },
      ],
      seen: [
        "stray unknown-id",
        "stray unknown-id",
        "stray malformed-frame bad-version",
        "5 result",
        "6 open",
      ],
    },
    {
      name: "on a stream that is no request's own the id tells",
      play: [
        { open: 5, x: 1 },
        { frame: result(5), x: STANDING },
      ],
      seen: ["5 result"],
    },
  ]);

  test("the last 4096 ended requests are remembered, and not all there ever were", () => {
    const strays: Stray["reason"][] = [];
    const calls = new Calls({ incoming() {}, stray: ({ reason }) => strays.push(reason) });
    for (let id = 0; id <= 2 * 4096; id++) {
      calls.open(id, WHOLE_CHANNEL, () => {});
      calls.receive(Buffer.from(result(id)), WHOLE_CHANNEL);
    }
    for (const id of [4097, 8192, 0]) calls.receive(Buffer.from(result(id)), WHOLE_CHANNEL);
    assert.deepEqual(strays, ["duplicate-answer", "duplicate-answer", "unknown-id"]);
  });
});

describe("Calls: errors without an id [WIR-8]", () => {
  check([
    {
      name: "an error with the id null belongs to the one open request",
      play: [{ open: 5 }, { frame: error(null) }],
      seen: ["5 error without id"],
    },
    {
      name: "so does an error with no id at all",
      play: [{ open: 5 }, { frame: error(undefined) }],
      seen: ["5 error without id"],
    },
    {
      name: "with two open requests it belongs to neither",
      play: [{ open: 5 }, { open: 6 }, { frame: error(null) }],
      seen: ["stray unknown-id", "5 open", "6 open"],
    },
    {
      name: "and says nothing about how they end",
      play: [{ open: 5 }, { open: 6 }, { frame: error(null) }, { timeOut: 5 }, { ended: closed }],
      seen: ["stray unknown-id", "5 timed-out", "6 closed"],
    },
    { name: "with none open it is stray", play: [{ frame: error(null) }], seen: ["stray unknown-id"] },
    {
      name: "over HTTP it belongs to the request of its exchange",
      play: [
        { open: 5, x: 1 },
        { open: 6, x: 2 },
        { frame: error(null), x: 2, status: 400 },
      ],
      seen: ["6 error without id HTTP 400", "5 open"],
    },
    {
      name: "over HTTP it belongs to no request of another exchange",
      play: [
        { open: 5, x: 1 },
        { frame: error(null), x: 2 },
      ],
      seen: ["stray unknown-id", "5 open"],
    },
    {
      name: "a result with the id null ends nothing, but leaves its mark",
      play: [{ open: 5 }, { frame: result(null) }, { timeOut: 5 }],
      seen: ["stray malformed-frame bad-id", "5 malformed bad-id"],
    },
  ]);
});

describe("Calls: batches [WIR-8]", () => {
  check([
    {
      name: "each answer of a batch ends its request",
      play: [{ open: 1 }, { open: 2 }, { frame: `[${result(2)},${result(1)}]` }],
      seen: ["2 result", "1 result"],
    },
    {
      name: "a batch may mix questions, answers and faults",
      play: [{ open: 1 }, { frame: `[7,{"jsonrpc":"2.0","method":"m"},${result(1)},${result(1)},[]]` }],
      seen: [
        "stray noise not-object",
        "notification m",
        "1 result",
        "stray duplicate-answer",
        "stray malformed-frame nested-batch",
      ],
    },
    {
      name: "an empty batch is a failed answer",
      play: [{ open: 1 }, { frame: "[]" }, { timeOut: 1 }],
      seen: ["stray malformed-frame empty-batch", "1 malformed empty-batch"],
    },
    {
      name: "two errors without an id: the first one ends the request",
      play: [{ open: 1 }, { frame: `[${error(null)},${error(null)}]` }],
      seen: ["1 error without id", "stray unknown-id"],
    },
  ]);
});

describe("Calls: malformed frames [WIR-8]", () => {
  const broken = '{"jsonrpc":"2.0","id":5,"result":';
  const noId = '{"jsonrpc":"2.0","result":{}}';
  check([
    {
      name: "one that names an open request ends it at once",
      play: [{ open: 5 }, { open: 6 }, { frame: '{"jsonrpc":"2.0","id":5}' }],
      seen: ["5 malformed no-method-no-answer", "6 open"],
    },
    {
      name: "so does one whose id can only be read from the text",
      play: [{ open: 5 }, { open: 6 }, { frame: broken }],
      seen: ["5 malformed not-json", "6 open"],
    },
    {
      name: "and the right answer after it is a duplicate",
      play: [{ open: 5 }, { frame: broken }, { frame: result(5) }],
      seen: ["5 malformed not-json", "stray duplicate-answer"],
    },
    {
      name: "a request with a fault is no answer, even with the id of ours",
      play: [{ open: 5 }, { frame: '{"jsonrpc":"2.0","id":5,"method":"m","params":1}' }, { timeOut: 5 }],
      seen: ["stray malformed-frame bad-params", "5 timed-out"],
    },
    {
      name: "nor is a request that is not JSON, even with the id of ours",
      play: [{ open: 5 }, { frame: '{"jsonrpc":"2.0","id":5,"method":"ping",}' }, { frame: result(5) }],
      seen: ["stray noise not-json", "5 result"],
    },
    {
      name: "one without an id, then silence: the time-out becomes malformed",
      play: [{ open: 5 }, { frame: noId }, { timeOut: 5 }],
      seen: ["stray malformed-frame bad-id", "5 malformed bad-id"],
    },
    {
      name: "one without an id, then the end: the close becomes malformed",
      play: [{ open: 5 }, { frame: noId }, { ended: closed }],
      seen: ["stray malformed-frame bad-id", "5 malformed bad-id"],
    },
    {
      name: "one without an id, then the right answer: the answer wins",
      play: [{ open: 5 }, { frame: noId }, { frame: "{" }, { frame: result(5) }],
      seen: ["stray malformed-frame bad-id", "stray noise not-json", "5 result"],
    },
    {
      name: "of several the first one tells",
      play: [{ open: 5 }, { frame: "[]" }, { frame: noId }, { frame: result(9) }, { timeOut: 5 }],
      seen: [
        "stray malformed-frame empty-batch",
        "stray malformed-frame bad-id",
        "stray unknown-id",
        "5 malformed empty-batch",
      ],
    },
    {
      name: "our own cancelling stays cancelling",
      play: [{ open: 5 }, { frame: noId }, { cancel: 5 }],
      seen: ["stray malformed-frame bad-id", "5 cancelled"],
    },
    {
      name: "with two open requests it says nothing about either",
      play: [{ open: 5 }, { open: 6 }, { frame: noId }, { timeOut: 5 }, { ended: crashed }],
      seen: ["stray malformed-frame bad-id", "5 timed-out", "6 crashed"],
    },
    {
      name: "before a request was open it says nothing about it",
      play: [{ frame: noId }, { open: 5 }, { timeOut: 5 }],
      seen: ["stray malformed-frame bad-id", "5 timed-out"],
    },
    {
      name: "one that names an ended request says nothing about it",
      play: [{ open: 5 }, { frame: result(5) }, { frame: broken }],
      seen: ["5 result", "stray noise not-json"],
    },
    {
      name: "over HTTP the status goes with it",
      play: [
        { open: 5, x: 1 },
        { frame: noId, x: 1, status: 200 },
        { ended: refused, x: 1 },
      ],
      seen: ["stray malformed-frame bad-id", "5 malformed bad-id HTTP 200"],
    },
  ]);
});

describe("Calls: noise [WIR-8]", () => {
  check([
    {
      name: "text, then silence: the time-out stays a time-out",
      play: [{ open: 5 }, { frame: "listening" }, { timeOut: 5 }],
      seen: ["stray noise not-json", "5 timed-out"],
    },
    {
      name: "text, then the end: the crash stays a crash",
      play: [{ open: 5 }, { frame: "Segmentation fault" }, { ended: crashed }],
      seen: ["stray noise not-json", "5 crashed"],
    },
    {
      name: "a log line that is JSON does not spoil the answer",
      play: [{ open: 5 }, { frame: '{"level":"info","msg":"up"}' }, { frame: result(5) }],
      seen: ["stray malformed-frame bad-version", "5 result"],
    },
    {
      name: "nor the time-out",
      play: [{ open: 5 }, { frame: '{"level":"info","msg":"up"}' }, { timeOut: 5 }],
      seen: ["stray malformed-frame bad-version", "5 timed-out"],
    },
    {
      name: "an empty line is noise",
      play: [{ open: 5 }, { frame: "" }, { frame: "\r" }, { timeOut: 5 }],
      seen: ["stray noise empty", "stray noise empty", "5 timed-out"],
    },
    {
      name: "bytes that are not UTF-8 are noise",
      play: [{ open: 5 }, { frame: Buffer.from([0xff, 0xfe]) }, { timeOut: 5 }],
      seen: ["stray noise not-utf8", "5 timed-out"],
    },
    {
      name: "over HTTP, where nothing else belongs, it is a failed answer",
      play: [
        { open: 5, x: 1 },
        { frame: "<html>", x: 1, status: 200 },
        { ended: refused, x: 1 },
      ],
      seen: ["stray noise not-json", "5 malformed not-json HTTP 200"],
    },
    {
      name: "over HTTP it says nothing about another exchange",
      play: [
        { open: 5, x: 1 },
        { frame: "<html>", x: 2, status: 200 },
        { ended: closed, x: 1 },
      ],
      seen: ["stray noise not-json", "5 closed"],
    },
  ]);
});

describe("Calls: what can be no frame [WIR-8]", () => {
  check([
    {
      name: "an oversized line ends the one open request",
      play: [{ open: 5 }, { oversized: "{" }],
      seen: ["5 oversized", "stray oversized oversized"],
    },
    {
      name: "an oversized line beside two open requests ends neither",
      play: [{ open: 5 }, { open: 6 }, { oversized: "{" }],
      seen: ["stray oversized oversized", "5 open", "6 open"],
    },
    {
      name: "an answer after the oversized line is late",
      play: [{ open: 5 }, { oversized: "{" }, { frame: result(5) }],
      seen: ["5 oversized", "stray oversized oversized", "stray late-answer"],
    },
    {
      name: "a cut-off answer, then the end: malformed",
      play: [{ open: 5 }, { unterminated: '{"jsonrpc":"2.0","id' }, { ended: closed }],
      seen: ["stray unterminated not-json", "5 malformed not-json"],
    },
    {
      name: "text without its newline, then the end: the crash stays a crash",
      play: [{ open: 5 }, { unterminated: "Segmentation fault" }, { ended: crashed }],
      seen: ["stray unterminated not-json", "5 crashed"],
    },
    {
      name: "a cut-off line beside two open requests says nothing about either",
      play: [{ open: 5 }, { open: 6 }, { unterminated: "{" }, { ended: closed }],
      seen: ["stray unterminated not-json", "5 closed", "6 closed"],
    },
  ]);
});

describe("Calls: endings [WIR-7]", () => {
  check([
    {
      name: "the end of the channel ends every request",
      play: [{ open: 5, x: 1 }, { open: 6, x: 2 }, { open: 7 }, { ended: closed }],
      seen: ["5 closed", "6 closed", "7 closed"],
    },
    {
      name: "the end of an exchange ends the requests of that exchange",
      play: [
        { open: 5, x: 1 },
        { open: 6, x: 2 },
        { ended: closed, x: 1 },
      ],
      seen: ["5 closed", "6 open"],
    },
    {
      name: "the end of an answered exchange changes nothing",
      play: [{ open: 5, x: 1 }, { frame: result(5), x: 1 }, { ended: closed, x: 1 }, { ended: closed }],
      seen: ["5 result"],
    },
    {
      name: "giving up what is not open changes nothing",
      play: [{ timeOut: 5 }, { open: 5 }, { frame: result(5) }, { timeOut: 5 }, { cancel: 5 }],
      seen: ["5 result"],
    },
    {
      name: "an id opened a second time ends the first request too",
      play: [{ open: 5 }, { open: 5 }, { frame: result(5) }, { ended: closed }],
      seen: ["5 cancelled", "5 result"],
    },
  ]);

  test("a request that is given up while others end is settled once", () => {
    const settled: string[] = [];
    const calls = new Calls({ incoming() {}, stray() {} });
    calls.open(1, WHOLE_CHANNEL, ({ kind }) => {
      settled.push(`1 ${kind}`);
      calls.giveUp(2, { kind: "cancelled" });
    });
    calls.open(2, WHOLE_CHANNEL, ({ kind }) => settled.push(`2 ${kind}`));
    calls.ended(WHOLE_CHANNEL, closed);
    assert.deepEqual(settled, ["1 closed", "2 cancelled"]);
  });

  test("whether an exchange is awaited", () => {
    const calls = new Calls({ incoming() {}, stray() {} });
    calls.open(5, 1, () => {});
    assert.equal(calls.isAwaited(1), true);
    assert.equal(calls.isAwaited(2), false);
    calls.receive(Buffer.from(result(5)), 1);
    assert.equal(calls.isAwaited(1), false);
  });

  test("an outcome has the id, the time it took and the bytes that caused it", () => {
    let now = 100;
    let outcome: Outcome | undefined;
    const calls = new Calls({ incoming() {}, stray() {} }, () => now);
    calls.open(5, WHOLE_CHANNEL, (given) => {
      outcome = given;
    });
    now = 142;
    const raw = Buffer.from(` ${result(5, { unknown: [1] })}\r`);
    calls.receive(raw, WHOLE_CHANNEL);
    assert.deepEqual(outcome, { id: 5, ms: 42, kind: "result", result: { unknown: [1] }, raw });
  });

  test("a stray has its first bytes and its size", () => {
    const strays: Stray[] = [];
    const calls = new Calls({ incoming() {}, stray: (stray) => strays.push(stray) });
    const [short, long] = [Buffer.from("hello"), Buffer.alloc(HEAD_BYTES + 1, "x")];
    calls.receive(short, WHOLE_CHANNEL);
    calls.receive(long, WHOLE_CHANNEL);
    assert.deepEqual(strays, [
      { reason: "noise", fault: "not-json", head: short, bytes: 5 },
      { reason: "noise", fault: "not-json", head: long.subarray(0, HEAD_BYTES), bytes: HEAD_BYTES + 1 },
    ]);
  });
});
