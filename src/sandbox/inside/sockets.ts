/** What the kernel tells of the sockets in this network: who listens, and whose a connection is. */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { DNS_PORT, RESOLVER_PORT, TCP_PORT, UDP_PORT, USUAL_TCP } from "../namespaces/rules.ts";

type Transport = "tcp" | "udp";

interface Row {
  readonly isV6: boolean;
  /** In hexadecimal, as the kernel writes it. */
  readonly address: string;
  readonly port: number;
  readonly peerPort: number;
  readonly state: string;
  /** Connections or bytes that nobody has taken yet. */
  readonly waiting: number;
  readonly inode: string;
  /** Datagrams that found no room. */
  readonly dropped: number;
}

const LISTEN = "0A";

function rows(transport: Transport): Row[] {
  return ["", "6"].flatMap((version) => {
    let text: string;
    try {
      text = readFileSync(`/proc/net/${transport}${version}`, "latin1");
    } catch {
      return [];
    }
    return text
      .split("\n")
      .slice(1)
      .flatMap((line) => {
        const fields = line.trim().split(/\s+/);
        const [, local = "", peer = "", state = "", queues = "", , , , , inode = ""] = fields;
        const [address = "", port = ""] = local.split(":");
        if (inode === "") return [];
        return [
          {
            isV6: version === "6",
            address,
            port: Number.parseInt(port, 16),
            peerPort: Number.parseInt(peer.split(":")[1] ?? "0", 16),
            state,
            waiting: Number.parseInt(queues.split(":")[1] ?? "0", 16),
            inode,
            dropped: transport === "udp" ? Number(fields.at(-1)) : 0,
          },
        ];
      });
  });
}

const V6_LOOPBACK = "00000000000000000000000001000000";
const V4_MAPPED = "0000000000000000FFFF0000";

const TCP_SINKS: ReadonlySet<number> = new Set([TCP_PORT, ...USUAL_TCP.keys()]);
const UDP_SINKS: ReadonlySet<number> = new Set([UDP_PORT, DNS_PORT, RESOLVER_PORT]);

/** What has arrived at the sinkhole and was not looked at yet, and what was lost on the way. */
export function backlog(): { readonly waiting: number; readonly dropped: number } {
  const own = [
    ...rows("tcp").filter(({ port, state }) => TCP_SINKS.has(port) && state === LISTEN),
    ...rows("udp").filter(({ port }) => UDP_SINKS.has(port)),
  ];
  return {
    waiting: own.reduce((sum, { waiting }) => sum + waiting, 0),
    dropped: own.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

/** Whether a process in here listens on this port of the loopback address. */
export function hasListener(transport: Transport, address: string, port: number): boolean {
  const wantsV6 = address === "::1";
  // The sinkhole itself would be led back to itself.
  if (TCP_SINKS.has(port) || UDP_SINKS.has(port)) return false;
  return rows(transport).some((row) => {
    if (row.port !== port) return false;
    if (transport === "tcp" ? row.state !== LISTEN : row.peerPort !== 0) return false;
    if (!row.isV6) return !wantsV6 && (row.address === "00000000" || row.address.endsWith("7F"));
    if (/^0+$/.test(row.address)) return true;
    if (wantsV6) return row.address === V6_LOOPBACK;
    return row.address.startsWith(V4_MAPPED) && row.address.endsWith("7F");
  });
}

const MAX_COMMAND_CHARS = 160;
/** Looking for owners may take this part of the time, and a little more: a flood must not keep us from looking at it. */
const OWNER_SHARE = 0.05;
const OWNER_GRACE_MS = 1_000;
const began = performance.now();
let spentMs = 0;

/** The process that holds the socket with this local port. Short-lived ones are often gone by now. */
export function ownerOf(
  transport: Transport,
  port: number,
): { readonly pid: number; readonly command: string } | undefined {
  const started = performance.now();
  if (spentMs > OWNER_GRACE_MS + OWNER_SHARE * (started - began)) return undefined;
  const sockets = new Set(
    rows(transport)
      .filter((row) => row.port === port && row.inode !== "0")
      .map(({ inode }) => `socket:[${inode}]`),
  );
  const owner = sockets.size > 0 ? holderOf(sockets) : undefined;
  spentMs += performance.now() - started;
  return owner === undefined ? undefined : { pid: owner, command: commandOf(owner) };
}

let lastHolder: number | undefined;

/** Often it is the one that it was before. */
function holderOf(sockets: ReadonlySet<string>): number | undefined {
  if (lastHolder === undefined || !holdsAny(lastHolder, sockets))
    lastHolder = pids().find((pid) => pid !== process.pid && holdsAny(pid, sockets));
  return lastHolder;
}

function holdsAny(pid: number, sockets: ReadonlySet<string>): boolean {
  try {
    return descriptors(pid).some((link) => sockets.has(link));
  } catch {
    return false;
  }
}

/** A process may make its command line as long as it likes. */
function commandOf(pid: number): string {
  try {
    const fd = openSync(`/proc/${pid}/cmdline`, "r");
    const bytes = Buffer.alloc(MAX_COMMAND_CHARS);
    const length = readSync(fd, bytes);
    closeSync(fd);
    return bytes.toString("utf8", 0, length).replace(/\0/g, " ").trim();
  } catch {
    return "";
  }
}

export function pids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function descriptors(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return "";
    }
  });
}
