import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { NO_FACTS } from "../../../test/gateway/facts.ts";
import type { Span } from "./encode.ts";
import { Exporter, MOST_WAITING } from "./exporter.ts";
import type { Posted } from "./post.ts";

const LIMIT = { timeout: 10_000 };
const span = (name: string): Span => ({
  traceId: "1",
  spanId: "2",
  isRemote: false,
  kind: "server",
  startMs: 0,
  endMs: 0,
  facts: { ...NO_FACTS, method: name },
});

interface Sent {
  readonly what: string;
  readonly body: string;
}

function exporterOf(send: (sent: Sent, signal: AbortSignal) => Promise<Posted>, intervalMs = 60_000) {
  const said: string[] = [];
  const exporter = new Exporter({
    intervalMs,
    spansText: (spans) => spans.map(({ facts }) => facts.method).join(),
    metricsText: () => "all",
    send: (what, body, signal) => send({ what, body }, signal),
    onTrouble: (text) => said.push(text),
  });
  return { exporter, said };
}

test(
  "what waits is sent at the end, in order, in batches, and the measurements after it [GTW-49]",
  LIMIT,
  async () => {
    const sent: Sent[] = [];
    const { exporter, said } = exporterOf(async (each) => {
      sent.push(each);
      return { kind: "taken" };
    });
    const names = Array.from({ length: 511 }, (_, n) => `s${n}`);
    for (const name of names) exporter.add(span(name));
    await exporter.close();
    assert.deepEqual(sent, [
      { what: "traces", body: names.join() },
      { what: "metrics", body: "all" },
    ]);
    assert.deepEqual([exporter.dropped, said], [0, []]);
  },
);

test("a full batch does not wait for its time [GTW-48]", LIMIT, async () => {
  let sizes: number[] = [];
  const { exporter } = exporterOf(async ({ body }) => {
    sizes = [...sizes, body.split(",").length];
    return { kind: "taken" };
  });
  for (let n = 0; n < 600; n++) exporter.add(span("s"));
  while (sizes.length < 2) await sleep(5);
  assert.deepEqual(sizes, [512, 88]);
  await exporter.close();
});

test(
  "where the collector hangs, no more than so many spans are kept, and the end comes in time [GTW-48, GTW-49]",
  LIMIT,
  async () => {
    const { exporter, said } = exporterOf(
      (_, signal) =>
        new Promise((done) =>
          signal.addEventListener("abort", () => done({ kind: "later", why: "it ends" }), { once: true }),
        ),
      100,
    );
    for (let n = 0; n < MOST_WAITING + 100; n++) exporter.add(span("s"));
    assert.equal(exporter.dropped, 100);
    await sleep(150);
    const began = performance.now();
    await exporter.close();
    assert.ok(performance.now() - began < 3_000);
    assert.equal(exporter.dropped, MOST_WAITING + 100);
    assert.deepEqual(said, [`${MOST_WAITING} spans could not be delivered`]);
  },
);

test(
  "a collector that is away is asked less often, told of once, and its spans are kept [GTW-48]",
  LIMIT,
  async () => {
    let asked = 0;
    const bodies: string[] = [];
    const { exporter, said } = exporterOf(async ({ what, body }) => {
      asked += 1;
      if (asked < 3) return { kind: "later", why: "ECONNREFUSED", waitMs: asked * 200 };
      if (what === "traces") bodies.push(body);
      return { kind: "taken" };
    }, 100);
    exporter.add(span("first"));
    await sleep(150);
    assert.equal(asked, 1);
    exporter.add(span("second"));
    while (bodies.length === 0) await sleep(5);
    assert.deepEqual(bodies, ["first,second"]);
    assert.deepEqual(said, [
      "the collector does not take it (ECONNREFUSED); calls go on as before",
      "the collector takes it again; 0 spans lost so far",
    ]);
    await exporter.close();
  },
);

test("what is refused is dropped and counted, and does not hold up the rest [GTW-48]", LIMIT, async () => {
  const { exporter } = exporterOf(async ({ what }) => ({
    kind: what === "traces" ? "refused" : "taken",
    why: "HTTP 400",
  }));
  for (let n = 0; n < 3; n++) exporter.add(span("s"));
  await exporter.close();
  assert.equal(exporter.dropped, 3);
});

test("whoever throws harms nobody [GTW-48]", LIMIT, async () => {
  const { exporter } = exporterOf(() => Promise.reject(new Error("no")));
  exporter.add(span("s"));
  await exporter.close();
  exporter.add(span("late"));
  assert.equal(exporter.dropped, 2);
});
