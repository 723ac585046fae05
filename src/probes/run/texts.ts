/** Every text in a value that a server sent, decoded where it is a blob: what is hidden in base64 is said all the same. */

/** A frame is bounded already; this only bounds what one answer costs. */
const MAX_TEXTS = 500_000;
const MAX_DEPTH = 200;
const MIN_CODES = 8;
const MAX_CELL_CHARS = 4;
const MAX_COLUMNS = 64;

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
    if (value.length >= MIN_CODES) texts.push(...codesIn(value), ...columnsOf(value));
    for (const item of value) collect(item, texts, depth + 1);
    return;
  }
  const members = Object.values(value);
  if (members.length >= MIN_CODES) texts.push(...codesIn(members));
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

/** Codes of characters are a text too, whoever else stands among them. */
function codesIn(values: readonly unknown[]): string[] {
  const codes = values.filter((item) => typeof item === "number");
  return codes.length >= MIN_CODES ? [codes.join(",")] : [];
}

/** A list of records read by its columns: each may hold a number or a few letters of a text. */
function columnsOf(items: readonly unknown[]): string[] {
  const columns = new Map<string, (string | number)[]>();
  for (const item of items) {
    if (typeof item !== "object" || item === null || Array.isArray(item)) continue;
    for (const [key, cell] of Object.entries(item)) {
      if (typeof cell !== "number" && !(typeof cell === "string" && cell.length <= MAX_CELL_CHARS)) continue;
      const column = columns.get(key);
      if (column) column.push(cell);
      else if (columns.size < MAX_COLUMNS) columns.set(key, [cell]);
    }
  }
  return [...columns.values()].flatMap((column) => {
    if (column.length < MIN_CODES) return [];
    if (column.every((cell) => typeof cell === "number")) return [column.join(",")];
    return column.every((cell) => typeof cell === "string") ? [column.join("")] : [];
  });
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
