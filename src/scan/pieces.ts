/** The strings of an item in the order an agent reads them: what it is for, its parameters, then everything else, names of
 *  members included. */

export interface Piece {
  /** Where it stands: `description`, `inputSchema.properties.city.description`. */
  readonly path: string;
  readonly text: string;
  /** Where the name before it stands, and how many bytes of the text that name takes: `- city: `. */
  readonly head?: { readonly path: string; readonly bytes: number };
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  /** False when there was more than is looked at. */
  readonly isWhole: boolean;
}

const MAX_PIECES = 50_000;
const MAX_CHARS = 8 * 1024 * 1024;
/** Read first, in this order; `inputSchema` brings each parameter's name in front of its description. */
const FIRST = ["description", "inputSchema", "title", "annotations", "instructions"];

interface Open {
  readonly value: unknown;
  readonly path: string;
  readonly key: string;
}

/** Walked with a stack of its own: no depth of a hostile schema is too deep. */
export function piecesOf(item: unknown): Pieces {
  const pieces: Piece[] = [];
  const stack: Open[] = [];
  let chars = 0;
  const push = (piece: Piece): void => {
    pieces.push(piece);
    chars += piece.text.length;
  };
  const open = (value: unknown, path: string, key: string): void => {
    stack.push({ value, path, key });
  };
  const openMembers = (value: object, path: string, key: string): void => {
    const members = path === "" ? ranked(Object.entries(value)) : Object.entries(value);
    // The last one pushed is the first one looked at.
    for (const [name, member] of members.reverse()) {
      const below = path === "" ? name : `${path}.${name}`;
      if (key === "properties") stack.push({ value: asParameter(name, member), path: below, key: PARAMETER });
      else {
        open(member, below, name);
        if (!KNOWN.has(name)) open(name, below, NAME);
      }
    }
  };
  open(item, "", "");
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (pieces.length >= MAX_PIECES || chars >= MAX_CHARS) return { pieces, isWhole: false };
    const { value, path, key } = next;
    if (value instanceof Parameter) {
      const { name, description, rest } = value;
      const head = `- ${name}${description === undefined ? "" : ": "}`;
      push({
        path: description === undefined ? path : `${path}.description`,
        text: head + (description ?? ""),
        head: { path, bytes: Buffer.byteLength(head) },
      });
      if (typeof rest === "object" && rest !== null && !Array.isArray(rest)) {
        const others = Object.entries(rest).filter(
          ([member, text]) => member !== "description" || typeof text !== "string",
        );
        openMembers(Object.fromEntries(others), path, "");
      } else open(rest, path, "");
    } else if (typeof value === "string") {
      if (!isVocabulary(key, value)) push({ path: path || "text", text: value });
    } else if (Array.isArray(value))
      for (let index = value.length - 1; index >= 0; index--) open(value[index], `${path}[${index}]`, key);
    else if (typeof value === "object" && value !== null) openMembers(value, path, key);
  }
  return { pieces, isWhole: true };
}

const PARAMETER = " parameter";
const NAME = " name";

class Parameter {
  readonly name: string;
  readonly description: string | undefined;
  readonly rest: unknown;
  constructor(name: string, description: string | undefined, rest: unknown) {
    this.name = name;
    this.description = description;
    this.rest = rest;
  }
}

function asParameter(name: string, schema: unknown): Parameter {
  const { description } = (schema ?? {}) as { description?: unknown };
  return new Parameter(name, typeof description === "string" ? description : undefined, schema);
}

function ranked(members: [string, unknown][]): [string, unknown][] {
  const rank = (key: string): number => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
  return members.sort(([a], [b]) => rank(a) - rank(b));
}

/** Types, formats and names of schemas say nothing as long as they are single words. */
function isVocabulary(key: string, value: string): boolean {
  return SCHEMA_WORDS.has(key) && /^[\w./:#$@+-]{0,80}$/.test(value);
}

const SCHEMA_WORDS = new Set(
  "type format $schema $ref $id required mimeType protocolVersion version".split(" "),
);
/** Members that every schema or item may have: their names are no text. */
const KNOWN = new Set(
  `name title description inputSchema outputSchema annotations icons execution _meta uri uriTemplate mimeType size arguments
  type format properties required items enum const default examples anyOf oneOf allOf not if then else additionalProperties
  patternProperties minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems pattern
  $schema $ref $id $defs definitions src sizes theme readOnlyHint destructiveHint idempotentHint openWorldHint info
  capabilities instructions version websiteUrl tools resources prompts logging listChanged subscribe completions experimental
  audience priority lastModified propertyNames nullable deprecated readOnly writeOnly multipleOf minProperties maxProperties`.split(
    /\s+/,
  ),
);
