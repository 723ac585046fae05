/** What the events of a sandbox say about a server. Pure. */
import { count, type Finding, finding, shown } from "../core/index.ts";
import type { EgressEvent, SandboxEvent } from "./events.ts";
import { WORK } from "./namespaces/environment.ts";

/** Which planted secrets stand in these texts, read as one; by their names, and whether all of one is there. */
export type FindCanaries = (
  texts: readonly string[],
) => readonly { readonly canary: string; readonly isWhole: boolean }[];

const MAX_PLACES = 100;

export function sandboxFindings(
  label: string,
  events: readonly SandboxEvent[],
  findCanaries: FindCanaries,
): Finding[] {
  return [
    ...egressFindings(label, events),
    ...leakFindings(label, events, findCanaries),
    ...readFindings(label, events),
    ...events.flatMap((event) => {
      if (event.kind === "limit")
        return [finding("SBX-04", label, `it was ended: ${event.limit}, ${event.reason}`)];
      return event.kind === "gap" ? [finding("SBX-05", label, event.reason)] : [];
    }),
  ];
}

/** What was sent, as text; inside TLS where it could be ended. */
export const sentText = ({ firstBytes, tls }: EgressEvent): string =>
  Buffer.from(tls?.plaintext ?? firstBytes, "base64").toString("latin1");

export const placeOf = ({ host, port, protocol }: EgressEvent): string => {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === 0
    ? `${name} (${protocol})`
    : `${name}:${port}${protocol === "tcp" ? "" : ` (${protocol})`}`;
};

/** One finding a place, however often it was tried. */
function egressFindings(label: string, events: readonly SandboxEvent[]): Finding[] {
  const byPlace = new Map<string, EgressEvent[]>();
  for (const event of events) {
    if (event.kind !== "egress" || event.verdict !== "overreach") continue;
    const place = placeOf(event);
    byPlace.set(place, [...(byPlace.get(place) ?? []), event]);
  }
  const told = [...byPlace].slice(0, MAX_PLACES).map(([place, tries]) => {
    const bytes = tries.reduce((sum, event) => sum + event.bytes, 0);
    const reason = tries.find((event) => event.reason !== undefined)?.reason;
    const message = `tried to reach ${place}, ${count(tries.length, "time")}, with ${count(bytes, "byte")}${reason === undefined ? "" : `: ${reason}`}`;
    const sent = shown(sentText(tries.find((event) => event.bytes > 0) ?? (tries[0] as EgressEvent)), 200);
    return finding("SBX-01", `${label} egress ${place}`, message, sent === "" ? undefined : sent);
  });
  const left = byPlace.size - told.length;
  return left > 0
    ? [...told, finding("SBX-01", label, `${count(left, "more place")} that it tried to reach`)]
    : told;
}

/** Everything that left is read together: a secret may leave in pieces. */
function leakFindings(label: string, events: readonly SandboxEvent[], findCanaries: FindCanaries): Finding[] {
  const sent = events.flatMap((event) => {
    if (event.kind === "dns") return [{ text: event.name, where: "a query for a name" }];
    return event.kind === "egress" ? [{ text: sentText(event), where: placeOf(event) }] : [];
  });
  if (sent.length === 0) return [];
  return findCanaries(sent.map(({ text }) => text)).map(({ canary, isWhole }) => {
    const alone = sent.find(({ text }) =>
      findCanaries([text]).some((one) => one.canary === canary && one.isWhole === isWhole),
    );
    const where = alone?.where ?? "several places, in pieces";
    const what = isWhole ? "the planted secret" : "a part of the planted secret";
    const severity = isWhole ? "fail" : "warn";
    return finding(
      "SBX-03",
      `${label} ${canary}`,
      `${what} ${canary} was sent: ${where}`,
      undefined,
      severity,
    );
  });
}

/** Files in the working folder are there to be read; keys in the home folder are not. */
function readFindings(label: string, events: readonly SandboxEvent[]): Finding[] {
  const paths = new Set(
    events.flatMap((event) =>
      event.kind === "canary-read" && !event.path.startsWith(WORKING_FOLDER) ? [event.path] : [],
    ),
  );
  return [...paths].map((path) =>
    finding("SBX-02", `${label} ${path}`, `read ${path}, which nobody asked it to`),
  );
}

const WORKING_FOLDER = `${WORK}/`;
