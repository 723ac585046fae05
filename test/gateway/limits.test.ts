/** Limits on calls, through the gateway: what exceeds them is stopped or written down, as each says itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "../../src/wire/index.ts";
import { call, gatewayOf, LIMIT, reads, textOf } from "./kit.ts";

const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;
const limitedBy = (...calls: readonly object[]): Readonly<Record<string, unknown>> => ({
  ...OPEN,
  limits: { calls },
});
const limitsIn = (entries: readonly Readonly<Record<string, unknown>>[]): unknown[] =>
  entries.flatMap(({ data, outcome }) =>
    isRecord(data) && isRecord(data.limit) ? [[outcome, data.limit.fail]] : [],
  );

test("calls beyond a rate reach nobody, those of other tools do [GTW-29] [GTW-30]", LIMIT, async () => {
  await using gateway = await gatewayOf(
    { mail: { tools: [reads("list", "three letters"), reads("read", "a letter")] } },
    limitedBy({ server: "mail", rate: "2/h" }),
  );
  await using session = await gateway.connect();
  const said: string[] = [];
  for (const name of ["list", "list", "list", "read"])
    said.push(textOf(await call(session, `mail__${name}`)));
  assert.match(said[2] ?? "", /^Denied by limits: more than 2 calls in 3600 s \(decision d-/);
  assert.deepEqual([said[0], said[1], said[3]], ["three letters", "three letters", "a letter"]);
  assert.equal(gateway.servers.received("mail", "tools/call").length, 3);
  assert.deepEqual(limitsIn(gateway.entries("decision")), [["denied", "closed"]]);
});

test("what is denied anyway uses nothing up [GTW-29]", LIMIT, async () => {
  await using gateway = await gatewayOf(
    { mail: { tools: [reads("list", "three letters"), reads("other", "")] } },
    { ...limitedBy({ rate: "1/h" }), mcp_servers: { mail: { allowed_tools: ["list"] } } },
  );
  await using session = await gateway.connect();
  assert.match(textOf(await call(session, "mail__other")), /allowed-tools/);
  assert.match(textOf(await call(session, "mail__other")), /allowed-tools/);
  assert.equal(textOf(await call(session, "mail__list")), "three letters");
});

test("sizes and times, stopped or written down [GTW-30]", LIMIT, async () => {
  const long = "a".repeat(5000);
  await using gateway = await gatewayOf(
    { mail: { tools: [reads("long", long), reads("brief", "ok"), reads("never", "", { ending: "hang" })] } },
    limitedBy(
      { argument_bytes: 100 },
      { server: "mail", tool: "long", result_bytes: 1000 },
      { result_bytes: 1, fail: "open" },
      { server: "mail", tool: "never", time: "1s" },
    ),
  );
  await using session = await gateway.connect();
  assert.match(
    textOf(await call(session, "mail__brief", { text: long })),
    /^Denied by limits: the arguments have/,
  );
  const beside = { name: "mail__brief", arguments: {}, _meta: { "example.com/note": long } };
  assert.match(textOf(await session.request("tools/call", beside)), /^Denied by limits: the arguments have/);
  assert.deepEqual(gateway.servers.received("mail", "tools/call"), []);
  assert.match(textOf(await call(session, "mail__long")), /^Denied by limits: the result has/);
  assert.equal(textOf(await call(session, "mail__brief")), "ok");
  assert.match(
    textOf(await call(session, "mail__never")),
    /limits: it took|did not answer|timed? out|no answer/i,
  );
  assert.deepEqual(limitsIn(gateway.entries("label")).slice(0, 2), [
    ["denied", "closed"],
    ["allowed", "open"],
  ]);
});
