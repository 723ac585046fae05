/** What the kernel tells of the sockets in this network: who listens, and whose a connection is. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

type Transport = "tcp" | "udp";

interface Row {
  readonly isV6: boolean;
  /** In hexadecimal, as the kernel writes it. */
  readonly address: string;
  readonly port: number;
  readonly peerPort: number;
  readonly state: string;
  readonly inode: string;
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
        const [, local = "", peer = "", state = "", , , , , , inode = ""] = line.trim().split(/\s+/);
        const [address = "", port = ""] = local.split(":");
        if (inode === "") return [];
        return [
          {
            isV6: version === "6",
            address,
            port: Number.parseInt(port, 16),
            peerPort: Number.parseInt(peer.split(":")[1] ?? "0", 16),
            state,
            inode,
          },
        ];
      });
  });
}

const V6_LOOPBACK = "00000000000000000000000001000000";
const V4_MAPPED = "0000000000000000FFFF0000";

/** Whether a process in here listens on this port of the loopback address. */
export function hasListener(transport: Transport, address: string, port: number): boolean {
  const wantsV6 = address === "::1";
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

/** The process that holds the socket with this local port. Short-lived ones are often gone by now. */
export function ownerOf(
  transport: Transport,
  port: number,
): { readonly pid: number; readonly command: string } | undefined {
  const sockets = new Set(
    rows(transport)
      .filter((row) => row.port === port && row.inode !== "0")
      .map(({ inode }) => `socket:[${inode}]`),
  );
  if (sockets.size === 0) return undefined;
  for (const pid of pids()) {
    if (pid === process.pid) continue;
    try {
      if (!descriptors(pid).some((link) => sockets.has(link))) continue;
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0/g, " ").trim();
      return { pid, command: words.slice(0, MAX_COMMAND_CHARS) };
    } catch {
      // Gone while we looked.
    }
  }
  return undefined;
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
