/** Where we are in a value or a schema: a linked list that becomes a JSON Pointer only when somebody asks. */

export type Trail = { readonly parent: Trail; readonly key: string | number } | undefined;

/** Names are foreign and may be long; a pointer longer than this is cut and says so. */
const MAX_POINTER_CHARS = 1000;

export const below = (parent: Trail, key: string | number): Trail => ({ parent, key });

/** The JSON Pointer of a trail: the empty string at the root, `/a~1b/0` further down. */
export function pointer(trail: Trail): string {
  const tokens: string[] = [];
  for (let at = trail; at !== undefined; at = at.parent) tokens.push(token(at.key));
  const text = tokens.reverse().join("");
  return text.length > MAX_POINTER_CHARS ? `${text.slice(0, MAX_POINTER_CHARS)}…` : text;
}

function token(key: string | number): string {
  const name = typeof key === "number" ? String(key) : key.slice(0, MAX_POINTER_CHARS);
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The names in a JSON Pointer; `undefined` when it is none. */
export function pointerTokens(text: string): string[] | undefined {
  if (text === "") return [];
  if (!text.startsWith("/") || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
