/** From what was seen to a report and an exit code. */
import { dayOf, defined, finding, type Ignore, suppress } from "../../core/index.ts";
import { type Gate, isOver, type Report, type Sighting, type Subject } from "../../report/index.ts";
import { ignoreNotes } from "../ignores.ts";
import type { ScanResult } from "./capture.ts";
import type { Group, Known } from "./known.ts";

export interface Seen {
  readonly known: readonly Known[];
  readonly labels: ReadonlyMap<Known, string>;
  readonly groups: readonly Group[];
  readonly result: ScanResult;
  /** What was found without starting anything. */
  readonly findings: readonly Sighting[];
  readonly notes: readonly string[];
  readonly title: string;
  /** Whether the operator named what to scan: then, what could not be scanned decides the exit code. */
  readonly isNamed: boolean;
  /** Whether what is installed was allowed to start. */
  readonly isAllowed: boolean;
  /** How many config files could not be read. */
  readonly unreadable: number;
}

export interface Terms {
  readonly ignores: readonly Ignore[];
  readonly gate: Gate;
  readonly now: Date;
  readonly version: string;
  readonly folder: string;
}

export function conclude(seen: Seen, { ignores, gate, now, version, folder }: Terms): Report {
  const subjects = seen.known.map((one) => subjectOf(one, seen));
  const all = [
    ...seen.findings,
    ...seen.known.flatMap((one) => notScanned(one, seen)),
    ...seen.result.findings,
  ];
  const suppression = suppress(all, ignores, dayOf(now));
  const { kept, suppressed } = suppression;
  return {
    command: "scan",
    version,
    title: seen.title,
    folder,
    noun: ["server", "servers"],
    subjects,
    findings: kept,
    suppressed,
    notes: [...seen.notes, ...seen.result.notes, ...ignoreNotes(suppression)],
    exit: isOver(gate, kept) ? 1 : worstExit(seen),
  };
}

function subjectOf(one: Known, { groups, result, labels }: Seen): Subject {
  const group = groups.find(({ members }) => members.includes(one));
  const outcome = group && result.outcomes.get(group);
  const [first] = group?.members ?? [];
  const base = { name: labels.get(one) ?? one.name, origin: one.origin, ...defined({ place: one.place }) };
  const isTwin = first !== undefined && first !== one;
  const details = isTwin ? [...one.details, `starts the same as ${first.reference}`] : one.details;
  const sandbox = group && result.uses.get(group);
  if (outcome?.kind === "scanned")
    return { ...base, status: "scanned", details, counts: outcome.counts, ...defined({ sandbox }) };
  const reason = outcome?.reason ?? one.reason;
  // A named target that cannot be had is a failure of what was asked; an entry that is only listed is not.
  const status = outcome?.kind === "failed" || one.exit !== undefined ? "failed" : "not-started";
  return { ...base, status, details, counts: {}, ...defined({ reason: withHint(reason, sandbox), sandbox }) };
}

/** A server may need what the sandbox does not give. */
function withHint(reason: string | undefined, sandbox: Subject["sandbox"]): string | undefined {
  if (reason === undefined || sandbox?.status !== "used") return reason;
  return `${reason}; it was started in the sandbox, without network and files of yours: --sandbox none does without`;
}

/** CONF-05 for everything that is switched on and was not scanned. One that was started and failed weighs more than one
 *  that nobody wanted to start. */
function notScanned(one: Known, seen: Seen): Sighting[] {
  if (one.isDisabled) return [];
  const subject = subjectOf(one, seen);
  if (subject.status === "scanned") return [];
  const isFailed = subject.status === "failed";
  const message = `${isFailed ? "could not be scanned" : "not started"}: ${subject.reason ?? "no reason given"}`;
  const found = finding("CONF-05", one.reference, message, undefined, isFailed ? "warn" : "info");
  return [{ ...found, ...defined({ place: one.place }) }];
}

/** A fault of ours always shows. What the operator named and could not be had does too, authentication first: that is the one
 *  a person can do something about at once. Of what is installed, one that fails is a finding; when nothing at all could be
 *  scanned although something is there, the run has not told what it was asked. */
function worstExit({ known, groups, result, isNamed, isAllowed, unreadable }: Seen): 0 | 3 | 4 | 5 {
  const exits = known.map((one) => {
    const group = groups.find(({ members }) => members.includes(one));
    const outcome = group && result.outcomes.get(group);
    return outcome?.kind === "scanned" ? 0 : (outcome?.exit ?? one.exit ?? 4);
  });
  if (exits.includes(5)) return 5;
  if (isNamed) return exits.includes(3) ? 3 : exits.includes(4) ? 4 : 0;
  if (known.length === 0) return unreadable > 0 ? 4 : 0;
  const wanted = exits.filter((_, index) => known[index]?.isDisabled === false);
  return isAllowed && wanted.length > 0 && !wanted.includes(0) ? 4 : 0;
}
