/** What all parts of the sinkhole share. */

import { verdictOf } from "../allow/verdict.ts";
import type { Orders } from "../control.ts";
import type { EgressEvent, Ending, Protocol, TlsSight } from "../events.ts";
import { OWN_PORTS, TABLE } from "../namespaces/rules.ts";
import type { NameTable } from "../parse/name-table.ts";
import type { Authority } from "./certificates.ts";
import type { Flow } from "./flow.ts";
import type { Destination, Origins } from "./origin.ts";
import { isOwnAddress } from "./own.ts";
import type { Reporter } from "./reporter.ts";
import { run } from "./run.ts";

export interface Sink {
  readonly orders: Orders;
  readonly names: NameTable;
  readonly origins: Origins;
  readonly reporter: Reporter;
  readonly authority: Authority;
  readonly natives: Natives;
  /** Destinations that were observed, so that the kernel's list of all can be compared. */
  readonly seen: Set<string>;
  /** How much was taken from the kernel, to compare with what it counted. */
  readonly taken: { connections: number; datagrams: number };
  /** Connections that are still being read, each with the promise of its end. */
  readonly open: Map<Promise<void>, Flow | undefined>;
  /** Requests that nobody answers for are reset. */
  isCut: boolean;
}

export const seenKey = (protocol: string, { address, port }: Destination): string =>
  `${protocol} ${address} ${port}`;

/** Follows a connection to its end, so that the last of them is waited for. */
export function follow(sink: Sink, flow: Flow | undefined, work: Promise<void>): void {
  const ended = work
    .catch((cause: Error) => sink.reporter.gap(`a connection could not be observed: ${cause.message}`))
    .finally(() => sink.open.delete(ended));
  sink.open.set(ended, flow);
}

/** The name that stands for an address in here, or the address. */
export const hostOf = ({ names }: Sink, address: string): string => names.nameOf(address) ?? address;

export interface Sighting {
  readonly at: number;
  readonly protocol: Protocol;
  readonly destination: Destination;
  /** Hosts that the process names itself. */
  readonly claims?: readonly string[];
  readonly firstBytes?: Buffer;
  readonly bytes?: number;
  readonly ending?: Ending;
  readonly httpHost?: string | undefined;
  readonly tls?: TlsSight | undefined;
  readonly process?: EgressEvent["process"];
  readonly notes?: readonly string[];
}

export function judged(
  sink: Sink,
  { destination, protocol, claims = [] }: Sighting,
): ReturnType<typeof verdictOf> {
  const { address, port } = destination;
  return verdictOf(
    { host: hostOf(sink, address), address, port, protocol, claims, isLoopback: isOwnAddress(address) },
    sink.orders.allowed,
  );
}

export function tell(sink: Sink, sighting: Sighting): void {
  const { at, protocol, destination, firstBytes, bytes = 0, ending = "reset", notes = [] } = sighting;
  const { httpHost, tls, process } = sighting;
  const { verdict, reason } = judged(sink, sighting);
  sink.reporter.event({
    kind: "egress",
    at,
    host: hostOf(sink, destination.address),
    address: destination.address,
    port: destination.port,
    protocol,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ending,
    firstBytes: firstBytes?.toString("base64") ?? "",
    bytes,
    ...(httpHost === undefined ? {} : { httpHost }),
    ...(tls ? { tls } : {}),
    ...(process ? { process } : {}),
    notes,
  });
}

/** Loopback ports that are the server's own affair from now on. */
export interface Natives {
  add(protocol: "tcp" | "udp", port: number): void;
  has(protocol: "tcp" | "udp", port: number): boolean;
  /** A source port by which the filter knows the sinkhole itself. */
  ownPort(): number;
}

export function natives(reporter: Reporter): Natives {
  const known = new Set<string>();
  let next: number = OWN_PORTS.first;
  return {
    has: (protocol, port) => known.has(`${protocol} ${port}`),
    add(protocol, port) {
      const key = `${protocol} ${port}`;
      if (known.has(key)) return;
      known.add(key);
      const element = `{ ${protocol === "tcp" ? 6 : 17} . ${port} }`;
      run("nft", ["add", "element", "inet", TABLE, "native", element]).catch((cause: Error) =>
        reporter.gap(`a loopback port could not be given back: ${cause.message}`),
      );
    },
    ownPort() {
      next = next === OWN_PORTS.last ? OWN_PORTS.first : next + 1;
      return next;
    },
  };
}
