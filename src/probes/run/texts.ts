/** Every text in a value that a server sent, decoded where it is a blob: what is hidden in base64 is said all the same. */

/** A frame is bounded already; this only bounds what one answer costs. */
const MAX_TEXTS = 500_000;
const MAX_DEPTH = 200;
const MIN_CODES = 8;

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
    // Codes of characters are a text too.
    if (value.length >= MIN_CODES && value.every((item) => typeof item === "number"))
      texts.push(value.join(","));
    for (const item of value) collect(item, texts, depth + 1);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (!KNOWN_KEYS.has(key) && key !== "") texts.push(key);
    if (BLOB_KEYS.has(key) && typeof item === "string") {
      const text = decoded(item);
      if (text !== undefined) texts.push(text);
    }
    if (isProtocolWord(key, item)) continue;
    collect(item, texts, depth + 1);
  }
}

/** `text`, `assistant`, `image/png` where the protocol puts them: nobody says anything by them. */
function isProtocolWord(key: string, value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (key === "mimeType") return /^(?:text|image|audio|video|application)\/[a-z0-9.+-]{1,30}$/.test(value);
  return (key === "type" || key === "role") && PROTOCOL_WORDS.has(value);
}

const PROTOCOL_WORDS = new Set("text image audio resource resource_link embedded user assistant".split(" "));

/** Of the protocol itself: nobody chose them. */
const KNOWN_KEYS = new Set(
  "content structuredContent isError type text data blob mimeType uri resource name title description annotations _meta role messages contents code message".split(
    " ",
  ),
);
const BLOB_KEYS = new Set(["blob", "data"]);

/** What can be read in a blob: its stretches of printable characters. */
function decoded(base64: string): string | undefined {
  if (base64.length < 8 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64.replace(/\s/g, ""))) return undefined;
  const text = Buffer.from(base64, "base64").toString("utf8");
  const stretches = text.match(/[^\p{Cc}\ufffd]{4,}(?:[\n\r\t]+[^\p{Cc}\ufffd]+)*/gu) ?? [];
  return stretches.length === 0 ? undefined : stretches.join("\n");
}
