/** Under which name a client sees a tool or prompt of a server. Pure. Implements spec/gateway.md, GTW-5 and GTW-6. */
import { createHash } from "node:crypto";

/** What models and clients take as a name. */
const MAX_CHARS = 64;
/** So many that nobody finds a name with the digits of another. */
const SUFFIX_CHARS = 16;
const LIKE_SUFFIX = /_[0-9a-f]{16}$/;

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

/** `server__tool`. Where that is no good name, or not the only one, digits of both follow, the same each time. No plain name looks like one
 *  with digits: who could choose it would be taken for another. */
export function nameTable(all: readonly Owned[]): NameTable {
  const plain = grouped(distinct(all), plainName);
  const wanted: { readonly name: string; readonly owned: Owned }[] = [];
  for (const [name, owners] of plain)
    for (const owned of owners) {
      const isGood = owners.length === 1 && name === fullName(owned) && !LIKE_SUFFIX.test(name);
      wanted.push({ name: isGood ? name : withDigits(name, owned), owned });
    }
  const byName = new Map<string, Owned>();
  const names = new Map<string, string>();
  for (const [name, same] of grouped(wanted, (each) => each.name)) {
    const [only] = same;
    // Two of one name are nobody's.
    if (!only || same.length > 1) continue;
    byName.set(name, only.owned);
    names.set(keyOf(only.owned), name);
  }
  const collisions = [...plain].filter(([, owners]) => owners.length > 1);
  return {
    byName,
    nameOf: (owned) => names.get(keyOf(owned)),
    collisions: collisions.map(([name, owners]) => ({ name, owners })),
  };
}

/** Whether a name that is shown can be one of this server's. Those of long names have lost their end. */
export function mayBeOf(shown: string, server: string): boolean {
  const start = safeName(`${server}__`);
  const cut = start.slice(0, MAX_CHARS - SUFFIX_CHARS - 1);
  return shown.startsWith(start) || (cut !== start && shown.startsWith(cut) && LIKE_SUFFIX.test(shown));
}

const distinct = (all: readonly Owned[]): Owned[] => [
  ...new Map(all.map((owned) => [keyOf(owned), owned])).values(),
];

export function grouped<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

const fullName = ({ server, name }: Owned): string => `${server}__${name}`;

const safeName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_");

function plainName(owned: Owned): string {
  const safe = safeName(fullName(owned));
  return safe.length <= MAX_CHARS ? safe : safe.slice(0, MAX_CHARS - SUFFIX_CHARS - 1);
}

function withDigits(name: string, owned: Owned): string {
  const digits = createHash("sha256").update(keyOf(owned)).digest("hex").slice(0, SUFFIX_CHARS);
  return `${name.slice(0, MAX_CHARS - SUFFIX_CHARS - 1)}_${digits}`;
}

const keyOf = ({ server, name }: Owned): string => JSON.stringify([server, name]);
