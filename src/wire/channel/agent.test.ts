/** Connections to servers elsewhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newAgent } from "./http.ts";

test("a certificate that does not hold ends the connection, whatever the environment says [WIR-10]", () => {
  const { options } = newAgent(new URL("https://a.example/")) as {
    readonly options: { rejectUnauthorized?: boolean };
  };
  assert.equal(options.rejectUnauthorized, true);
});
