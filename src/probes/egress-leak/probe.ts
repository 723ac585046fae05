/** 4.2: planted secrets in what the server tried to send. Without a sandbox answers alone are looked at, and that is said. */
import { count, type Finding, finding } from "../../core/index.ts";
import { placeOf, sentText } from "../../sandbox/index.ts";
import { leaksIn } from "../leaks.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";

export const egressLeak: Probe = {
  id: "4.2",
  category: "C-03",
  title: "planted secrets on the way out",
  methods: BOTH,
  judge(run) {
    const { target, sandbox } = run.terms;
    if (target.kind === "http" || sandbox.status === "skipped")
      return { status: "partial", reason: "output scan only", findings: [] };
    const sent = run.sandbox.flatMap((event) => {
      if (event.kind === "dns") return [{ text: event.name, where: `query for ${event.name}` }];
      return event.kind === "egress" ? [{ text: sentText(event), where: placeOf(event) }] : [];
    });
    const texts = sent.map(({ text }) => text);
    const findings: Finding[] = leaksIn(run, texts, undefined).map(({ canary, form, isWhole }) => {
      const alone = sent.find(({ text }) =>
        leaksIn(run, [text], undefined).some((leak) => leak.canary === canary),
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
