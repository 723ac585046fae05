/** Flows between servers, live: numbers as they are written, what lists say, and what cannot be looked through. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../src/wire/index.ts";
import { call, gatewayOf, LIMIT, reads, type ServerState, type Story, textOf } from "./kit.ts";

const STRICT = { policy: "spec", modes: { admission: "observe", flow: "strict" } } as const;

const between = (said: ServerState, config: object = STRICT): Promise<Story> =>
  gatewayOf({ vault: said, web: { tools: [reads("post", "posted")] } }, { ...config });

/** With the arguments as they are written here. */
const posted = async (session: Session, written: string): Promise<string> =>
  textOf(
    await session.sendRaw(
      `{"jsonrpc":"2.0","id":"q","method":"tools/call","params":{"name":"web__post","arguments":${written}}}`,
      { id: "q" },
    ),
  );

const ACCOUNT = "4929123456781234567";
const AS_RESULT = `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"account":${ACCOUNT}}}}`;
const SAYINGS = [
  { name: "a text", tool: reads("open", `The account is ${ACCOUNT}.`) },
  { name: "a number", tool: reads("open", "", { raw: AS_RESULT }) },
];
for (const { name, tool } of SAYINGS)
  test(
    `digits that were said as ${name} are found in a number of any size [FLW-2] [GTW-15]`,
    LIMIT,
    async () => {
      await using gateway = await between({ tools: [tool] });
      await using session = await gateway.connect();
      await call(session, "vault__open");
      for (const written of [
        `"${ACCOUNT}"`,
        ACCOUNT,
        `-${ACCOUNT}`,
        "4.929123456781234567e18",
        `${ACCOUNT}.0`,
      ])
        assert.match(
          await posted(session, `{"n":[1,${written}]}`),
          /^Denied by SEC-060: vault\.open/,
          written,
        );
      assert.deepEqual(gateway.servers.received("web", "tools/call"), []);
      // Another one passes, as it is written.
      assert.equal(await posted(session, '{"n":[1,7305128811904427691]}'), "posted");
      assert.match(gateway.servers.bytes("web"), /"n":\[1,7305128811904427691\]/);
    },
  );
