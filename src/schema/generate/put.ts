/** A value with another one at a place in it. Nothing is changed in place; every name becomes an own member. */
import { isObject } from "../values.ts";
import type { Path } from "./place.ts";

/** `undefined` when the path leads through something that has no such member. Missing parents are made, empty. */
export function put(base: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === "number") {
    const items: readonly unknown[] | undefined =
      base === undefined ? [] : Array.isArray(base) ? base : undefined;
    if (items === undefined || key > items.length) return undefined;
    const item = put(items[key], rest, value);
    return item === undefined ? undefined : [...items.slice(0, key), item, ...items.slice(key + 1)];
  }
  const members = base === undefined ? {} : isObject(base) ? base : undefined;
  if (members === undefined) return undefined;
  const member = put(Object.hasOwn(members, key) ? members[key] : undefined, rest, value);
  // A computed name defines a member of its own, even `__proto__`.
  return member === undefined ? undefined : { ...members, [key]: member };
}

/** What stands at a place; `undefined` if nothing does. */
export function at(base: unknown, path: Path): unknown {
  let value = base;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return value;
}
