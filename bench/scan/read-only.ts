/** Read-only lies, on tools whose annotations are known: honest ones as they are, changing ones with the hint turned. */
import type { Hit } from "../../src/scan/index.ts";
import type { Text } from "./corpus.ts";
import type { Rate } from "./measure.ts";

export function readOnlyRates(
  texts: readonly Text[],
  readOnlyLie: (tool: unknown) => readonly Hit[],
): { honest: Rate; turned: Rate } {
  const judge = (isReadOnly: boolean): Rate => {
    const tools = texts.filter(({ annotations }) => annotations?.readOnlyHint === isReadOnly);
    const hits = tools.map(({ name, text }) => readOnlyLie(asTool(name ?? "", text)));
    return {
      n: tools.length,
      warn: hits.filter((found) => found.length > 0).length,
      fail: hits.filter((found) => found.some(({ severity }) => severity === "fail")).length,
    };
  };
  return { honest: judge(true), turned: judge(false) };
}

/** A tool from the corpora's text: the description, then one `- parameter: …` line each. */
function asTool(name: string, text: string): unknown {
  const [description = "", ...lines] = text.split(/\n(?=- )/);
  const properties = Object.fromEntries(
    lines.map((line) => [/^- ([^:\n]+)/.exec(line)?.[1] ?? line, { type: "string" }]),
  );
  return {
    name,
    description,
    inputSchema: { type: "object", properties },
    annotations: { readOnlyHint: true },
  };
}
