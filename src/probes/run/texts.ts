/** Every text in a value that a server sent, decoded where it is a blob: what is hidden in base64 is said all the same. */

const MAX_TEXTS = 20_000;
const MAX_DEPTH = 200;

/** Keys count as texts too: a server chooses them. */
export function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  collect(value, texts, 0);
  return texts;
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (texts.length >= MAX_TEXTS || depth > MAX_DEPTH) return;
  if (typeof value === "string") {
    if (value !== "") texts.push(value);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, texts, depth + 1);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (!KNOWN_KEYS.has(key) && key !== "") texts.push(key);
    if (BLOB_KEYS.has(key) && typeof item === "string") {
      const text = decoded(item);
      if (text !== undefined) texts.push(text);
    }
    // `text`, `assistant`, `image/png`: words of the protocol, unless somebody makes more of them.
    if (WORD_KEYS.has(key) && typeof item === "string" && item.length < LONG_WORD) continue;
    collect(item, texts, depth + 1);
  }
}

const WORD_KEYS = new Set(["type", "role", "mimeType"]);
const LONG_WORD = 40;

/** Of the protocol itself: nobody chose them. */
const KNOWN_KEYS = new Set(
  "content structuredContent isError type text data blob mimeType uri resource name title description annotations _meta role messages contents code message".split(
    " ",
  ),
);
const BLOB_KEYS = new Set(["blob", "data"]);

/** The text in a blob; undefined when it holds none, as pictures do. */
function decoded(base64: string): string | undefined {
  if (base64.length < 8 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64.replace(/\s/g, ""))) return undefined;
  const text = Buffer.from(base64, "base64").toString("utf8");
  const odd = [...text.slice(0, 4096)].filter((letter) => letter < " " && !"\n\r\t".includes(letter)).length;
  return text.includes("\ufffd") || odd > 0 ? undefined : text;
}
