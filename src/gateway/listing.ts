/** What clients see of the servers behind the gateway, and under which names. Nothing is shown that could not be asked for: both are one
 *  decision. Implements spec/gateway.md, GTW-5, GTW-6, GTW-13, GTW-22, GTW-69 and GTW-92. */
import { mayFit, type Rules, type Standing, serverNamed, visible, type Wish } from "../policy/index.ts";
import { isRecord } from "../wire/index.ts";
import { withoutHopNames } from "./answer.ts";
import type { Change } from "./changes.ts";
import { type Address, clashesIn } from "./clashes.ts";
import type { Lists } from "./lists.ts";
import { type NameTable, nameTable, type Owned } from "./names.ts";
import type { Wanted } from "./open.ts";

/** A server, as far as it is shown. */
export interface Listed {
  readonly upstream: { readonly lists: Lists };
  readonly standing: Standing;
}

/** An item as clients see it, and as its server has it. */
export interface ShownItem {
  readonly server: string;
  readonly source: object;
  readonly item: object;
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
    const owned = (namesOf: (lists: Lists) => readonly string[]): Owned[] =>
      [...this.#servers].flatMap(([server, { upstream }]) =>
        namesOf(upstream.lists).map((name) => ({ server, name })),
      );
    this.tools = nameTable(owned(({ tools }) => namesIn(tools)));
    // Of a prompt that is listed twice nobody knows which one is meant.
    this.prompts = nameTable(owned(({ prompts }) => onlyOnce(namesIn(prompts))));
  }

  /** An item as clients see it; undefined where they do not. */
  #shown(
    list: keyof Lists,
    server: string,
    standing: Standing,
    item: Readonly<Record<string, unknown>>,
    rules: Rules,
    isOpen: IsOpen,
  ): Readonly<Record<string, unknown>> | undefined {
    const own = withoutHopNames(item);
    const { name } = item;
    const isVisible = (wish: Wish): boolean => visible(rules, standing, wish).kind !== "deny";
    if (list === "tools" || list === "prompts") {
      const owned = typeof name === "string" ? { server, name } : undefined;
      const seen = owned && this[list].nameOf(owned);
      const kind = list === "tools" ? "tool" : "prompt";
      if (!owned || seen === undefined || !isOpen(server, { kind, name: seen })) return undefined;
      return isVisible({ kind, name: owned.name }) ? { ...own, name: seen } : undefined;
    }
    const address = addressIn(list, item);
    return address !== undefined &&
      isOpen(server, { kind: "resource" }) &&
      isVisible({ kind: "resource", uri: address })
      ? own
      : undefined;
  }

  /** All that a caller sees of a list. An address that several show is shown once, as it is read: by the first. */
  all(list: keyof Lists, rules: Rules, isOpen: IsOpen): ShownItem[] {
    const known = new Set<string>();
    return [...this.#servers].flatMap(([server, { upstream, standing }]) =>
      (isOpen(server) ? upstream.lists[list] : []).flatMap((source): ShownItem[] => {
        const item = isRecord(source)
          ? this.#shown(list, server, standing, source, rules, isOpen)
          : undefined;
        const address = item && addressIn(list, item);
        if (!isRecord(source) || !item || (address !== undefined && known.has(address))) return [];
        if (address !== undefined) known.add(address);
        return [{ server, source, item }];
      }),
    );
  }

  /** Which servers a resource can be read from; it is the first. Those that list it come before those that have a template for it, and
   *  those that nobody may see only where there are no others: then it is told why. */
  ownersOf(uri: string, rules: Rules, isOpen: IsOpen): readonly string[] {
    const open = [...this.#servers].filter(([server]) => isOpen(server, { kind: "resource" }));
    const isSeen = ({ standing }: Listed): boolean =>
      visible(rules, standing, { kind: "resource", uri }).kind !== "deny";
    const isListing = ({ upstream }: Listed): boolean =>
      upstream.lists.resources.some((item) => isRecord(item) && item.uri === uri);
    const hasTemplate = ({ upstream }: Listed): boolean =>
      upstream.lists.resourceTemplates.some(
        (item) => isRecord(item) && typeof item.uriTemplate === "string" && mayFit(item.uriTemplate, uri),
      );
    const seen = open.filter(([, each]) => isSeen(each));
    for (const some of [seen, open])
      for (const isOwner of [isListing, hasTemplate]) {
        const owners = some.filter(([, each]) => isOwner(each));
        if (owners.length > 0) return owners.map(([server]) => server);
      }
    return [];
  }

  /** What several claim at once. */
  clashes(rules: Rules): ReadonlyMap<string, Change> {
    const addresses = (["resources", "resourceTemplates"] as const).flatMap((list) =>
      [...this.#servers].flatMap(([server, { upstream, standing }]) =>
        upstream.lists[list].flatMap((item): Address[] => {
          const address = isRecord(item) ? addressIn(list, item) : undefined;
          const isSeen =
            address !== undefined &&
            visible(rules, standing, { kind: "resource", uri: address }).kind !== "deny";
          return isSeen ? [{ server, address }] : [];
        }),
      ),
    );
    const named = (server: string): string =>
      serverNamed(server, this.#servers.get(server)?.standing.policy.label);
    return clashesIn(this.tools.collisions, addresses, named);
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
            const shown = isRecord(item) ? item : {};
            const name = typeof shown.name === "string" ? shown.name : "";
            const kind = kinds[list];
            const wish = kind === "resource" ? { kind, uri: addressIn(part, shown) ?? "" } : { kind, name };
            return visible(rules, standing, wish).kind !== "deny";
          })
          .map((item) => [server, item]),
      ),
    );
  }
}

/** Of a resource, or of a template for some. */
function addressIn(list: keyof Lists, item: Readonly<Record<string, unknown>>): string | undefined {
  const address =
    list === "resources" ? item.uri : list === "resourceTemplates" ? item.uriTemplate : undefined;
  return typeof address === "string" ? address : undefined;
}

/** Those that stand there once. Lists are as long as a server likes: each name is counted, and not looked for. */
function onlyOnce(names: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return names.filter((name) => times.get(name) === 1);
}

const namesIn = (items: readonly unknown[]): string[] =>
  items.flatMap((item) => (isRecord(item) && typeof item.name === "string" ? [item.name] : []));
