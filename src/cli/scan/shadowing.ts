/** SURF-03: tools that have the name of another server's tool, among servers that one agent sees together. Pure. */
import { type Finding, finding, shown } from "../../core/index.ts";
import { skeleton } from "../../surface/index.ts";
import { doMeet } from "../../target/index.ts";
import type { Known } from "./known.ts";

export interface Named {
  readonly label: string;
  readonly members: readonly Known[];
  readonly tools: readonly string[];
}

/** One finding a tool and server, at the server that comes later; between entries of one name CONF-01 has said it. */
export function shadowing(
  servers: readonly Named[],
): { readonly server: Named; readonly finding: Finding }[] {
  return servers.flatMap((server, index) => {
    const earlier = servers.slice(0, index).filter((other) => areTogether(server, other));
    const owners = new Map<string, Named>();
    for (const other of earlier)
      for (const tool of other.tools) if (!owners.has(skeleton(tool))) owners.set(skeleton(tool), other);
    return [...new Set(server.tools)].flatMap((tool) => {
      const owner = owners.get(skeleton(tool));
      if (!owner) return [];
      // A quote in a name must not end it: places are what suppressions are matched with.
      const name = shown(tool.replace(/["\\]/g, "\\$&"), 80);
      return [
        {
          server,
          finding: finding(
            "SURF-03",
            `${server.label}: tool "${name}"`,
            `${owner.label} has a tool of this name too`,
          ),
        },
      ];
    });
  });
}

/** The names of all tools that other servers of the same agent have. */
export function foreignTools(server: Named, servers: readonly Named[]): ReadonlySet<string> {
  const own = new Set(server.tools);
  const others = servers.filter((other) => other !== server && areTogether(server, other));
  return new Set(others.flatMap(({ tools }) => tools).filter((tool) => !own.has(tool)));
}

function areTogether(a: Named, b: Named): boolean {
  return a.members.some((one) =>
    b.members.some(
      (other) =>
        one.name !== other.name && one.scope.client === other.scope.client && doMeet(one.scope, other.scope),
    ),
  );
}
