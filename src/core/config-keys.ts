/** The keys that a schema has, so that a wrong one can be answered with the right one. Pure. */
import { suggest } from "./suggest.ts";
import { urlTold } from "./text.ts";

export type Path = readonly (string | number)[];

/** A schema, as far as it can be looked into. */
interface Shape {
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly wrapped?: unknown;
  readonly value?: unknown;
  readonly item?: unknown;
}

function shapeOf(schema: unknown): Shape {
  let shape = (schema ?? {}) as Shape;
  while (shape.wrapped !== undefined) shape = shape.wrapped as Shape;
  return shape;
}

/** Where a list stands for a map: validators take it as one with numbers for keys. */
export function listForMap(schema: unknown, value: unknown, path: Path = []): Path | undefined {
  if (schema === undefined || typeof value !== "object" || value === null) return undefined;
  const { entries, value: each, item } = shapeOf(schema);
  if (Array.isArray(value) && (entries ?? each)) return path;
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    const found = listForMap(entries?.[key] ?? each ?? item, member, [...path, step]);
    if (found) return found;
  }
  return undefined;
}

/** What to say of a key that is not known where it stands. */
export interface Known {
  /** The end of the message. */
  readonly told: string;
  /** What to do. */
  readonly hint: string;
}

export function knownFor(schema: unknown, path: Path): Known {
  const key = String(path.at(-1));
  const here = knownKeys(schema, path.slice(0, -1));
  const near = suggest(key, here);
  if (near !== undefined) return { told: `, did you mean "${near}"?`, hint: `write "${near}" in its place` };
  const places = elsewhere(schema, key, path).slice(0, MOST_PLACES).join(" or ");
  if (places !== "") return { told: `, it belongs elsewhere: ${places}`, hint: `write ${places} instead` };
  const known = here.length > 0 ? `known keys: ${here.join(", ")}` : "";
  return {
    told: known === "" ? "" : `, ${known}`,
    hint: `remove it${known === "" ? "" : `, or use one of the ${known}`}`,
  };
}
const MOST_PLACES = 3;

function knownKeys(schema: unknown, path: Path): string[] {
  let current: unknown = schema;
  for (const key of path) {
    const { entries, value, item } = shapeOf(current);
    current = entries?.[key] ?? value ?? item;
  }
  return Object.keys(shapeOf(current).entries ?? {});
}

/** All places that have this key, nearest to the top first; with the names that the path has, as far as both go the same way. */
function elsewhere(schema: unknown, key: string, path: Path): string[] {
  const found: string[] = [];
  let level: { readonly shape: Shape; readonly place: Path; readonly isOnPath: boolean }[] = [
    { shape: shapeOf(schema), place: [], isOnPath: true },
  ];
  for (let depth = 0; level.length > 0 && depth < MOST_DEPTH; depth++) {
    for (const { shape, place } of level)
      if (shape.entries && Object.hasOwn(shape.entries, key)) found.push(writtenOf([...place, key]));
    level = level.flatMap(({ shape, place, isOnPath }) =>
      Object.entries(shape.entries ?? (shape.item ? { [ITEM]: shape.item } : { NAME: shape.value })).map(
        ([name, inner]) => {
          const step = isOnPath && shape.entries === undefined ? (path[depth] ?? name) : name;
          return {
            shape: shapeOf(inner),
            place: [...place, step],
            isOnPath: isOnPath && step === path[depth],
          };
        },
      ),
    );
  }
  return found;
}
const MOST_DEPTH = 6;

/** Stands for the members of a list. */
const ITEM = "[]";
const writtenOf = (place: Path): string =>
  place
    .map((step) => urlTold(String(step)))
    .join(".")
    .replaceAll(`.${ITEM}`, ITEM);
