/** The litmus-v5 fingerprint of a tool list, byte for byte, so that grades of others can be compared with what is live.
 *  It sees names, descriptions and input schemas only. Implements spec/fingerprint.md, FPR-1 to FPR-9. */
import { createHash } from "node:crypto";
import { byUnits } from "../core/index.ts";
import { isRecord } from "../wire/index.ts";

export type Fingerprint =
  | { readonly kind: "value"; readonly value: string }
  /** Tools that the format has no value for. */
  | { readonly kind: "none"; readonly reason: string };

const MAX_LEVELS = 100;

/** Ends the reading of a list that has no fingerprint; never leaves this file. */
class Unfit extends Error {}

export function fingerprint(tools: readonly unknown[]): Fingerprint {
  try {
    const hash = createHash("sha256").update(fingerprintInput(tools), "utf8");
    return { kind: "value", value: `0x${hash.digest("hex")}` };
  } catch (thrown) {
    if (thrown instanceof Unfit) return { kind: "none", reason: thrown.message };
    throw thrown;
  }
}

/** The text that is hashed. */
function fingerprintInput(tools: readonly unknown[]): string {
  // Array.prototype.sort is stable: tools of one name keep the server's order.
  const kept = tools.map(threeMembers).sort((a, b) => byUnits(a.name, b.name));
  return JSON.stringify(kept);
}

interface Kept {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** Name, description, schema, in this order: it is the order in which they are hashed. */
function threeMembers(tool: unknown): Kept {
  if (!isRecord(tool) || typeof tool.name !== "string") throw new Unfit("a tool has no name");
  const { name, description = "", inputSchema = null } = tool;
  if (typeof description !== "string") throw new Unfit("a description is no text");
  if (inputSchema !== null && !isRecord(inputSchema)) throw new Unfit("an input schema is no object");
  return { name, description: oneLine(description), inputSchema: schemaForm(inputSchema) };
}

/** Six ASCII characters are white space inside a text; at its ends all that JavaScript trims. */
const oneLine = (text: string): string => text.replace(/[ \t\r\n\f\v]+/g, " ").trim();

function schemaForm(schema: Readonly<Record<string, unknown>> | null): unknown {
  if (schema === null) return null;
  // The client that defines the format loses this key at the top of a schema, and only there.
  const entries = Object.entries(schema).filter(([key]) => key !== "__proto__");
  return sorted(Object.fromEntries(entries), 1);
}

/** Sorted keys go back into an object, which puts keys that look like list indexes first: the format has it so. */
function sorted(value: unknown, level: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (level > MAX_LEVELS) throw new Unfit(`an input schema is deeper than ${MAX_LEVELS} levels`);
  if (Array.isArray(value)) return value.map((item) => sorted(item, level + 1));
  const entries = Object.entries(value).sort(([a], [b]) => byUnits(a, b));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member, level + 1)]));
}
