/** How long a server that ends is waited for, and how much of a list is read. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { serveHttp } from "../wire/index.ts";
import { Upstream } from "./upstream.ts";

test("the wait for a server that cannot be started doubles up to half a minute, and stays there [GTW-20]", async () => {
  let now = 0;
  const clock = mock.method(performance, "now", () => now);
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const launch = { kind: "stdio", command: "/nowhere/nothing", args: [] } as const;
    const target = { label: "nothing", launch, limits: {}, secrets: [] };
    const clientInfo = { name: "test", version: "1" };
    const upstream = new Upstream({ name: "nothing", target, clientInfo, onChange: () => {} });
    await upstream.open();
    const waits: number[] = [];
    for (let since = 0; waits.length < 12; ) {
      now += 500;
      since += 500;
      const { starts } = upstream;
      mock.timers.tick(500);
      // A start that fails takes no time, and a few turns.
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      if (upstream.starts > starts) {
        waits.push(since / 1000);
        since = 0;
      }
    }
    assert.deepEqual(waits, [0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30]);
    await upstream.close();
  } finally {
    mock.timers.reset();
    clock.mock.restore();
  }
});

test("of a list that goes on no page is asked for after 16 MiB, and nothing of it is taken [GTW-88]", {
  timeout: 30_000,
}, async () => {
  let pages = 0;
  const description = "x".repeat(4 * 1024 * 1024);
  const page = () => ({ tools: [{ name: `t${++pages}`, description }], nextCursor: String(pages) });
  await using server = await serveHttp({
    info: { name: "long", version: "1" },
    capabilities: { tools: {} },
    handlers: { "tools/list": page },
  });
  const target = {
    label: "long",
    launch: { kind: "http", url: server.url },
    limits: {},
    secrets: [],
  } as const;
  const clientInfo = { name: "test", version: "1" };
  const upstream = new Upstream({ name: "long", target, clientInfo, onChange: () => {} });
  await upstream.open();
  assert.deepEqual([pages, upstream.lists.tools], [4, []]);
  await upstream.close();
});
