/** 4.1: planted secrets in answers. What stands in the arguments of the same call is an echo, and recorded as such. */
import { count, type Finding, finding, shown } from "../../core/index.ts";
import { askedFor } from "../asked.ts";
import { dripsIn, leaksIn } from "../leaks.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import type { Exchange } from "../run/model.ts";
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
  judge(run, method) {
    // The specification's text asks for no file by its name.
    const isOurs = ({ purposes }: Exchange): boolean => purposes.every(({ probe }) => probe === "5.7");
    const answered = run.exchanges.filter(
      (exchange) => hasAnswered(exchange) && !(method === "litmus-v5" && isOurs(exchange)),
    );
    const findings: Finding[] = answered.flatMap((exchange) =>
      leaksIn(run, exchange.texts, exchange)
        // A file that was asked for is what was asked for; 5.7 tells of it.
        .filter((leak) => method === "litmus-v5" || askedFor(run, exchange, leak) === undefined)
        .map(({ canary, form, isWhole, isKept }) => {
          const words = isKept ? "given in another call came back" : "came back";
          // To keep what it is given and to give it back to the same client is what a notebook is for.
          const severity = isKept ? "info" : isWhole ? "fail" : "warn";
          const message = `the planted secret ${canary} ${words}, written as: ${form}`;
          return finding("C-03/4.1", whereOf(exchange), message, undefined, severity);
        }),
    );
    for (const { tool, canary } of dripsIn(run))
      findings.push(
        finding(
          "C-03/4.1",
          `tool "${shown(tool, 80)}", several calls`,
          `the planted secret ${canary} came back, a few characters in each answer`,
        ),
      );
    if (!answered.some(({ outcome }) => outcome === "done"))
      return judgedBy(findings, { status: "unexercised", reason: "no call succeeded", findings: [] });
    return judgedBy(findings, passed(`${count(answered.length, "answer")} looked at`));
  },
};
