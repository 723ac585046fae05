/** Tools of different servers that have one name, or names a person or a model would take for one. Pure.
 *  Implements spec/surface.md, SUR-13. */
import { type Finding, finding, shown, skeleton } from "../core/index.ts";
import { identityOf } from "./surface.ts";

export interface ToolOwner {
  /** The server's name in the config. */
  readonly name: string;
  readonly tools: readonly unknown[];
}

/** SURF-03, one a tool and server, at the server that comes later and in the words of `scan`: who sets it aside there has
 *  set it aside here. */
export function shadowFindings(servers: readonly ToolOwner[]): Finding[] {
  const owners = new Map<string, string>();
  return servers.flatMap(({ name, tools }) => {
    const own = toolNames(tools);
    const found = own.flatMap((tool) => {
      const owner = owners.get(skeleton(tool));
      if (owner === undefined) return [];
      const where = `${shown(name, 80)}: tool "${shown(tool, 80)}"`;
      return [finding("SURF-03", where, `${shown(owner, 80)} has a tool of this name too`)];
    });
    for (const tool of own) if (!owners.has(skeleton(tool))) owners.set(skeleton(tool), name);
    return found;
  });
}

function toolNames(tools: readonly unknown[]): string[] {
  return [...new Set(tools.flatMap((tool) => identityOf("tools", tool) ?? []))];
}
