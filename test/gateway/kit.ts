/** A gateway in a folder of its own, with servers that show what a test wants, and clients of both eras in front of it. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { type Assembled, assemble } from "../../src/gateway/index.ts";
import { startOf } from "../../src/surface/index.ts";
import { lockedSurface, lockText } from "../../src/surface/lock/format.ts";
import type { ResolvedTarget } from "../../src/target/index.ts";
import { pinningOf } from "../../src/target/pinning.ts";
import {
  type ConnectOptions,
  connect,
  isRecord,
  type Outcome,
  type Session,
  serveHttp,
} from "../../src/wire/index.ts";
import { root, temporaryFolder } from "../kit/paths.ts";
import { entriesIn } from "./program.ts";

export const LIMIT = { timeout: 30_000 } as const;
const fixture = join(root, "test/fixtures/gateway-server.mjs");

export interface ToolState {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly execution?: { readonly taskSupport: "required" | "optional" };
  /** The text it answers with. */
  readonly answer?: string;
  /** A whole frame in place of an answer; ID stands for the id. */
  readonly raw?: string;
  /** What it tells before it answers. */
  readonly progress?: readonly Readonly<Record<string, unknown>>[];
  /** `echo` says its argument `text` again, after a while that differs; `deaf` answers, and reads nothing after that; `freeze` does nothing
   *  any more at all; `meta` says the `_meta` that reached it. */
  readonly ending?: "exit" | "hang" | "freeze" | "echo" | "deaf" | "meta";
}

export interface ServerState {
  readonly tools?: readonly ToolState[];
  readonly resources?: readonly {
    readonly uri: string;
    readonly name: string;
    readonly description?: string;
    readonly answer: string;
  }[];
  /** Any address is read, whether listed or not. */
  readonly templates?: readonly {
    readonly uriTemplate: string;
    readonly name: string;
    readonly description?: string;
    /** Of any address that is not listed. */
    readonly answer?: string;
  }[];
  readonly prompts?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly answer: string;
  }[];
  /** What it says to every completion; without it it offers none. */
  readonly completions?: readonly string[];
  /** What it says to the agent when it is opened. */
  readonly instructions?: string;
  readonly announces?: boolean;
  /** It says that calls of its tools can be tasks. */
  readonly hasTasks?: boolean;
  /** Whether it says that it tells of changes to resources, and what it tells when this file is changed. */
  readonly canSubscribe?: boolean;
  readonly updates?: readonly Readonly<Record<string, unknown>>[];
  /** Its list of tools goes on with a page that cannot be read. */
  readonly hasBrokenList?: boolean;
  /** Its tools say something else each time they are read, at first nothing, and it tells of that. */
  readonly isRestless?: boolean;
  /** Its list of tools, as it is written. */
  readonly rawTools?: string;
}

export const reads = (name: string, answer: string, more: Partial<ToolState> = {}): ToolState => ({
  name,
  answer,
  description: `reads ${name}`,
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
  ...more,
});
export const writes = (name: string, answer = "done", more: Partial<ToolState> = {}): ToolState => ({
  ...reads(name, answer, more),
  annotations: {},
});

/** The servers of a folder: their state can be changed, and what reached them be read. */
export class Servers {
  readonly folder: string;
  constructor(folder: string) {
    this.folder = folder;
  }
  set(name: string, state: ServerState): void {
    const file = join(this.folder, `${name}.json`);
    // As a whole: it may be reading.
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  }
  /** Its entry for `servers`. */
  entry(name: string): Record<string, unknown> {
    const files = [join(this.folder, `${name}.json`), join(this.folder, `${name}.txt`)];
    return { command: process.execPath, args: [fixture, ...files] };
  }
  /** Every byte that reached it. */
  bytes(name: string): string {
    const file = join(this.folder, `${name}.txt`);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }
  /** Every line that reached it, of one method where that is given; what has no end yet is left out. */
  received(name: string, method?: string): string[] {
    const lines = this.bytes(name)
      .split("\n")
      .slice(0, -1)
      .filter((line) => line !== "");
    return method === undefined ? lines : lines.filter((line) => JSON.parse(line).method === method);
  }
  /** A lock of what they show now. */
  lock(states: Readonly<Record<string, ServerState>>): void {
    const servers = Object.entries(states).map(([name, { tools = [] }]) => {
      const shown = tools.map(
        ({ answer: _answer, raw: _raw, ending: _ending, progress: _told, ...tool }) => tool,
      );
      const surface = {
        era: "legacy",
        protocolVersion: "2025-11-25",
        info: {},
        capabilities: {},
        instructions: undefined,
        tools: shown,
        resources: [],
        resourceTemplates: [],
        prompts: [],
      } as const;
      const { command, args } = this.entry(name) as { command: string; args: string[] };
      const launch = { kind: "stdio", command, args } as const;
      const target = { launch, pinning: pinningOf(launch), secrets: [] };
      const start = startOf(target as unknown as ResolvedTarget, { folder: this.folder, home: homedir() });
      const surfaces = {
        none: lockedSurface({ ...surface, claims: "none" }),
        everything: lockedSurface({ ...surface, claims: "everything" }),
      };
      return { id: name, name, source: "touchstone.yml", start, surfaces };
    });
    writeFileSync(join(this.folder, "touchstone.lock"), lockTextOf(servers));
  }
}

const lockTextOf = (servers: Parameters<typeof lockText>[0]["servers"]): string =>
  lockText({ format: "touchstone-lock/2", servers });

export interface Running extends AsyncDisposable {
  readonly assembled: Assembled;
  readonly url: URL;
  connect(options?: ConnectOptions & { readonly token?: string }): Promise<Session>;
  /** What was told to the operator so far. */
  readonly told: readonly string[];
  /** Entries of the log so far. */
  entries(type?: string): Readonly<Record<string, unknown>>[];
}

/** Written as JSON, which is YAML. */
export async function startGateway(
  folder: string,
  config: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>> = {},
  holdMs = 50,
): Promise<Running> {
  const file = join(folder, "touchstone.yml");
  writeFileSync(file, JSON.stringify(config, null, 1));
  const told: string[] = [];
  const assembled = await assemble(file, {
    version: "0",
    environment: { ...process.env, ...environment },
    holdMs,
    onProgress: (text) => told.push(text),
  });
  const { gateway, callerOf } = assembled;
  await gateway.start();
  const bearer = (header = ""): string => header.replace(/^Bearer /, "");
  const server = await serveHttp(gateway.definition(), {
    ...(callerOf ? { authorize: ({ authorization }) => callerOf(bearer(authorization)) } : {}),
  });
  gateway.onAnnounce((method) => server.announce(method));
  return {
    assembled,
    told,
    url: server.url,
    connect: ({ token, ...options } = {}) =>
      connect(
        {
          kind: "http",
          url: server.url,
          ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
        },
        options,
      ),
    entries: (type) => entriesIn(join(folder, "audit"), type),
    async [Symbol.asyncDispose]() {
      await server.close();
      await assembled.close();
    },
  };
}

export interface Story extends Running {
  readonly folder: string;
  readonly servers: Servers;
}

/** Servers behind a gateway, in a folder of their own; those under `locked` are locked as they are now. */
export async function gatewayOf(
  states: Readonly<Record<string, ServerState>>,
  { locked = [], ...config }: Readonly<Record<string, unknown>> & { readonly locked?: readonly string[] },
  environment: Readonly<Record<string, string>> = {},
  holdMs?: number,
): Promise<Story> {
  const folder = temporaryFolder();
  const servers = new Servers(folder.path);
  for (const [name, state] of Object.entries(states)) servers.set(name, state);
  if (locked.length > 0) servers.lock(Object.fromEntries(locked.map((name) => [name, states[name] ?? {}])));
  const entries = Object.keys(states).map((name) => [
    name,
    { ...servers.entry(name), ...(locked.includes(name) ? { locked: true } : {}) },
  ]);
  const whole = { ...config, servers: Object.fromEntries(entries) };
  const running = await startGateway(folder.path, whole, environment, holdMs);
  return {
    ...running,
    folder: folder.path,
    servers,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export const call = (session: Session, name: string, args: object = {}): Promise<Outcome> =>
  session.request("tools/call", { name, arguments: args });

/** What a call came to: the text of its answer, or `error: …`. */
export function textOf(outcome: Outcome): string {
  if (outcome.kind === "error") return `error ${outcome.error.code}: ${outcome.error.message}`;
  if (outcome.kind !== "result" || !isRecord(outcome.result)) return outcome.kind;
  const { content } = outcome.result;
  const [block] = Array.isArray(content) ? content : [];
  return isRecord(block) ? String(block.text) : JSON.stringify(outcome.result);
}

export const namesIn = async (session: Session): Promise<string[]> => {
  const outcome = await session.request("tools/list");
  const tools = outcome.kind === "result" && isRecord(outcome.result) ? outcome.result.tools : [];
  return (Array.isArray(tools) ? tools : []).map((tool) => String(tool.name)).sort();
};

/** As if so much time had passed, for whoever looks at the clock; timers do not run ahead. */
export function later(ms: number): Disposable {
  const real = performance.now.bind(performance);
  const clock = mock.method(performance, "now", () => real() + ms);
  return { [Symbol.dispose]: () => clock.mock.restore() };
}
