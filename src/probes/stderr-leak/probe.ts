/** 5.10: planted secrets on the error stream. Clients keep it in log files that nobody guards. */
import { count, finding } from "../../core/index.ts";
import { leaksIn } from "../leaks.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";

export const stderrLeak: Probe = {
  id: "5.10",
  category: "X-05",
  title: "planted secrets on the error stream",
  methods: OURS,
  judge(run) {
    // To log what it was asked is usual; to log what it found is not.
    const found = leaksIn(run, run.stderr, undefined).filter(
      ({ canary, isWhole }) => isWhole && !canary.startsWith("arguments:"),
    );
    const findings = found.map(({ canary, form }) =>
      finding("X-05/5.10", "stderr", `the planted secret ${canary} was written to it, as: ${form}`),
    );
    return judgedBy(findings, passed(`${count(run.stderr.length, "line")} looked at`));
  },
};
