/** Servers behind a gateway that come back, whatever they ended by. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../kit/paths.ts";
import { chaosWeb } from "./chaos-web.ts";
import { call, gatewayOf, LIMIT, reads, startGateway, textOf } from "./kit.ts";
import { until } from "./program.ts";

/** Servers that nobody vouches for may be used here: what is looked at is something else. */
const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;

test("a server at an address that is started anew is opened anew [GTW-20]", LIMIT, async () => {
  for (const era of ["legacy", "modern"] as const) {
    using folder = temporaryFolder();
    const first = await chaosWeb(era);
    const servers = { web: { url: first.url.href } };
    await using gateway = await startGateway(folder.path, { ...OPEN, servers });
    await using session = await gateway.connect();
    const say = async (): Promise<string> => textOf(await call(session, "web__say", { text: "hello" }));
    assert.equal(await say(), "hello");
    // It knows nothing of the session that it had with us.
    first.forget();
    if (era === "legacy") assert.match(await say(), /HTTP 404/);
    await until(async () => (await say()) === "hello");
    // It is gone, and another one comes in its place.
    await first[Symbol.asyncDispose]();
    assert.match(await say(), /ECONNREFUSED/);
    assert.equal(gateway.assembled.gateway.servers.get("web")?.upstream.isUp, false);
    await using _second = await chaosWeb(era, Number(first.url.port));
    await until(async () => (await say()) === "hello");
  }
});

test(
  "a server that reads nothing of what it is sent is started again: nothing is piled up for it [GTW-20]",
  LIMIT,
  async () => {
    const tools = [reads("stop", "no more", { ending: "deaf" }), reads("say", "hello")];
    await using gateway = await gatewayOf(
      { notes: { tools } },
      { ...OPEN, limits: { timeout_ms: 10_000, max_frame_bytes: 100_000 } },
    );
    await using session = await gateway.connect();
    assert.equal(textOf(await call(session, "notes__stop")), "no more");
    const pile = { pile: "x".repeat(90_000) };
    const sent = await Promise.all(Array.from({ length: 12 }, () => call(session, "notes__say", pile)));
    // Those that come when it is gone already find no such tool.
    for (const outcome of sent)
      assert.match(textOf(outcome), /it does not read what it is sent|Unknown tool/);
    await until(async () => textOf(await call(session, "notes__say")) === "hello");
    assert.equal(gateway.assembled.gateway.servers.get("notes")?.upstream.starts, 2);
  },
);
