/** The parent's side of connections that are passed on: checks the list again, looks the name up itself, and never connects to
 *  an address of a private network. */
import { lookup } from "node:dns";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { connect, createServer, isIP, type LookupFunction, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import type { AllowedHost } from "../allow/host.ts";
import { verdictOf } from "../allow/verdict.ts";
import type { ForwardRequest } from "../control.ts";
import { isPrivateAddress } from "../parse/address.ts";

export interface Forwarder {
  readonly socketPath: string;
  close(): void;
}

/** How the parent reaches a host; tests put their own in. */
export type Dial = (request: ForwardRequest) => Socket;

const MAX_REQUEST_BYTES = 1024;

export function startForwarder(allowed: readonly AllowedHost[], dial: Dial = dialOutside): Forwarder {
  removeStale();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const socketPath = join(folder, "s");
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (inside) => {
    open.add(inside);
    inside.on("error", () => {});
    inside.on("close", () => open.delete(inside));
    readRequest(inside, (request, rest) => {
      if (!isAllowed(request, allowed)) {
        inside.destroy();
        return;
      }
      const outside = dial(request);
      outside.on("error", () => inside.destroy());
      // What it has sent is still on its way.
      outside.on("close", () => inside.end());
      inside.on("close", () => outside.destroy());
      if (rest.length > 0) outside.write(rest);
      inside.pipe(outside);
      outside.pipe(inside);
    });
  });
  server.on("error", () => {});
  server.listen(socketPath);
  return {
    socketPath,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const PREFIX = "fwd-";

/** Folders of runs whose parent was killed. */
function removeStale(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    const folder = join(tmpdir(), name);
    try {
      if (statSync(folder).uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Gone, or somebody else's.
    }
  }
}

/** What is inside is not trusted to have looked. */
function isAllowed({ host, port }: ForwardRequest, allowed: readonly AllowedHost[]): boolean {
  const connection = { host, address: host, port, protocol: "tcp", claims: [], isLoopback: false } as const;
  return verdictOf(connection, allowed).verdict === "permitted";
}

function readRequest(inside: Socket, take: (request: ForwardRequest, rest: Buffer) => void): void {
  let held = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const end = held.indexOf(10);
    if (end < 0 && held.length <= MAX_REQUEST_BYTES) return;
    inside.off("data", onData);
    inside.pause();
    const isLine = end >= 0 && end <= MAX_REQUEST_BYTES;
    const request = isLine ? asRequest(held.subarray(0, end)) : undefined;
    if (request) take(request, held.subarray(end + 1));
    else inside.destroy();
  };
  inside.on("data", onData);
}

function asRequest(line: Buffer): ForwardRequest | undefined {
  try {
    const { host, port, isTls } = JSON.parse(line.toString()) as Record<string, unknown>;
    const isRequest = typeof host === "string" && typeof port === "number" && typeof isTls === "boolean";
    return isRequest ? { host, port, isTls } : undefined;
  } catch {
    return undefined;
  }
}

const dialOutside: Dial = ({ host, port, isTls }) => {
  if (isIP(host) && isPrivateAddress(host)) return refused("an address of a private network");
  const options = { host, port, lookup: publicLookup };
  return isTls
    ? connectTls({ ...options, ...(isIP(host) ? {} : { servername: host }), ALPNProtocols: ["http/1.1"] })
    : connect(options);
};

/** A name may lead to a private network: only addresses that do not are connected to, and no second look is taken. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (fault, found) => {
    if (fault) return done(fault, "");
    const addresses = found.filter(({ address }) => !isPrivateAddress(address));
    const [first] = addresses;
    if (!first) return done(new Error(`${host} leads to private addresses only`), "");
    if (options.all) done(null, addresses);
    else done(null, first.address, first.family);
  });
};

function refused(reason: string): Socket {
  const socket = connect({ path: "/nonexistent" });
  socket.destroy(new Error(reason));
  return socket;
}
