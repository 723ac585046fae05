/** 2.1: tools that claim to read only and say themselves that they do more. Static: always judged. */
import { count, type Finding, finding, shown } from "../../core/index.ts";
import { readOnlyLie as liesOf } from "../../scan/index.ts";
import { isRecord } from "../../wire/index.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import { firstSights } from "../said.ts";

export const readOnlyLie: Probe = {
  id: "2.1",
  category: "C-02",
  title: "claims to read only",
  methods: BOTH,
  judge(run, method) {
    const findings = new Map<string, Finding>();
    const claims = new Set<unknown>();
    for (const tool of firstSights(run).flatMap(({ surface }) => surface.tools)) {
      if (isRecord(tool) && isRecord(tool.annotations) && tool.annotations.readOnlyHint === true)
        claims.add(tool.name);
      for (const { field, message, evidence, severity } of liesOf(tool)) {
        // Wider words than the specification's only warn, and only in our own method.
        if (severity !== "fail" && method === "litmus-v5") continue;
        const name = shown(isRecord(tool) ? String(tool.name) : "", 80);
        const where = `tool "${name}", ${field}`;
        findings.set(where, finding("C-02/2.1", where, message, evidence, severity));
      }
    }
    return judgedBy([...findings.values()], passed(`${count(claims.size, "claim")} to read only looked at`));
  },
};
