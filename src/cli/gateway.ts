/** One run of `gateway`: assembled, started, served until it is ended. Its own words go to stderr: over stdio, stdout is the client's. */
import type { ExitCode } from "../core/index.ts";
import { assemble, type Behind } from "../gateway/index.ts";
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
  const { file, gateway, log, callerOf, warnings } = assembled;
  for (const warning of warnings) out.aside(`warning: ${out.text(warning, 500)}`);
  const ended = new Promise<void>((done) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => done());
  });
  // Clients give up on a gateway that does not answer: who is slow to start comes later, and is announced.
  void gateway.start();
  const definition = gateway.definition();
  if (file.listen === "stdio") {
    const server = serveStdio(definition);
    gateway.onAnnounce((method) => server.announce(method));
    await Promise.race([server.closed, ended]);
  } else {
    const { hostname, port, pathname } = new URL(file.listen);
    const host = hostname.replace(/^\[|\]$/g, "");
    const server = await serveHttp(definition, {
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
    });
    gateway.onAnnounce((method) => server.announce(method));
    out.json({ url: server.url });
    out.aside(`listening at ${server.url}; Ctrl-C ends it`);
    await ended;
    await server.close();
  }
  await assembled.close();
  return 0;
}

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
