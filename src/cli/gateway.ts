/** One run of `gateway`: assembled, started, served until it is ended. Its own words go to stderr: over stdio, stdout is the client's. */
import { type ExitCode, TrustError } from "../core/index.ts";
import { type Assembled, assemble, type Behind } from "../gateway/index.ts";
import { labelText } from "../policy/index.ts";
import { CONFIG_FILE } from "../target/index.ts";
import { LOOPBACK, serveHttp, serveStdio } from "../wire/index.ts";
import type { Words } from "./command.ts";
import type { Output } from "./output.ts";
import { version } from "./version.ts";

export async function runGateway(words: Words, out: Output): Promise<ExitCode> {
  const onProgress = (text: string): void => out.aside(out.text(text, 500));
  const assembled = await assemble(words.text("config") ?? CONFIG_FILE, {
    version: await version(),
    onProgress,
  });
  for (const warning of assembled.warnings) out.aside(`warning: ${out.text(warning, 500)}`);
  const ended = new Promise<void>((done) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => done());
  });
  try {
    if (assembled.file.listen === "stdio") await overStdio(assembled, ended);
    else await overHttp(assembled, ended, out);
  } finally {
    await assembled.close();
  }
  return 0;
}

/** Clients give up on a gateway that does not answer: a server that is slow to start comes later, and is announced. */
async function overStdio({ gateway }: Assembled, ended: Promise<void>): Promise<void> {
  void gateway.start();
  const server = serveStdio(gateway.definition());
  gateway.onAnnounce((method) => server.announce(method));
  await Promise.race([server.closed, ended]);
  server.close();
}

async function overHttp(assembled: Assembled, ended: Promise<void>, out: Output): Promise<void> {
  const { file, place, gateway, log, callerOf } = assembled;
  const { hostname, port, pathname } = new URL(file.listen);
  const host = hostname.replace(/^\[|\]$/g, "");
  const server = await serveHttp(gateway.definition(), {
    host,
    port: port === "" ? 80 : Number(port),
    path: pathname,
    guard: { hosts: [...new Set([...LOOPBACK.hosts, hostname])], origins: [] },
    beside: (path, headers, response) => {
      if (path !== "/healthz") return false;
      const caller = callerOf && callerFrom(headers.authorization, callerOf);
      // Whether it is well is nobody's secret; which servers there are may be.
      const servers = [...gateway.servers].filter(([name]) => gateway.isOpenTo(caller, name));
      const isWell = log.failure === undefined;
      response.writeHead(isWell ? 200 : 503, { "content-type": "application/json" });
      const up = Object.fromEntries(servers.map(([name, { upstream }]) => [name, upstream.isUp]));
      response.end(JSON.stringify({ isWell, servers: up, labels: labelsOf(servers) }));
      return true;
    },
    ...(callerOf ? { authorize: (headers) => callerFrom(headers.authorization, callerOf) } : {}),
  }).catch((cause: NodeJS.ErrnoException) => {
    throw cannotListen(cause, `${place(["listen"])} listen: ${file.listen}`);
  });
  // Not before: what cannot be listened at starts nothing.
  void gateway.start();
  gateway.onAnnounce((method) => server.announce(method));
  out.json({ url: server.url.href });
  out.aside(`listening at ${server.url}; Ctrl-C ends it`);
  await ended;
  await server.close();
}

function cannotListen(cause: NodeJS.ErrnoException, where: string): TrustError {
  const [why, hint] = CANNOT_LISTEN[cause.code ?? ""] ?? [cause.message, "give listen another address"];
  return new TrustError("CFG_BAD_VALUE", `${where}: ${why}`, { cause, hint });
}
const CANNOT_LISTEN: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EADDRINUSE: [
    "something else listens at this address already",
    "end the other one (it may be another gateway), or give listen another port; port 0 takes a free one",
  ],
  EACCES: ["this user may not listen at this port", "give listen a port from 1024 on"],
  EADDRNOTAVAIL: ["this machine does not have this address", "give listen an address of this machine"],
};

/** What people call those servers that they call something; undefined where that is none. */
function labelsOf(
  servers: readonly (readonly [string, Behind])[],
): Readonly<Record<string, string>> | undefined {
  const labels = servers.flatMap(
    ([
      name,
      {
        standing: { policy },
      },
    ]) => (policy.label ? [[name, labelText(policy.label)]] : []),
  );
  return labels.length === 0 ? undefined : Object.fromEntries(labels);
}

function callerFrom(
  header: string | undefined,
  callerOf: (token: string) => string | undefined,
): string | undefined {
  const [, token] = /^Bearer +([!-~]{1,4096})$/i.exec(header ?? "") ?? [];
  return token === undefined ? undefined : callerOf(token);
}
