/** 5.1: all else that is advertised and goes into an agent's context: instructions, titles, output schemas, prompts, resources. */
import { count, finding } from "../../core/index.ts";
import { scanSurface } from "../../scan/index.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";

export const wholeSurface: Probe = {
  id: "5.1",
  category: "X-01",
  title: "everything else that is advertised",
  methods: OURS,
  judge(run) {
    const { label } = run.terms.target;
    const seen = new Set<string>();
    const findings = run.sights.flatMap(({ surface }) =>
      scanSurface(surface, { label }).flatMap((found) => {
        const key = JSON.stringify([found.rule, found.where, found.message]);
        if (!/^SCAN-0[1-48]$/.test(found.rule) || seen.has(key)) return [];
        seen.add(key);
        return [
          finding("X-01/5.1", found.where, `${found.rule}: ${found.message}`, found.evidence, found.severity),
        ];
      }),
    );
    const sizes = run.sights.map(
      ({ surface }) => surface.prompts.length + surface.resources.length + surface.resourceTemplates.length,
    );
    return judgedBy(
      findings,
      passed(
        `tools, ${count(Math.max(0, ...sizes), "prompt and resource", "prompts and resources")} and instructions looked at`,
      ),
    );
  },
};
