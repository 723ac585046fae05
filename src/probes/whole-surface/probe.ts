/** 5.1: all else that is advertised and goes into an agent's context: instructions, titles, output schemas, prompts, resources. */
import { count, finding } from "../../core/index.ts";
import { scanSurface } from "../../scan/index.ts";
import type { Surface } from "../../surface/index.ts";
import { leaksIn } from "../leaks.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";
import { asFindings, injectionIn } from "../said.ts";
import { staticSurface } from "../static-surface/probe.ts";

const TOOL_MEMBERS = /: tool (?:"(?:[^"\\]|\\.)*"|#\d+), (?:name|description|inputSchema)/;

const toolOf = (where: string): string => /tool (?:"(?:[^"\\]|\\.)*"|#\d+)/.exec(where)?.[0] ?? "";

export const wholeSurface: Probe = {
  id: "5.1",
  category: "X-01",
  title: "everything else that is advertised",
  methods: OURS,
  judge(run, method) {
    const { label } = run.terms.target;
    const seen = new Set<string>();
    const told = new Set(
      staticSurface.judge(run, method).findings.map(({ where, severity }) => `${toolOf(where)} ${severity}`),
    );
    const findings = run.sights.flatMap(({ surface, round }) =>
      scanSurface(surface, { label }).flatMap((found) => {
        const key = JSON.stringify([found.rule, found.where, found.message]);
        if (!/^SCAN-0[1-48]$/.test(found.rule) || seen.has(key)) return [];
        seen.add(key);
        // What a tool says of itself at first is another probe's, where that has seen it.
        if (
          round === "first" &&
          TOOL_MEMBERS.test(found.where) &&
          told.has(`${toolOf(found.where)} ${found.severity}`)
        )
          return [];
        return [
          finding("X-01/5.1", found.where, `${found.rule}: ${found.message}`, found.evidence, found.severity),
        ];
      }),
    );
    for (const { what, texts } of run.reads) {
      findings.push(...asFindings("X-01/5.1", what, injectionIn(run, texts)));
      for (const { canary, form, isWhole } of leaksIn(run, texts, undefined))
        findings.push(
          finding(
            "X-01/5.1",
            what,
            `the planted secret ${canary} stands in it, written as: ${form}`,
            undefined,
            isWhole ? "fail" : "warn",
          ),
        );
    }
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
