/** Changes to resources: real peers of both eras on both sides, and servers that tell of what is not theirs, or too much. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, type Session, serveHttp } from "../../src/wire/index.ts";
import { peerProgram, runClient, startHttp } from "../interop/kit.ts";
import { peers, temporaryFolder } from "../kit/paths.ts";
import { call, gatewayOf, LIMIT, type Running, Servers, startGateway, textOf } from "./kit.ts";
import { until } from "./program.ts";

const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
} as const;
const UPDATED = "notifications/resources/updated";
const NOTE = "note://first";

interface Client extends AsyncDisposable {
  readonly session: Session;
  readonly heard: unknown[];
}

async function legacyClient(gateway: Running, token?: string): Promise<Client> {
  const heard: unknown[] = [];
  const session = await gateway.connect({
    era: "legacy",
    onNotification: ({ method, params }) => {
      if (method === UPDATED) heard.push(params);
    },
    ...(token === undefined ? {} : { token }),
  });
  return { session, heard, [Symbol.asyncDispose]: () => session.close() };
}

/** A modern client that listens to these; it has `agreed` when it has heard what it will hear. */
async function modernClient(gateway: Running, uris: readonly string[], token?: string) {
  const [heard, agreed]: [unknown[], unknown[]] = [[], []];
  const session = await gateway.connect({
    era: "modern",
    onNotification: ({ method, params }) => {
      const { uri, notifications } = isRecord(params) ? params : {};
      if (method === UPDATED) heard.push(uri);
      if (method === "notifications/subscriptions/acknowledged" && isRecord(notifications))
        agreed.push(notifications.resourceSubscriptions);
    },
    ...(token === undefined ? {} : { token }),
  });
  void session.request(
    "subscriptions/listen",
    { notifications: { resourceSubscriptions: uris } },
    { id: "listening", timeoutMs: 60_000 },
  );
  await until(() => agreed.length > 0);
  return { session, heard, agreed, [Symbol.asyncDispose]: () => session.close() };
}

const subscribe = (session: Session, uri: string) => session.request("resources/subscribe", { uri });
const shown = (uri: string) => ({ uri, name: uri, answer: uri });
/** Long enough for what should not come to come. */
const aWhile = (): Promise<void> => sleep(200);

for (const peer of ["v1", "v2"] as const)
  test(`clients of both eras hear of a resource of a server made with SDK ${peer} [GTW-78, GTW-79]`, {
    timeout: 60_000,
  }, async () => {
    const launch = peerProgram("touched-server.mjs", peer);
    await using web = peer === "v2" ? await startHttp(launch) : undefined;
    const { command, args } = launch;
    const entry = web ? { url: web.url.href, era: "modern" } : { command, args, era: "legacy" };
    using folder = temporaryFolder();
    await using gateway = await startGateway(folder.path, { ...OPEN, servers: { s: entry } });

    const report: unknown = await runClient("sdk-v1-subscriber.mjs", gateway.url.href, NOTE, "s__touch");
    assert.deepEqual(report, {
      resources: { listChanged: true, subscribe: true },
      heard: [{ uri: NOTE }],
      after: 0,
    });

    const filter = JSON.stringify({ resourceSubscriptions: [NOTE, "note://nowhere"] });
    const listener = spawn(process.execPath, [join(peers, "sdk-v2-listener.mjs"), gateway.url.href, filter], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said: unknown[] = [];
    createInterface({ input: listener.stdout }).on("line", (line) => said.push(JSON.parse(line)));
    await until(() => said.length > 0);
    await using session = await gateway.connect();
    await call(session, "s__touch");
    await until(() => said.length > 1);
    listener.kill("SIGKILL");
    assert.deepEqual(said, [{ honoured: { resourceSubscriptions: [NOTE] } }, { heard: UPDATED, uri: NOTE }]);
    // Nobody listens any more, and the server knows.
    if (peer === "v1") await until(async () => textOf(await call(session, "s__touch")) === "");
  });

test(
  "who hears of a resource is decided as reading it is, written down, and asked of its server once [GTW-78]",
  LIMIT,
  async () => {
    const own = { resources: [shown("own://a"), shown("own://b")], canSubscribe: true };
    const tokens = { all: { env: "ALL" }, none: { env: "NONE", servers: ["deaf"] } };
    const states = { own, deaf: { resources: [shown("deaf://a")] } };
    const environment = { ALL: "a".repeat(32), NONE: "n".repeat(32) };
    await using gateway = await gatewayOf(states, { ...OPEN, tokens }, environment);
    await using one = await legacyClient(gateway, environment.ALL);
    await using two = await modernClient(gateway, ["own://a", "deaf://a", "own://a"], environment.ALL);
    await using stranger = await legacyClient(gateway, environment.NONE);
    assert.deepEqual(two.agreed, [["own://a"]]);
    assert.equal((await subscribe(one.session, "own://a")).kind, "result");
    assert.equal((await subscribe(one.session, "own://a")).kind, "result");
    assert.match(textOf(await subscribe(one.session, "deaf://a")), /^error -32601: deaf does not tell/);
    assert.match(textOf(await subscribe(stranger.session, "own://a")), /^error -32002: Resource not found/);
    assert.match(
      textOf(await one.session.request("resources/subscribe", { uri: 1 })),
      /^error -32602: want a uri/,
    );
    const asked = (method: string) => gateway.servers.received("own", method).length;
    assert.equal(asked("resources/subscribe"), 1);
    assert.equal(gateway.servers.received("deaf", "resources/subscribe").length, 0);
    const decisions = gateway.entries("decision").map(({ outcome, data }) => {
      const { method, resource, rule } = data as Record<string, unknown>;
      return [outcome, method, resource, rule];
    });
    assert.deepEqual(decisions.slice(0, 4), [
      ["allowed", "resources/subscribe", "own://a", ""],
      ["allowed", "resources/subscribe", "deaf://a", ""],
      ["allowed", "resources/subscribe", "own://a", ""],
      ["allowed", "resources/subscribe", "own://a", ""],
    ]);
    assert.deepEqual(decisions.at(-2), ["denied", undefined, "own://a", "unknown-resource"]);

    // What is not subscribed to, what is another's, and what a server adds to it is not passed on.
    gateway.servers.set("deaf", { ...states.deaf, updates: [{ uri: "own://a" }] });
    gateway.servers.set("own", {
      ...own,
      updates: [{ uri: "own://b" }, { uri: "own://a", title: "Ignore all", _meta: { x: 1 } }],
    });
    await until(() => one.heard.length > 0 && two.heard.length > 0);
    await aWhile();
    assert.deepEqual([one.heard, two.heard, stranger.heard], [[{ uri: "own://a" }], ["own://a"], []]);

    await one.session.request("resources/unsubscribe", { uri: "own://a" });
    await aWhile();
    assert.equal(asked("resources/unsubscribe"), 0, "somebody else still listens");
    two.session.cancel("listening");
    await until(() => asked("resources/unsubscribe") === 1);
  },
);

test(
  "a session that ends leaves nothing behind; a server that comes back is asked again, and may have changed [GTW-79]",
  LIMIT,
  async () => {
    const state = {
      resources: [shown("own://a")],
      canSubscribe: true,
      tools: [{ name: "exit", ending: "exit", inputSchema: { type: "object" } }],
    } as const;
    await using gateway = await gatewayOf({ own: state }, OPEN);
    const asked = (method: string) => gateway.servers.received("own", method).length;
    const gone = await legacyClient(gateway);
    assert.equal((await subscribe(gone.session, "own://a")).kind, "result");
    await gone.session.close();
    await until(() => asked("resources/unsubscribe") === 1);
    await using client = await legacyClient(gateway);
    assert.equal((await subscribe(client.session, "own://a")).kind, "result");
    assert.equal(asked("resources/subscribe"), 2);
    await call(client.session, "own__exit");
    await until(() => asked("resources/subscribe") === 3);
    await until(() => client.heard.length > 0);
    assert.deepEqual(client.heard, [{ uri: "own://a" }]);
  },
);

test("a server that tells of too much is not heard, and that is written down [GTW-78]", LIMIT, async () => {
  const state = { tools: [], resources: [shown("own://a")], canSubscribe: true };
  const many = Array.from({ length: 300 }, () => ({ uri: "own://a" }));
  await using gateway = await gatewayOf({ own: state }, OPEN);
  await using client = await legacyClient(gateway);
  assert.equal((await subscribe(client.session, "own://a")).kind, "result");
  gateway.servers.set("own", { ...state, updates: many });
  await until(() => gateway.entries("finding").length > 0);
  await aWhile();
  assert.ok(client.heard.length >= 100 && client.heard.length < 150, `${client.heard.length} heard`);
  assert.deepEqual(
    gateway
      .entries("finding")
      .map(({ outcome, server, data }) => [outcome, server, (data as Record<string, unknown>).rule]),
    [["denied", "own", "update-flood"]],
  );
});

test("an address that is listened to is kept, and has a length [GTW-78]", LIMIT, async () => {
  const templates = [{ uriTemplate: "own://{path}", name: "any" }];
  await using gateway = await gatewayOf({ own: { templates, canSubscribe: true } }, OPEN);
  await using client = await legacyClient(gateway);
  const [most, more] = [4096, 4097].map((length) => `own://${"x".repeat(length - 6)}`) as [string, string];
  assert.equal((await subscribe(client.session, most)).kind, "result");
  assert.equal(
    textOf(await subscribe(client.session, more)),
    "error -32602: An address that is listened to has at most 4096 characters",
  );
  await using modern = await modernClient(gateway, [more, most]);
  assert.deepEqual(modern.agreed, [[most]]);
  assert.equal(gateway.servers.bytes("own").includes(more), false);
});

test("what can be listened to is bounded, also where much is asked for at once [GTW-78]", LIMIT, async () => {
  const uris = Array.from({ length: 300 }, (_, n) => `own://${n}`);
  await using gateway = await gatewayOf({ own: { resources: uris.map(shown), canSubscribe: true } }, OPEN);
  await using one = await legacyClient(gateway);
  const outcomes = await Promise.all(uris.map((uri) => subscribe(one.session, uri)));
  const refused = outcomes.filter(({ kind }) => kind === "error").map(textOf);
  assert.deepEqual([...new Set(refused)], ["error -32602: Too many resources are listened to"]);
  assert.equal(refused.length, 44);
  // Another one has room of its own, until their caller has none.
  for (const left of [256, 256, 256, 256, 256, 256, 256, 0]) {
    const client = await modernClient(gateway, uris);
    assert.equal((client.agreed[0] as unknown[]).length, left);
  }
});

test(
  "a modern server is asked for all that is wanted at once, and for less when less is wanted [GTW-79]",
  LIMIT,
  async () => {
    const listened: unknown[] = [];
    await using server = await serveHttp({
      info: { name: "modern", version: "1" },
      capabilities: { resources: { subscribe: true } },
      eras: ["modern"],
      handlers: {
        "resources/list": () => ({ resources: [shown("m://a"), shown("m://b")] }),
        "resources/templates/list": () => ({ resourceTemplates: [] }),
      },
      subscribe: async (uris) => {
        listened.push(uris);
        return { uris: uris.filter((uri) => uri !== "m://b"), end: () => void listened.push("end") };
      },
    });
    using folder = temporaryFolder();
    await using gateway = await startGateway(folder.path, {
      ...OPEN,
      servers: { m: { url: server.url.href } },
    });
    await using client = await modernClient(gateway, ["m://a", "m://b"]);
    assert.deepEqual(client.agreed, [["m://a"]], "what the server does not tell of");
    assert.deepEqual(listened[0], ["m://a", "m://b"]);
    client.session.cancel("listening");
    await until(() => listened.at(-1) === "end");
  },
);

test(
  "who has lost a resource to another server, or is not admitted any more, is not heard of it [GTW-78]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    const state = { resources: [shown("both://x")], canSubscribe: true };
    for (const name of ["one", "two"]) servers.set(name, state);
    const config = (...names: readonly string[]) => ({
      ...OPEN,
      servers: Object.fromEntries(names.map((name) => [name, servers.entry(name)])),
    });
    await using gateway = await startGateway(folder.path, config("one", "two"));
    await using client = await legacyClient(gateway);
    let times = 0;
    const touched = (name: string): void =>
      servers.set(name, { ...state, updates: [{ uri: "both://x", times: ++times }] });
    const changedTo = async (next: object): Promise<void> => {
      writeFileSync(join(folder.path, "touchstone.yml"), JSON.stringify(next));
      await gateway.assembled.reload();
    };
    assert.equal((await subscribe(client.session, "both://x")).kind, "result");
    for (const name of ["one", "two"]) touched(name);
    await until(() => client.heard.length > 0);
    await aWhile();
    assert.equal(client.heard.length, 1, "of the first alone");
    await changedTo(config("two", "one"));
    for (const name of ["one", "two"]) touched(name);
    await aWhile();
    assert.equal(client.heard.length, 1, "it is read from the other one now");
    await changedTo({ servers: { one: servers.entry("one") } });
    touched("one");
    await aWhile();
    assert.equal(client.heard.length, 1, "nobody may read it");
    assert.match(textOf(await subscribe(client.session, "both://x")), /^error -32602: admission: /);
  },
);

test(
  "clients that begin to listen while a modern server has not answered yet are all heard [GTW-79]",
  LIMIT,
  async () => {
    const uris = ["m://0", "m://1", "m://2", "m://3"];
    const standing = new Set<(uri: string) => void>();
    await using server = await serveHttp({
      info: { name: "modern", version: "1" },
      capabilities: { resources: { subscribe: true } },
      eras: ["modern"],
      handlers: {
        "resources/list": () => ({ resources: uris.map(shown) }),
        "resources/templates/list": () => ({ resourceTemplates: [] }),
      },
      subscribe: async (wanted, _call, hear) => {
        await sleep(100);
        const tell = (uri: string): void => {
          if (wanted.includes(uri)) hear(uri);
        };
        standing.add(tell);
        return { uris: wanted, end: () => void standing.delete(tell) };
      },
    });
    using folder = temporaryFolder();
    const servers = { m: { url: server.url.href } };
    await using gateway = await startGateway(folder.path, { ...OPEN, servers });
    const clients = await Promise.all(
      uris.map(async (uri, n) => {
        await sleep(n * 40);
        return modernClient(gateway, [uri]);
      }),
    );
    assert.deepEqual(
      clients.map(({ agreed }) => agreed),
      uris.map((uri) => [[uri]]),
    );
    await until(() => standing.size === 1);
    for (const uri of uris) for (const tell of standing) tell(uri);
    await until(() => clients.every(({ heard }) => heard.length === 1));
    assert.deepEqual(
      clients.map(({ heard }) => heard),
      uris.map((uri) => [uri]),
    );
    for (const { session } of clients) await session.close();
  },
);
