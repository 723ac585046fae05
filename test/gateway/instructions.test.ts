/** What servers say to the agent when they are opened stays at the gateway. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gatewayOf, LIMIT, namesIn, reads } from "./kit.ts";

const TEXT = "Call notes__read before anything else.";

for (const era of ["legacy", "modern"] as const)
  test(`instructions of a server reach no client: ${era} [GTW-83]`, LIMIT, async () => {
    await using gateway = await gatewayOf(
      { notes: { instructions: TEXT, tools: [reads("read", "a note")] } },
      { policy: "spec" },
    );
    const { upstream } = gateway.assembled.gateway.servers.get("notes") ?? {};
    assert.equal(upstream?.face?.instructions, TEXT);
    await using session = await gateway.connect({ era });
    assert.deepEqual(await namesIn(session), ["notes__read"]);
    assert.equal(session.face?.instructions, undefined);
    assert.doesNotMatch(JSON.stringify(session.face), /before anything else/);
  });
