/** Where a connection that arrived at the sinkhole was meant to go. The kernel knows: from its table of connections where
 *  that can be read, else from the sets of the filter. One look answers all that wait. */
import { readFileSync } from "node:fs";
import type { OriginSource } from "../control.ts";
import { DNS_PORT, TABLE, TCP_PORT, UDP_PORT } from "../namespaces/rules.ts";
import { canonicalAddress } from "../parse/address.ts";
import { run } from "./run.ts";

export interface Destination {
  readonly address: string;
  readonly port: number;
}

export interface Origins {
  /** By what the sinkhole sees of a flow; undefined when the kernel does not know it. */
  find(key: string): Promise<Destination | undefined>;
  forget(key: string): void;
  /** Resolves when nothing is looked up any more. */
  idle(): Promise<void>;
}

export const tcpKey = (address: string, port: number, own: string): string =>
  `tcp ${canonicalAddress(address)} ${port} ${canonicalAddress(own)}`;
export const udpKey = (address: string, port: number): string => `udp ${canonicalAddress(address)} ${port}`;

const MAX_TRIES = 5;
const RETRY_MS = 5;
/** A look that took longer than this is not repeated at once. */
const CHEAP_MS = 3;
const MAX_PAUSE_MS = 100;

export function findOrigins(source: OriginSource = canReadTable() ? "table" : "sets"): Origins {
  const look = source === "table" ? lookInTable : lookInSets;
  const known = new Map<string, Destination>();
  let waiting: { readonly key: string; readonly done: (found?: Destination) => void; tries: number }[] = [];
  let isBusy = false;
  let costMs = 0;
  const quiet: (() => void)[] = [];

  const take = (key: string): Destination | undefined => {
    const found = known.get(key);
    // The source port of a closed connection is used again.
    if (found && key.startsWith("tcp")) known.delete(key);
    return found;
  };
  const pump = (): void => {
    if (isBusy) return;
    if (waiting.length === 0) {
      for (const done of quiet.splice(0)) done();
      return;
    }
    isBusy = true;
    if (costMs > CHEAP_MS) setTimeout(answer, Math.min(costMs * 2, MAX_PAUSE_MS));
    else setImmediate(answer);
  };
  const answer = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const started = performance.now();
    await look(known).catch(() => {});
    costMs = performance.now() - started;
    for (const one of batch) {
      const found = take(one.key);
      one.tries += 1;
      if (found || one.tries >= MAX_TRIES) one.done(found);
      else waiting.push(one);
    }
    if (waiting.length > 0) await new Promise((done) => setTimeout(done, RETRY_MS));
    isBusy = false;
    pump();
  };
  return {
    find(key) {
      const found = take(key);
      if (found) return Promise.resolve(found);
      return new Promise((done) => {
        waiting.push({ key, done, tries: 0 });
        pump();
      });
    },
    forget: (key) => void known.delete(key),
    idle: () =>
      new Promise((done) => {
        quiet.push(done);
        pump();
      }),
  };
}

const CONNTRACK = "/proc/net/nf_conntrack";

function canReadTable(): boolean {
  try {
    readFileSync(CONNTRACK);
    return true;
  } catch {
    return false;
  }
}

const ENTRY =
  / (tcp|udp) .*?src=\S+ dst=(\S+) sport=\d+ dport=(\d+) .*?src=(\S+) dst=(\S+) sport=(\d+) dport=(\d+)/;

/** Each line has two halves: how the connection was meant, and how the sinkhole sees it. */
async function lookInTable(known: Map<string, Destination>): Promise<void> {
  for (const line of readFileSync(CONNTRACK, "latin1").split("\n")) {
    const match = ENTRY.exec(line);
    if (!match) continue;
    const [, protocol, address = "", port, own = "", peer = "", sink, peerPort] = match;
    const found = { address: canonicalAddress(address), port: Number(port) };
    if (protocol === "tcp" && Number(sink) === TCP_PORT)
      known.set(tcpKey(peer, Number(peerPort), own), found);
    if (protocol === "udp" && (Number(sink) === UDP_PORT || Number(sink) === DNS_PORT))
      known.set(udpKey(peer, Number(peerPort)), found);
  }
}

async function lookInSets(known: Map<string, Destination>): Promise<void> {
  const sets = await readSets();
  for (const name of ["t4", "t6"])
    for (const [peer = "", peerPort, own = "", port] of sets.get(name) ?? [])
      known.set(tcpKey(peer, Number(peerPort), own), { address: canonicalAddress(own), port: Number(port) });
  for (const name of ["u4", "u6"])
    for (const [peer = "", peerPort, address = "", port] of sets.get(name) ?? [])
      known.set(udpKey(peer, Number(peerPort)), { address: canonicalAddress(address), port: Number(port) });
}

/** The elements of the filter's sets, by the name of the set. */
export async function readSets(): Promise<Map<string, string[][]>> {
  const output = await run("nft", ["-nj", "list", "table", "inet", TABLE]);
  const { nftables } = JSON.parse(output) as { nftables: { set?: NftSet }[] };
  return new Map(nftables.flatMap(({ set }) => (set ? [[set.name, (set.elem ?? []).map(partsOf)]] : [])));
}

interface NftSet {
  readonly name: string;
  readonly elem?: readonly NftElement[];
}
type NftElement =
  | { readonly concat?: unknown[]; readonly elem?: { readonly val?: NftElement } }
  | string
  | number;

function partsOf(element: NftElement): string[] {
  if (typeof element !== "object") return [String(element)];
  if (element.concat) return element.concat.map(String);
  return element.elem?.val === undefined ? [] : partsOf(element.elem.val);
}
