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
  /** By what the sinkhole sees of a flow; undefined when the kernel does not know it, or knows two. */
  find(key: string): Promise<Destination | undefined>;
  /** Resolves when nothing is looked up any more. */
  idle(): Promise<void>;
}

export const tcpKey = (address: string, port: number, own: string): string =>
  `tcp ${canonicalAddress(address)} ${port} ${canonicalAddress(own)}`;
/** `sink` is the port it arrived at: one sender may have the same port towards two of them. */
export const udpKey = (address: string, port: number, sink: number): string =>
  `udp ${canonicalAddress(address)} ${port} ${sink}`;

const MAX_TRIES = 5;
const RETRY_MS = 5;
/** A look that took longer than this is not repeated at once. */
const CHEAP_MS = 3;
const MAX_PAUSE_MS = 100;

/** What one look saw. Nothing is kept from one to the next: ports are used again. */
class Sightings {
  readonly #found = new Map<string, { readonly place: Destination; readonly isLive: boolean } | "unclear">();

  /** A live flow goes before one that is over; two alike cannot be told apart. */
  add(key: string, place: Destination, isLive = true): void {
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { place, isLive });
    else if (known === "unclear" || known.isLive === isLive) this.#found.set(key, "unclear");
    else if (isLive) this.#found.set(key, { place, isLive });
  }

  get(key: string): Destination | undefined {
    const known = this.#found.get(key);
    return known === undefined || known === "unclear" ? undefined : known.place;
  }
}

export function findOrigins(source: OriginSource = canReadTable() ? "table" : "sets"): Origins {
  const look = source === "table" ? lookInTable : lookInSets;
  let waiting: { readonly key: string; readonly done: (found?: Destination) => void; tries: number }[] = [];
  let isBusy = false;
  let costMs = 0;
  const quiet: (() => void)[] = [];

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
    const seen = await look().catch(() => new Sightings());
    costMs = performance.now() - started;
    for (const one of batch) {
      const found = seen.get(one.key);
      one.tries += 1;
      if (found || one.tries >= MAX_TRIES) one.done(found);
      else waiting.push(one);
    }
    if (waiting.length > 0) await new Promise((done) => setTimeout(done, RETRY_MS));
    isBusy = false;
    pump();
  };
  return {
    find: (key) =>
      new Promise((done) => {
        waiting.push({ key, done, tries: 0 });
        pump();
      }),
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
  / (tcp|udp) +\d+ +\d+ (?:([A-Z_]+) )?.*?src=\S+ dst=(\S+) sport=\d+ dport=(\d+) .*?src=(\S+) dst=(\S+) sport=(\d+) dport=(\d+)/;
const LIVE = new Set(["SYN_SENT", "SYN_RECV", "ESTABLISHED"]);

/** Each line has two halves: how the connection was meant, and how the sinkhole sees it. */
async function lookInTable(): Promise<Sightings> {
  const seen = new Sightings();
  for (const line of readFileSync(CONNTRACK, "latin1").split("\n")) {
    const match = ENTRY.exec(line);
    if (!match) continue;
    const [, protocol, state = "", address = "", port, own = "", peer = "", sinkText, peerPort] = match;
    const place = { address: canonicalAddress(address), port: Number(port) };
    const sink = Number(sinkText);
    if (protocol === "tcp" && sink === TCP_PORT)
      seen.add(tcpKey(peer, Number(peerPort), own), place, LIVE.has(state));
    if (protocol === "udp" && (sink === UDP_PORT || sink === DNS_PORT))
      seen.add(udpKey(peer, Number(peerPort), sink), place);
  }
  return seen;
}

async function lookInSets(): Promise<Sightings> {
  const seen = new Sightings();
  const { sets } = await readTable();
  for (const name of ["t4", "t6"])
    for (const [peer = "", peerPort, own = "", port] of sets.get(name) ?? [])
      seen.add(tcpKey(peer, Number(peerPort), own), { address: canonicalAddress(own), port: Number(port) });
  for (const [name, sink] of [
    ["u4", UDP_PORT],
    ["u6", UDP_PORT],
    ["d4", DNS_PORT],
    ["d6", DNS_PORT],
  ] as const)
    for (const [peer = "", peerPort, address = "", port] of sets.get(name) ?? [])
      seen.add(udpKey(peer, Number(peerPort), sink), {
        address: canonicalAddress(address),
        port: Number(port),
      });
  return seen;
}

/** The filter's sets and counters by their names. */
export async function readTable(): Promise<{
  readonly sets: ReadonlyMap<string, string[][]>;
  readonly counters: ReadonlyMap<string, number>;
}> {
  const output = await run("nft", ["-nj", "list", "table", "inet", TABLE]);
  const { nftables } = JSON.parse(output) as {
    nftables: { set?: NftSet; counter?: { name: string; packets: number } }[];
  };
  return {
    sets: new Map(nftables.flatMap(({ set }) => (set ? [[set.name, (set.elem ?? []).map(partsOf)]] : []))),
    counters: new Map(nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter.packets]] : []))),
  };
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
