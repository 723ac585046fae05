/** 1.1: the tool surface itself, before anything is called: names, descriptions, input schemas. */
import { count, type Finding, finding } from "../../core/index.ts";
import { scanSurface } from "../../scan/index.ts";
import { isRecord } from "../../wire/index.ts";
import { BOTH, judgedBy, type Probe, passed } from "../probe.ts";
import { firstSights } from "../said.ts";

export const staticSurface: Probe = {
  id: "1.1",
  category: "C-01",
  title: "what tools say of themselves",
  methods: BOTH,
  judge(run) {
    const findings: Finding[] = [];
    const seen = new Set<string>();
    let tools = 0;
    for (const { surface } of firstSights(run)) {
      const bare = surface.tools.map(hashedMembers).filter((tool) => !seen.has(JSON.stringify(tool)));
      for (const tool of bare) seen.add(JSON.stringify(tool));
      tools += bare.length;
      const nothing = { resources: [], resourceTemplates: [], prompts: [] };
      for (const found of scanSurface({ tools: bare, ...nothing }, { label: run.terms.target.label }))
        if (/^SCAN-0[1-4]$/.test(found.rule))
          findings.push(
            finding(
              "C-01/1.1",
              found.where,
              `${found.rule}: ${found.message}`,
              found.evidence,
              found.severity,
            ),
          );
    }
    if (tools === 0) return { status: "unexercised", reason: "no tool is advertised", findings };
    return judgedBy(findings, passed(`${count(tools, "tool")} looked at`));
  },
};

/** The members that the specification names. */
function hashedMembers(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const { name, description, inputSchema } = tool;
  return { name, description, inputSchema };
}
