/** How the interop tests start real peers, and what they keep of the traffic with them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import {
  createRecorder,
  describe,
  isRecord,
  type Launch,
  type Outcome,
  type Question,
  type RecordedEvent,
  type Recorder,
  type RpcError,
} from "../../src/wire/index.ts";
import { peers } from "../kit/paths.ts";

export const LIMIT = { timeout: 30_000 } as const;

/** One of our peer programs, or a program of an installed package, to be spoken to over its standard streams. */
export function peerProgram(file: string, ...args: readonly string[]): Launch & { readonly kind: "stdio" } {
  return { kind: "stdio", command: process.execPath, args: [join(peers, file), ...args] };
}

export interface Running extends AsyncDisposable {
  readonly url: URL;
  /** Ends the program's input, which asks our own peers to leave in good order. */
  leave(): void;
}

/** Starts a program that serves HTTP and waits until it says where. */
export async function startHttp(
  { command, args, env = {} }: Launch & { readonly kind: "stdio" },
  urlIn: (output: string) => string | undefined = (output) => /^listening (\S+)$/m.exec(output)?.[1],
): Promise<Running> {
  const child = spawn(command, args, { stdio: "pipe", env: { ...process.env, ...env } });
  const exited = once(child, "exit");
  const url = await new Promise<string>((done, fail) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString("utf8");
      const found = urlIn(output);
      if (found !== undefined) done(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", fail);
    child.on("exit", (code) => fail(new Error(`${args[0]} exited with code ${code}: ${output}`)));
  });
  return {
    url: new URL(url),
    leave: () => void child.stdin.end(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** How a piece of a client program's work ended. */
export interface Ended {
  readonly result?: unknown;
  readonly error?: {
    readonly name: string;
    readonly code: unknown;
    readonly message: string;
    readonly data?: unknown;
  };
}

/** What a client program saw of a server; the members are explained in test/peers/exercise.mjs. */
export interface Report extends Readonly<Record<Step, Ended>> {
  readonly connected: Ended;
  readonly era: string;
  readonly version: string;
  readonly server: unknown;
  readonly capabilities: unknown;
  readonly instructions: unknown;
  readonly progress: readonly unknown[];
  readonly unsubscribed?: string;
  readonly questions: readonly { readonly message: string }[];
  readonly logs: readonly unknown[];
}

type Step =
  | "tools"
  | "echo"
  | "weigh"
  | "route"
  | "greet"
  | "unknown"
  | "count"
  | "cut"
  | "wasCancelled"
  | "resources"
  | "note"
  | "missingNote"
  | "prompts"
  | "prompt"
  | "ready"
  | "announce"
  | "changed"
  | "ended";

/** Runs a client program to its end and returns the one document it prints. */
export async function runClient(file: string, ...args: readonly string[]): Promise<Report> {
  const child = spawn(process.execPath, [join(peers, file), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [output, complaints] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk.toString("utf8");
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${file} exited with code ${code}: ${complaints}`);
  return JSON.parse(output);
}

/** Something that happens in a peer and that a test waits for. */
export class Heard<T> {
  readonly all: T[] = [];
  readonly #waiting = new Set<{ is: (item: T) => boolean; done: (item: T) => void }>();

  add(item: T): void {
    this.all.push(item);
    for (const wait of this.#waiting) {
      if (!wait.is(item)) continue;
      this.#waiting.delete(wait);
      wait.done(item);
    }
  }

  /** The first item that fits, now or later, leaving out the first few. */
  until(is: (item: T) => boolean, from = 0): Promise<T> {
    const found = this.all.slice(from).find(is);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((done) => this.#waiting.add({ is, done }));
  }
}

/** A recording kept in memory. */
export function tape(): { readonly recorder: Recorder; readonly heard: Heard<RecordedEvent> } {
  const heard = new Heard<RecordedEvent>();
  return { recorder: createRecorder((line) => heard.add(JSON.parse(line))), heard };
}

/** The frames the server sent, parsed from the bytes in the recording and by nothing else. */
export function serverFrames(events: readonly RecordedEvent[]): Record<string, unknown>[] {
  return events
    .filter(({ dir, ev }) => dir === "server->client" && ["msg", "sse-frame", "http-body"].includes(ev))
    .map(({ raw }) => parsed(raw ?? ""))
    .filter(isRecord);
}

/** An endpoint's address or an error page is no frame. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isProgress = ({ method }: Question): boolean => method === "notifications/progress";
export const isListChange = ({ method }: Question): boolean => method === "notifications/tools/list_changed";

/** The standing stream of a legacy session has begun. */
export function standingStream(heard: Heard<RecordedEvent>): Promise<RecordedEvent> {
  return heard.until(
    ({ ev, x, status }) =>
      ev === "http-response" &&
      status === 200 &&
      heard.all.some((sent) => sent.ev === "http-request" && sent.x === x && sent.method === "GET"),
  );
}

/** The result of a request that must have one. Each assertion here has a message: without one, Node searches the source. */
export function resultOf(outcome: Outcome): Record<string, unknown> {
  assert.ok(outcome.kind === "result" && isRecord(outcome.result), describe(outcome));
  return outcome.result;
}

/** The error of a request that must have one, with the HTTP status it came with. */
export function errorOf(outcome: Outcome): RpcError & { readonly status: number | undefined } {
  assert.ok(outcome.kind === "error", describe(outcome));
  return { ...outcome.error, status: outcome.status };
}

/** The text of a tool's answer. */
export function textOf(outcome: Outcome): unknown {
  const { content } = resultOf(outcome);
  return Array.isArray(content) && isRecord(content[0]) ? content[0].text : content;
}

/** A member of a value that may be no object at all. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined;
