/** A configuration that changes while the gateway runs: taken where it can be, and where not, the one before still counts. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { recordedContent } from "../../src/audit/index.ts";
import { assemble } from "../../src/gateway/index.ts";
import { isRecord } from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { call, gatewayOf, LIMIT, namesIn, reads, Servers, type Story, textOf } from "./kit.ts";
import { until } from "./program.ts";

const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;
const MAIL = { tools: [reads("list", "three letters"), reads("read", "a letter")] };

function write({ folder, servers }: Story, names: readonly string[], more: object): void {
  const entries = Object.fromEntries(names.map((name) => [name, servers.entry(name)]));
  writeFileSync(join(folder, "touchstone.yml"), JSON.stringify({ ...OPEN, servers: entries, ...more }));
}

test("rules that change hold from then on, and servers go on running [GTW-31]", LIMIT, async () => {
  await using gateway = await gatewayOf(
    { mail: MAIL },
    { ...OPEN, mcp_servers: { mail: { allowed_tools: ["list"] } } },
  );
  const announced: string[] = [];
  await using session = await gateway.connect({
    era: "legacy",
    onNotification: ({ method }) => void announced.push(method),
  });
  assert.deepEqual(await namesIn(session), ["mail__list"]);
  write(gateway, ["mail"], { mcp_servers: { mail: { allowed_tools: ["read"] } } });
  await gateway.assembled.reload();
  assert.deepEqual(await namesIn(session), ["mail__read"]);
  assert.match(textOf(await call(session, "mail__list")), /^Denied by allowed-tools/);
  assert.equal(textOf(await call(session, "mail__read")), "a letter");
  assert.equal(gateway.servers.received("mail", "initialize").length, 1);
  const policiesOf = (type: string): unknown[] =>
    gateway.entries(type).map(({ data }) => isRecord(data) && data.policy);
  const [before, after] = policiesOf("config");
  assert.notEqual(before, after);
  assert.equal(policiesOf("decision").at(-1), after);
});

test(
  "each entry is of its own call, whoever makes it and whichever rules hold [GTW-24, GTW-31]",
  LIMIT,
  async () => {
    const tokens = { ada: { env: "ADA" }, bob: { env: "BOB" } };
    const words = { ADA: "a".repeat(20), BOB: "b".repeat(20) };
    await using gateway = await gatewayOf({ mail: MAIL }, { ...OPEN, tokens }, words);
    await using ada = await gateway.connect({ token: words.ADA });
    await using bob = await gateway.connect({ token: words.BOB });
    const made: (readonly [actor: string, tool: string, text: string])[] = [];
    for (const trigger of ["observe", "warn"]) {
      write(gateway, ["mail"], { tokens, modes: { ...OPEN.modes, trigger } });
      await gateway.assembled.reload();
      for (const [actor, session] of [
        ["ada", ada],
        ["bob", bob],
      ] as const)
        for (const tool of ["list", "read"]) {
          const text = `${trigger} ${made.length}`;
          made.push([actor, tool, text]);
          await call(session, `mail__${tool}`, { text });
        }
    }
    const policies = new Set(gateway.entries("config").map(({ data }) => isRecord(data) && data.policy));
    const decisions = gateway.entries("decision");
    const labels = gateway.entries("label");
    assert.deepEqual(
      decisions.map(({ actor, tool, data }) => [actor, tool, isRecord(data) && data.arguments]),
      made.map(([actor, tool, text]) => [actor, tool, recordedContent({ text })]),
    );
    assert.deepEqual(
      labels.map(({ actor, tool, data }) => [actor, tool, isRecord(data) && data.decision]),
      decisions.map(({ actor, tool, id }) => [actor, tool, id]),
    );
    assert.equal(new Set(decisions.map(({ data }) => isRecord(data) && data.policy)).size, 2);
    for (const { data } of decisions) assert.ok(isRecord(data) && policies.has(data.policy));
    const modes = decisions.map(({ data }) => isRecord(data) && isRecord(data.facts) && data.facts.modes);
    assert.deepEqual(
      modes.map((each) => isRecord(each) && each.trigger),
      made.map(([, , text]) => text.split(" ")[0]),
    );
  },
);

test(
  "each entry has its own trigger, though all else of the calls is the same [GTW-17, GTW-24]",
  LIMIT,
  async () => {
    const modes = { ...OPEN.modes, trigger_from: "context" };
    await using gateway = await gatewayOf({ mail: MAIL }, { ...OPEN, modes });
    await using session = await gateway.connect();
    for (let times = 0; times < 3; times++) await call(session, "mail__list");
    const triggers = gateway.entries("decision").map(({ data }) => isRecord(data) && data.trigger);
    assert.deepEqual(triggers, ["USER", "NONE", "NONE"]);
  },
);

test("servers come, go and are started anew where their words change [GTW-31]", LIMIT, async () => {
  await using gateway = await gatewayOf({ mail: MAIL, notes: { tools: [reads("list", "two notes")] } }, OPEN);
  await using session = await gateway.connect();
  gateway.servers.set("files", { tools: [reads("list", "one file")] });
  write(gateway, ["mail", "files"], {});
  await gateway.assembled.reload();
  assert.deepEqual(await namesIn(session), ["files__list", "mail__list", "mail__read"]);
  assert.equal(textOf(await call(session, "files__list")), "one file");
  assert.match(textOf(await call(session, "notes__list")), /Unknown tool/);
  const mail = { ...gateway.servers.entry("mail"), env: { A: "1" } };
  write(gateway, ["files"], { servers: { mail, files: gateway.servers.entry("files") } });
  await gateway.assembled.reload();
  assert.equal(textOf(await call(session, "mail__list")), "three letters");
  assert.equal(gateway.servers.received("mail", "initialize").length, 2);
  assert.equal(gateway.servers.received("files", "initialize").length, 1);
});

test(
  "what became a secret is in no entry from then on, nor is what was one [GTW-31, AUD-6]",
  LIMIT,
  async () => {
    const [first, second] = ["hunter2-of-the-morning", "hunter2-of-the-evening"];
    const leaks = { tools: [reads("leak", `${first} ${second}`)] };
    const config = { ...OPEN, audit: { content: "content" } };
    await using gateway = await gatewayOf({ mail: leaks }, config);
    await using session = await gateway.connect();
    const logged = async (token: string): Promise<string> => {
      const mail = { ...gateway.servers.entry("mail"), env: { API_TOKEN: token } };
      write(gateway, [], { ...config, servers: { mail } });
      await gateway.assembled.reload();
      await call(session, "mail__leak");
      return JSON.stringify(gateway.entries("label").at(-1));
    };
    assert.match(await logged(first), /\[redacted:sha256:[0-9a-f]{8}\] hunter2-of-the-evening/);
    assert.doesNotMatch(await logged(second), /hunter2/);
  },
);

const wrong: readonly (readonly [name: string, text: (story: Story) => string, message: RegExp])[] = [
  ["no YAML", () => "servers: [", /touchstone\.yml:/],
  ["an unknown key", () => "servers: {}\npolcy: strict\n", /unknown key "polcy"/],
  [
    "a mode that is misspelt",
    ({ servers }) =>
      JSON.stringify({ servers: { mail: servers.entry("mail") }, modes: { drift: "enforced" } }),
    /modes\.drift/,
  ],
  [
    "another address",
    ({ servers }) =>
      JSON.stringify({ ...OPEN, servers: { mail: servers.entry("mail") }, listen: "http://127.0.0.1:1/mcp" }),
    /listen cannot change/,
  ],
  [
    "another log",
    ({ servers }) =>
      JSON.stringify({ ...OPEN, servers: { mail: servers.entry("mail") }, audit: { folder: "other" } }),
    /audit cannot change/,
  ],
];
test("a configuration that cannot be taken changes nothing [GTW-31]", LIMIT, async () => {
  await using gateway = await gatewayOf({ mail: MAIL }, OPEN);
  await using session = await gateway.connect();
  for (const [name, text, message] of wrong) {
    writeFileSync(join(gateway.folder, "touchstone.yml"), text(gateway));
    await assert.rejects(gateway.assembled.reload(), message, name);
    assert.equal(textOf(await call(session, "mail__list")), "three letters", name);
  }
});

test(
  "a file that changes is read by itself, and a wrong one is told of in the log [GTW-31]",
  LIMIT,
  async () => {
    await using gateway = await gatewayOf({ mail: MAIL }, OPEN);
    await using session = await gateway.connect();
    write(gateway, ["mail"], { mcp_servers: { mail: { allowed_tools: ["read"] } } });
    for (let tries = 0; tries < 100 && (await namesIn(session)).length > 1; tries++) await sleep(100);
    assert.deepEqual(await namesIn(session), ["mail__read"]);
    writeFileSync(join(gateway.folder, "touchstone.yml"), "servers: 1\n");
    const refused = (): unknown => gateway.entries("config").find(({ outcome }) => outcome === "error");
    for (let tries = 0; tries < 100 && !refused(); tries++) await sleep(100);
    assert.ok(refused());
    assert.deepEqual(await namesIn(session), ["mail__read"]);
  },
);

test("rates go on counting when something else changes [GTW-29] [GTW-31]", LIMIT, async () => {
  const limits = { calls: [{ rate: "1/h" }] };
  await using gateway = await gatewayOf({ mail: MAIL }, { ...OPEN, limits });
  await using session = await gateway.connect();
  assert.equal(textOf(await call(session, "mail__list")), "three letters");
  write(gateway, ["mail"], { limits, mcp_servers: { mail: { label: "post" } } });
  await gateway.assembled.reload();
  assert.match(textOf(await call(session, "mail__list")), /^Denied by limits/);
});

test("a file that is written while the gateway starts is read again [GTW-31]", LIMIT, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("mail", MAIL);
  const file = join(folder.path, "touchstone.yml");
  const allow = (tools: readonly string[]): void =>
    writeFileSync(
      file,
      JSON.stringify({
        ...OPEN,
        servers: { mail: servers.entry("mail") },
        mcp_servers: { mail: { allowed_tools: tools } },
      }),
    );
  allow(["list", "read"]);
  const told: string[] = [];
  const assembled = await assemble(file, {
    version: "0",
    onProgress: (text) => {
      told.push(text);
      // It has read the file by then.
      if (text.startsWith("made touchstone-log.key")) allow(["list"]);
    },
  });
  try {
    await until(() => told.some((text) => text.startsWith("the configuration was read again")));
    assert.deepEqual(assembled.gateway.options.table.get("mail")?.allowedTools, ["list"]);
  } finally {
    await assembled.close();
  }
});
