/** 5.2: what a server says when nobody asked: notifications, and requests to the client's model or user. */
import { count, type Finding, finding, shown } from "../../core/index.ts";
import { leaksIn } from "../leaks.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";
import { asFindings, injectionIn } from "../said.ts";

export const asides: Probe = {
  id: "5.2",
  category: "X-02",
  title: "what is said unasked",
  methods: OURS,
  judge(run) {
    const findings: Finding[] = run.asides.flatMap(({ kind, method, texts, during }) => {
      const where = `${kind} ${shown(method, 60)}`;
      return [
        ...asFindings("X-02/5.2", where, injectionIn(run, texts)),
        // What stands in the arguments of a call may go into what the call asks of the client.
        ...leaksIn(run, texts, undefined)
          .filter(
            ({ canary }) =>
              !run.exchanges.some(
                ({ id, canaries }) => during.includes(id) && canaries.some((one) => one.id === canary),
              ),
          )
          .map(({ canary, form, isWhole }) =>
            finding(
              "X-02/5.2",
              where,
              `the planted secret ${canary} was said, written as: ${form}`,
              undefined,
              isWhole ? "fail" : "warn",
            ),
          ),
      ];
    });
    return judgedBy(findings, passed(`${count(run.asides.length, "message")} looked at`));
  },
};
