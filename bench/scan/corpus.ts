/** Labelled texts for the detection bench: every JSONL file below a folder, whatever its name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Text {
  readonly id: string;
  readonly source: string;
  readonly kind: "description" | "output";
  readonly isAttack: boolean;
  /** `tp-instruction/Tool Poisoning`: family, then detail. */
  readonly attackClass: string;
  readonly text: string;
  readonly name?: string;
  readonly server?: string;
  /** For a disguise: the text it was made from. */
  readonly parent?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

interface Row {
  readonly id?: string;
  readonly source?: string;
  readonly kind?: string;
  readonly label?: string;
  readonly attack_class?: string | null;
  readonly text?: string;
  readonly name?: string;
  readonly server?: string;
  readonly parent?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** User-side jailbreaks are no target of the scanner, and are left out. */
export function readCorpora(folder: string): Text[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl"))
    .sort()
    .flatMap((file) =>
      readFileSync(join(folder, file), "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line, index): Row => ({ id: `${file}:${index + 1}`, ...(JSON.parse(line) as Row) })),
    )
    .filter(({ kind, label }) => !(kind === "user_text" && label === "attack"))
    .map((row) => ({
      id: row.id ?? "",
      source: row.source ?? "unnamed",
      kind: row.kind === "tool_description" || row.kind === "description" ? "description" : "output",
      isAttack: row.label === "attack",
      attackClass: row.attack_class ?? "",
      text: row.text ?? "",
      ...(row.name ? { name: row.name } : {}),
      ...(row.server ? { server: row.server } : {}),
      ...(row.parent ? { parent: row.parent } : {}),
      ...(row.annotations ? { annotations: row.annotations } : {}),
    }));
}

/** Server id to the names of all its tools, where the corpora have such a list. */
export function readServers(folder: string): Readonly<Record<string, readonly string[]>> {
  const file = join(folder, "servers.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string[]>) : {};
}

export interface CapturedSurface {
  readonly name: string;
  readonly instructions?: unknown;
  readonly info?: unknown;
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
}

/** Surfaces of real servers, one JSON file each. */
export function readSurfaces(folder: string): CapturedSurface[] {
  const items = (list: unknown): readonly unknown[] => {
    const found = Array.isArray(list) ? list : (list as { items?: unknown } | undefined)?.items;
    return Array.isArray(found) ? found : [];
  };
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => {
      const raw = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;
      const opening = ((raw.init ?? {}) as { result?: Record<string, unknown> }).result ?? {};
      return {
        name: String(raw.package ?? file),
        instructions: raw.instructions ?? opening.instructions,
        info: opening.serverInfo,
        tools: items(raw.tools),
        resources: items(raw.resources),
        resourceTemplates: items(raw.resourceTemplates ?? raw.templates),
        prompts: items(raw.prompts),
      };
    });
}
