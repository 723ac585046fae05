/** The texts of a value, wherever they stand in it: what an agent may come to read. Pure. Implements spec/gateway.md, GTW-27. */
import { isRecord } from "../wire/index.ts";
import { isHopName } from "./answer.ts";

/** How much is still looked at. Whoever looks into several values gives all of them one. */
export interface Room {
  texts: number;
  chars: number;
}

const MAX_TEXTS = 20_000;
/** Time to scan is everybody's: an answer that is longer is not scanned to its end. */
const MAX_CHARS = 1024 * 1024;
export const roomFor = (): Room => ({ texts: MAX_TEXTS, chars: MAX_CHARS });

/** Names of members are texts from here on, or where they have a blank: honest ones are shorter, and one word. */
const MIN_NAME_CHARS = 16;
/** What a member `type` says of a block or of a schema. Any other word is a text like all others. */
const TYPES: ReadonlySet<unknown> = new Set(
  "text image audio resource resource_link tool_use tool_result string number integer boolean object array null".split(
    " ",
  ),
);

/** All texts of a value, names of members included, and what is packed as bytes and can be read as text. No recursion: it may be as deep as
 *  it likes. */
export function textsIn(
  root: unknown,
  room: Room = roomFor(),
): { readonly texts: readonly string[]; readonly isWhole: boolean } {
  const texts: string[] = [];
  const waiting: unknown[] = [root];
  let isWhole = true;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "string") {
      if (value === "") continue;
      if (room.texts === 0 || room.chars === 0) return { texts, isWhole: false };
      const text = value.length > room.chars ? bothEnds(value, room.chars) : value;
      isWhole &&= text === value;
      texts.push(text);
      room.texts -= 1;
      room.chars -= Math.min(room.chars, value.length);
    } else if (Array.isArray(value))
      for (let index = value.length - 1; index >= 0; index--) waiting.push(value[index]);
    else if (isRecord(value)) pushMembers(value, waiting);
  }
  return { texts, isWhole };
}

/** The first ones: what is told while a call runs is short, and comes often. */
export const firstTexts = (value: unknown): readonly string[] =>
  textsIn(value, { texts: 256, chars: 16 * 1024 }).texts;

/** What is put last is looked at first. */
function pushMembers(value: Readonly<Record<string, unknown>>, waiting: unknown[]): void {
  const isPicture = value.type === "image" || value.type === "audio";
  const names = Object.keys(value);
  for (let number = names.length - 1; number >= 0; number--) {
    const name = names[number] as string;
    const member = value[name];
    if (name === "type" && TYPES.has(member)) continue;
    const isPacked = typeof member === "string" && (name === "blob" || (isPicture && name === "data"));
    waiting.push(isPacked ? unpacked(member, value.mimeType) : name === "_meta" ? ownMeta(member) : member);
    if (name.length >= MIN_NAME_CHARS || name.includes(" ")) waiting.push(name);
  }
}

/** What belongs to the hop is not delivered. */
const ownMeta = (meta: unknown): unknown =>
  isRecord(meta) ? Object.fromEntries(Object.entries(meta).filter(([name]) => !isHopName(name))) : meta;

/** What an agent would read of bytes; undefined where they are none of a text. What was never packed is read as it is. */
function unpacked(packed: string, type: unknown): string | undefined {
  const read = packed.slice(0, 2 * MAX_CHARS);
  if (!PACKED.test(read)) return packed;
  const text = Buffer.from(read, "base64").toString("utf8");
  if (typeof type === "string" && TEXT_TYPE.test(type)) return text;
  // Some pictures are so small that they pass for a text: their bytes are no hidden characters.
  return isReadable(text) ? text.replace(CONTROLS, " ") : undefined;
}
/** Lines as programs make them: words in lines would be another thing. */
const PACKED = /^(?:[\w+/=-]{40,}\r?\n)*[\w+/=-]*\s*$/;
const TEXT_TYPE = /^\s*(?:text\/|application\/(?:json|xml|javascript|yaml)\b)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f]/g;

/** A few bytes that are no UTF-8 do not keep anybody from reading the others. */
function isReadable(text: string): boolean {
  let [broken, at] = [0, text.indexOf(BROKEN)];
  for (; at >= 0 && broken * READABLE <= text.length; at = text.indexOf(BROKEN, at + 1)) broken += 1;
  return broken * READABLE <= text.length;
}
const BROKEN = "\ufffd";
const READABLE = 16;

/** Where there is no room for all of it: what is behind much else is what somebody wanted to hide. */
function bothEnds(text: string, chars: number): string {
  const half = Math.ceil(chars / 2);
  return `${text.slice(0, half)}\n${text.slice(text.length - half)}`;
}
