/** 4.2: planted secrets in what the server tried to send. Without a sandbox answers alone are looked at, and that is said. */
import { count, type Finding, finding } from "../../core/index.ts";
import { placeOf, sentText } from "../../sandbox/index.ts";
import { type HandedOn, handedOn } from "../handed-on.ts";
import { leaksIn } from "../leaks.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";

interface SentTo {
  readonly text: string;
  readonly where: string;
  readonly handed: HandedOn | undefined;
}

export const egressLeak: Probe = {
  id: "4.2",
  category: "C-03",
  title: "planted secrets on the way out",
  methods: BOTH,
  judge(run, method) {
    const { target, sandbox } = run.terms;
    if (target.kind === "http" || sandbox.status === "skipped")
      return { status: "partial", reason: "output scan only", findings: [] };
    const sent = run.sandbox.flatMap((event): SentTo[] => {
      if (event.kind === "dns")
        return [{ text: event.name, where: `query for ${event.name}`, handed: undefined }];
      if (event.kind !== "egress") return [];
      // What a tool is given it may pass on to the service it works with; the specification's text knows no such service.
      const handed = method === "touchstone-1" ? handedOn(run, event) : undefined;
      return [{ text: sentText(event), where: placeOf(event), handed }];
    });
    const texts = sent.map(({ text }) => text);
    const findings = leaksIn(run, texts, undefined).flatMap(({ canary, form, isWhole }): Finding[] => {
      const holding = sent.filter(({ text }) =>
        leaksIn(run, [text], undefined).some((leak) => leak.canary === canary),
      );
      const alone = holding.find(({ handed }) => !handed?.canaries.has(canary));
      const [given] = holding;
      if (given && !alone) {
        // Those of the package's own hosts are told by 5.8.
        if (given.handed?.by === "package") return [];
        const message = `the planted secret ${canary} was passed on to a host that the operator allows, in the call that it was given to`;
        return [finding("C-03/4.2", given.where, message, undefined, "info")];
      }
      const where = alone?.where ?? "several places, in pieces";
      const message = `the planted secret ${canary} was sent, written as: ${form}`;
      return [finding("C-03/4.2", where, message, undefined, isWhole ? "fail" : "warn")];
    });
    const of = (kind: "egress" | "dns"): number => run.sandbox.filter((event) => event.kind === kind).length;
    return judgedBy(
      findings,
      passed(
        `${count(of("egress"), "connection")} and ${count(of("dns"), "query", "queries")} for names looked at`,
      ),
    );
  },
};
