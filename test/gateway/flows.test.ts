/** Flows between servers, live: numbers as they are written, what lists say, and what cannot be looked through. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { Entry } from "../../src/audit/index.ts";
import { explain } from "../../src/gateway/index.ts";
import type { Session } from "../../src/wire/index.ts";
import { touchstone } from "../kit/program.ts";
import { call, gatewayOf, LIMIT, reads, type ServerState, type Story, textOf, writes } from "./kit.ts";

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
      // Read as the same double, and another one: it passes as it is written.
      assert.equal(await posted(session, '{"n":[1,4929123456781234568]}'), "posted");
      assert.match(gateway.servers.bytes("web"), /"n":\[1,4929123456781234568\]/);
    },
  );

const NOTE = "Payroll export of the harbour office, pin 7731-A9x2-Qm41";
const LISTS = [
  { method: "resources/list", of: { resources: [{ uri: "vault://1", name: NOTE, answer: "" }] } },
  { method: "resources/templates/list", of: { templates: [{ uriTemplate: "vault://{id}", name: NOTE }] } },
  { method: "prompts/list", of: { prompts: [{ name: "p", description: NOTE, answer: "" }] } },
];
for (const { method, of } of LISTS)
  test(`what one server says in ${method} does not reach another [GTW-16]`, LIMIT, async () => {
    await using gateway = await gatewayOf(
      { vault: of, web: { tools: [reads("post", "posted"), writes("store", "stored")] } },
      STRICT,
    );
    await using session = await gateway.connect();
    // Who was not shown it has it from elsewhere.
    assert.equal(textOf(await call(session, "web__store", { body: NOTE })), "stored");
    for (let again = 0; again < 2; again++) assert.equal((await session.request(method)).kind, "result");
    const denied = textOf(await call(session, "web__post", { body: NOTE }));
    assert.match(denied, new RegExp(`^Denied by SEC-060: vault\\.${method} `));
    assert.match(textOf(await call(session, "web__store", { body: NOTE })), /^Denied by/);
    const [before, , after] = gateway
      .entries("decision")
      .map(({ data }) => (data as { trigger?: string }).trigger);
    assert.deepEqual([before, after], ["USER", "NONE"]);
    assert.equal(textOf(await call(session, "web__store", { body: "good morning to all of you" })), "stored");
    // Another conversation was not shown it.
    await using other = await gateway.connect();
    assert.equal(textOf(await call(other, "web__post", { body: NOTE })), "posted");
  });

test("what a list says anew is heard, and what it said before stays [GTW-16]", LIMIT, async () => {
  const listing = (name: string): ServerState => ({ resources: [{ uri: "vault://1", name, answer: "" }] });
  await using gateway = await between(listing(NOTE));
  await using session = await gateway.connect();
  await session.request("resources/list");
  const later = "The keys of the crane lie under the mat";
  gateway.servers.set("vault", listing(later));
  for (let shown = ""; !shown.includes(later); ) {
    const outcome = await session.request("resources/list");
    shown = outcome.kind === "result" ? JSON.stringify(outcome.result) : "";
  }
  for (const body of [NOTE, later])
    assert.match(textOf(await call(session, "web__post", { body })), /^Denied by SEC-060: vault\.resources/);
});

const MANY = { pad: Array(200_001).fill(1), note: NOTE };
const UNSEEN = [
  { flow: "observe", outcome: "allowed", kind: "allow" },
  { flow: "ask", outcome: "denied", kind: "ask" },
  { flow: "strict", outcome: "denied", kind: "deny" },
];
for (const { flow, outcome, kind } of UNSEEN)
  test(
    `what is too much to be looked through is a flow that is not known: ${flow} [GTW-15] [FLW-24]`,
    LIMIT,
    async () => {
      await using gateway = await gatewayOf(
        {
          vault: { tools: [reads("open", NOTE)] },
          web: { tools: [reads("post", "posted"), writes("store", "stored")] },
        },
        { policy: "spec", modes: { admission: "observe", flow, trigger: "observe" } },
      );
      await using session = await gateway.connect();
      // Nobody else has spoken: nothing of anybody else can be in it.
      assert.equal(textOf(await call(session, "web__post", MANY)), "posted");
      await call(session, "vault__open");
      const told = textOf(await call(session, "web__post", MANY));
      const reason =
        "web.post is given more than is looked through (the arguments: more than 200000 values): what vault has said may be in it; nobody declared this boundary";
      if (outcome === "allowed") assert.equal(told, "posted");
      else assert.ok(told.includes(`SEC-060: ${reason}`), told);
      const entry = gateway.entries("decision").at(-1) as unknown as Entry;
      const { data } = entry;
      assert.deepEqual([entry.outcome, data.kind, data.crossing], [outcome, kind, "whole"]);
      const found = [
        { rule: data.rule, reason: data.reason },
        ...(data.beside as { rule: string; reason: string }[]),
      ];
      assert.ok(
        found.some((one) => one.rule === "SEC-060" && String(one.reason).includes(reason)),
        JSON.stringify(found),
      );
      const [noted] = data.flows as { kind: string; reading: string; server: string }[];
      assert.deepEqual(
        [noted?.kind, noted?.server, noted?.reading],
        ["unseen", "vault", "more than 200000 values"],
      );
      const replayed = explain(
        entry,
        () => undefined,
        () => undefined,
      );
      assert.ok(replayed.isSame);
      const config = ["--config", join(gateway.folder, "touchstone.yml")];
      const { stdout } = await touchstone(["why", String(entry.id), ...config]);
      assert.match(
        stdout,
        /from vault: open \(NONE, .*\): perhaps into the arguments, more than is looked through \(more than 200000 values\)/,
      );
      assert.match(stdout, /made again from the entry: the same/);
      // It may have led to it as well.
      await call(session, "web__store", MANY);
      const { data: last } = gateway.entries("decision").at(-1) as unknown as Entry;
      assert.equal(last.trigger, "NONE");
    },
  );

test(
  "a pair of servers that is allowed may be given more than is looked through [FLW-24]",
  LIMIT,
  async () => {
    const security = { trust_boundary: { allowed_flows: [{ from: "vault", to: "web" }] } };
    await using gateway = await between({ tools: [reads("open", NOTE)] }, { ...STRICT, security });
    await using session = await gateway.connect();
    await call(session, "vault__open");
    assert.equal(textOf(await call(session, "web__post", MANY)), "posted");
  },
);
