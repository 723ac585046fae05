/** Names that were looked up and never connected to: a name reaches whoever answers for it, and carries what is written in it. */
import { type Finding, finding, shown } from "../../core/index.ts";
import { type DnsEvent, type EgressEvent, isAbout } from "../../sandbox/index.ts";
import type { Run } from "../run/model.ts";

/** So many names of one domain are no addresses but a message. */
const MANY = 5;
/** A query is told a moment after it was made. */
const SLACK_MS = 50;

export function lookupFindings(run: Run): Finding[] {
  const byDomain = new Map<string, Set<string>>();
  for (const { name } of undeclared(run)) {
    const domain = domainOf(name);
    byDomain.set(domain, (byDomain.get(domain) ?? new Set()).add(name));
  }
  return [...byDomain].flatMap(([domain, names]) => {
    const seen = shown([...names].slice(0, 10).join(", "), 300);
    if (names.size >= MANY)
      return [
        finding("C-02/2.2", `*.${domain}`, `looked up many names below ${domain}, one after another`, seen),
      ];
    return [...names].map((name) =>
      finding("C-02/2.2", name, `looked up ${shown(name, 120)}, which is not declared, and did not connect`),
    );
  });
}

function undeclared(run: Run): DnsEvent[] {
  const reached = new Set(
    run.sandbox.flatMap((event) => (event.kind === "egress" ? [plain(event.host)] : [])),
  );
  const isDeclared = (name: string): boolean =>
    run.terms.allowed.some((entry) => isAbout(entry, { host: name, address: "", port: entry.port }));
  return run.sandbox.flatMap((event) => {
    if (event.kind !== "dns") return [];
    const name = plain(event.name);
    const isFine = isLocal(name) || reached.has(name) || isDeclared(name) || isAskedFor(run, name, event.at);
    return isFine ? [] : [{ ...event, name }];
  });
}

/** Whether a call that was open holds the name in its arguments. */
function isAskedFor(run: Run, name: string, at: number): boolean {
  return run.exchanges.some(
    ({ args, startedAt, endedAt }) =>
      startedAt <= at &&
      at <= endedAt + SLACK_MS &&
      JSON.stringify(args ?? "")
        .toLowerCase()
        .includes(name),
  );
}

/** Hosts that are kept for examples: nobody has them, and a server that reaches one was given it. */
const EXAMPLE = /^(?:[^.]+\.)*example\.(?:com|net|org)$/;

/** A connection where the caller wanted it, as a tool makes that fetches what it is given. */
export const isWhereCalled = (run: Run, { host, at }: EgressEvent): boolean =>
  EXAMPLE.test(plain(host)) && isAskedFor(run, plain(host), at);

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** Names without a domain are of this machine; the others here say who has an address, or are never asked of anybody. */
const isLocal = (name: string): boolean =>
  !name.includes(".") || /\.(?:arpa|localhost|local|localdomain|internal|lan|home|invalid)$/.test(name);

/** The last two labels, three where the second of them is a short one as in `example.co.uk`. */
function domainOf(name: string): string {
  const labels = name.split(".");
  const isShort = (labels.at(-2) ?? "").length <= 3 && (labels.at(-1) ?? "").length === 2;
  return labels.slice(isShort ? -3 : -2).join(".");
}
