/** Tools of different servers that have one name, or names a person or a model would take for one. Pure.
 *  Implements spec/surface.md, SUR-13. */
import { type Finding, finding, shown } from "../core/index.ts";
import { identityOf } from "./surface.ts";

export interface ToolOwner {
  /** The server's name in the config. */
  readonly name: string;
  readonly tools: readonly unknown[];
}

const INVISIBLE = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
const SEPARATORS = /[\s_\-./:]+/gu;

/** What is left of a name for an eye that reads over case, width, separators and what cannot be seen. */
export function skeleton(name: string): string {
  const bare = name.normalize("NFKC").replace(INVISIBLE, "").toLowerCase().replace(SEPARATORS, "");
  return bare === "" ? name : bare;
}

/** The names of other servers' tools that look like this one. */
export function shadows(
  tool: string,
  owner: string,
  servers: readonly ToolOwner[],
): { readonly server: string; readonly tool: string }[] {
  const wanted = skeleton(tool);
  return servers
    .filter(({ name }) => name !== owner)
    .flatMap(({ name, tools }) =>
      toolNames(tools)
        .filter((other) => skeleton(other) === wanted)
        .map((other) => ({ server: name, tool: other })),
    );
}

const MAX_OTHERS = 10;

/** SURF-03, once for each name that several servers have. */
export function shadowFindings(servers: readonly ToolOwner[]): Finding[] {
  const bySkeleton = new Map<string, Map<string, string>>();
  for (const { name, tools } of servers)
    for (const tool of toolNames(tools)) {
      const owners = bySkeleton.get(skeleton(tool)) ?? new Map<string, string>();
      bySkeleton.set(skeleton(tool), owners);
      if (!owners.has(name)) owners.set(name, tool);
    }
  return [...bySkeleton.values()].flatMap((owners) => {
    const [[server, tool] = ["", ""], ...others] = [...owners];
    if (others.length === 0) return [];
    const listed = others
      .slice(0, MAX_OTHERS)
      .map(([other, name]) => `${shown(name, 80)} of ${shown(other, 80)}`);
    const isEqual = others.every(([, name]) => name === tool);
    return [
      finding(
        "SURF-03",
        `${shown(server, 80)} tool ${shown(tool, 80)}`,
        `${shown(tool, 80)} of ${shown(server, 80)} ${isEqual ? "has the name of" : "looks like"} ${listed.join(", ")}`,
      ),
    ];
  });
}

function toolNames(tools: readonly unknown[]): string[] {
  return [...new Set(tools.flatMap((tool) => identityOf("tools", tool) ?? []))];
}
