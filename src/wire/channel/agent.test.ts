/** Connections to servers elsewhere. */
import assert from "node:assert/strict";
import type https from "node:https";
import { test } from "node:test";
import { ByLibrary, waysTo } from "./http-exchange.ts";

test("a certificate that does not hold ends the connection, whatever the environment says [WIR-10]", () => {
  const ways = waysTo(new URL("https://a.example/"));
  assert.equal(ways instanceof ByLibrary && (ways.agent as https.Agent).options.rejectUnauthorized, true);
  ways.destroy();
});
