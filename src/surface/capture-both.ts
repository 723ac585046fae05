/** The same server seen by two clients, one that can do nothing and one that can do everything, and what differs.
 *  Implements spec/surface.md, SUR-6. */
import {
  asText,
  asTrustError,
  byUnits,
  type Finding,
  finding,
  shown,
  type TrustError,
} from "../core/index.ts";
import type { Target } from "../target/index.ts";
import { type Capture, type CaptureOptions, capture } from "./capture.ts";
import { comparable } from "./digest.ts";
import { identityOf, LIST_NAMES, type ListName, type Surface } from "./surface.ts";

export interface BothCaptures {
  readonly none: Capture;
  /** Absent when the server opened for a client without capabilities and not for one with all of them. */
  readonly everything?: Capture;
  /** Why it is absent. */
  readonly failure?: TrustError;
  /** What either session shows by itself, SURF-01 for what differs, SURF-02 for what was not read. */
  readonly findings: readonly Finding[];
}

/** Starts or reaches the server twice, one after the other. Throws a coded error when the first session cannot be opened. */
export async function captureBoth(
  target: Target,
  options: Omit<CaptureOptions, "claims"> = {},
): Promise<BothCaptures> {
  const none = await capture(target, { ...options, claims: "none" });
  let everything: Capture;
  try {
    everything = await capture(target, { ...options, claims: "everything" });
  } catch (thrown) {
    const failure = asTrustError(thrown);
    if (failure.code === "INTERNAL") throw thrown;
    const [reason = ""] = failure.message.split("\n");
    const refused = finding(
      "SURF-01",
      target.label,
      `it opens for a client without capabilities and not for one that claims all: ${reason}`,
    );
    return { none, failure, findings: [...none.findings, refused, ...unreadFindings(target.label, [none])] };
  }
  return {
    none,
    everything,
    findings: [
      ...mergedFindings(none.findings, everything.findings),
      ...claimFindings(target.label, none.surface, everything.surface),
      ...unreadFindings(target.label, [none, everything]),
    ],
  };
}

/** One rule at one place is said once; the first session's words stand. */
function mergedFindings(first: readonly Finding[], second: readonly Finding[]): Finding[] {
  const seen = new Set(first.map(({ rule, where }) => `${rule} ${where}`));
  return [...first, ...second.filter(({ rule, where }) => !seen.has(`${rule} ${where}`))];
}

/** SURF-02 for each list that was not read, once however many sessions showed it. */
function unreadFindings(label: string, captures: readonly Capture[]): Finding[] {
  const unread = captures.flatMap((one) => one.unread);
  const byMethod = new Map(unread.map(({ method, how }) => [method, how]));
  return [...byMethod].map(([method, how]) =>
    finding("SURF-02", `${label} ${method}`, `${method} was not read: ${shown(how, 200)}`),
  );
}

const MAX_NAMED = 20;

/** SURF-01 with everything that depends on the claims, in one finding. */
export function claimFindings(label: string, none: Surface, everything: Surface): Finding[] {
  const differences: string[] = [];
  for (const list of LIST_NAMES) {
    const [few, many] = [tally(list, none[list]), tally(list, everything[list])];
    const onlyMany = [...many.keys()].filter((name) => !few.has(name));
    const onlyFew = [...few.keys()].filter((name) => !many.has(name));
    const other = [...few.keys()].filter((name) => many.has(name) && many.get(name) !== few.get(name));
    if (onlyMany.length > 0)
      differences.push(`${list} only for clients that claim everything: ${named(onlyMany)}`);
    if (onlyFew.length > 0)
      differences.push(`${list} only for clients that claim nothing: ${named(onlyFew)}`);
    if (other.length > 0) differences.push(`${list} with another content: ${named(other)}`);
  }
  for (const member of ["info", "capabilities", "instructions"] as const)
    if (comparable(none[member]) !== comparable(everything[member])) differences.push(`another ${member}`);
  return differences.length === 0 ? [] : [finding("SURF-01", label, differences.join("; "))];
}

/** Names with the contents that stand under each, in an order that is not the server's. */
function tally(list: ListName, items: readonly unknown[]): Map<string, string> {
  const contents = new Map<string, string[]>();
  for (const item of items) {
    const name = identityOf(list, item) ?? asText(item);
    const same = contents.get(name);
    if (same) same.push(comparable(item));
    else contents.set(name, [comparable(item)]);
  }
  return new Map([...contents].map(([name, all]) => [name, all.sort(byUnits).join("\n")]));
}

function named(names: readonly string[]): string {
  const listed = names.slice(0, MAX_NAMED).map((name) => shown(name, 80));
  return listed.join(", ") + (names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "");
}
