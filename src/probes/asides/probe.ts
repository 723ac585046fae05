/** 5.2: what a server says when nobody asked: notifications, requests to the client's model or user, files that agents read. */
import { count, type Finding, finding, shown } from "../../core/index.ts";
import { changesOf } from "../changes.ts";
import { leaksIn } from "../leaks.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";
import { asFindings, injectionIn } from "../said.ts";
import { secretFields } from "./secret-fields.ts";

export const asides: Probe = {
  id: "5.2",
  category: "X-02",
  title: "what is said unasked",
  methods: OURS,
  judge(run) {
    const findings: Finding[] = run.asides.flatMap(({ kind, method, texts, params, during }) => {
      const where = `${kind} ${shown(method, 60)}`;
      const fields = method === "elicitation/create" ? secretFields(params) : [];
      return [
        ...fields.map((name) => finding("X-02/5.2", where, `asks the user for a secret: ${shown(name, 60)}`)),
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
    for (const { path, how, steers, isAskedFor } of changesOf(run))
      if (steers === "agent" && !isAskedFor)
        findings.push(
          finding("X-02/5.2", path, `${how} unasked: agents read it as instructions or settings`),
        );
    return judgedBy(findings, passed(`${count(run.asides.length, "message")} looked at`));
  },
};
