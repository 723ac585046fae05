/** One run of `record`. Its own words go to stderr: stdout belongs to the server. */
import { mkdirSync, statSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { type ExitCode, TrustError } from "../core/index.ts";
import { type Recorder, recordToFile, relayHttp, relayStdio } from "../wire/index.ts";
import { type Words, wholeNumber } from "./command.ts";
import type { Output } from "./output.ts";
import { commandLabel } from "./scan/label.ts";
import { version } from "./version.ts";

export async function runRecord(words: Words, out: Output): Promise<ExitCode> {
  const url = words.text("http");
  const [command, ...args] = words.rest ?? [];
  if (url !== undefined && command !== undefined)
    throw new TrustError("CLI_BAD_VALUE", "record takes a command after --, or --http URL, not both");
  if (words.positionals.length > 0 || (url === undefined && command === undefined))
    throw new TrustError("CLI_MISSING_ARGUMENT", "record needs a command after --, or --http URL");
  return command === undefined
    ? recordHttp(httpUrl(url ?? ""), words, out)
    : recordStdio([command, ...args], words, out);
}

async function recordStdio(
  command: readonly [string, ...string[]],
  words: Words,
  out: Output,
): Promise<ExitCode> {
  const [file, ...args] = command;
  const name = words.text("name") ?? file.split("/").at(-1) ?? file;
  const recorder = await recorderFor(words, name, commandLabel({ command: file, args }, []));
  const { stdin, stdout, stderr } = process;
  const relay = relayStdio(command, recorder.peer(name), { stdin, stdout, stderr });
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, () => relay.signal(signal));
  const exit = await relay.exited;
  stdin.destroy();
  await recorder.close();
  if ("failure" in exit)
    throw new TrustError("WIRE_UNREACHABLE", `${out.text(file, 120)} cannot be started: ${exit.failure}`);
  // The exit code is the server's: a client that looks at it must not see another one.
  const code = exit.signal === null ? (exit.code ?? 0) : 128 + (constants.signals[exit.signal] ?? 0);
  return code as ExitCode;
}

async function recordHttp(url: URL, words: Words, out: Output): Promise<ExitCode> {
  const name = words.text("name") ?? url.host;
  const recorder = await recorderFor(words, name, url.origin + url.pathname);
  const port = wholeNumber(words, "port");
  const relay = await relayHttp(url, recorder.peer(name), port === undefined ? {} : { port }).catch(
    (cause) => {
      throw new TrustError("CLI_BAD_VALUE", `--port: ${(cause as Error).message}`, { cause });
    },
  );
  out.json({ url: relay.url });
  out.line(`listening at ${relay.url}, passing on to ${out.text(url.origin, 200)}; Ctrl-C ends it`);
  await new Promise<void>((done) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => done());
  });
  await relay.close();
  await recorder.close();
  return 0;
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TrustError("CLI_BAD_VALUE", "--http: want an http:// or https:// address");
  return url;
}

async function recorderFor(words: Words, name: string, target: string): Promise<Recorder> {
  const about = { server: name, target, touchstone: await version() };
  return recordToFile(fileFor(words.text("out") ?? "recordings/", name), { about, secrets: secretsOf() });
}

/** A file of its own in a folder; otherwise the file as it was named, which must be new. */
function fileFor(path: string, name: string): string {
  const isFolder = path.endsWith("/") || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (!isFolder) return path;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const plain =
    name
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[-.]+/, "")
      .slice(0, 60) || "server";
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  return join(path, `${plain}-${time}-${process.pid}.jsonl`);
}

const SECRET_NAME = /(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?|AUTH)/i;

/** The server gets our environment: what in it is secret by its name must not stand in the file. */
const secretsOf = (): string[] =>
  Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) ? [value] : [],
  );
