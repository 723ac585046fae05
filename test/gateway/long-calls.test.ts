/** Calls with long arguments: looked into a little at a time, held against all that was said, decided as everything stands then. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isRecord, type Session } from "../../src/wire/index.ts";
import { call, gatewayOf, LIMIT, later, reads, type Story, textOf } from "./kit.ts";

const STRICT = { policy: "spec", modes: { admission: "observe", flow: "strict" } } as const;
const SECRET = "The vault opens with horse-battery-7731-A9x2 after midnight";
const STATES = {
  vault: { tools: [reads("open", SECRET)] },
  web: { tools: [reads("post", "posted"), reads("look", "seen")] },
};
const LINES = Array.from(
  { length: 12_000 },
  (_, n) => `Line ${n} of a report on harbours, tides and ${n * 7} boats.\n`,
);
const LONG = LINES.join("");

/** Resolves when the next long work begins, which goes on when `meanwhile` is over. */
function begins({ assembled }: Story, meanwhile: Promise<unknown> = Promise.resolve()): Promise<void> {
  const { longWork } = assembled.gateway;
  const real = longWork.do.bind(longWork);
  return new Promise((done) => {
    longWork.do = async (...of) => {
      done();
      await meanwhile;
      return await real(...of);
    };
  });
}

test("a short call is answered while a long one is looked into [GTW-87]", LIMIT, async () => {
  await using gateway = await gatewayOf(STATES, STRICT);
  await using ann = await gateway.connect();
  await using bob = await gateway.connect();
  await call(ann, "vault__open");
  const begun = begins(gateway);
  let isAnswered = false;
  const long = call(ann, "web__post", { text: LONG }).finally(() => {
    isAnswered = true;
  });
  await begun;
  assert.equal(textOf(await call(bob, "web__look")), "seen");
  assert.equal(isAnswered, false);
  assert.equal(textOf(await long), "posted");
});

test(
  "what is looked through in several conversations is long sooner, and each client has its turn [GTW-87] [GTW-91]",
  LIMIT,
  async () => {
    await using gateway = await gatewayOf(STATES, STRICT);
    await using ann = await gateway.connect();
    await using bob = await gateway.connect();
    const { longWork } = gateway.assembled.gateway;
    const real = longWork.do.bind(longWork);
    const callers: string[] = [];
    longWork.do = (caller, ...of) => {
      callers.push(caller);
      return real(caller, ...of);
    };
    const text = LONG.slice(0, 10_000);
    const named = (session: Session, name: string) =>
      session.request("tools/call", {
        name: "vault__open",
        arguments: {},
        _meta: { "touchstone/context": name },
      });
    for (const session of [ann, bob]) {
      await call(session, "vault__open");
      await call(session, "web__post", { text });
    }
    assert.deepEqual(callers, []);
    for (const session of [ann, bob]) {
      await named(session, "first");
      await call(session, "web__post", { text });
    }
    assert.equal(new Set(callers).size, 2);
    assert.equal(callers.length, 2);
  },
);

for (const [name, hidden] of [
  ["as it was", SECRET],
  ["in base64", Buffer.from(SECRET).toString("base64")],
] as const)
  test(
    `what another server said is found in the middle of a long argument, ${name} [GTW-87] [GTW-15]`,
    LIMIT,
    async () => {
      await using gateway = await gatewayOf(STATES, STRICT);
      await using session = await gateway.connect();
      await call(session, "vault__open");
      const text = `${LINES.slice(0, 5000).join("")}${hidden}\n${LINES.slice(5000).join("")}`;
      assert.match(textOf(await call(session, "web__post", { text })), /^Denied by SEC-060: vault\.open/);
      assert.deepEqual(gateway.servers.received("web", "tools/call"), []);
    },
  );

const WATCHED = { flow: "observe", trigger: "observe" } as const;
const changes: readonly {
  readonly name: string;
  readonly policy: Readonly<Record<string, unknown>>;
  readonly change: (gateway: Story) => void;
  readonly is: RegExp;
}[] = [
  {
    name: "a tool that its server has changed, and told nobody",
    policy: { modes: { ...WATCHED, admission: "observe" }, locked: ["web"] },
    change: ({ servers }) =>
      servers.set("web", { tools: [reads("post", "posted", { description: "posts" })], announces: false }),
    is: /^Denied by drift/,
  },
  {
    name: "a server for which nothing vouches any more",
    policy: { modes: WATCHED },
    change: ({ assembled }) => {
      const web = assembled.gateway.options.servers.find(({ name }) => name === "web");
      Object.assign(web ?? {}, { voucher: () => ({ kind: "none", reason: "it was withdrawn" }) });
    },
    is: /^Denied by admission: .*it was withdrawn/,
  },
];
for (const { name, policy, change, is } of changes)
  test(`${name}, while the arguments were looked into, is not asked [GTW-87] [GTW-10]`, LIMIT, async () => {
    const states = { ...STATES, web: { ...STATES.web, announces: false } };
    await using gateway = await gatewayOf(states, { policy: "spec", ...policy });
    await using session = await gateway.connect();
    await call(session, "vault__open");
    let goOn = (): void => {};
    const meanwhile = new Promise<void>((done) => {
      goOn = done;
    });
    const begun = begins(gateway, meanwhile);
    const long = call(session, "web__post", { text: LONG });
    await begun;
    change(gateway);
    using _ = later(5_100);
    goOn();
    assert.match(textOf(await long), is);
    assert.deepEqual(gateway.servers.received("web", "tools/call"), []);
  });

test(
  "a policy that changes meanwhile ends it: nothing is sent, and it is written down [GTW-87]",
  LIMIT,
  async () => {
    await using gateway = await gatewayOf(STATES, STRICT);
    await using session = await gateway.connect();
    await call(session, "vault__open");
    let goOn = (): void => {};
    const meanwhile = new Promise<void>((done) => {
      goOn = done;
    });
    const begun = begins(gateway, meanwhile);
    const long = call(session, "web__post", { text: LONG });
    await begun;
    const servers = { vault: gateway.servers.entry("vault"), web: gateway.servers.entry("web") };
    const tighter = { ...STRICT, servers, mcp_servers: { web: { allowed_tools: ["look"] } } };
    writeFileSync(join(gateway.folder, "touchstone.yml"), JSON.stringify(tighter));
    await gateway.assembled.reload();
    goOn();
    assert.match(
      textOf(await long),
      /^error -32602: Not decided: the policy changed while the arguments were looked into; ask again \(decision d-/,
    );
    assert.deepEqual(gateway.servers.received("web", "tools/call"), []);
    const { outcome, server, tool, data } = gateway.entries("decision").at(-1) ?? {};
    assert.deepEqual(
      [outcome, server, tool, isRecord(data) && data.rule],
      ["denied", "web", "post", "policy-changed"],
    );
    assert.match(textOf(await call(session, "web__post", { text: LONG })), /^Denied by allowed-tools/);
  },
);
