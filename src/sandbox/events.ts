/** What a sandboxed process tried, one event each, in the order it was seen. */

export type Protocol = "tcp" | "udp" | "icmp" | "other";

/** `permitted`: host and port are on the list and nothing contradicts it. `loopback`: to the sandbox itself, where nothing
 *  listened. Everything else is `overreach`. */
export type Verdict = "permitted" | "overreach" | "loopback";

/** What became of a connection, or of a request in it. `unavailable`: a permitted one that nobody answers for, told so. Only
 *  `forwarded` reached anybody. */
export type Ending = "reset" | "unavailable" | "answered" | "forwarded";

export interface EgressEvent {
  readonly kind: "egress";
  /** When it happened, by this machine's clock, in milliseconds since 1970. */
  readonly at: number;
  /** The name that was looked up to get the address, or the address itself. */
  readonly host: string;
  readonly address: string;
  /** 0 for protocols without ports. */
  readonly port: number;
  readonly protocol: Protocol;
  readonly verdict: Verdict;
  /** Why it is overreach although host or name look permitted. */
  readonly reason?: string;
  readonly ending: Ending;
  /** What the process sent first, in base64, and how many bytes it sent in all. */
  readonly firstBytes: string;
  readonly bytes: number;
  /** A claim of the process, not a fact: the host it names in HTTP. */
  readonly httpHost?: string;
  readonly tls?: TlsSight;
  readonly process?: { readonly pid: number; readonly command: string };
  readonly notes: readonly string[];
}

export interface TlsSight {
  /** A claim of the process, not a fact: the host it names in its first message. */
  readonly sni?: string;
  readonly alpn: readonly string[];
  /** What it sent inside, in base64: TLS ended at the sinkhole. Absent when it did not accept our certificate. */
  readonly plaintext?: string;
  readonly refusal?: string;
}

export interface DnsEvent {
  readonly kind: "dns";
  readonly at: number;
  readonly name: string;
  /** `A`, `AAAA`, `TXT` … */
  readonly type: string;
  /** The resolver that was asked; the configured one, unless it is hard-coded. */
  readonly resolver: string;
  readonly protocol: "tcp" | "udp";
  /** What was answered: an address, a name, `none`. */
  readonly answer: string;
  /** The query as sent, in base64. */
  readonly query: string;
}

export interface CanaryReadEvent {
  readonly kind: "canary-read";
  readonly at: number;
  /** As the process sees it. */
  readonly path: string;
  /** `changed`: its times or inode were tampered with, which hides a read. */
  readonly how: "read" | "changed" | "removed";
}

/** A file of the working or home folder that was made, changed or removed; planted ones are told apart, caches are not looked at. */
export interface FileChangeEvent {
  readonly kind: "file-change";
  readonly at: number;
  readonly path: string;
  readonly how: "made" | "changed" | "removed";
}

/** The process was ended because it went over a limit. */
export interface LimitEvent {
  readonly kind: "limit";
  readonly at: number;
  readonly limit: "memory" | "processes" | "time";
  readonly reason: string;
}

/** Something the sandbox could not observe as it should: evidence is missing from here on. */
export interface GapEvent {
  readonly kind: "gap";
  readonly at: number;
  readonly reason: string;
}

export type SandboxEvent = EgressEvent | DnsEvent | CanaryReadEvent | FileChangeEvent | LimitEvent | GapEvent;
