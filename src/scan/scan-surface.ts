/** Everything a server advertises, scanned: every string of every item, in the place where it stands. */
import { type Finding, finding, ruleTable, shown } from "../core/index.ts";
import type { Hit } from "./hit.ts";
import { nameTricks } from "./name-tricks.ts";
import { type Piece, piecesOf } from "./pieces.ts";
import { readOnlyLie } from "./read-only-lie.ts";
import { scanText } from "./scan-text.ts";

/** What a surface is to the scanner: untyped items, as the server sent them. */
export interface SurfaceTexts {
  readonly info?: unknown;
  readonly instructions?: unknown;
  readonly capabilities?: unknown;
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
}

export interface SurfaceContext {
  /** How the server is called in findings. */
  readonly label: string;
  /** Names of tools of the other servers an agent has at hand. */
  readonly foreignTools?: ReadonlySet<string>;
}

export function scanSurface(surface: SurfaceTexts, context: SurfaceContext): Finding[] {
  const scan = scannerOf(surface.tools, context);
  return [
    ...scan("server info", { info: surface.info, capabilities: surface.capabilities }),
    ...scan("instructions", { instructions: surface.instructions }),
    ...scanTools(surface.tools, context).flat(),
    ...scanListed("resource", surface.resources, surface.tools, context).flat(),
    ...scanListed("resource template", surface.resourceTemplates, surface.tools, context).flat(),
    ...scanListed("prompt", surface.prompts, surface.tools, context).flat(),
  ];
}

/** What a server lists beside its tools, each item with what was found in it. */
export function scanListed(
  kind: "resource" | "resource template" | "prompt",
  items: readonly unknown[],
  tools: readonly unknown[],
  context: SurfaceContext,
): Finding[][] {
  const scan = scannerOf(tools, context);
  return items.map((item, index) => scan(titled(kind, item, index), item));
}

/** The same for tools alone, each with what was found in it. */
export function scanTools(tools: readonly unknown[], context: SurfaceContext): Finding[][] {
  const scan = scannerOf(tools, context);
  return tools.map((tool, index) => {
    const what = titled("tool", tool, index);
    const lies = readOnlyLie(tool).map((hit) => asFinding(hit, `${context.label}: ${what}`, []));
    return [...scan(what, tool), ...lies];
  });
}

function scannerOf(
  tools: readonly unknown[],
  { label, foreignTools }: SurfaceContext,
): (what: string, item: unknown) => Finding[] {
  const ownTools = new Set(tools.map(nameOf).filter((name) => name !== undefined));
  const place = { kind: "description", ownTools, ...(foreignTools ? { foreignTools } : {}) } as const;
  return (what, item) => {
    const where = `${label}: ${what}`;
    const { pieces, isWhole } = piecesOf(item);
    const text = pieces.map((piece) => piece.text).join("\n");
    const findings = [...scanText(text, place), ...nameTricks(item)].map((hit) =>
      asFinding(hit, where, pieces),
    );
    return isWhole ? findings : [...findings, finding("SCAN-08", where, ruleTable["SCAN-08"].title)];
  };
}

function nameOf(item: unknown): string | undefined {
  const { name } = (item ?? {}) as { name?: unknown };
  return typeof name === "string" ? name : undefined;
}

/** Quotes in a name are escaped, so that no name can pass for another. */
function titled(kind: string, item: unknown, index: number): string {
  const name = nameOf(item);
  return name === undefined
    ? `${kind} #${index + 1}`
    : `${kind} "${shown(name.replace(/["\\]/g, "\\$&"), 80)}"`;
}

/** A hit in the joined text of an item, told by the member it stands in and the byte there. */
function asFinding(
  hit: Hit & { readonly member?: string },
  where: string,
  pieces: readonly Piece[],
): Finding {
  if (hit.member !== undefined) return atMember(hit, where, hit.member);
  let start = 0;
  for (const { path, text, head } of pieces) {
    const bytes = Buffer.byteLength(text);
    if (hit.offset <= start + bytes) {
      const offset = hit.offset - start;
      if (head && offset < head.bytes)
        return atMember({ ...hit, offset: Math.max(0, offset - 2) }, where, head.path);
      return atMember({ ...hit, offset: offset - (head?.bytes ?? 0) }, where, path);
    }
    start += bytes + 1;
  }
  return finding(hit.rule, where, messageOf(hit), hit.evidence, hit.severity);
}

const atMember = (hit: Hit, where: string, member: string): Finding =>
  finding(hit.rule, `${where}, ${member}`, messageOf(hit), hit.evidence, hit.severity);

function messageOf({ message, views, offset }: Hit): string {
  const how = views.length > 0 ? `, read after: ${views.join(", ")}` : "";
  return `${message} (byte ${offset}${how})`;
}
