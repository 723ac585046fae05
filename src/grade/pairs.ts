/** Arguments with two choices made at once: some behaviour waits for two flags together. */
import { validate } from "../schema/index.ts";
import { isRecord } from "../wire/index.ts";

type Arguments = Readonly<Record<string, unknown>>;

const MAX_FLAGS = 6;
const MAX_PAIRS = 10;

/** Each pair of flags set, and of choices taken, with the other flags as they are when nobody says anything. */
export function pairsOf(schema: unknown, base: Arguments): Arguments[] {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  const flags = Object.entries(properties)
    .flatMap(([name, property]) => {
      const others = unusual(property, base[name]);
      return others.length === 0 ? [] : [{ name, others }];
    })
    .slice(0, MAX_FLAGS);
  const made: Arguments[] = [];
  for (const [index, one] of flags.entries())
    for (const two of flags.slice(index + 1))
      for (const first of one.others)
        for (const second of two.others) made.push({ ...base, [one.name]: first, [two.name]: second });
  return made.filter((args) => validate(schema, args).verdict === "valid").slice(0, MAX_PAIRS);
}

/** Values of a flag or choice beside the one it has. */
function unusual(property: unknown, usual: unknown): unknown[] {
  if (!isRecord(property)) return [];
  if (property.type === "boolean") return [usual !== true];
  return Array.isArray(property.enum) && property.enum.length > 1
    ? property.enum.filter((value) => value !== (usual ?? property.default)).slice(0, 2)
    : [];
}
