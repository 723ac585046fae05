/** Servers behind a gateway that come back, whatever they ended by. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "../kit/paths.ts";
import { chaosWeb } from "./chaos-web.ts";
import { call, LIMIT, startGateway, textOf } from "./kit.ts";
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
