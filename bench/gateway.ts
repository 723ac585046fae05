/** What the gateway costs: `npm run bench:gateway`. All controls and the log on, against a bare pass-through and against other gateways
 *  (from the registry, installed when this runs), in one run, in turns. Every answer is looked at. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { median, report } from "./kit.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const peers = here("peers");
if (!existsSync(join(peers, "node_modules")))
  spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: peers, stdio: "inherit" });

/** Two processes of the same program differ by several per cent, each for as long as it lives: so each is started anew for each round. */
const ROUNDS = Number(process.argv[2] ?? 4);
/** What the first turns bring back does not count. */
const TURNS_BEFORE = 2;
const CALLS = 50;
const AT_ONCE = 16;
/** Long enough that it is not the beginning that is measured. */
const CALLS_AT_ONCE = 400;
/** What one does when it has answered, it has done before the next is measured. No longer than it takes: after some seconds of
 *  idleness calls meet page faults, and are slower for as long as they are measured. */
const PAUSE_MS = 50;
/** So often each has each place in the row, of calls alone and of calls at once. */
const [TIMES, TIMES_AT_ONCE] = [4, 2];
/** Until everything that is compiled while it runs has been: for all of them alike. In turns, since a process that is idle for ten seconds
 *  tidies up its memory and forgets half of what it knew of its own code: whoever was started last would be the fastest. */
const WARM_UP = 10_000;
/** A call alone goes another way than one of many (its entries are written at once): that has to be compiled too. */
const WARM_UP_ALONE = 5_000;
const WARM_TURNS = 5;
const ALL_PROCESSORS = `0-${availableParallelism() - 1}`;
const folder = mkdtempSync(join(tmpdir(), "bench-gateway-"));
const children: ChildProcess[] = [];

/** Starts a program and waits until it says where it listens, or for a port that is known answers. */
async function start(command: string, args: readonly string[], port?: number): Promise<URL> {
  const child = spawn(command, args, { stdio: "pipe", detached: true });
  children.push(child);
  if (port !== undefined) {
    child.stdout?.resume();
    child.stderr?.resume();
    for (let tries = 0; tries < 200; tries++) {
      const isUp = await new Promise<boolean>((done) => {
        http
          .get({ port, path: "/" }, (answer) => done(answer.resume() !== undefined))
          .on("error", () => done(false));
      });
      if (isUp) return new URL(`http://127.0.0.1:${port}/mcp`);
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`${command} does not listen`);
  }
  return new Promise((done, fail) => {
    let text = "";
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const [, url] = /^listening (\S+)$/m.exec(text) ?? [];
      if (url !== undefined) done(new URL(url));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.on("exit", () => fail(new Error(text)));
  });
}

interface Answer {
  readonly head: string;
  readonly text: string;
}

interface Waiting {
  readonly question: string;
  readonly done: (answer: Answer) => void;
  readonly fail: (cause: Error) => void;
  /** It was asked once, on a line that was open already. */
  readonly isFirst: boolean;
}

/** A connection that is kept: what is measured is the gateway, so whoever asks does no more than it has to. One question at a time. */
class Line {
  readonly #url: URL;
  #socket: net.Socket | undefined;
  #head = "";
  #text = "";
  #asked: Waiting | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  ask(question: string): Promise<Answer> {
    [this.#head, this.#text] = ["", ""];
    return new Promise((done, fail) => {
      this.#asked = { question, done, fail, isFirst: this.#socket?.writable ?? false };
      this.#open().write(question, "latin1");
    });
  }

  #open(): net.Socket {
    if (this.#socket?.writable) return this.#socket;
    const { hostname, port } = this.#url;
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => this.#read(chunk));
    // What is told next is that it was closed.
    socket.on("error", () => {});
    socket.on("close", () => {
      if (this.#socket === socket) this.#closed();
    });
    this.#socket = socket;
    return socket;
  }

  /** Servers close a line that nobody used for some seconds, and that may be just when something is asked: it is asked once more then. */
  #closed(): void {
    const asked = this.#asked;
    this.#socket = undefined;
    if (!asked) return;
    if (!asked.isFirst || this.#text !== "") return asked.fail(new Error("the connection was closed"));
    this.#asked = { ...asked, isFirst: false };
    this.#open().write(asked.question, "latin1");
  }

  #read(chunk: string): void {
    this.#text += chunk;
    if (this.#head === "") {
      const end = this.#text.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.#head = this.#text.slice(0, end).toLowerCase();
      this.#text = this.#text.slice(end + 4);
    }
    const [, length] = /\r\ncontent-length: (\d+)/.exec(this.#head) ?? [];
    const isWhole = this.#head.includes("\r\ntransfer-encoding: chunked")
      ? /(?:^|\r\n)0\r\n\r\n$/.test(this.#text)
      : this.#text.length >= Number(length ?? 0);
    if (!isWhole) return;
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.done({ head: this.#head, text: this.#text });
  }
}

class Client {
  readonly #url: URL;
  readonly #tool: string;
  readonly #lines: Line[];
  #session = "";
  #id = 0;

  constructor(url: URL, tool: string) {
    [this.#url, this.#tool] = [url, tool];
    this.#lines = Array.from({ length: AT_ONCE }, () => new Line(url));
  }

  async #post(line: number, body: string): Promise<Answer> {
    const { host, pathname } = this.#url;
    const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n${this.#session}content-length: ${body.length}\r\n\r\n`;
    const answer = await (this.#lines[line] as Line).ask(head + body);
    if (!answer.head.startsWith("http/1.1 20")) throw new Error(`${this.#url}: ${answer.head}`);
    return answer;
  }

  async open(): Promise<void> {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    };
    const { head } = await this.#post(
      0,
      JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
    );
    const [, session] = /\r\nmcp-session-id: (\S+)/.exec(head) ?? [];
    if (session !== undefined)
      this.#session = `mcp-session-id: ${session}\r\nmcp-protocol-version: 2025-11-25\r\n`;
    await this.#post(0, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }

  async call(line = 0): Promise<number> {
    const id = ++this.#id;
    const text = `call ${id} of ${process.pid} ${"x".repeat(40)}`;
    const params = { name: this.#tool, arguments: { text } };
    const began = performance.now();
    const { text: answer } = await this.#post(
      line,
      JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }),
    );
    const ms = performance.now() - began;
    if (!answer.includes(text) || !answer.includes(`"id":${id}`))
      throw new Error(`a wrong answer: ${answer.slice(0, 300)}`);
    return ms;
  }
}

const config = (name: string, server: object, more: object = {}): string => {
  const file = join(folder, `${name}.yml`);
  writeFileSync(
    file,
    JSON.stringify({
      policy: "spec",
      modes: { admission: "warn", flow: "ask" },
      servers: { s: server },
      audit: { folder: `audit-${name}` },
      ...more,
    }),
  );
  return file;
};
const child = here("gateway-child.mjs");
const node = process.execPath;
const stdioServer = [here("../test/peers/sdk-v1-server.mjs"), "stdio"];
const bin = (name: string): string => join(peers, "node_modules/.bin", name);

interface Contender {
  readonly tool: string;
  /** `server`: one over HTTP. */
  start(server: URL): Promise<URL>;
}

let made = 0;
const ours = (server: object, ...how: readonly string[]): Promise<URL> =>
  start(node, [child, "ours", config(`ours-${++made}`, server), ...how]);
const STDIO = { command: node, args: stdioServer, era: "legacy" };
const SUPERGATEWAY = "--outputTransport streamableHttp --stateful --logLevel none".split(" ");
const onPort = (name: string, args: (port: string) => readonly string[]): Promise<URL> => {
  const port = 18761 + ++made;
  return start(bin(name), args(String(port)), port);
};

const contenders: Readonly<Record<string, Contender>> = {
  "stdio ours": { tool: "s__echo", start: () => ours(STDIO) },
  "stdio ours, log off": { tool: "s__echo", start: () => ours(STDIO, "off") },
  "stdio bare relay": { tool: "echo", start: () => start(node, [child, "relay", ...stdioServer]) },
  "stdio bare relay that writes": {
    tool: "echo",
    start: () => start(node, [child, "writing-relay", join(folder, `relay-${++made}.jsonl`), ...stdioServer]),
  },
  "stdio mcp-proxy": {
    tool: "echo",
    start: () =>
      onPort("mcp-proxy", (port) => [
        ...["--port", port, "--host", "127.0.0.1", "--server", "stream"],
        ...["--", node, ...stdioServer],
      ]),
  },
  "stdio supergateway": {
    tool: "echo",
    start: () =>
      onPort("supergateway", (port) => [
        ...["--stdio", [node, ...stdioServer].join(" "), "--port", port],
        ...SUPERGATEWAY,
      ]),
  },
  // All three speak to it in the same era.
  "http direct": { tool: "echo", start: async (server) => server },
  "http pass-through": { tool: "echo", start: ({ href }) => start(node, [child, "pass", href]) },
  "http ours": { tool: "s__echo", start: ({ href }) => ours({ url: href, era: "legacy" }) },
  "http ours, log off": { tool: "s__echo", start: ({ href }) => ours({ url: href, era: "legacy" }, "off") },
};

interface Samples {
  readonly alone: number[];
  readonly perSecond: number[];
}
const samples = new Map<string, Samples>(
  Object.keys(contenders).map((name) => [name, { alone: [], perSecond: [] }]),
);

/** Of a call by itself everybody's work comes one after the other: a second processor has no part in it but to be woken, and virtual ones
 *  take longer for that than the work takes. So all are on one. */
async function alone(client: Client): Promise<number[]> {
  await sleep(PAUSE_MS);
  const times: number[] = [];
  for (let each = 0; each < CALLS; each++) times.push(await client.call());
  return times;
}

async function together(client: Client): Promise<number[]> {
  await sleep(PAUSE_MS);
  const began = performance.now();
  let left = CALLS_AT_ONCE;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, line) => {
      while (left-- > 0) await client.call(line);
    }),
  );
  return [(CALLS_AT_ONCE * 1000) / (performance.now() - began)];
}

/** All of them in turns. Who is measured after whom matters: each has each place as often, and every other round the row goes the other way. */
async function inTurns(
  clients: readonly (readonly [name: string, client: Client])[],
  turns: number,
  measured: (client: Client) => Promise<number[]>,
  kept: (name: string) => number[] | undefined,
): Promise<void> {
  for (let turn = -TURNS_BEFORE; turn < turns; turn++) {
    const first = (turn + clients.length) % clients.length;
    for (const [name, client] of [...clients.slice(first), ...clients.slice(0, first)]) {
      const figures = await measured(client);
      if (turn >= 0) kept(name)?.push(...figures);
    }
  }
}

/** This process, and all that it has started: servers too, whichever way a gateway starts them. */
function runOn(processors: string): void {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)] as const),
  );
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  for (const pid of parents.keys()) if (isOurs(pid)) spawnSync("taskset", ["-apc", processors, String(pid)]);
}

/** Of a process that may be gone by now. */
function parentOf(pid: string): number {
  try {
    // Its name may hold anything, and stands in brackets.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return Number(parent);
  } catch {
    return 0;
  }
}

async function warm(client: Client, turns: number): Promise<void> {
  for (let done = 0; done < WARM_UP / turns; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, line) => client.call(line)));
  for (let done = 0; done < WARM_UP_ALONE / turns; done++) await client.call();
}

function endAll(): void {
  for (const { pid } of children.splice(0))
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // It has left already.
    }
}

// Also where a wrong answer ends it.
process.on("exit", endAll);
for (let round = 0; round < ROUNDS; round++) {
  const clients: [name: string, client: Client][] = [];
  const server = await start(node, [here("../test/peers/sdk-v2-server.mjs"), "http"]);
  for (const [name, contender] of Object.entries(contenders)) {
    const client = new Client(await contender.start(server), contender.tool);
    await client.open();
    clients.push([name, client]);
  }
  if (round % 2 === 1) clients.reverse();
  for (let turn = 0; turn < WARM_TURNS; turn++)
    for (const [, client] of clients) await warm(client, WARM_TURNS);
  runOn("0");
  await inTurns(clients, TIMES * clients.length, alone, (name) => samples.get(name)?.alone);
  runOn(ALL_PROCESSORS);
  await inTurns(clients, TIMES_AT_ONCE * clients.length, together, (name) => samples.get(name)?.perSecond);
  endAll();
}

rmSync(folder, { recursive: true, force: true });

const p50 = (name: string): number => median(samples.get(name)?.alone ?? []);
const rate = (name: string): number => median(samples.get(name)?.perSecond ?? []);
/** What two appends cost somebody who does nothing else, with the same syncs: no log that writes before the call and before its answer
 *  is below that. */
const leastOfLog = p50("stdio bare relay that writes") - p50("stdio bare relay");
const withoutLog = p50("stdio ours, log off");
const ofLog = (ms: number): string => `${((withoutLog + ms) / withoutLog).toFixed(2)} x`;
const isHeld = report(
  `gateway, ${ROUNDS} rounds of ${TIMES * samples.size} turns of ${CALLS} calls alone on one processor, and ${TIMES_AT_ONCE * samples.size} of ${CALLS_AT_ONCE} with ${AT_ONCE} at once on all`,
  [
    ...[...samples.keys()].map(
      (name) =>
        `${name}: ${p50(name).toFixed(3)} ms alone (p50), ${rate(name).toFixed(0)} calls a second at ${AT_ONCE}`,
    ),
    `two plain appends instead of the log, stdio, p50: ${ofLog(leastOfLog)}`,
  ],
  [
    {
      what: "stdio, p50 against mcp-proxy",
      ratio: p50("stdio ours") / p50("stdio mcp-proxy"),
      most: 0.6,
    },
    {
      what: "stdio, p50 against supergateway",
      ratio: p50("stdio ours") / p50("stdio supergateway"),
      most: 0.6,
    },
    {
      what: "stdio, mcp-proxy's calls a second against ours",
      ratio: rate("stdio mcp-proxy") / rate("stdio ours"),
      most: 1 / 2.5,
    },
    {
      what: "stdio, supergateway's calls a second against ours",
      ratio: rate("stdio supergateway") / rate("stdio ours"),
      most: 1 / 2.5,
    },
    {
      what: "http, p50 against a pass-through",
      ratio: p50("http ours") / p50("http pass-through"),
      most: 1.25,
    },
    {
      what: "log on against off, stdio, p50",
      ratio: p50("stdio ours") / withoutLog,
      most: 1.15,
    },
    {
      what: "log on against off, stdio, calls a second",
      ratio: rate("stdio ours, log off") / rate("stdio ours"),
      most: 1.15,
    },
    {
      what: "log on against off, http, p50",
      ratio: p50("http ours") / p50("http ours, log off"),
      most: 1.15,
    },
    {
      what: "log on against off with two plain appends, stdio, p50",
      ratio: p50("stdio ours") / (withoutLog + leastOfLog),
      most: 1.15,
    },
  ],
);
process.exit(isHeld ? 0 : 1);
