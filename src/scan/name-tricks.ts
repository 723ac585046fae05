/** Names that are not what they look like: a tool or parameter whose letters come from another script. */
import { type Hit, hit } from "./hit.ts";
import { fold } from "./views/fold.ts";

/** Letters of another script, full-width and mathematical ones, and what cannot be seen; a circled number is none. */
const FOREIGN = /[\u0250-\u058f\u13a0-\u13ff\u1d00-\u1d7f\uff21-\uff5a]|\ud835[\udc00-\udfff]/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

export interface NameHit extends Hit {
  /** The member that has the name. */
  readonly member: string;
}

export function nameTricks(item: unknown): NameHit[] {
  return namesOf(item).flatMap(([member, name]) => {
    const { text } = fold(name);
    const isPosing =
      text !== name && /^[\x20-\x7e]+$/.test(text) && (FOREIGN.test(name) || INVISIBLE.test(name));
    if (!isPosing) return [];
    const message = `the name "${text}" is written with letters that only look like these`;
    return [{ ...hit("SCAN-01", name, 0, name.length, message, { severity: "fail" }), member }];
  });
}

type Item = Readonly<Record<"name" | "title" | "inputSchema" | "outputSchema", unknown>>;

function namesOf(item: unknown): [member: string, name: string][] {
  const { name, inputSchema, outputSchema } = (item ?? {}) as Partial<Item>;
  return [
    ...(typeof name === "string" ? [["name", name] as [string, string]] : []),
    ...parametersOf("inputSchema", inputSchema),
    ...parametersOf("outputSchema", outputSchema),
  ];
}

function parametersOf(member: string, schema: unknown): [string, string][] {
  const { properties } = (schema ?? {}) as { properties?: unknown };
  if (typeof properties !== "object" || properties === null) return [];
  return Object.keys(properties).map((name) => [`${member}.properties.${name}`, name]);
}
