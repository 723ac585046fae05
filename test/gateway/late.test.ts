/** What changes between a decision and its sending, while the log, a level of messages or a person is waited for. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { AuditEvent } from "../../src/audit/index.ts";
import { META, type Session } from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { call, gatewayOf, LIMIT, later, reads, type Story, startGateway, textOf } from "./kit.ts";
import { until } from "./program.ts";

const OPEN = { policy: "spec", modes: { flow: "observe", trigger: "observe" } } as const;
const STATES = {
  web: {
    tools: [reads("look", "seen")],
    prompts: [{ name: "sum", answer: "sum it up" }],
    resources: [{ uri: "web://one", name: "one", answer: "a page" }],
    completions: ["one"],
  },
};

const ASKED = {
  "tools/call": { name: "web__look", arguments: {} },
  "prompts/get": { name: "web__sum" },
  "resources/read": { uri: "web://one" },
  "completion/complete": {
    ref: { type: "ref/prompt", name: "web__sum" },
    argument: { name: "a", value: "b" },
  },
} as const;

interface Gate {
  /** Somebody waits. */
  readonly reached: Promise<void>;
  open(): void;
}

/** Decisions are durable when the gate is opened; `before` so many, which are at once. */
function slowLog({ assembled: { gateway } }: Pick<Story, "assembled">, before = 0): Gate {
  const { log } = gateway.options;
  let decisions = 0;
  let [open, reach] = [(): void => {}, (): void => {}];
  const opened = new Promise<void>((done) => {
    open = done;
  });
  const reached = new Promise<void>((done) => {
    reach = done;
  });
  const append: typeof log.append = (event) => {
    const receipt = log.append(event);
    const { type }: AuditEvent = "form" in event ? event.form.event : event;
    if (type !== "decision" || ++decisions <= before) return receipt;
    reach();
    return { ...receipt, durable: opened };
  };
  gateway.options = { ...gateway.options, log: { append } };
  return { reached, open };
}

async function reload(
  { folder, assembled }: Pick<Story, "folder" | "assembled">,
  more: object,
): Promise<void> {
  const file = join(folder, "touchstone.yml");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...more }));
  await assembled.reload();
}

/** Nothing vouches for it any more. */
function withdraw({ assembled }: Story, name: string): void {
  const server = assembled.gateway.options.servers.find((each) => each.name === name);
  Object.assign(server ?? {}, { voucher: () => ({ kind: "none", reason: "it was withdrawn" }) });
}

const changes: readonly (readonly [name: string, change: (gateway: Story) => unknown, isSent: boolean])[] = [
  ["another policy", (gateway) => reload(gateway, { mcp_servers: { web: { allowed_tools: [] } } }), false],
  ["a server for which nothing vouches any more", (gateway) => withdraw(gateway, "web"), false],
  ["the same file, read again", (gateway) => reload(gateway, {}), true],
  ["nothing", () => {}, true],
];
for (const [name, change, isSent] of changes)
  for (const [method, params] of Object.entries(ASKED))
    test(
      `${name} while the log is waited for: ${method} is ${isSent ? "sent" : "not sent"} [GTW-96]`,
      LIMIT,
      async () => {
        await using gateway = await gatewayOf(STATES, OPEN);
        await using session = await gateway.connect();
        const gate = slowLog(gateway);
        const asked = session.request(method, params);
        await gate.reached;
        await change(gateway);
        using _ = later(5_100);
        gate.open();
        const outcome = await asked;
        assert.equal(gateway.servers.received("web", method).length, isSent ? 1 : 0);
        if (isSent) return assert.equal(outcome.kind, "result", textOf(outcome));
        const [, id = ""] = TOLD.exec(textOf(outcome)) ?? [];
        assert.match(textOf(outcome), TOLD);
        const label = gateway.entries("label").at(-1);
        assert.deepEqual([label?.outcome, label?.server], ["denied", "web"]);
        const { decision, rule } = (label?.data ?? {}) as Record<string, unknown>;
        assert.deepEqual([decision, rule], [id, "policy-changed"]);
        const why = await touchstone(["why", id, "--config", join(gateway.folder, "touchstone.yml")]);
        assert.match(why.stdout, /\n {2}it was not sent, by policy-changed: /);
        assert.doesNotMatch(why.stdout, /labelled/);
      },
    );
const TOLD =
  /^(?:Denied by policy-changed|error -32603: Not sent): the policy, .* changed .*ask again \(decision (d-[0-9a-z-]+)\)$/;

test(
  "a tool that its server has changed while the log is waited for is not called [GTW-96]",
  LIMIT,
  async () => {
    const states = { web: { ...STATES.web, announces: true } };
    await using gateway = await gatewayOf(states, {
      ...OPEN,
      modes: { ...OPEN.modes, admission: "observe" },
      locked: ["web"],
    });
    await using session = await gateway.connect();
    const gate = slowLog(gateway);
    const asked = call(session, "web__look");
    await gate.reached;
    const before = gateway.assembled.gateway.servers.get("web")?.upstream.lists;
    gateway.servers.set("web", { ...states.web, tools: [reads("look", "seen", { description: "looks" })] });
    await until(() => gateway.assembled.gateway.servers.get("web")?.upstream.lists !== before);
    gate.open();
    assert.match(textOf(await asked), TOLD);
    assert.deepEqual(gateway.servers.received("web", "tools/call"), []);
  },
);

test("a policy that changes while a server is told a level of messages counts [GTW-96]", LIMIT, async () => {
  await using gateway = await gatewayOf(STATES, OPEN);
  await using session: Session = await gateway.connect({ era: "modern" });
  const { logs } = gateway.assembled.gateway;
  logs.wanted = async (_upstream, _level, params) => {
    await reload(gateway, { mcp_servers: { web: { allowed_tools: [] } } });
    return params;
  };
  const asked = { name: "web__look", arguments: {}, _meta: { [META.logLevel]: "info" } };
  assert.match(textOf(await session.request("tools/call", asked)), TOLD);
  assert.deepEqual(gateway.servers.received("web", "tools/call"), []);
});

/** A modern server that asks in each call, and does what it is called for once it has an answer. */
const ASKER = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  const whole = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  const info = { "io.modelcontextprotocol/serverInfo": { name: "asker", version: "1" } };
  if (method === "server/discover")
    answer({ ...whole, supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, _meta: info });
  else if (method === "tools/list")
    answer({ ...whole, tools: [{ name: "go", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] });
  else if (params.requestState) answer({ resultType: "complete", content: [{ type: "text", text: "gone" }] });
  else
    answer({
      resultType: "input_required",
      requestState: "s",
      inputRequests: { why: { method: "elicitation/create", params: { message: "why?", requestedSchema: { type: "object", properties: {} } } } },
    });
});`;
for (const [name, more, becomes] of [
  ["another policy", { limits: { timeout_ms: 29_000 } }, /^Denied by policy-changed/],
  ["the same one", {}, /^gone$/],
] as const)
  test(`a call that its server has asked about goes on by ${name}, or not [GTW-96]`, LIMIT, async () => {
    using folder = temporaryFolder();
    const asker = { command: process.execPath, args: ["-e", ASKER], era: "modern" };
    await using gateway = await startGateway(folder.path, { ...OPEN, servers: { asker } });
    await using session = await gateway.connect();
    const gate = slowLog(gateway, 1);
    const asked = call(session, "asker__go");
    await gate.reached;
    await reload({ ...gateway, folder: folder.path }, more);
    gate.open();
    assert.match(textOf(await asked), becomes);
  });

const SECRET = "The vault opens with horse-battery-7731-A9x2 after midnight";
test(
  "a word for a prompt or a resource does not hold when its server is vouched for no more [GTW-17]",
  LIMIT,
  async () => {
    const web = {
      ...STATES.web,
      templates: [{ uriTemplate: "web://{text}", name: "any", answer: "a page" }],
    };
    const states = { vault: { tools: [reads("open", SECRET)] }, web };
    for (const [method, params] of [
      ["prompts/get", { name: "web__sum", arguments: { text: SECRET } }],
      ["resources/read", { uri: `web://${SECRET}` }],
    ] as const) {
      await using gateway = await gatewayOf(
        states,
        { ...OPEN, modes: { ...OPEN.modes, flow: "ask" } },
        {},
        20_000,
      );
      await using session = await gateway.connect();
      const { desk } = gateway.assembled.gateway.options;
      await call(session, "vault__open");
      const asked = session.request(method, params);
      await until(() => desk?.held.length === 1);
      withdraw(gateway, "web");
      using _ = later(5_100);
      desk?.answer(desk.held[0]?.id ?? "", true);
      assert.match(textOf(await asked), /^error -32602: SEC-060: .*changed while it waited \(decision/);
      assert.deepEqual(gateway.servers.received("web", method), []);
    }
  },
);
