/** What two servers claim at once: who has it, and that this is so, is told when it comes about. Pure. Implements spec/gateway.md, GTW-5,
 *  GTW-69 and GTW-93. */
import { count, shown } from "../core/index.ts";
import { type Change, someOf } from "./changes.ts";
import { grouped, type NameTable } from "./names.ts";

/** An address of a resource, or a template for some, that a server shows. */
export interface Address {
  readonly server: string;
  readonly address: string;
}

const [MAX_NAMED, NAMED_CHARS] = [8, 120];

/** Each under a key that is another one where something has changed. `addresses` in the order of the servers: the first has it. */
export function clashesIn(
  collisions: NameTable["collisions"],
  addresses: readonly Address[],
  named: (server: string) => string = (server) => server,
): ReadonlyMap<string, Change> {
  const clashes = new Map<string, Change>();
  const add = (
    server: string,
    rule: string,
    other: string,
    names: readonly string[],
    words: string,
  ): void => {
    const data = { count: names.length, names: names.slice(0, MAX_NAMED), rule };
    const event = { type: "finding", outcome: "allowed", server, data } as const;
    clashes.set(JSON.stringify([server, rule, other, ...names]), { event, words });
  };
  for (const { name, owners } of collisions)
    for (const { server, name: tool } of owners)
      add(
        server,
        "name-clash",
        name,
        [tool],
        `${named(server)}: ${quoted(tool)} is not the only one that would be ${name}`,
      );
  for (const { owner, other, theirs } of shadowed(addresses))
    add(
      other,
      "shadowed",
      owner,
      theirs,
      `${named(other)}: ${count(theirs.length, "resource")} of ${named(owner)} shown by it too, and read from ${named(owner)}: ${firstOf(theirs)}`,
    );
  return clashes;
}

/** What is told of those that were not there before: of one server and rule a few. */
export function newClashes(
  clashes: ReadonlyMap<string, Change>,
  known: ReadonlySet<string>,
): readonly Change[] {
  const fresh = [...clashes].filter(([key]) => !known.has(key)).map(([, change]) => change);
  const kinds = grouped(fresh, ({ event: { server, data } }) => JSON.stringify([server, data?.rule]));
  return [...kinds.values()].flatMap(someOf);
}

function shadowed(addresses: readonly Address[]) {
  const owners = new Map<string, string>();
  const pairs = new Map<string, { owner: string; other: string; theirs: Set<string> }>();
  for (const { server, address } of addresses) {
    const owner = owners.get(address) ?? server;
    owners.set(address, owner);
    if (owner === server) continue;
    const key = JSON.stringify([owner, server]);
    const pair = pairs.get(key) ?? { owner, other: server, theirs: new Set<string>() };
    pair.theirs.add(address);
    pairs.set(key, pair);
  }
  return [...pairs.values()].map((pair) => ({ ...pair, theirs: [...pair.theirs] }));
}

const quoted = (name: string): string => shown(JSON.stringify(name), NAMED_CHARS);
const firstOf = (names: readonly string[]): string =>
  `${names.slice(0, 3).map(quoted).join(", ")}${names.length > 3 ? ", …" : ""}`;
