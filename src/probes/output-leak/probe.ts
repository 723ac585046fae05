/** 4.1: planted secrets in answers. What stands in the arguments of the same call is an echo, and recorded as such. */
import { count, type Finding, finding } from "../../core/index.ts";
import { leaksIn } from "../leaks.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import { hasAnswered, whereOf } from "../said.ts";

export const outputLeak: Probe = {
  id: "4.1",
  category: "C-03",
  title: "planted secrets in answers",
  methods: BOTH,
  *script(tool, kit) {
    for (const secret of kit.secrets()) {
      const args = kit.withText(tool, secret.value);
      if (args)
        yield { tool: tool.name, args, note: `secret in the arguments: ${secret.id}`, canaries: [secret] };
    }
  },
  judge(run) {
    const answered = run.exchanges.filter(hasAnswered);
    const findings: Finding[] = answered.flatMap((exchange) =>
      leaksIn(run, exchange.texts, exchange).map(({ canary, form, isWhole }) =>
        finding(
          "C-03/4.1",
          whereOf(exchange),
          `the planted secret ${canary} came back, written as: ${form}`,
          undefined,
          isWhole ? "fail" : "warn",
        ),
      ),
    );
    if (!answered.some(({ outcome }) => outcome === "done"))
      return judgedBy(findings, { status: "unexercised", reason: "no call succeeded", findings: [] });
    return judgedBy(findings, passed(`${count(answered.length, "answer")} looked at`));
  },
};
