/** A gateway whose servers and clients fail in every way at once, for so many cycles; says what clients got, and what it holds afterwards. */
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root, temporaryFolder } from "../kit/paths.ts";
import { carrying } from "../kit/stubborn.ts";
import { type ChaosWeb, chaosWeb, WEB_FAULTS } from "./chaos-web.ts";
import { type GatewayProgram, type Held, leftOf, startProgram, until } from "./program.ts";
import { type Came, MODERN, RawHttp, RawStdio } from "./raw-clients.ts";

const fixture = join(root, "test/fixtures/chaos-server.mjs");
const STEADY = "steady";
const ODD = Array.from({ length: 12 }, (_, n) => `odd${n + 1}`);
const AT_ONCE = 4;
const TIMEOUT_MS = 3_000;

/** What a server over stdio does wrong; those that end it are started again by the gateway, each time after a longer wait. */
const ENDING = ["crash", "killed", "cut", "mute", "deaf", "orphan", "not again"];
const FAULTS = [
  ...["hang", "late", "noise", "wrong ids", "twice", "both", "huge", "flood"],
  ...["questions", "progress", "changes", ...ENDING],
];

export interface ChaosResult {
  readonly cycles: number;
  readonly calls: number;
  /** Answers that were the caller's own. */
  readonly own: number;
  readonly errors: number;
  /** What no client may ever get. */
  readonly wrong: readonly string[];
  /** Calls of the server that never fails, and were not answered. */
  readonly unserved: readonly string[];
  /** Faults that nobody has seen happen. */
  readonly missing: readonly string[];
  /** Servers that work again at the end. */
  readonly serving: readonly string[];
  /** Servers that run more than once while the gateway is up. */
  readonly doubled: readonly string[];
  /** Processes that are left when it has ended. */
  readonly left: number;
  readonly before: Held;
  readonly after: Held;
}

interface World {
  readonly gateway: GatewayProgram;
  readonly clients: readonly RawHttp[];
  readonly came: Came[];
  readonly unserved: string[];
  /** Servers that somebody is about to end. */
  readonly taken: Set<string>;
  readonly done: string[];
}

type Cycle = (world: World) => Promise<void>;

const nonce = (): string => randomBytes(9).toString("hex");
const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;

const entryOf = (folder: string, name: string) => ({
  command: process.execPath,
  args: [fixture, folder, name],
});
const COMMON = {
  policy: "spec",
  modes: { admission: "observe", drift: "observe", trigger: "observe", flow: "observe" },
  limits: { timeout_ms: TIMEOUT_MS, max_frame_bytes: 1024 * 1024 },
} as const;

export async function chaos(cycles: number): Promise<ChaosResult> {
  using folder = temporaryFolder();
  await using legacy = await chaosWeb("legacy");
  await using modern = await chaosWeb("modern");
  const webs: Readonly<Record<string, ChaosWeb>> = { weblegacy: legacy, webmodern: modern };
  const servers = {
    ...Object.fromEntries([STEADY, ...ODD].map((name) => [name, entryOf(folder.path, name)])),
    ...Object.fromEntries(Object.entries(webs).map(([name, { url }]) => [name, { url: url.href }])),
  };
  await using gateway = await startProgram(folder.path, {
    ...COMMON,
    listen: "http://127.0.0.1:0/mcp",
    servers,
  });
  const clients = (["modern", "legacy", "legacy"] as const).map((era) => new RawHttp(gateway.url, era));
  for (const client of clients) await client.open();
  const world: World = { gateway, clients, came: [], unserved: [], taken: new Set(), done: [] };
  const kinds = kindsOf();
  let begun = 0;
  const run = async (upTo: number): Promise<void> => {
    const worker = async (): Promise<void> => {
      while (begun < upTo) await oneCycle(world, kinds[begun++ % kinds.length] as Cycle);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  await run(Math.ceil(cycles / 5));
  const before = await settled(world);
  await run(cycles);
  const after = await settled(world);
  const serving = await servingAgain(world, Object.keys(servers));
  const doubled = doubledOf(folder.path, [STEADY, ...ODD]);
  await gateway.end();
  const left = await leftOf(folder.path);
  const { came, unserved } = world;
  const seen = new Set([...world.done, ...legacy.done, ...modern.done, ...faultsIn(folder.path)]);
  return {
    cycles,
    calls: came.length,
    own: came.filter((each) => each === "own").length,
    errors: came.filter((each) => each === "error").length,
    wrong: came.filter((each) => each.startsWith("wrong")),
    unserved,
    missing: [...FAULTS, ...Object.keys(WEB_FAULTS), ...Object.keys(CLIENTS)].filter(
      (each) => !seen.has(each),
    ),
    serving,
    doubled,
    left: left.length,
    before,
    after,
  };
}

const kindsOf = (): readonly Cycle[] => [
  ...Object.entries(CLIENTS).map(([name, cycle]) => async (world: World) => {
    world.done.push(name);
    await cycle(world);
  }),
  ...FAULTS.map((fault) => (world: World) => oddCall(world, fault)),
  ...Object.keys(WEB_FAULTS).map(
    (fault) => (world: World) => say(world, `${pick(["weblegacy", "webmodern"])}__say`, { fault }),
  ),
];

/** A fault, and calls of others beside it: the server that never fails answers all of its own. */
async function oneCycle(world: World, fault: Cycle): Promise<void> {
  const steady = async (): Promise<void> => {
    const came = await pick(world.clients).say(`${STEADY}__say`, nonce());
    world.came.push(came);
    if (came !== "own") world.unserved.push(came);
  };
  await Promise.all([
    fault(world),
    steady(),
    steady(),
    say(world, `${pick([...ODD, "weblegacy", "webmodern"])}__say`),
  ]);
}

async function say(world: World, tool: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  world.came.push(await pick(world.clients).say(tool, nonce(), more));
}

/** With two calls of the same server under way that do nothing wrong. */
async function oddCall(world: World, fault: string): Promise<void> {
  const isEnding = ENDING.includes(fault);
  let name = pick(ODD);
  if (isEnding)
    await until(async () => {
      const { servers } = await world.gateway.health();
      const free = ODD.filter((each) => servers[each] && !world.taken.has(each));
      if (free.length === 0) return false;
      name = pick(free);
      return true;
    }, 120_000);
  world.taken.add(name);
  const tool = `${name}__say`;
  await Promise.all([say(world, tool), say(world, tool, { fault }), say(world, tool)]);
  // It takes until then for one that neither speaks nor hears to be noticed.
  if (isEnding) await until(async () => (await world.gateway.health()).servers[name] === false, 30_000);
  world.taken.delete(name);
}

/** What clients do wrong. */
const CLIENTS: Readonly<Record<string, Cycle>> = {
  "a modern client goes away": (world) => goesAway(world, "modern"),
  "a legacy client goes away": (world) => goesAway(world, "legacy"),
  "a client breaks off in its body": ({ gateway: { url } }) =>
    new Promise<void>((done) => {
      const headers = { "content-type": "application/json", accept: "*/*", "content-length": "4000" };
      const request = http.request(url, { method: "POST", agent: false, headers });
      request.on("error", () => done());
      request.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steady__say"', () =>
        setTimeout(() => request.destroy(new Error("gone")), 20),
      );
    }),
  "a client stands and goes": ({ gateway: { url } }) =>
    new Promise<void>((done) => {
      const params = {
        notifications: { toolsListChanged: true },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": MODERN,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      };
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": MODERN,
        "mcp-method": "subscriptions/listen",
      };
      const request = http.request(url, { method: "POST", agent: false, headers }, (response) => {
        response.once("data", () => request.destroy());
        response.on("error", () => {});
      });
      request.on("close", done).on("error", () => {});
      request.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }));
    }),
  "a client over stdio goes away": async (world) => {
    const { left, code, wrong } = await overStdio("goes");
    if (left > 0 || code !== 0) world.unserved.push(`${left} processes left of a gateway that ended ${code}`);
    world.came.push(...wrong);
  },
  "the gateway is killed": async (world) => {
    const { left, wrong } = await overStdio("is killed");
    if (left > 0) world.unserved.push(`${left} processes left of a gateway that was killed`);
    world.came.push(...wrong);
  },
};

/** In the middle of calls, one of which nobody will answer. */
async function goesAway(world: World, era: "legacy" | "modern"): Promise<void> {
  const client = new RawHttp(world.gateway.url, era);
  await client.open();
  const gone = new AbortController();
  const calls = [
    client.say(`${pick(ODD)}__say`, nonce(), { fault: "hang" }, gone.signal),
    client.say(`${STEADY}__say`, nonce(), {}, gone.signal),
    client.say("webmodern__say", nonce(), { fault: "stalls in the body" }, gone.signal),
  ];
  await sleep(Math.random() * 60);
  gone.abort();
  world.came.push(...(await Promise.all(calls)));
}

/** A gateway of its own, with calls under way, whose client is gone or which is killed itself. */
async function overStdio(
  how: "goes" | "is killed",
): Promise<{ readonly left: number; readonly code: number | null; readonly wrong: readonly Came[] }> {
  using folder = temporaryFolder();
  const servers = { one: entryOf(folder.path, "one"), two: entryOf(folder.path, "two") };
  await using gateway = await startProgram(folder.path, { ...COMMON, servers });
  const client = new RawStdio(gateway.child);
  await client.open();
  const calls = [
    client.say("one__say", nonce(), { fault: "hang" }),
    ...["one", "two", "one", "two"].map((name) => client.say(`${name}__say`, nonce())),
    client.say("two__say", nonce(), { fault: "wrong ids" }),
  ];
  await sleep(Math.random() * 60);
  const { child } = gateway;
  if (how === "goes") child.stdin?.end();
  else child.kill("SIGKILL");
  await until(() => child.exitCode !== null || child.signalCode !== null, 20_000);
  const came = await Promise.all(calls);
  return {
    code: child.exitCode,
    left: (await leftOf(folder.path)).length,
    wrong: [
      ...came.filter((each) => each.startsWith("wrong")),
      ...client.strays.map((line): Came => `wrong: ${line.slice(0, 200)}`),
    ],
  };
}

/** What it holds when all servers are up and nobody asks anything. */
async function settled({ gateway }: World): Promise<Held> {
  await until(async () => Object.values((await gateway.health()).servers).every((isUp) => isUp), 120_000);
  // Answers that nobody waits for any more are let go of after this.
  await sleep(TIMEOUT_MS + 1_500);
  return gateway.held();
}

async function servingAgain({ clients }: World, names: readonly string[]): Promise<string[]> {
  const [client] = clients;
  await client?.request("tools/list", {});
  const came = await Promise.all(
    names.map(async (name) => [name, await client?.say(`${name}__say`, nonce())] as const),
  );
  return came.filter(([, each]) => each === "own").map(([name]) => name);
}

/** What it may hold more at the end than after a while: conversations that nobody has ended are kept, and are bounded elsewhere. */
const MORE_BYTES = 16 * 1024 * 1024;

/** What of it is not as it should be. */
export function faultsOf(result: ChaosResult): string[] {
  const { before, after, missing, serving, doubled, left } = result;
  const bytes = ({ heapUsed, external }: Held): number => heapUsed + external;
  const more = bytes(after) - bytes(before);
  return [
    ...result.wrong,
    ...result.unserved,
    ...missing.map((fault) => `never came about: ${fault}`),
    ...(serving.length === ODD.length + 3 ? [] : [`at the end only these serve: ${serving}`]),
    ...doubled.map((name) => `${name} does not run exactly once`),
    ...(left === 0 ? [] : [`${left} processes are left`]),
    ...(more < MORE_BYTES ? [] : [`it holds ${more} bytes more`]),
    ...(after.files <= before.files + MORE_FILES
      ? []
      : [`it holds ${before.files} files, and then ${after.files}`]),
    ...Object.entries(after.resources)
      .filter(([kind, count]) => count > (before.resources[kind] ?? 0) + MORE_FILES)
      .map(([kind, count]) => `${kind}: ${before.resources[kind] ?? 0}, and then ${count}`),
  ];
}
const MORE_FILES = 4;

/** The server itself, not what holds it: that has the same words behind its own. */
function doubledOf(folder: string, names: readonly string[]): string[] {
  const lines = carrying(folder).map((pid) => {
    const file = `/proc/${pid}/cmdline`;
    return existsSync(file) ? readFileSync(file, "utf8").split("\0") : [];
  });
  const own = lines.filter(([program, script]) => program === process.execPath && script === fixture);
  return names.filter((name) => own.filter((words) => words[3] === name).length !== 1);
}

const faultsIn = (folder: string): string[] =>
  readdirSync(folder).includes("faults.txt")
    ? readFileSync(join(folder, "faults.txt"), "utf8").trim().split("\n")
    : [];
