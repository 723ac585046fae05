/** 5.1: all else that is advertised and goes into an agent's context: instructions, titles, output schemas, prompts, resources. */
import { count, finding } from "../../core/index.ts";
import { scanSurface } from "../../scan/index.ts";
import type { Surface } from "../../surface/index.ts";
import { isRecord } from "../../wire/index.ts";
import { leaksIn } from "../leaks.ts";
import { judgedBy, OURS, type Probe, passed } from "../probe.ts";
import type { Run } from "../run/model.ts";
import { asFindings, injectionIn } from "../said.ts";
import { staticSurface } from "../static-surface/probe.ts";
import { withoutEchoes } from "./echoes.ts";

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
    const clean = withoutEchoes(run);
    const glances = run.glances.map(({ tools }) => ({
      surface: { tools, resources: [], resourceTemplates: [], prompts: [] },
      round: "glance" as const,
    }));
    const later = run.sights.map(({ surface, round }) => ({
      surface: round === "first" ? surface : clean(surface),
      round,
    }));
    const findings = [...later, ...glances].flatMap(({ surface, round }) =>
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
    for (const { what, session, texts } of run.reads) {
      findings.push(...asFindings("X-01/5.1", what, injectionIn(run, texts)));
      // What a call of the same session was given may be kept, and read again.
      const kept = new Set(
        run.exchanges
          .filter((exchange) => exchange.session === session)
          .flatMap(({ canaries }) => canaries.map(({ id }) => id)),
      );
      for (const { canary, form, isWhole } of leaksIn(run, texts, undefined))
        if (!kept.has(canary))
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
    const unread = new Set(run.sights.flatMap((sight) => sight.unread));
    for (const method of unread)
      if (ADVERTISED.has(method) && isOffered(run, method))
        findings.push(
          finding("X-01/5.1", method, "the list could not be read to its end", undefined, "warn"),
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

const ADVERTISED = new Set(["tools/list", "resources/list", "prompts/list"]);

/** A list of something that the server offers at all: others are refused, as they should be. */
const isOffered = (run: Run, method: string): boolean =>
  run.sights.some(({ surface }) => {
    const list = method.slice(0, method.indexOf("/"));
    return isRecord(surface.capabilities) && Object.hasOwn(surface.capabilities, list);
  });
