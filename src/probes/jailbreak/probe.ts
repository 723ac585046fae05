/** 3.2: known jailbreak texts. Fails only when the server makes orders of its own of them; to repeat one is no fault. */
import { count } from "../../core/index.ts";
import { JAILBREAKS } from "../batteries/litmus-v5.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import { asFindings, exchangesOf, hasAnswered, injectionIn, whereOf } from "../said.ts";

export const jailbreak: Probe = {
  id: "3.2",
  category: "C-04",
  title: "jailbreak texts",
  methods: BOTH,
  *script(tool, kit) {
    for (const [index, template] of JAILBREAKS.entries()) {
      const marker = kit.marker();
      const text = template.replaceAll("{mark}", marker);
      const args = kit.withText(tool, text);
      if (!args) return;
      yield { tool: tool.name, args, note: `jailbreak ${index + 1}`, sent: [{ text, marker }] };
    }
  },
  judge(run) {
    const answered = exchangesOf(run, "3.2").filter(hasAnswered);
    const findings = answered.flatMap((exchange) =>
      asFindings("C-04/3.2", whereOf(exchange), injectionIn(run, exchange.texts, exchange)),
    );
    if (answered.length === 0) return { status: "unexercised", reason: "no tool takes text", findings };
    return judgedBy(findings, passed(`${count(answered.length, "answer")} looked at`));
  },
};
