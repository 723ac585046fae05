/** What the wire itself shows about a server, as findings: frames nobody asked for, lists without end. */
import { type Finding, finding, type RuleId, ruleTable, shown } from "../core/index.ts";
import type { Listing } from "./client/list.ts";
import type { Session } from "./client/session.ts";
import type { Redactor } from "./recording/redact.ts";

const EVIDENCE_CHARS = 200;

const RULE_BY_NAME = new Map(
  Object.entries(ruleTable).map(([id, row]) => [row.name as string, id as RuleId]),
);

/** One finding a kind of stray frame, with its first occurrence as evidence. */
export function wireFindings(
  session: Session,
  peer: string,
  listings: Readonly<Record<string, Listing>> = {},
  redact: Pick<Redactor, "text"> | undefined = undefined,
): Finding[] {
  const found: Finding[] = [];
  // Secrets go before the text is cut: half a secret is no longer found.
  const clean = (text: string): string => redact?.text(text) ?? text;
  for (const [reason, times] of session.strays.counts) {
    const rule = RULE_BY_NAME.get(reason);
    const first = session.strays.kept.find((stray) => stray.reason === reason);
    if (!rule) continue;
    const evidence = first ? shown(clean(first.head.toString("utf8")), EVIDENCE_CHARS) : undefined;
    found.push(
      finding(rule, peer, `${ruleTable[rule].title} (${times === 1 ? "once" : `${times} times`})`, evidence),
    );
  }
  if (session.leftOnProbe) found.push(finding("WIRE-09", peer, ruleTable["WIRE-09"].title));
  for (const [method, { end, pages }] of Object.entries(listings)) {
    const isEndless = end === "repeated-cursor" || end === "too-many-pages" || end === "too-large";
    if (isEndless)
      found.push(finding("WIRE-07", `${peer} ${method}`, `stopped after ${pages.length} pages: ${end}`));
  }
  return found;
}
