/** The strings of an item in the order an agent reads them: what it is for, its parameters, then everything else. */

export interface Piece {
  /** Where it stands: `description`, `inputSchema.properties.city.description`. */
  readonly path: string;
  readonly text: string;
}

const MAX_DEPTH = 40;
const MAX_PIECES = 5000;
/** Read first, in this order; `inputSchema` brings each parameter's name in front of its description. */
const FIRST = ["description", "inputSchema", "title", "annotations", "instructions"];

export function piecesOf(item: unknown): Piece[] {
  const pieces: Piece[] = [];
  if (typeof item !== "object" || item === null) {
    if (typeof item === "string") pieces.push({ path: "text", text: item });
    return pieces;
  }
  const members = Object.entries(item);
  const rank = (key: string): number => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
  members.sort(([a], [b]) => rank(a) - rank(b));
  for (const [key, value] of members) collect(value, key, key, 0, pieces);
  return pieces;
}

/** Strings of a value; the name of a schema's property stands before its description, as `- city: …`. */
function collect(value: unknown, path: string, key: string, depth: number, pieces: Piece[]): void {
  if (pieces.length >= MAX_PIECES || depth > MAX_DEPTH) return;
  if (typeof value === "string") {
    // Types and formats of schemas say nothing; a name or an address is scanned as it is.
    if (!SCHEMA_WORDS.has(key) || value.length > 40) pieces.push({ path, text: value });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries())
      collect(member, `${path}[${index}]`, key, depth + 1, pieces);
    return;
  }
  const isProperties = key === "properties";
  for (const [name, member] of Object.entries(value)) {
    const below = `${path}.${name}`;
    const description = isProperties ? descriptionOf(member) : undefined;
    if (isProperties) {
      pieces.push({
        path: below,
        text: description === undefined ? `- ${name}` : `- ${name}: ${description}`,
      });
      collectRest(member, below, depth + 1, pieces);
    } else {
      // A key nobody expects can hold a text as well as a value can.
      if (name.length > 40 || /\s/.test(name)) pieces.push({ path: below, text: name });
      collect(member, below, name, depth + 1, pieces);
    }
  }
}

function collectRest(schema: unknown, path: string, depth: number, pieces: Piece[]): void {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  for (const [name, member] of Object.entries(schema))
    if (name !== "description" || typeof member !== "string")
      collect(member, `${path}.${name}`, name, depth, pieces);
}

function descriptionOf(schema: unknown): string | undefined {
  const { description } = (schema ?? {}) as { description?: unknown };
  return typeof description === "string" ? description : undefined;
}

const SCHEMA_WORDS = new Set([
  "type",
  "format",
  "$schema",
  "$ref",
  "required",
  "mimeType",
  "protocolVersion",
  "version",
]);
