/** Tells the parent what happened, within bounds: a flood of connections must not fill the parent's memory. */
import type { Socket } from "node:net";
import type { Report } from "../control.ts";
import type { EgressEvent, SandboxEvent } from "../events.ts";

const MAX_EVENTS = 20_000;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** What is kept of a connection once that is used up. */
const FEW_CHARS = 684;

export interface Reporter {
  event(event: SandboxEvent): void;
  /** Something could not be observed: evidence is missing. Each reason is told once. */
  gap(reason: string): void;
  say(report: Report): void;
}

export function reporterTo(control: Socket): Reporter {
  const gaps = new Set<string>();
  let events = 0;
  let keptBytes = 0;
  const say = (report: Report): void => {
    if (!control.destroyed) control.write(`${JSON.stringify(report)}\n`);
  };
  const gap = (reason: string): void => {
    if (gaps.has(reason)) return;
    gaps.add(reason);
    say({ kind: "gap", at: Date.now(), reason });
  };
  const trimmed = (event: EgressEvent): EgressEvent => {
    keptBytes += event.firstBytes.length + (event.tls?.plaintext?.length ?? 0);
    if (keptBytes <= MAX_KEPT_BYTES) return event;
    const { tls } = event;
    return {
      ...event,
      firstBytes: event.firstBytes.slice(0, FEW_CHARS),
      ...(tls?.plaintext === undefined
        ? {}
        : { tls: { ...tls, plaintext: tls.plaintext.slice(0, FEW_CHARS) } }),
      notes: [...event.notes, "only the first bytes are kept: there were too many connections"],
    };
  };
  return {
    gap,
    say,
    event(event) {
      if (event.kind === "egress" || event.kind === "dns") {
        events += 1;
        if (events > MAX_EVENTS)
          return gap(`more than ${MAX_EVENTS} connections and queries: the rest is not told`);
      }
      if (event.kind === "dns") keptBytes += event.query.length;
      const isTooMuch = event.kind === "dns" && keptBytes > MAX_KEPT_BYTES;
      if (isTooMuch) say({ ...event, query: event.query.slice(0, FEW_CHARS) });
      else say(event.kind === "egress" ? trimmed(event) : event);
    },
  };
}
