/** 3.1: spoiled arguments. Fails when the server crashes or hangs, or lets its inside out. */
import { count, type Finding, finding } from "../../core/index.ts";
import { isRecord } from "../../wire/index.ts";
import { MALFORMED } from "../batteries/litmus-v5.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import type { Run } from "../run/model.ts";
import { asFindings, exchangesOf, hasAnswered, tracesIn, whereOf } from "../said.ts";
import { spoiled } from "../spoil.ts";

export const malformedInput: Probe = {
  id: "3.1",
  category: "C-04",
  title: "spoiled arguments",
  methods: BOTH,
  *script(tool, kit) {
    const base = kit.samples(tool)[0] ?? {};
    for (const how of MALFORMED) {
      const marker = kit.marker();
      const { args, text } = spoiled(how, tool.inputSchema, base, marker);
      const sent = text === undefined ? {} : { sent: [{ text, marker }] };
      yield { tool: tool.name, args, note: `malformed: ${how}`, ...sent };
    }
  },
  judge(run, method) {
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
    const leaks = sent.filter(hasAnswered).flatMap((exchange) => {
      // A tool about logs and errors shows those of others; the specification's text makes no difference.
      const isItsWork =
        method === "touchstone-1" && exchange.outcome === "done" && speaksOfErrors(run, exchange.tool);
      const severity = isItsWork ? "warn" : undefined;
      return asFindings("C-04/3.1", whereOf(exchange), tracesIn(run, exchange.texts), severity);
    });
    // The specification's text says nothing about how much a server may say.
    const floods = run.floods
      .slice(0, method === "touchstone-1" ? 1 : 0)
      .map(() =>
        finding("C-04/3.1", "all answers", "it said more than 64 MiB in one run, so the calls were stopped"),
      );
    const findings = [...crashes, ...deaths, ...leaks, ...floods];
    if (sent.filter(({ outcome }) => outcome !== "not-sent").length === 0)
      return judgedBy(findings, { status: "unexercised", reason: "no tool was called", findings: [] });
    return judgedBy(findings, passed(`${count(sent.length, "spoiled call")} survived`));
  },
};

function speaksOfErrors(run: Run, name: string): boolean {
  const tool = run.sights
    .flatMap(({ surface }) => surface.tools)
    .find((one) => isRecord(one) && one.name === name);
  const { description } = isRecord(tool) ? tool : {};
  return /\b(?:logs?|log files?|stack ?traces?|traces?|crash(?:es)?|exceptions?|diagnostics)\b/i.test(
    `${name.replace(/[_-]/g, " ")} ${typeof description === "string" ? description : ""}`,
  );
}
