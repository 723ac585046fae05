/** 5.6: tools that never answer. */
import { finding } from "../../core/index.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";
import { whereOf } from "../said.ts";

export const hangingTool: Probe = {
  id: "5.6",
  category: "X-04",
  title: "tools that never answer",
  methods: OURS,
  judge(run) {
    const hung = run.exchanges.filter(({ outcome }) => outcome === "hung");
    const findings = hung.map((exchange) =>
      finding("X-04/5.6", whereOf(exchange), "no answer and no progress for 15 s"),
    );
    if (run.exchanges.length === 0) return { status: "unexercised", reason: "no tool was called", findings };
    return judgedBy(findings, passed("no call was left without an answer"));
  },
};
