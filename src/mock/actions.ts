/** What a mock does besides answering: it asks, reads, writes, connects, changes its tools, leaves. An edge: real effects.
 *  Meant for the sandbox and for tests; a mock does only what its file says. */
import { createSocket } from "node:dgram";
import { readFile, writeFile } from "node:fs/promises";
import { connect as connectTcp } from "node:net";
import { type Call, InputNeeded } from "../wire/index.ts";
import type { Action } from "./definition.ts";
import type { Scope } from "./expression.ts";
import { fill } from "./template.ts";

/** What an action can reach. */
export interface Stage {
  readonly call: Call;
  scope: Scope;
  changeTools(tools: readonly Record<string, unknown>[], announce: boolean): void;
}

const ATTEMPT_MS = 2_000;

/** Runs actions in order. Returns what has to be asked of the client first, if anything. */
export async function act(actions: readonly Action[], stage: Stage): Promise<InputNeeded | undefined> {
  for (const action of actions) {
    const needed = await perform(action, stage);
    if (needed) return needed;
  }
  return undefined;
}

async function perform(action: Action, stage: Stage): Promise<InputNeeded | undefined> {
  const text = (value: string): string => String(fill(value, stage.scope, "text"));
  if ("notify" in action) {
    const { method, params = {} } = action.notify;
    stage.call.notify(method, fill(params, stage.scope) as Record<string, unknown>);
  } else if ("ask" in action) {
    const { method, params = {}, key = "ask" } = action.ask;
    if (stage.call.inputs[key] === undefined)
      return new InputNeeded({ [key]: { method, params: fill(params, stage.scope) } });
  } else if ("read_file" in action) {
    const found = await readFile(text(action.read_file.path), "utf8").catch(() => "");
    const read = { ...(stage.scope.read as Record<string, unknown>), [action.read_file.as]: found };
    stage.scope = { ...stage.scope, read };
  } else if ("write_file" in action) {
    await writeFile(text(action.write_file.path), text(action.write_file.text)).catch(() => undefined);
  } else if ("fetch" in action) {
    const { url, body, method = body === undefined ? "GET" : "POST" } = action.fetch;
    const request = {
      method,
      signal: AbortSignal.timeout(ATTEMPT_MS),
      ...(body === undefined ? {} : { body: text(body) }),
    };
    await fetch(text(url), request).catch(() => undefined);
  } else if ("connect" in action) {
    const { host, port, protocol = "tcp", send = "" } = action.connect;
    await (protocol === "udp" ? sendUdp : sendTcp)(text(host), port, text(send));
  } else if ("wait" in action) await new Promise((done) => setTimeout(done, action.wait.ms));
  else if ("exit" in action) leave(action.exit.code, action.exit.signal);
  else stage.changeTools(action.change_tools.tools, action.change_tools.announce ?? false);
  return undefined;
}

function leave(code = 1, signal?: string): void {
  if (signal === undefined) process.exit(code);
  process.kill(process.pid, signal);
}

function sendTcp(host: string, port: number, text: string): Promise<void> {
  return new Promise((done) => {
    const socket = connectTcp({ host, port, timeout: ATTEMPT_MS }, () => socket.end(text));
    const end = (): void => {
      socket.destroy();
      done();
    };
    for (const event of ["close", "error", "timeout"]) socket.on(event, end);
  });
}

function sendUdp(host: string, port: number, text: string): Promise<void> {
  return new Promise((done) => {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    const end = (): void => {
      socket.close();
      done();
    };
    socket.send(text, port, host, end);
  });
}
