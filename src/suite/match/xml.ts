/** Whether a text is well-formed XML, by a small strict reader. Nothing is expanded and nothing is fetched: only the five
 *  named entities and character references are known, and a document type may not declare anything. */
import { shown } from "../../core/index.ts";

export const MAX_XML_CHARS = 1024 * 1024;

const NAME =
  "[A-Za-z_:\\u{c0}-\\u{d7ff}\\u{f900}-\\u{fffd}\\u{10000}-\\u{effff}][\\w:.\\u{b7}-\\u{d7ff}\\u{f900}-\\u{fffd}\\u{10000}-\\u{effff}-]*";
const OPEN = new RegExp(`<(${NAME})`, "uy");
const CLOSE = new RegExp(`</(${NAME})\\s*>`, "uy");
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*("[^"<]*"|'[^'<]*')`, "uy");
const TAG_END = /\s*(\/?)>/y;
const DECLARATION = /<\?xml\s+version\s*=\s*(?:"1\.\d+"|'1\.\d+')[^?<>]*\?>/y;
// The look-ahead fixes where the name ends: without it a long name is tried at every length.
const DOCTYPE = new RegExp(`<!DOCTYPE\\s+${NAME}(?=[\\s>])[^<>[\\]]*>`, "uy");
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, so they are looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

interface Reading {
  readonly text: string;
  index: number;
  readonly open: string[];
  root: string | undefined;
}

/** What is not well-formed, or undefined when all is. */
export function xmlFault(text: string, root?: string): string | undefined {
  if (text.length > MAX_XML_CHARS) return `${text.length} characters, limit ${MAX_XML_CHARS}`;
  if (FORBIDDEN.test(text)) return "a character that XML does not have";
  const reading: Reading = { text, index: text.startsWith("\ufeff") ? 1 : 0, open: [], root: undefined };
  take(reading, DECLARATION);
  while (reading.index < text.length) {
    const fault = readNext(reading);
    if (fault !== undefined) return `${fault} at character ${reading.index + 1}`;
  }
  const last = reading.open.at(-1);
  if (last !== undefined) return `<${shown(last, 60)}> is not closed`;
  if (reading.root === undefined) return "there is no element";
  return root === undefined || root === reading.root ? undefined : `the root is <${shown(reading.root, 60)}>`;
}

function readNext(reading: Reading): string | undefined {
  const { text, index } = reading;
  if (text[index] !== "<") return readText(reading);
  if (text.startsWith("<!--", index)) return readComment(reading);
  if (text.startsWith("<![CDATA[", index)) {
    return reading.open.length === 0
      ? "text outside of the root"
      : skipTo(reading, 9, "]]>", "a CDATA section");
  }
  if (text.startsWith("<?", index)) {
    if (/^<\?xml[\s?]/i.test(text.slice(index, index + 6)))
      return "an XML declaration that does not stand first";
    return /^<\?[A-Za-z_:]/.test(text.slice(index, index + 3))
      ? skipTo(reading, 2, "?>", "an instruction")
      : "an instruction without a name";
  }
  if (text.startsWith("<!DOCTYPE", index)) {
    if (reading.root !== undefined) return "a document type after the root";
    return take(reading, DOCTYPE) ? undefined : "a document type that declares something";
  }
  return text[index + 1] === "/" ? readClose(reading) : readOpen(reading);
}

function readText(reading: Reading): string | undefined {
  const { text, index, open } = reading;
  const next = text.indexOf("<", index);
  const end = next < 0 ? text.length : next;
  const piece = text.slice(index, end);
  if (open.length === 0 && /[^ \t\r\n]/.test(piece)) return "text outside of the root";
  if (REFERENCE.test(piece)) return "an entity that XML does not have by itself";
  if (piece.includes("]]>")) return 'a "]]>" that closes nothing';
  reading.index = end;
  return undefined;
}

function readComment(reading: Reading): string | undefined {
  const end = reading.text.indexOf("--", reading.index + 4);
  if (end < 0 || reading.text[end + 2] !== ">") return "a comment that is not closed by -->";
  reading.index = end + 3;
  return undefined;
}

function skipTo(reading: Reading, from: number, close: string, what: string): string | undefined {
  const end = reading.text.indexOf(close, reading.index + from);
  if (end < 0) return `${what} that is not closed`;
  reading.index = end + close.length;
  return undefined;
}

function readOpen(reading: Reading): string | undefined {
  if (reading.open.length === 0 && reading.root !== undefined) return "a second root";
  const name = take(reading, OPEN)?.[1];
  if (name === undefined) return 'a "<" that opens nothing';
  const seen = new Set<string>();
  for (let found = take(reading, ATTRIBUTE); found !== undefined; found = take(reading, ATTRIBUTE)) {
    const [, attribute = "", value = ""] = found;
    if (seen.has(attribute)) return `the attribute ${shown(attribute, 60)} twice`;
    if (REFERENCE.test(value)) return "an entity that XML does not have by itself";
    seen.add(attribute);
  }
  const end = take(reading, TAG_END);
  if (end === undefined) return `<${shown(name, 60)} is not a proper tag`;
  reading.root ??= name;
  if (end[1] === "") reading.open.push(name);
  return undefined;
}

function readClose(reading: Reading): string | undefined {
  const { index } = reading;
  const name = take(reading, CLOSE)?.[1];
  const open = reading.open.pop();
  if (name !== undefined && name === open) return undefined;
  reading.index = index;
  return open === undefined ? "a closing tag for nothing" : `<${shown(open, 60)}> is closed by another name`;
}

function take(reading: Reading, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reading.index;
  const found = pattern.exec(reading.text) ?? undefined;
  if (found !== undefined) reading.index = pattern.lastIndex;
  return found;
}
