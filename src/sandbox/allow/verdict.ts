/** Whether a connection was permitted: by where it went, never by what it says of itself. Pure. */
import { shown } from "../../core/index.ts";
import type { Protocol, Verdict } from "../events.ts";
import type { AllowedHost } from "./host.ts";
import { isAddress, plainHost } from "./name.ts";

export interface Connection {
  /** The name that was looked up to get the address, or the address itself. */
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly protocol: Protocol;
  /** The hosts it names in TLS and HTTP, without ports. The process writes them: they may take a permission away and never
   *  give one. */
  readonly claims: readonly string[];
  readonly isLoopback: boolean;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** Why it is overreach although host or name look permitted. */
  readonly reason?: string;
  /** The entry that permits it. */
  readonly matchedBy?: AllowedHost;
}

export function verdictOf(connection: Connection, allowed: readonly AllowedHost[]): Judgement {
  if (connection.isLoopback) return { verdict: "loopback" };
  const { port, protocol } = connection;
  const host = plainHost(connection.host);
  // A name may look like an address, and is looked up all the same: only what went to the address itself is one.
  const isLiteral = isAddress(host) && host === plainHost(connection.address);
  const entries = allowed.filter((entry) => isNamedBy(entry, host, isLiteral));
  const matchedBy = entries.find((entry) => entry.port === port);
  const claims = connection.claims.map(plainHost).filter((claim) => claim !== "" && claim !== host);
  const isAllowed = (claim: string): boolean =>
    allowed.some((entry) => entry.port === port && isNamedBy(entry, claim, isAddress(claim)));

  if (entries.length === 0) return overreach(claimReason(claims.find(isAllowed)));
  if (protocol !== "tcp" && protocol !== "udp") return overreach("declared for tcp and udp only");
  if (matchedBy === undefined) return overreach(portReason(entries));
  // Behind an address there is no name to compare with: what it claims must be on the list itself.
  const contradiction = claims.find((claim) => !(isLiteral && isAllowed(claim)));
  if (contradiction !== undefined) return overreach(claimReason(contradiction));
  return { verdict: "permitted", matchedBy };
}

/** Whether an entry is about the place a connection went to. */
export function isAbout(
  entry: Pick<AllowedHost, "host" | "port">,
  { host, address, port }: Pick<Connection, "host" | "address" | "port">,
): boolean {
  const plain = plainHost(host);
  return entry.port === port && isNamedBy(entry, plain, isAddress(plain) && plain === plainHost(address));
}

/** `*.suffix` stands for every deeper name and not for the suffix itself. */
function isNamedBy(entry: Pick<AllowedHost, "host">, host: string, isLiteral: boolean): boolean {
  const wanted = plainHost(entry.host);
  if (isLiteral || isAddress(wanted)) return isLiteral && wanted === host;
  if (!wanted.startsWith("*.")) return wanted === host;
  const suffix = wanted.slice(1);
  return host.length > suffix.length && host.endsWith(suffix);
}

function overreach(reason: string | undefined): Judgement {
  return reason === undefined ? { verdict: "overreach" } : { verdict: "overreach", reason };
}

const claimReason = (claim: string | undefined): string | undefined =>
  claim === undefined ? undefined : `claims to be ${shown(claim, 253)}`;

function portReason(entries: readonly AllowedHost[]): string {
  const ports = [...new Set(entries.map(({ port }) => port))].sort((a, b) => a - b);
  return `declared for ${ports.length === 1 ? "port" : "ports"} ${ports.join(", ")} only`;
}
