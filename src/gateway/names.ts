/** Under which name a client sees a tool or prompt of a server. Pure. Implements spec/gateway.md, GTW-5 and GTW-6. */
import { createHash } from "node:crypto";

/** What models and clients take as a name. */
const MAX_CHARS = 64;
const SUFFIX_CHARS = 8;

export interface Owned {
  readonly server: string;
  /** As the server calls it. */
  readonly name: string;
}

export interface NameTable {
  /** By the name that clients see. */
  readonly byName: ReadonlyMap<string, Owned>;
  nameOf(owned: Owned): string | undefined;
  /** Plain names that more than one would have had. */
  readonly collisions: readonly { readonly name: string; readonly owners: readonly Owned[] }[];
}

/** `server__tool`. Where that is no good name, or not the only one, a few digits of both follow, the same each time. */
export function nameTable(all: readonly Owned[]): NameTable {
  const plain = new Map<string, Owned[]>();
  for (const owned of all) {
    const name = plainName(owned);
    const others = plain.get(name) ?? [];
    if (others.some((other) => isSame(other, owned))) continue;
    plain.set(name, [...others, owned]);
  }
  const byName = new Map<string, Owned>();
  const names = new Map<string, string>();
  for (const [name, owners] of plain)
    for (const owned of owners) {
      const own = owners.length > 1 || name !== fullName(owned) ? withDigits(name, owned) : name;
      byName.set(own, owned);
      names.set(keyOf(owned), own);
    }
  const collisions = [...plain].filter(([, owners]) => owners.length > 1);
  return {
    byName,
    nameOf: (owned) => names.get(keyOf(owned)),
    collisions: collisions.map(([name, owners]) => ({ name, owners })),
  };
}

const fullName = ({ server, name }: Owned): string => `${server}__${name}`;

function plainName(owned: Owned): string {
  const safe = fullName(owned).replace(/[^A-Za-z0-9_-]/g, "_");
  return safe.length <= MAX_CHARS ? safe : safe.slice(0, MAX_CHARS - SUFFIX_CHARS - 1);
}

function withDigits(name: string, owned: Owned): string {
  const digits = createHash("sha256").update(keyOf(owned)).digest("hex").slice(0, SUFFIX_CHARS);
  return `${name.slice(0, MAX_CHARS - SUFFIX_CHARS - 1)}_${digits}`;
}

const keyOf = ({ server, name }: Owned): string => JSON.stringify([server, name]);
const isSame = (one: Owned, other: Owned): boolean => one.server === other.server && one.name === other.name;
