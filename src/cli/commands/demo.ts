/** `touchstone demo`: two example servers side by side, and the raw evidence of the difference. */
import { fileURLToPath } from "node:url";
import { asText, count, shown } from "../../core/index.ts";
import { type Capture, capture, unknownMembers } from "../../surface/index.ts";
import type { Target } from "../../target/index.ts";
import { isRecord } from "../../wire/index.ts";
import type { Command } from "../command.ts";
import type { Output } from "../output.ts";

const SERVERS = ["honest-notes", "hostile-weather"] as const;

export const demo: Command = {
  name: "demo",
  summary: "an honest and a hostile server, and what the wire shows of each",
  usage: "[options]",
  takesNothing: true,
  about: `Starts two example servers that come with touchstone, one honest and one hostile, lists what they say, and shows
the raw evidence: hidden characters, members no client shows, text on the wrong stream, a second answer.
Works offline, calls no tool, leaves nothing behind.`,
  options: {},
  examples: [
    ["touchstone demo", "see it once"],
    ["touchstone demo --json", "what each step showed"],
  ],
  async run(_words, out) {
    const steps: { server: string; tools: string[]; evidence: string[] }[] = [];
    for (const name of SERVERS) {
      out.progress(`starting ${name}`);
      const seen = await capture(example(name));
      const evidence = evidenceOf(seen);
      show(name, seen, evidence, out);
      steps.push({ server: name, tools: seen.surface.tools.map(nameOf), evidence });
    }
    const [honest, hostile] = steps;
    const isOk = honest?.evidence.length === 0 && (hostile?.evidence.length ?? 0) > 0;
    out.json({ ok: isOk, steps });
    out.line("next: touchstone inspect -- node your-server.js");
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

/** What an ordinary client would not have shown. Every line is quoted from what the server sent. */
function evidenceOf({ surface, findings }: Capture): string[] {
  const evidence: string[] = [];
  for (const tool of surface.tools) {
    const record = isRecord(tool) ? tool : {};
    const description = asText(record.description ?? "");
    const tags = [...description]
      .map((letter) => letter.codePointAt(0) ?? 0)
      .filter((code) => code >= 0xe0000 && code < 0xe0080);
    const hidden = String.fromCodePoint(...tags.map((code) => code - 0xe0000));
    if (hidden)
      evidence.push(
        `${nameOf(tool)}: description hides ${count(tags.length, "invisible character")} that read: ${shown(hidden)}`,
      );
    for (const [member, value] of unknownMembers(tool))
      evidence.push(`${nameOf(tool)}: member "${shown(member)}" that clients drop: ${shown(asText(value))}`);
  }
  for (const found of findings) evidence.push(`${found.rule} ${found.message}: ${found.evidence ?? ""}`);
  return evidence;
}

const nameOf = (item: unknown): string => shown(asText(isRecord(item) ? item.name : item), 80);

function show(name: string, { surface }: Capture, evidence: readonly string[], out: Output): void {
  const tools = surface.tools;
  out.line(`${out.color.bold(name)}  ${count(tools.length, "tool")}: ${tools.map(nameOf).join(", ")}`);
  if (evidence.length === 0) out.line(`  ${out.color.green("nothing hidden, nothing out of place")}`);
  for (const line of evidence) out.line(`  ${out.color.red("seen")} ${line}`);
  out.line();
}
