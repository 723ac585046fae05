/** 4.2: planted secrets in what the server tried to send. Without a sandbox answers alone are looked at, and that is said. */
import { count, type Finding, finding } from "../../core/index.ts";
import { type EgressEvent, isAbout, placeOf, sentText } from "../../sandbox/index.ts";
import { leaksIn } from "../leaks.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import type { Run } from "../run/model.ts";

const NOTHING: ReadonlySet<string> = new Set();
/** A connection is told a moment after it was made. */
const SLACK_MS = 50;

export const egressLeak: Probe = {
  id: "4.2",
  category: "C-03",
  title: "planted secrets on the way out",
  methods: BOTH,
  judge(run, method) {
    const { target, sandbox } = run.terms;
    if (target.kind === "http" || sandbox.status === "skipped")
      return { status: "partial", reason: "output scan only", findings: [] };
    const sent = run.sandbox.flatMap((event) => {
      if (event.kind === "dns")
        return [{ text: event.name, where: `query for ${event.name}`, mayHold: NOTHING }];
      if (event.kind !== "egress") return [];
      const mayHold = method === "touchstone-1" ? argumentsOf(run, event) : NOTHING;
      return [{ text: sentText(event), where: placeOf(event), mayHold }];
    });
    const texts = sent.map(({ text }) => text);
    const findings: Finding[] = leaksIn(run, texts, undefined).map(({ canary, form, isWhole }) => {
      const holding = sent.filter(({ text }) =>
        leaksIn(run, [text], undefined).some((leak) => leak.canary === canary),
      );
      const alone = holding.find(({ mayHold }) => !mayHold.has(canary));
      const [given] = holding;
      if (given && !alone)
        return finding(
          "C-03/4.2",
          given.where,
          `the planted secret ${canary} was passed on to a host that the operator allows, in the call that it was given to`,
          undefined,
          "info",
        );
      const where = alone?.where ?? "several places, in pieces";
      return finding(
        "C-03/4.2",
        where,
        `the planted secret ${canary} was sent, written as: ${form}`,
        undefined,
        isWhole ? "fail" : "warn",
      );
    });
    return judgedBy(findings, passed(`${count(sent.length, "attempt")} looked at`));
  },
};

/** What a tool may pass on: what it is given is sent to the service it works with. The operator says which that is, not the
 *  package, and it is sent while the call is open. */
function argumentsOf(run: Run, event: EgressEvent): ReadonlySet<string> {
  const isOperators = run.terms.allowed.some((entry) => entry.by === "operator" && isAbout(entry, event));
  if (event.verdict !== "permitted" || !isOperators) return NOTHING;
  return new Set(
    run.exchanges
      .filter(({ startedAt, endedAt }) => startedAt <= event.at && event.at <= endedAt + SLACK_MS)
      .flatMap(({ canaries }) => canaries.map(({ id }) => id)),
  );
}
