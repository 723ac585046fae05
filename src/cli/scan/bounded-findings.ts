/** Keeps one server from burying the others: of what was found in it, so many are told one by one, and the rest is counted. */
import { count, type Finding, finding, type Severity } from "../../core/index.ts";

export const MAX_FINDINGS = 200;
const ORDER: readonly Severity[] = ["fail", "warn", "info"];

/** The worst first. Among equals, rules take turns and within a rule places do: who floods one rule or one tool hides nothing
 *  behind it. What is kept stays in the order it was found in. */
export function boundedFindings(label: string, findings: readonly Finding[], max = MAX_FINDINGS): Finding[] {
  if (findings.length <= max) return [...findings];
  const kept = new Set<Finding>();
  const left = new Map<string, { readonly first: Finding; n: number }>();
  for (const severity of ORDER) {
    const queues = byRule(findings.filter((found) => found.severity === severity));
    for (let turn = 0; queues.some((queue) => turn < queue.length); turn++)
      for (const queue of queues) {
        const found = queue[turn];
        if (found === undefined) continue;
        if (kept.size < max) {
          kept.add(found);
          continue;
        }
        const key = `${found.rule} ${severity}`;
        const rest = left.get(key) ?? { first: found, n: 0 };
        left.set(key, rest);
        rest.n += 1;
      }
  }
  const counted = [...left.values()].map(({ first: { rule, severity }, n }) =>
    finding(
      rule,
      label,
      `and ${count(n, "more finding", "more findings")} of this rule in this server, not told one by one`,
      undefined,
      severity,
    ),
  );
  return findings.filter((found) => kept.has(found)).concat(counted);
}

/** One queue a rule, in which the first finding of every place comes before the second of any. */
function byRule(findings: readonly Finding[]): Finding[][] {
  const rules = new Map<string, Map<string, Finding[]>>();
  for (const found of findings) {
    const places = rules.get(found.rule) ?? new Map<string, Finding[]>();
    rules.set(found.rule, places);
    const same = places.get(found.where);
    if (same) same.push(found);
    else places.set(found.where, [found]);
  }
  return [...rules.values()].map((places) => {
    const queue: Finding[] = [];
    const all = [...places.values()];
    const most = all.reduce((longest, { length }) => Math.max(longest, length), 0);
    for (let turn = 0; turn < most; turn++)
      for (const place of all) {
        const found = place[turn];
        if (found !== undefined) queue.push(found);
      }
    return queue;
  });
}
