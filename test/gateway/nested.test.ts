/** What is nested deeper than anybody can write it again hurts whoever sent it, and nobody else. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../src/wire/index.ts";
import { program, temporaryFolder } from "../kit/paths.ts";
import { call, gatewayOf, LIMIT, reads, Servers, textOf } from "./kit.ts";
import { until } from "./program.ts";

const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;
const DEEP = "[".repeat(20_000) + "]".repeat(20_000);
const rawTools = `[{"name":"say","inputSchema":{"type":"object"},"x":${DEEP}}]`;

test("a list that is nested too deeply is an empty one, at the start and later [GTW-20]", LIMIT, async () => {
  const good = { tools: [reads("hi", "hello")] };
  await using gateway = await gatewayOf({ bad: { rawTools }, late: good, good }, OPEN);
  await using session = await gateway.connect();
  assert.equal(textOf(await call(session, "good__hi")), "hello");
  gateway.servers.set("late", { rawTools });
  const why =
    /^Denied by list-unread: late is up, and its list of tools could not be read to its end: it is nested too deeply /;
  await until(async () => why.test(textOf(await call(session, "late__hi"))));
  assert.equal(textOf(await call(session, "good__hi")), "hello");
  // It may come to its senses.
  gateway.servers.set("bad", good);
  await until(async () => textOf(await call(session, "bad__hi")) === "hello");
});

test("answers that are nested too deeply end no gateway over stdio [GTW-20]", LIMIT, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  const error = `{"jsonrpc":"2.0","id":ID,"error":{"code":-1,"message":"no","data":${DEEP}}}`;
  const result = `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"x":${DEEP},"_meta":{"touchstone/trust":1}}}`;
  servers.set("notes", {
    tools: [
      reads("error", "", { raw: error }),
      reads("result", "", { raw: result }),
      reads("large", "x".repeat(6_000_000)),
      reads("hi", "hello"),
    ],
  });
  const file = join(folder.path, "touchstone.yml");
  writeFileSync(file, JSON.stringify({ ...OPEN, servers: { notes: servers.entry("notes") } }));
  const args = [program, "gateway", "--config", file];
  await using session = await connect({ kind: "stdio", command: process.execPath, args });
  for (const tool of ["error", "result", "large"]) await call(session, `notes__${tool}`);
  assert.equal(textOf(await call(session, "notes__hi")), "hello");
});
