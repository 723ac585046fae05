/** At the end: what the kernel counted and the sinkhole did not see is told as well, without bytes. */
import type { Protocol } from "../events.ts";
import { canonicalAddress, isLoopback } from "../parse/address.ts";
import { readTable } from "./origin.ts";
import { type Sink, seenKey, tell } from "./sink.ts";

const ICMP = new Set(["1", "58", "icmp", "icmpv6", "ipv6-icmp"]);
const MAX_SET = 65_535;

export async function sweep(sink: Sink): Promise<void> {
  const { sets, counters } = await readTable();
  const at = Date.now();
  for (const what of ["connections", "datagrams"] as const) {
    const missed = (counters.get(what) ?? 0) - sink.taken[what];
    if (missed > 0) sink.reporter.gap(`${missed} of ${counters.get(what)} ${what} were not observed`);
  }
  for (const name of ["a4", "a6"]) {
    const entries = sets.get(name) ?? [];
    if (entries.length >= MAX_SET) sink.reporter.gap("more destinations were tried than the kernel keeps");
    for (const [to = "", number = "", portText = ""] of entries) {
      const destination = { address: canonicalAddress(to), port: Number(portText) };
      const protocol = number === "6" || number === "tcp" ? "tcp" : "udp";
      if (sink.seen.has(seenKey(protocol, destination))) continue;
      if (isLoopback(destination.address) && sink.natives.has(protocol, destination.port)) continue;
      tell(sink, { at, protocol, destination, notes: ["seen by the kernel only"] });
    }
  }
  for (const name of ["o4", "o6"])
    for (const [to = "", number = ""] of sets.get(name) ?? []) {
      const protocol: Protocol = ICMP.has(number) ? "icmp" : "other";
      // The kernel's own answer to a datagram that nobody took.
      if (protocol === "icmp" && isLoopback(canonicalAddress(to))) continue;
      const notes = protocol === "icmp" ? [] : [`protocol ${number}`];
      tell(sink, { at, protocol, destination: { address: canonicalAddress(to), port: 0 }, notes });
    }
}
