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
    else if (isRecord(value)) isWhole = pushMembers(value, waiting) && isWhole;
  }
  return { texts, isWhole };
}

/** The first ones: what is told while a call runs is short, and comes often. */
export const firstTexts = (value: unknown): readonly string[] =>
  textsIn(value, { texts: 256, chars: 16 * 1024 }).texts;

/** What is put last is looked at first. Gives whether all that can be read was put there. */
function pushMembers(value: Readonly<Record<string, unknown>>, waiting: unknown[]): boolean {
  const isPicture = value.type === "image" || value.type === "audio";
  const names = Object.keys(value);
  let isWhole = true;
  for (let number = names.length - 1; number >= 0; number--) {
    const name = names[number] as string;
    const member = value[name];
    if (name === "type" && TYPES.has(member)) continue;
    const isPacked = typeof member === "string" && (name === "blob" || (isPicture && name === "data"));
    if (isPacked) {
      const found = unpacked(member, value.mimeType);
      isWhole &&= found.length === 0 || member.length <= MAX_PACKED;
      waiting.push(found);
    } else waiting.push(name === "_meta" ? ownMeta(member) : member);
    if (name.length >= MIN_NAME_CHARS || name.includes(" ")) waiting.push(name);
  }
  return isWhole;
}

/** What belongs to the hop is not delivered. */
const ownMeta = (meta: unknown): unknown =>
  isRecord(meta) ? Object.fromEntries(Object.entries(meta).filter(([name]) => !isHopName(name))) : meta;

/** What an agent would read of bytes; nothing where they are none of a text. What was never packed is read as it is. Where it is too long both
 *  ends are. */
function unpacked(packed: string, type: unknown): readonly string[] {
  const [half, isLong] = [MAX_PACKED / 2, packed.length > MAX_PACKED];
  const head = isLong ? packed.slice(0, half) : packed;
  const tail = isLong ? packed.slice(-half) : "";
  const isPacked = PACKED.test(head);
  const found = new Set<string | undefined>();
  if (isPacked)
    found.add(textOf(Buffer.from(head, "base64"), typeof type === "string" && TEXT_TYPE.test(type)));
  else for (const part of [head, tail]) found.add(part);
  if (!isPacked || MARK.test(head)) for (const text of looselyIn(head)) found.add(text);
  // Where its letters begin to be bytes does not show in the middle.
  for (let skip = 0; isLong && skip < 4; skip++) for (const text of looselyIn(tail, skip)) found.add(text);
  found.delete(undefined);
  return [...found] as string[];
}
/** More of what is packed is not unpacked. */
const MAX_PACKED = 2 * MAX_CHARS;
/** Lines as programs make them: words in lines would be another thing. */
const PACKED = /^(?:[\w+/=-]{40,}\r?\n)*[\w+/=-]*\s*$/;
const TEXT_TYPE = /^\s*(?:text\/|application\/(?:json|xml|javascript|yaml)\b)/i;
/** Letters of one alphabet, and marks to those who read the other. */
const MARK = /[-_]/;

/** As clients read it that leave out whatever is no letter, of the one alphabet or of the other, or of both. */
function looselyIn(packed: string, skip = 0): (string | undefined)[] {
  const ways = new Set([packed, packed.replace(/[^A-Za-z0-9+/]+/g, "")]);
  if (MARK.test(packed)) ways.add(packed.replace(/[^\w-]+/g, ""));
  return [...ways].map((letters) => textOf(Buffer.from(letters.slice(skip), "base64"), false));
}

/** Some pictures are so small that they pass for a text: their bytes are no hidden characters. */
function textOf(bytes: Buffer, isText: boolean): string | undefined {
  const text = bytes.toString("utf8");
  if (isText) return text;
  return isReadable(text) ? text.replace(CONTROLS, " ") : undefined;
}
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
