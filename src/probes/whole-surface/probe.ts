/** 5.1: all else that is advertised and goes into an agent's context: instructions, titles, output schemas, prompts, resources. */
import { count, finding } from "../../core/index.ts";
import { scanSurface } from "../../scan/index.ts";
import type { Surface } from "../../surface/index.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";

export const wholeSurface: Probe = {
  id: "5.1",
  category: "X-01",
  title: "everything else that is advertised",
  methods: OURS,
  judge(run) {
    const { label } = run.terms.target;
    const seen = new Set<string>();
    const findings = run.sights.flatMap(({ surface, round }) =>
      scanSurface(surface, { label }).flatMap((found) => {
        // That is another probe's, unless it is new.
        if (
          round === "first" &&
          /: tool (?:"(?:[^"\\]|\\.)*"|#\d+), (?:name|description|inputSchema)/.test(found.where)
        )
          return [];
        const key = JSON.stringify([found.rule, found.where, found.message]);
        if (!/^SCAN-0[1-48]$/.test(found.rule) || seen.has(key)) return [];
        seen.add(key);
        return [
          finding("X-01/5.1", found.where, `${found.rule}: ${found.message}`, found.evidence, found.severity),
        ];
      }),
    );
    const most = (of: (surface: Surface) => number): number =>
      Math.max(0, ...run.sights.map(({ surface }) => of(surface)));
    const others = most(
      ({ prompts, resources, resourceTemplates }) =>
        prompts.length + resources.length + resourceTemplates.length,
    );
    const tools = count(
      most((surface) => surface.tools.length),
      "tool",
    );
    return judgedBy(
      findings,
      passed(
        `${tools}, ${count(others, "prompt or resource", "prompts and resources")}, and instructions looked at`,
      ),
    );
  },
};
