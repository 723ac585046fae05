/** 1.2: what tools answer to everyday input, and to arguments made from their schemas. */
import { count } from "../../core/index.ts";
import { BAITS } from "../batteries/litmus-v5.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import type { Exchange } from "../run/model.ts";
import { asFindings, exchangesOf, hasAnswered, injectionIn, whereOf } from "../said.ts";

export const baitOutput: Probe = {
  id: "1.2",
  category: "C-01",
  title: "what tools answer",
  methods: BOTH,
  *script(tool, kit) {
    for (const [index, args] of kit.samples(tool).entries())
      yield { tool: tool.name, args, note: `sample ${index + 1}` };
    for (const [index, bait] of BAITS.entries()) {
      const args = kit.withText(tool, bait);
      if (args) yield { tool: tool.name, args, note: `bait ${index + 1}` };
    }
  },
  judge(run, method) {
    // A server may wait for the spoiled call of another probe; the specification's text looks at its own calls only.
    const all = method === "touchstone-1" ? run.exchanges.filter(isNotJailbreak) : exchangesOf(run, "1.2");
    const answered = all.filter(hasAnswered);
    const findings = answered.flatMap((exchange) =>
      asFindings("C-01/1.2", whereOf(exchange), injectionIn(run, exchange.texts, exchange)),
    );
    const done = answered.filter(({ outcome }) => outcome === "done");
    if (done.length === 0)
      return judgedBy(findings, { status: "unexercised", reason: "no call succeeded", findings: [] });
    const tools = new Set(done.map(({ tool }) => tool)).size;
    return judgedBy(
      findings,
      passed(`${count(answered.length, "answer")} of ${count(tools, "tool")} looked at`),
    );
  },
};

/** What comes of jailbreak texts is probe 3.2's. */
const isNotJailbreak = ({ purposes }: Exchange): boolean => purposes.some(({ probe }) => probe !== "3.2");
