/** Arguments spoiled on purpose, one way a name. Deterministic, and bounded: the largest is a tenth of a megabyte. */
import { isRecord } from "../wire/index.ts";
import type { Malformation } from "./batteries/litmus-v5.ts";

const LONG_CHARS = 64 * 1024;
const DEPTH = 64;
const ITEMS = 10_000;
const CONTROL = "\u0000\u0007\u001b[31mred\u001b[0m\u202eabc\uffff";

export interface Spoiled {
  readonly args: Record<string, unknown>;
  /** The odd text in them, which holds the marker: a server may repeat it. */
  readonly text?: string;
}

/** `base` are valid arguments. */
export function spoiled(
  how: Malformation,
  schema: unknown,
  base: Readonly<Record<string, unknown>>,
  marker: string,
): Spoiled {
  const text = `${marker} ${how === "control characters" ? CONTROL : "A".repeat(LONG_CHARS)}`;
  const args = argumentsFor(how, schema, base, text);
  const hasText = how === "control characters" || how === "a very long string";
  return { args, ...(hasText ? { text } : {}) };
}

function argumentsFor(
  how: Malformation,
  schema: unknown,
  base: Readonly<Record<string, unknown>>,
  text: string,
): Record<string, unknown> {
  const members = membersOf(schema, base);
  const each = (value: (type: string) => unknown): Record<string, unknown> =>
    Object.fromEntries(members.map(([name, type]) => [name, value(type)]));
  const first = members.find(([, type]) => type === "string") ?? members[0];
  const one = (value: unknown): Record<string, unknown> => ({ ...base, [first?.[0] ?? "input"]: value });
  switch (how) {
    case "empty object":
      return {};
    case "wrong types":
      return members.length === 0
        ? { input: 1 }
        : each((type) => (type === "string" ? 12345 : "not a value"));
    case "nulls":
      return members.length === 0 ? { input: null } : each(() => null);
    case "an extra member":
      return { ...base, unexpected_member: "value" };
    case "a very long string":
      return one(text);
    case "the smallest number":
      return {
        ...base,
        [members.find(([, type]) => type === "number" || type === "integer")?.[0] ?? first?.[0] ?? "input"]:
          Number.MIN_SAFE_INTEGER,
      };
    case "empty strings":
      return members.length === 0 ? { input: "" } : each((type) => (type === "string" ? "" : 0));
    case "control characters":
      return one(text);
    case "deep nesting": {
      let nested: unknown = "end";
      for (let depth = 0; depth < DEPTH; depth++) nested = { nested };
      return one(nested);
    }
    case "a very long list":
      return one(Array.from({ length: ITEMS }, (_, index) => index));
  }
}

function membersOf(schema: unknown, base: Readonly<Record<string, unknown>>): [name: string, type: string][] {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  const names = new Set([...Object.keys(base), ...Object.keys(properties)]);
  return [...names].slice(0, 100).map((name) => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const type = isRecord(declared) ? declared.type : undefined;
    return [name, typeof type === "string" ? type : typeof base[name]];
  });
}
