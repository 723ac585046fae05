/** A throw-away authority whose certificates let the sinkhole end TLS for any host. It lives as long as one run, and its names
 *  say nothing about us: the process under test can read them. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import {
  bits,
  identifier,
  integer,
  namedBits,
  octets,
  sequence,
  set,
  tagged,
  taggedBytes,
  text,
  time,
  yes,
} from "./der.ts";

export interface Leaf {
  /** The private key, PEM. */
  readonly key: string;
  /** The certificate of the host and that of the authority, PEM. */
  readonly cert: string;
}

export interface Authority {
  /** The certificate that clients have to trust, PEM. */
  readonly pem: string;
  leaf(host: string): Leaf;
}

const AUTHORITY_NAME = "Local Root";
const LEAF_NAME = "Local Server";
/** Stands for a host that no certificate can name. */
const NO_HOST = "invalid";
const MAX_LEAVES = 1_000;
const DAY_MS = 86_400_000;
const DAYS_BEFORE = 1;
const DAYS_AFTER = 30;

const COMMON_NAME = "2.5.4.3";
const SUBJECT_KEY = "2.5.29.14";
const KEY_USAGE = "2.5.29.15";
const ALTERNATIVE_NAME = "2.5.29.17";
const BASIC_CONSTRAINTS = "2.5.29.19";
const AUTHORITY_KEY = "2.5.29.35";
const EXTENDED_USAGE = "2.5.29.37";
const SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
const ECDSA_WITH_SHA256 = sequence(identifier("1.2.840.10045.4.3.2"));

// Bits of the key usage.
const DIGITAL_SIGNATURE = 0;
const SIGN_CERTIFICATES = 5;
const SIGN_REVOCATIONS = 6;

export function createAuthority(now: Date, random: (size: number) => Uint8Array = randomBytes): Authority {
  const root = keyPair();
  // One key serves all hosts: they are all us.
  const server = keyPair();
  const key = server.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const issue = (subject: string, publicKey: Buffer, extensions: readonly Buffer[]): string =>
    certificate({ subject, publicKey, extensions, serial: serial(random), now, signer: root.privateKey });

  const pem = issue(AUTHORITY_NAME, root.publicKey, [
    // It may sign for hosts, and not for other authorities.
    critical(BASIC_CONSTRAINTS, sequence(yes(), integer(Buffer.from([0])))),
    critical(KEY_USAGE, namedBits(SIGN_CERTIFICATES, SIGN_REVOCATIONS)),
    extension(SUBJECT_KEY, octets(keyName(root.publicKey))),
  ]);
  const certify = (host: string): string =>
    issue(LEAF_NAME, server.publicKey, [
      critical(BASIC_CONSTRAINTS, sequence()),
      critical(KEY_USAGE, namedBits(DIGITAL_SIGNATURE)),
      extension(EXTENDED_USAGE, sequence(identifier(SERVER_AUTHENTICATION))),
      extension(SUBJECT_KEY, octets(keyName(server.publicKey))),
      extension(AUTHORITY_KEY, sequence(taggedBytes(0, keyName(root.publicKey)))),
      extension(ALTERNATIVE_NAME, sequence(alternativeName(host))),
    ]);

  // A map remembers the order of its keys: the first is the one that was not used for the longest time.
  const leaves = new Map<string, Leaf>();
  return {
    pem,
    leaf(host) {
      const name = plainHost(host);
      const leaf = leaves.get(name) ?? { key, cert: certify(name) + pem };
      leaves.delete(name);
      leaves.set(name, leaf);
      // Names come from the process under test: it can make up any number of them.
      for (const oldest of leaves.keys()) {
        if (leaves.size <= MAX_LEAVES) break;
        leaves.delete(oldest);
      }
      return leaf;
    },
  };
}

function keyPair(): { readonly privateKey: KeyObject; readonly publicKey: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, publicKey: publicKey.export({ type: "spki", format: "der" }) };
}

interface Request {
  readonly subject: string;
  readonly publicKey: Buffer;
  readonly extensions: readonly Buffer[];
  readonly serial: Uint8Array;
  readonly now: Date;
  readonly signer: KeyObject;
}

function certificate({ subject, publicKey, extensions, serial, now, signer }: Request): string {
  const day = (days: number): Buffer => time(new Date(now.getTime() + days * DAY_MS));
  const signed = sequence(
    tagged(0, integer(Buffer.from([2]))), // Version 3 is written as 2.
    integer(serial),
    ECDSA_WITH_SHA256,
    named(AUTHORITY_NAME),
    sequence(day(-DAYS_BEFORE), day(DAYS_AFTER)),
    named(subject),
    publicKey,
    tagged(3, sequence(...extensions)),
  );
  const body = sequence(signed, ECDSA_WITH_SHA256, bits(sign("sha256", signed, signer)));
  const lines = body.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** Sixteen bytes whose first two bits make it neither negative nor shorter. */
function serial(random: (size: number) => Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(random(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

const named = (name: string): Buffer => sequence(set(sequence(identifier(COMMON_NAME), text(name))));
const extension = (id: string, content: Buffer): Buffer => sequence(identifier(id), octets(content));
const critical = (id: string, content: Buffer): Buffer => sequence(identifier(id), yes(), octets(content));

/** A short name for a key, by which a chain is put together. */
const keyName = (publicKey: Buffer): Buffer =>
  createHash("sha256").update(publicKey).digest().subarray(0, 20);

const LABEL = /^[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?$/;
const MAX_NAME_CHARS = 253;

/** The host as a certificate names it: in lower case, without the dot of the root, the zone of an address or its brackets.
 *  Hosts are attacker-controlled: what is neither a name in ASCII nor an address becomes `invalid`. */
function plainHost(host: string): string {
  if (host.length > MAX_NAME_CHARS + 2) return NO_HOST;
  const address = host.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/s, "");
  if (isIPv4(address) || isIPv6(address)) return address.toLowerCase();
  const name = host.replace(/\.$/, "");
  const isName = name.length <= MAX_NAME_CHARS && name.split(".").every((label) => LABEL.test(label));
  return isName ? name.toLowerCase() : NO_HOST;
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return taggedBytes(7, Buffer.from(host.split(".").map(Number)));
  if (isIPv6(host)) return taggedBytes(7, ipv6Bytes(host));
  return taggedBytes(2, Buffer.from(host, "ascii"));
}

function ipv6Bytes(address: string): Buffer {
  // Of all spellings a URL makes one: without an IPv4 tail, the longest run of zeros as "::".
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, "0")).join(""), "hex");
}
