/** `touchstone inspect`: everything a server says, as it says it. */
import { asText, count, defined, shown } from "../../core/index.ts";
import { isRecord, recordToFile } from "../../wire/index.ts";
import type { Command } from "../command.ts";
import { look } from "../look.ts";
import type { Output } from "../output.ts";
import { TARGET_HELP, TARGET_OPTIONS, targetFrom } from "../target-options.ts";

export const inspect: Command = {
  name: "inspect",
  summary: "everything a server says, unfiltered; can record it",
  usage: "[options] TARGET | -- COMMAND [ARGS]",
  about: `Starts or reaches a server, opens a session and reads all its lists. Nothing is left out: members a client
would drop, frames nobody asked for and text on the wrong stream are shown. No tool is called.
It observes; it does not judge. ${TARGET_HELP}`,
  options: {
    ...TARGET_OPTIONS,
    record: { type: "string", value: "FILE", help: "write every frame to a new recording" },
  },
  examples: [
    ["touchstone inspect -- node server.js", "start a server and list what it says"],
    ["touchstone inspect https://example.com/mcp --bearer-env TOKEN --json", "a remote server, as JSON"],
    [
      "touchstone inspect notes --era auto --record notes.jsonl",
      "a server of touchstone.yml, with every byte kept",
    ],
  ],
  async run(words, out) {
    const target = await targetFrom(words, out);
    const file = words.text("record");
    const recorder =
      file === undefined
        ? undefined
        : recordToFile(file, { secrets: target.secrets, about: { target: target.label } });
    try {
      out.progress(`opening ${target.label}`);
      const { session, lists, findings } = await look(target, recorder);
      await using _session = session;
      const { face, era, transport } = session;
      const items = {
        tools: lists["tools/list"].items,
        resources: lists["resources/list"].items,
        resourceTemplates: lists["resources/templates/list"].items,
        prompts: lists["prompts/list"].items,
      };
      out.json({
        target: target.label,
        origin: target.origin,
        pinning: target.pinning,
        notes: target.notes,
        ...defined({ resolved: target.resolved }),
        transport,
        era,
        server: face,
        ...items,
        lists: Object.fromEntries(
          Object.entries(lists).map(([method, { end, pages }]) => [method, { end, pages: pages.length }]),
        ),
        findings,
        stderrBytes: session.stderrTail().bytes,
        ...defined({ recording: file }),
      });
      const info = isRecord(face?.info) ? face.info : {};
      out.line(
        `${out.color.bold(shown(asText(info.name ?? target.label)))} ${shown(asText(info.version ?? ""))}`,
      );
      out.line(`  ${transport}, ${era} era, protocol ${shown(face?.version ?? "")}`);
      if (typeof face?.instructions === "string") out.line(`  instructions: ${shown(face.instructions)}`);
      for (const [kind, list] of Object.entries(items)) showItems(kind, list, out);
      out.line();
      out.line(
        findings.length === 0
          ? "nothing unusual on the wire"
          : `${count(findings.length, "finding")} on the wire`,
      );
      for (const { rule, message, evidence } of findings) {
        out.line(`  ${out.color.yellow(rule)} ${message}`);
        if (evidence) out.line(`    ${out.color.dim(evidence)}`);
      }
      if (file !== undefined) out.line(`recorded in ${file}`);
    } finally {
      await recorder?.close();
    }
    return 0;
  },
};

function showItems(kind: string, items: readonly unknown[], out: Output): void {
  if (items.length === 0) return;
  out.line();
  out.line(`${kind} (${items.length})`);
  for (const item of items) {
    const record = isRecord(item) ? item : {};
    const name = record.name ?? record.uri ?? record.uriTemplate ?? item;
    out.line(`  ${out.color.bold(shown(asText(name), 80))}  ${shown(asText(record.description ?? ""), 100)}`);
  }
}
