/** `touchstone demo`: two example servers side by side, scanned, and the evidence of the difference. */
import { fileURLToPath } from "node:url";
import { asText, count, defined, type Finding, shown } from "../../core/index.ts";
import { scanSurface } from "../../scan/index.ts";
import { capture } from "../../surface/index.ts";
import type { Target } from "../../target/index.ts";
import { isRecord } from "../../wire/index.ts";
import type { Command } from "../command.ts";
import { containment, useText } from "../contain.ts";
import type { Output } from "../output.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";

const SERVERS = ["honest-notes", "hostile-weather"] as const;

export const demo: Command = {
  name: "demo",
  summary: "an honest and a hostile server, scanned side by side",
  usage: "[options]",
  takesNothing: true,
  about: `Starts two example servers that come with touchstone, one honest and one hostile, reads all they advertise, scans it,
and shows the evidence: text in characters nobody sees, orders to the agent, members no client shows, a second answer.
Works offline, calls no tool, leaves nothing behind.`,
  options: SANDBOX_OPTIONS,
  examples: [
    ["touchstone demo", "see it once"],
    ["touchstone demo --json", "what was found in each"],
  ],
  async run(words, out) {
    const contain = await containment(words);
    const steps: { server: string; tools: string[]; findings: readonly Finding[] }[] = [];
    for (const server of SERVERS) {
      out.progress(`starting ${server}`);
      const contained = await contain(example(server));
      const { launcher, use } = contained;
      const { surface, findings } = await capture(contained.target, defined({ launcher }));
      const all = [...scanSurface(surface, { label: server }), ...findings, ...contained.findings()];
      if (use?.status === "skipped") out.line(out.color.yellow(useText(use)));
      const tools = surface.tools.map(nameOf);
      show(server, tools, all, out);
      steps.push({ server, tools, findings: all });
    }
    const [honest, hostile] = steps;
    const isOk =
      honest?.findings.length === 0 && hostile?.findings.some(({ severity }) => severity === "fail") === true;
    out.json({ ok: isOk, steps });
    out.line("next: touchstone scan, for everything your MCP clients start on this machine");
    return isOk ? 0 : 5;
  },
};

function example(name: string): Target {
  const script = fileURLToPath(new URL(`../../../examples/servers/${name}/server.mjs`, import.meta.url));
  return {
    label: name,
    launch: { kind: "stdio", command: process.execPath, args: [script] },
    limits: { timeoutMs: 10_000 },
    secrets: [],
  };
}

const nameOf = (item: unknown): string => shown(asText(isRecord(item) ? item.name : item), 80);

function show(server: string, tools: readonly string[], findings: readonly Finding[], out: Output): void {
  out.line(`${out.color.bold(server)}  ${count(tools.length, "tool")}: ${tools.join(", ")}`);
  if (findings.length === 0) out.line(`  ${out.color.green("nothing found")}`);
  for (const { rule, severity, where, message, evidence } of findings) {
    const paint = severity === "fail" ? out.color.red : out.color.yellow;
    const place = where.replace(`${server}: `, "").replace(server, "on the wire");
    out.line(`  ${paint(severity)} ${rule} ${out.text(place, 120)}: ${out.text(message, 300)}`);
    if (evidence) out.line(`       ${out.color.dim(`seen: ${out.text(evidence, 140)}`)}`);
  }
  out.line();
}
