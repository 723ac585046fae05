/** What clients see of the servers behind the gateway, and under which names. Nothing is shown that could not be asked for: both are one
 *  decision. Implements spec/gateway.md, GTW-5, GTW-6, GTW-13 and GTW-22. */
import { type Rules, type Standing, visible, type Wish } from "../policy/index.ts";
import { isRecord } from "../wire/index.ts";
import { withoutHopNames } from "./answer.ts";
import { type NameTable, nameTable, type Owned } from "./names.ts";
import type { Wanted } from "./open.ts";
import type { Lists } from "./upstream.ts";

/** A server, as far as it is shown. */
export interface Listed {
  readonly upstream: { readonly lists: Lists };
  readonly standing: Standing;
}

/** Whether a caller may know of a server, or of something of it. */
export type IsOpen = (server: string, wanted?: Wanted) => boolean;

const CHANGING = ["tools", "resources", "prompts"] as const;

export class Listing {
  tools: NameTable = nameTable([]);
  prompts: NameTable = nameTable([]);
  readonly #servers: ReadonlyMap<string, Listed>;
  readonly #announced = new Map<string, string>();

  constructor(servers: ReadonlyMap<string, Listed>) {
    this.#servers = servers;
  }

  /** A server has come, gone, or shows others. */
  rename(): void {
    const owned = (list: "tools" | "prompts"): Owned[] =>
      [...this.#servers].flatMap(([server, { upstream }]) =>
        namesIn(upstream.lists[list]).map((name) => ({ server, name })),
      );
    this.tools = nameTable(owned("tools"));
    // Of a prompt that is listed twice nobody knows which one is meant.
    const isOnce = ({ server, name }: Owned): boolean =>
      namesIn(this.#servers.get(server)?.upstream.lists.prompts ?? []).filter((each) => each === name)
        .length === 1;
    this.prompts = nameTable(owned("prompts").filter(isOnce));
  }

  /** An item as clients see it; undefined where they do not. */
  shown(list: keyof Lists, server: string, standing: Standing, item: unknown, rules: Rules, isOpen: IsOpen) {
    if (!isRecord(item)) return undefined;
    const { name, uri, uriTemplate } = item;
    const isVisible = (wish: Wish): boolean => visible(rules, standing, wish).kind !== "deny";
    if (list === "tools" || list === "prompts") {
      const owned = typeof name === "string" ? { server, name } : undefined;
      const seen = owned && this[list].nameOf(owned);
      const kind = list === "tools" ? "tool" : "prompt";
      if (!owned || seen === undefined || !isOpen(server, { kind, name: seen })) return undefined;
      return isVisible({ kind, name: owned.name }) ? { ...withoutHopNames(item), name: seen } : undefined;
    }
    const address = list === "resources" ? uri : uriTemplate;
    return typeof address === "string" &&
      isOpen(server, { kind: "resource" }) &&
      isVisible({ kind: "resource", uri: address })
      ? withoutHopNames(item)
      : undefined;
  }

  /** Which server a resource is read from: the one that lists it, or has a template for it; more than one is nobody's. */
  ownersOf(uri: string, isOpen: IsOpen): readonly string[] {
    const open = [...this.#servers].filter(([server]) => isOpen(server, { kind: "resource" }));
    const listed = open.filter(([, { upstream }]) =>
      upstream.lists.resources.some((item) => isRecord(item) && item.uri === uri),
    );
    const found =
      listed.length > 0
        ? listed
        : open.filter(([, { upstream }]) =>
            upstream.lists.resourceTemplates.some(
              (item) =>
                isRecord(item) && typeof item.uriTemplate === "string" && mayFit(item.uriTemplate, uri),
            ),
          );
    return found.map(([server]) => server);
  }

  /** The lists that are others for somebody than when this was asked last. */
  changed(rules: Rules): readonly (typeof CHANGING)[number][] {
    return CHANGING.filter((list) => {
      const text = JSON.stringify(this.#visibleIn(list, rules));
      if (this.#announced.get(list) === text) return false;
      this.#announced.set(list, text);
      return true;
    });
  }

  #visibleIn(list: (typeof CHANGING)[number], rules: Rules): unknown[] {
    const kinds = { tools: "tool", prompts: "prompt", resources: "resource" } as const;
    const parts = list === "resources" ? (["resources", "resourceTemplates"] as const) : ([list] as const);
    return [...this.#servers].flatMap(([server, { upstream, standing }]) =>
      parts.flatMap((part) =>
        upstream.lists[part]
          .filter((item) => {
            const name = isRecord(item) ? String(item.name ?? "") : "";
            const kind = kinds[list];
            const wish = kind === "resource" ? { kind, uri: name } : { kind, name };
            return visible(rules, standing, wish).kind !== "deny";
          })
          .map((item) => [server, item]),
      ),
    );
  }
}

const namesIn = (items: readonly unknown[]): string[] =>
  items.flatMap((item) => (isRecord(item) && typeof item.name === "string" ? [item.name] : []));

/** The text before the first variable is all that is compared: whose template it is, not whether it fits. */
function mayFit(template: string, uri: string): boolean {
  const fixed = template.split("{")[0] ?? "";
  return fixed !== "" && uri.startsWith(fixed);
}
