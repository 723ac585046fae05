/** Names that are not what they look like: a tool or parameter whose letters come from another script. */
import { type Hit, hit } from "./hit.ts";
import { fold } from "./views/fold.ts";

export function nameTricks(item: unknown): Hit[] {
  return namesOf(item).flatMap((name) => {
    const view = fold(name);
    if (view.hidden.length === 0 || view.text === name) return [];
    const message = `the name "${view.text}" is written with letters that only look like these`;
    return [hit("SCAN-01", name, 0, name.length, message, { severity: "fail" })];
  });
}

function namesOf(item: unknown): string[] {
  const { name, inputSchema } = (item ?? {}) as { name?: unknown; inputSchema?: { properties?: unknown } };
  const properties = inputSchema?.properties;
  return [
    ...(typeof name === "string" ? [name] : []),
    ...(typeof properties === "object" && properties !== null ? Object.keys(properties) : []),
  ];
}
