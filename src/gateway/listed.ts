/** What a server lists beside its tools, and says to the agent there: resources, templates and prompts. Pure. Implements spec/gateway.md,
 *  GTW-67. */
import { type Finding, shown } from "../core/index.ts";
import type { Standing } from "../policy/index.ts";
import { scanListed } from "../scan/index.ts";
import { isRecord } from "../wire/index.ts";
import type { Lists } from "./lists.ts";

const KINDS = {
  resources: { kind: "resource", key: "uri" },
  resourceTemplates: { kind: "resource template", key: "uriTemplate" },
  prompts: { kind: "prompt", key: "name" },
} as const;
const FLAW_CHARS = 200;

export function flawsListed(
  label: string,
  lists: Lists,
): Required<Pick<Standing, "resources" | "templates" | "prompts">> {
  return {
    resources: flawsIn("resources", label, lists),
    templates: flawsIn("resourceTemplates", label, lists),
    prompts: flawsIn("prompts", label, lists),
  };
}

/** By address or name; empty where nothing is wrong. A list is scanned once: it is looked at again and again. */
function flawsIn(list: keyof typeof KINDS, label: string, lists: Lists): ReadonlyMap<string, string> {
  const items = lists[list];
  const known = scanned.get(items);
  if (known) return known;
  const { kind, key } = KINDS[list];
  const flaws = new Map<string, string>();
  const found = findingsIn(kind, items, lists.tools, label);
  for (const [index, item] of items.entries()) {
    const name = isRecord(item) ? item[key] : undefined;
    if (typeof name !== "string") continue;
    const worst = found?.[index]?.find(({ severity }) => severity === "fail");
    const flaw = worst
      ? `${worst.rule} ${shown(worst.message, FLAW_CHARS)}`
      : found
        ? ""
        : "it cannot be scanned";
    // Of those with one name each speaks for all.
    flaws.set(name, flaws.get(name) || flaw);
  }
  scanned.set(items, flaws);
  return flaws;
}
const scanned = new WeakMap<readonly unknown[], ReadonlyMap<string, string>>();

/** Who lists what no scanner can read hurts nobody but itself. */
function findingsIn(
  kind: (typeof KINDS)[keyof typeof KINDS]["kind"],
  items: readonly unknown[],
  tools: readonly unknown[],
  label: string,
): readonly (readonly Finding[])[] | undefined {
  try {
    return scanListed(kind, items, tools, { label });
  } catch {
    return undefined;
  }
}
