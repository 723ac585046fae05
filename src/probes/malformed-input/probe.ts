/** 3.1: spoiled arguments. Fails when the server crashes or hangs, or lets its inside out. */
import { count, type Finding, finding } from "../../core/index.ts";
import { internalsLeak } from "../../scan/index.ts";
import { MALFORMED } from "../batteries/litmus-v5.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import { asFindings, exchangesOf, hasAnswered, whereOf } from "../said.ts";
import { spoiled } from "../spoil.ts";

export const malformedInput: Probe = {
  id: "3.1",
  category: "C-04",
  title: "spoiled arguments",
  methods: BOTH,
  *script(tool, kit) {
    const base = kit.samples(tool)[0] ?? {};
    for (const how of MALFORMED) {
      const args = spoiled(how, tool.inputSchema, base);
      if (args) yield { tool: tool.name, args, note: `malformed: ${how}` };
    }
  },
  judge(run) {
    const sent = exchangesOf(run, "3.1");
    const crashes: Finding[] = run.exchanges.flatMap((exchange) => {
      const where = whereOf(exchange);
      if (exchange.outcome === "crashed")
        return [finding("C-04/3.1", where, "the server ended during the call")];
      return exchange.outcome === "hung"
        ? [finding("C-04/3.1", where, "no answer and no progress for 15 s")]
        : [];
    });
    const dead = run.pulses.filter(({ isAlive }) => !isAlive);
    const deaths = dead
      .slice(0, 1)
      .map(({ after }) => finding("C-04/3.1", `after ${after}`, "the server no longer answers"));
    const leaks = sent
      .filter(hasAnswered)
      .flatMap((exchange) =>
        exchange.texts.flatMap((text) => asFindings("C-04/3.1", whereOf(exchange), internalsLeak(text))),
      );
    const findings = [...crashes, ...deaths, ...leaks];
    if (sent.filter(({ outcome }) => outcome !== "not-sent").length === 0)
      return judgedBy(findings, { status: "unexercised", reason: "no tool was called", findings: [] });
    return judgedBy(findings, passed(`${count(sent.length, "spoiled call")} survived`));
  },
};
