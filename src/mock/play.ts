/** Plays a mock over stdio or HTTP, with the faults of its process: how it starts, ends, and refuses to end. */
import { readFile } from "node:fs/promises";
import { readConfig, readConfigFile, unreadable } from "../core/index.ts";
import { type HttpServer, serveHttp, serveStdio } from "../wire/index.ts";
import { fromCapture, type Life, type Mock, mockSchema } from "./definition.ts";
import { type Announcer, serverOf } from "./serve.ts";

/** Reads a mock from YAML, or from a captured answer to `tools/list` in JSON. */
export async function readMock(file: string): Promise<Mock> {
  if (file.endsWith(".json")) {
    const captured = await readCapture(file);
    if (captured) return captured;
  }
  return (await readConfigFile(file, mockSchema, { absent: ABSENT })).mock_server;
}

const ABSENT =
  "check the path: want a YAML file with mock_server, or a captured answer to tools/list in JSON";

/** The same from text; `file` only names the place in messages. */
export async function readMockText(text: string, file: string): Promise<Mock> {
  return (await readConfig(text, file, mockSchema)).mock_server;
}

async function readCapture(file: string): Promise<Mock | undefined> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw unreadable(file, cause, { absent: ABSENT });
  });
  try {
    return fromCapture(JSON.parse(text));
  } catch {
    // Not JSON after all: the strict reader says where.
    return undefined;
  }
}

/** Serves on this process's own standard streams until the client is gone and the mock agrees to go too. */
export async function playStdio(mock: Mock): Promise<void> {
  const life = mock.life ?? {};
  begin(life);
  const announcer: Announcer = { announce: (method) => server.announce(method) };
  const server = serveStdio(serverOf(mock, announcer));
  await server.closed;
  if (life.exit_after_ms !== undefined) await new Promise((done) => setTimeout(done, life.exit_after_ms));
  if (life.ignores_eof) await new Promise(() => setInterval(() => {}, 60_000));
}

export async function playHttp(mock: Mock, port: number): Promise<HttpServer> {
  begin(mock.life ?? {});
  const announcer: Announcer = { announce: (method) => server.announce(method) };
  const server = await serveHttp(serverOf(mock, announcer), { port });
  return server;
}

function begin({ ignores_sigterm, noise_at_start, stderr_at_start }: Life): void {
  if (ignores_sigterm) process.on("SIGTERM", () => {});
  if (noise_at_start !== undefined) process.stdout.write(`${noise_at_start}\n`);
  if (stderr_at_start !== undefined) process.stderr.write(`${stderr_at_start}\n`);
}
