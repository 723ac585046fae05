/** Whose a resource is: who may see it, and what is read where several servers show it. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Session } from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { call, gatewayOf, LIMIT, namesIn, reads, Servers, startGateway, textOf } from "./kit.ts";

const OPEN = { policy: "spec", modes: { admission: "observe", flow: "observe" } } as const;

/** The addresses that a client sees, and what each reads as. */
async function readIn(session: Session): Promise<string[]> {
  const listed = await session.request("resources/list");
  const { resources } = (listed.kind === "result" ? listed.result : {}) as { resources: { uri: string }[] };
  const texts: string[] = [];
  for (const { uri } of resources) {
    const read = await session.request("resources/read", { uri });
    const { contents } = (read.kind === "result" ? read.result : {}) as { contents?: { text: string }[] };
    texts.push(`${uri} ${contents?.[0]?.text ?? textOf(read)}`);
  }
  return texts;
}
const inAll = (uri: string, answer: string) => ({ uri, name: "x", answer });

test(
  "an address that two servers show is shown once, read from the first, and that is told [GTW-69]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("notes", { resources: [inAll("both://x", "1"), inAll("own://n", "n")] });
    servers.set("more", { resources: [inAll("both://x", "2"), inAll("own://m", "m")] });
    const config = (...names: string[]) => ({
      ...OPEN,
      servers: Object.fromEntries(names.map((name) => [name, servers.entry(name)])),
    });
    await using gateway = await startGateway(folder.path, config("notes", "more"));
    await using session = await gateway.connect();
    assert.deepEqual(await readIn(session), ["both://x 1", "own://n n", "own://m m"]);
    assert.deepEqual(
      gateway.entries("finding").map(({ server, data }) => [server, data]),
      [["more", { count: 1, names: ["both://x"], rule: "shadowed" }]],
    );
    // The order is that of the file as it is now.
    writeFileSync(join(folder.path, "touchstone.yml"), JSON.stringify(config("more", "notes")));
    await gateway.assembled.reload();
    assert.deepEqual(await readIn(session), ["both://x 2", "own://m m", "own://n n"]);
    assert.deepEqual(
      gateway.entries("finding").map(({ server }) => server),
      ["more", "notes"],
    );
  },
);

test("a server that is refused takes no address from another [GTW-69]", LIMIT, async () => {
  const good = { tools: [reads("list", "all")], resources: [inAll("good://a", "good")] };
  const bad = { resources: [inAll("good://a", "bad"), inAll("bad://a", "bad")] };
  const templates = [{ uriTemplate: "good://{id}", name: "any" }];
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("bad", { ...bad, templates });
  servers.set("good", { ...good, templates });
  servers.lock({ good });
  const taken = { ...servers.entry("good"), locked: true, ungraded: true };
  await using gateway = await startGateway(folder.path, {
    servers: { bad: servers.entry("bad"), good: taken },
  });
  await using session = await gateway.connect();
  assert.deepEqual(await readIn(session), ["good://a good"]);
  // Who is asked for what it alone has is refused by name.
  assert.match(
    textOf(await session.request("resources/read", { uri: "bad://a" })),
    /^error -32602: admission: /,
  );
  assert.equal((await session.request("resources/read", { uri: "good://b" })).kind, "result");
  assert.deepEqual(servers.received("bad", "resources/read"), []);
  assert.deepEqual(gateway.entries("finding"), []);
});

test("a token for tools alone opens no resource and no prompt [GTW-3]", LIMIT, async () => {
  const token = "b".repeat(32);
  const state = (name: string) => ({
    tools: [reads("count", "3"), reads("list", "all")],
    resources: [{ uri: `${name}://all`, name: "all", answer: "every letter" }],
    templates: [{ uriTemplate: `${name}://{id}`, name: "one" }],
    prompts: [{ name: "greet", answer: "hello" }],
  });
  await using gateway = await gatewayOf(
    { mail: state("mail"), notes: state("notes") },
    { ...OPEN, tokens: { bob: { env: "BOB", tools: ["mail__count"] } } },
    { BOB: token },
  );
  await using bob = await gateway.connect({ token });
  assert.deepEqual(await namesIn(bob), ["mail__count"]);
  assert.equal(textOf(await call(bob, "mail__count")), "3");
  for (const [method, list] of [
    ["resources/list", "resources"],
    ["resources/templates/list", "resourceTemplates"],
    ["prompts/list", "prompts"],
  ] as const) {
    const listed = await bob.request(method);
    assert.deepEqual(listed.kind === "result" && (listed.result as Record<string, unknown>)[list], []);
  }
  for (const uri of ["mail://all", "mail://7", "notes://all"])
    assert.match(textOf(await bob.request("resources/read", { uri })), /^error -32002: Resource not found/);
  const prompt = await bob.request("prompts/get", { name: "mail__greet" });
  assert.match(textOf(prompt), /^error -32602: Unknown prompt/);
  for (const server of ["mail", "notes"])
    for (const method of ["resources/read", "prompts/get"])
      assert.deepEqual(gateway.servers.received(server, method), []);
});

const denied: readonly {
  readonly name: string;
  readonly method: string;
  readonly params: object;
  readonly words: RegExp;
  readonly rule: string;
}[] = [
  {
    name: "a tool that is not there",
    method: "tools/call",
    params: { name: "mail__none", arguments: {} },
    words: /^error -32602: Unknown tool: mail__none /,
    rule: "unknown-tool",
  },
  {
    name: "a prompt that is not there",
    method: "prompts/get",
    params: { name: "mail__none" },
    words: /^error -32602: Unknown prompt: mail__none /,
    rule: "unknown-prompt",
  },
  {
    name: "a resource that is not there",
    method: "resources/read",
    params: { uri: "none://x" },
    words: /^error -32002: Resource not found: no server lists it /,
    rule: "unknown-resource",
  },
  {
    name: "a call without a name",
    method: "tools/call",
    params: {},
    words: /^error -32602: want a name and arguments /,
    rule: "unreadable",
  },
];
test("what is not there, or cannot be read, is denied with the id of its entry [GTW-70]", LIMIT, async () => {
  await using gateway = await gatewayOf({ mail: { tools: [reads("list", "all")] } }, OPEN);
  await using session = await gateway.connect();
  for (const { name, method, params, words, rule } of denied) {
    const text = textOf(await session.request(method, { ...params }));
    assert.match(text, words, name);
    const [, id] = /\(decision (d-[0-9a-z-]+)\)$/.exec(text) ?? [];
    const entry = gateway.entries("decision").find((each) => each.id === id);
    const { rule: written, reason } = (entry?.data ?? {}) as Record<string, unknown>;
    assert.deepEqual([entry?.outcome, written, typeof reason], ["denied", rule, "string"], name);
  }
});
