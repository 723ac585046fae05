/** 1.3: what one tool answers, given to another. Only what the server makes of it counts, not what it repeats. */
import { count } from "../../core/index.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import { asFindings, exchangesOf, hasAnswered, injectionIn, whereOf } from "../said.ts";

const MAX_CALLS = 12;
const MAX_SINKS = 3;
const MAX_CHARS = 8 * 1024;

export const secondOrder: Probe = {
  id: "1.3",
  category: "C-01",
  title: "answers of one tool given to another",
  methods: BOTH,
  *chain(answered, tools, kit) {
    const sources = new Map<string, string>();
    for (const { tool, outcome, texts } of answered) {
      const speech = texts.join("\n").slice(0, MAX_CHARS);
      if (outcome === "done" && speech !== "" && !sources.has(tool)) sources.set(tool, speech);
    }
    let left = MAX_CALLS;
    for (const [source, text] of sources) {
      let sinks = MAX_SINKS;
      for (const tool of tools) {
        if (sinks === 0 || left === 0) break;
        const marker = kit.marker();
        const payload = `${text} ${marker}`;
        const args = kit.withText(tool, payload);
        if (!args) continue;
        sinks -= 1;
        left -= 1;
        yield { tool: tool.name, args, note: `answer of ${source}`, sent: [{ text: payload, marker }] };
      }
    }
  },
  judge(run) {
    const chained = exchangesOf(run, "1.3").filter(hasAnswered);
    const findings = chained.flatMap((exchange) =>
      asFindings("C-01/1.3", whereOf(exchange), injectionIn(run, exchange.texts, exchange)),
    );
    if (chained.length === 0)
      return { status: "unexercised", reason: "no tool takes text that another has answered", findings };
    return judgedBy(findings, passed(`${count(chained.length, "chained call")} looked at`));
  },
};
