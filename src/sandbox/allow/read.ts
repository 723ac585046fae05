/** Reads the hosts that connections may go to: as the operator writes them, and as a package declares them. */
import { isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { asTrustError, shown, TrustError } from "../../core/index.ts";
import { isRecord } from "../../wire/index.ts";
import { isPrivateAddress } from "../parse/address.ts";
import type { AllowedHost } from "./host.ts";
import { isAddress, isLocalName, plainHost } from "./name.ts";

const DEFAULT_PORT = 443;
const MAX_TEXT_CHARS = 1000;
const MAX_NAME_CHARS = 253;
const MAX_DECLARED = 100;

/** `HOST[:PORT]`, `*.suffix[:PORT]`, `1.2.3.4[:PORT]` or `[v6][:PORT]`. Without a port it is 443. */
export function readAllowedHost(text: string, by: AllowedHost["by"]): AllowedHost {
  if (text.trim() === "") throw refused("want a host, not an empty text");
  if (text.length > MAX_TEXT_CHARS)
    throw refused(`${text.length} characters are too many for a host and a port`);
  if (/^\[?[\d.:a-f]+\]?\/\d+$/i.test(text))
    throw refused(`${quoted(text)} is a range: give each address by itself`);
  if (/[/@?#]/.test(text)) throw refused(`want a host and no URL: give only ${partToGive(text)}`);
  if (/[,;\s]/.test(text)) throw refused(`${quoted(text)}: give one host at a time, without spaces`);
  if (isIPv6(text)) throw refused(`${quoted(text)}: write an IPv6 address in brackets, [${text}]`);
  const [, bracketed, name = "", port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
  if (bracketed === undefined && name === "") throw refused(`${quoted(text)} names no host`);
  const host = bracketed === undefined ? nameOf(name) : v6Of(bracketed);
  return { host, port: port === undefined ? DEFAULT_PORT : portOf(port), by };
}

/** What a package.json says it connects to. It is written by whoever made the package: a bad entry is a fault and gives no
 *  permission, and the operator's own network is not for a package to open. */
export function declaredHosts(packageJson: unknown): { hosts: AllowedHost[]; faults: string[] } {
  const hosts = new Map<string, AllowedHost>();
  const faults: string[] = [];
  let room = MAX_DECLARED;
  for (const owner of ["polygraph", "touchstone"]) {
    const list = member(member(packageJson, owner), "egress");
    const where = `${owner}.egress`;
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      faults.push(`${where}: want a list of hosts`);
      continue;
    }
    if (list.length > room)
      faults.push(`${where}: ${list.length} hosts, only ${MAX_DECLARED} are read in all`);
    for (const [index, entry] of list.slice(0, room).entries()) {
      try {
        const host = declaredHost(entry);
        hosts.set(`${host.host} ${host.port}`, host);
      } catch (thrown) {
        faults.push(`${where}[${index}]: ${asTrustError(thrown).message}`);
      }
    }
    room -= Math.min(room, list.length);
  }
  return { hosts: [...hosts.values()], faults };
}

function declaredHost(entry: unknown): AllowedHost {
  if (typeof entry !== "string") throw refused("want a host as text");
  const allowed = readAllowedHost(entry, "package");
  const { host } = allowed;
  const isPrivate = isAddress(host) ? isPrivateAddress(host) : isLocalName(host);
  if (isPrivate)
    throw refused(`${quoted(entry)} is not on the public network: only the operator may allow it`);
  return allowed;
}

function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

const WILD = "*.";
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function nameOf(text: string): string {
  if (/\P{ASCII}/u.test(text)) {
    const ascii = domainToASCII(text);
    throw refused(`${quoted(text)} has letters beyond a to z: write it as ${ascii || "xn--…"}`);
  }
  const name = text.toLowerCase().replace(/\.$/, "");
  if (name === "*")
    throw refused("* would allow every host: name the hosts, or a suffix as in *.example.com");
  const isWild = name.startsWith(WILD);
  const suffix = isWild ? name.slice(WILD.length) : name;
  if (suffix.includes("*"))
    throw refused(`${quoted(text)}: a * stands for the first part only, as in *.example.com`);
  const labels = suffix.split(".");
  const bad = labels.find((label) => !LABEL.test(label));
  if (bad !== undefined || suffix.length > MAX_NAME_CHARS) {
    const reason = bad === undefined ? `over ${MAX_NAME_CHARS} characters` : partFault(bad);
    throw refused(`${quoted(text)} is no host name: ${reason}`);
  }
  // Programs read 127.1 and 0x7f000001 as addresses, each in its own way: only the plain form is taken.
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) {
    if (isWild || !isAddress(name))
      throw refused(`${quoted(text)} is no address: want four numbers from 0 to 255, as in 192.0.2.1`);
    return name;
  }
  if (isWild && labels.length < 2)
    throw refused(`${quoted(text)} is too wide: want two parts or more behind the *, as in *.example.com`);
  return name;
}

function partFault(label: string): string {
  if (label === "") return "a part between dots is empty";
  return `the part ${quoted(label)} has other than letters, digits, - and _ inside, or over 63 characters`;
}

function v6Of(text: string): string {
  // A zone, as in fe80::1%eth0, is a way to the host and not part of its address.
  if (!isIPv6(text) || text.includes("%")) throw refused(`[${shown(text, 100)}] is no IPv6 address`);
  return plainHost(text);
}

function portOf(text: string): number {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (port === 0 || port > 65_535)
    throw refused(`the port ${quoted(text)}: want a whole number from 1 to 65535`);
  return port;
}

const USUAL_PORTS: Readonly<Record<string, string>> = {
  "https:": "443",
  "wss:": "443",
  "http:": "80",
  "ws:": "80",
};

/** The host and port of a URL. The rest of it may hold a password and is not repeated. */
function partToGive(text: string): string {
  try {
    const { hostname, port, protocol } = new URL(
      /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`,
    );
    const usual = port || USUAL_PORTS[protocol];
    if (hostname !== "" && usual !== undefined) return shown(`${hostname}:${usual}`, 300);
  } catch {
    // Not even a URL: the general form has to do.
  }
  return "HOST:PORT";
}

const quoted = (text: string): string => `"${shown(text, 100)}"`;

const refused = (message: string): TrustError =>
  new TrustError("CLI_BAD_VALUE", message, {
    hint: "write HOST[:PORT], *.suffix[:PORT], 1.2.3.4[:PORT] or [v6][:PORT]; without a port it is 443",
  });
