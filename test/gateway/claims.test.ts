/** SEC-061 live: a client that suddenly claims that its user can be asked does not get to answer in that user's place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "../../src/wire/index.ts";
import { call, gatewayOf, LIMIT, reads, textOf, writes } from "./kit.ts";

const TOKEN = "a-token-of-twenty-chars";
const SECRET = "The launch code of the harbour crane is 7741-kilo-9920";

for (const [mode, asked, outcome] of [
  ["observe", true, "allowed"],
  ["strip", false, "allowed"],
  ["refuse", false, "denied"],
] as const)
  for (const token of [TOKEN, undefined])
    test(
      `a client ${token ? "with" : "without"} a token that claims elicitation later on, in ${mode} [GTW-39]`,
      LIMIT,
      async () => {
        await using gateway = await gatewayOf(
          { vault: { tools: [reads("open", SECRET)] }, web: { tools: [writes("post", "posted")] } },
          {
            policy: "spec",
            modes: { admission: "observe", trigger: "observe", flow: "ask", claims: mode },
            ...(token ? { tokens: { ann: { env: "ANN" } } } : {}),
          },
          { ANN: TOKEN },
        );
        {
          await using session = await gateway.connect({ era: "modern", ...(token ? { token } : {}) });
          assert.equal(textOf(await call(session, "vault__open")), SECRET);
        }
        let questions = 0;
        await using session = await gateway.connect({
          era: "modern",
          ...(token ? { token } : {}),
          claims: { elicitation: {} },
          answer: () => {
            questions += 1;
            return { action: "accept", content: { allow: true } };
          },
        });
        const said = textOf(await call(session, "web__post", { body: SECRET }));
        assert.equal(questions > 0, asked);
        assert.equal(said === "posted", asked);
        assert.equal(gateway.servers.received("web", "tools/call").length, asked ? 1 : 0);
        if (mode === "refuse")
          assert.match(said, /SEC-061: claims elicitation, elicitation\.form beyond its first claims/);
        const [found] = gateway.entries("finding");
        assert.deepEqual([found?.outcome, found?.server, found?.tool], [outcome, "web", "post"]);
        assert.deepEqual(isRecord(found?.data) && [found.data.rule, found.data.claimed], [
          "SEC-061",
          ["elicitation", "elicitation.form"],
        ]);
      },
    );
