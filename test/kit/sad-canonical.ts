/** The bytes that an assertion's signature covers, once more: any JSON value, characters escaped and encoded one by one, texts
 *  ordered by their bytes in UTF-16. Shares nothing with src/attest but the specification. */

const REGISTERED: ReadonlySet<string> = new Set(
  "v id publisher version clearance capabilities signerKeyId netAllowedHosts verification".split(" "),
);
const SHORT: ReadonlyMap<number, string> = new Map(
  [...'\b\t\n\f\r"\\'].map((character, index) => [character.charCodeAt(0), `\\${'btnfr"\\'[index]}`]),
);

export function otherCanonicalBody(document: object): Buffer {
  const members = new Map<string, unknown>([["signerKeyId", null]]);
  for (const [name, value] of Object.entries(document))
    if (REGISTERED.has(name) && value !== undefined) members.set(name, value);
  return utf8(written(members));
}

function written(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${inOrder(value.map(written)).join()}]`;
  if (value instanceof Map) {
    const names = inOrder([...value.keys()] as string[]);
    return `{${names.map((name) => `${quoted(name)}:${written(value.get(name))}`).join()}}`;
  }
  if (typeof value === "object" && value !== null) return written(new Map(Object.entries(value)));
  return String(value);
}

function inOrder(texts: readonly string[]): string[] {
  const keyed = texts.map((text) => ({ text, key: Buffer.from(text, "utf16le").swap16() }));
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ text }) => text);
}

function quoted(text: string): string {
  let out = '"';
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isPair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) out += text[at++];
    const here = text.charCodeAt(at);
    const isLone = !isPair && (here & 0xf800) === 0xd800;
    out += SHORT.get(here) ?? (here < 0x20 || isLone ? `\\u${here.toString(16).padStart(4, "0")}` : text[at]);
  }
  return `${out}"`;
}

function utf8(text: string): Buffer {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x1_0000 ? 2 : 3;
    bytes.push(more === 0 ? point : ((0xf00 >> (more + 1)) & 0xff) | (point >> (6 * more)));
    for (let rest = more - 1; rest >= 0; rest--) bytes.push(0x80 | ((point >> (6 * rest)) & 0x3f));
  }
  return Buffer.from(bytes);
}
