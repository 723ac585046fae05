/** Clients that share no code with ours: they write frames as text and look at every frame that comes back. All count their ids from 1,
 *  so that the same ids are under way in many of them at once. */
import type { ChildProcess } from "node:child_process";
import http from "node:http";
import { createInterface } from "node:readline";

/** What came of a call: its own answer, an error, nothing, or what must never be. */
export type Came = "own" | "error" | "nothing" | `wrong: ${string}`;

export interface RawReply {
  readonly status: number;
  /** Everything in it that is JSON, from a body or from events. */
  readonly frames: readonly unknown[];
  readonly text: string;
}

export const MODERN = "2026-07-28";
const JSON_AND_EVENTS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const PATIENCE_MS = 20_000;

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly agent?: http.Agent;
}

/** One POST, over a connection of its own. */
export function post(url: URL, body: string, { headers = {}, signal, agent }: PostOptions = {}) {
  return new Promise<RawReply & { readonly headers: http.IncomingHttpHeaders }>((done, fail) => {
    const request = http.request(
      url,
      {
        method: "POST",
        agent: agent ?? false,
        headers: { ...JSON_AND_EVENTS, ...headers },
        timeout: PATIENCE_MS,
        ...(signal ? { signal } : {}),
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", fail);
        response.on("end", () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            frames: framesIn(text, response),
          }),
        );
      },
    );
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", fail);
    request.end(body);
  });
}

function framesIn(text: string, { headers }: http.IncomingMessage): unknown[] {
  const isStream = /event-stream/.test(headers["content-type"] ?? "");
  const texts = isStream
    ? text.split("\n\n").map((event) => event.replaceAll(/^(?:data: |event: .*\n)/gm, ""))
    : [text];
  return texts.filter((each) => each.trim() !== "").map((each) => JSON.parse(each) as unknown);
}

/** The frames of a modern request and the headers that repeat it. */
export function modernRequest(
  id: number | string,
  method: string,
  params: Readonly<Record<string, unknown>>,
) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    ...((params._meta as object | undefined) ?? {}),
  };
  const named = method === "resources/read" ? params.uri : params.name;
  return {
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }),
    headers: {
      "mcp-protocol-version": MODERN,
      "mcp-method": method,
      ...(typeof named === "string" ? { "mcp-name": headerOf(named) } : {}),
    },
  };
}

/** Text as a header may carry it. */
const headerOf = (text: string): string =>
  /^[!-~]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** An answer to `id` that says `nonce`, or an error, and nothing beside it. */
export function judge(id: unknown, nonce: string, frames: readonly unknown[]): Came {
  const [answer, ...others] = frames as readonly Readonly<Record<string, unknown>>[];
  if (answer === undefined) return "nothing";
  if (others.length > 0) return `wrong: ${frames.length} frames`;
  if (answer.id !== id) return `wrong: the id ${JSON.stringify(answer.id)} in place of ${JSON.stringify(id)}`;
  const text = JSON.stringify(answer);
  if (text.includes("belongs to nobody")) return `wrong: ${text.slice(0, 300)}`;
  if (answer.error !== undefined) return "error";
  const { content, isError } = answer.result as { content?: { text?: string }[]; isError?: boolean };
  if (isError) return "error";
  return content?.length === 1 && content[0]?.text === nonce ? "own" : `wrong: ${text.slice(0, 300)}`;
}

/** One client over HTTP, of either era. */
export class RawHttp {
  readonly #url: URL;
  readonly #era: "legacy" | "modern";
  #session: string | undefined;
  #id = 0;

  constructor(url: URL, era: "legacy" | "modern") {
    this.#url = url;
    this.#era = era;
  }

  async open(): Promise<void> {
    if (this.#era === "modern") return;
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method: "initialize", params });
    const { headers } = await post(this.#url, body);
    this.#session = String(headers["mcp-session-id"]);
    await post(this.#url, '{"jsonrpc":"2.0","method":"notifications/initialized"}', this.#asLegacy());
  }

  async request(method: string, params: Readonly<Record<string, unknown>>, signal?: AbortSignal) {
    const id = ++this.#id;
    const more = signal ? { signal } : {};
    if (this.#era === "modern") {
      const { body, headers } = modernRequest(id, method, params);
      return { id, ...(await post(this.#url, body, { headers, ...more })) };
    }
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    return { id, ...(await post(this.#url, body, { ...this.#asLegacy(), ...more })) };
  }

  /** Says a word to a tool and judges what comes back. */
  async say(
    tool: string,
    nonce: string,
    more: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<Came> {
    try {
      const params = { name: tool, arguments: { text: nonce, ...more } };
      const { id, frames } = await this.request("tools/call", params, signal);
      return judge(id, nonce, frames);
    } catch (fault) {
      return signal?.aborted ? "nothing" : `wrong: ${String(fault)}`;
    }
  }

  #asLegacy(): { readonly headers: Readonly<Record<string, string>> } {
    return {
      headers: { "mcp-protocol-version": "2025-11-25", "mcp-session-id": this.#session ?? "" },
    };
  }
}

/** One client over the standard streams of a gateway. */
export class RawStdio {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { readonly nonce: string; readonly done: (came: Came) => void }>();
  /** Frames that answer nothing that is under way. */
  readonly strays: string[] = [];
  #id = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => this.#heard(line));
    child.once("exit", () => {
      for (const { done } of this.#waiting.values()) done("nothing");
    });
  }

  async open(): Promise<void> {
    await this.#send("server/discover", {}, "").catch(() => {});
  }

  say(tool: string, nonce: string, more: Readonly<Record<string, unknown>> = {}): Promise<Came> {
    return this.#send("tools/call", { name: tool, arguments: { text: nonce, ...more } }, nonce);
  }

  #send(method: string, params: Readonly<Record<string, unknown>>, nonce: string): Promise<Came> {
    const id = ++this.#id;
    this.#child.stdin?.write(`${modernRequest(id, method, params).body}\n`);
    return new Promise((done) => this.#waiting.set(id, { nonce, done }));
  }

  #heard(line: string): void {
    const frame = JSON.parse(line) as Readonly<Record<string, unknown>>;
    // What is told to all is no answer.
    if (/^notifications\/\w+\/list_changed$/.test(String(frame.method))) return;
    const own = this.#waiting.get(frame.id as number);
    if (!own) return void this.strays.push(line);
    this.#waiting.delete(frame.id as number);
    own.done(judge(frame.id, own.nonce, [frame]));
  }
}
