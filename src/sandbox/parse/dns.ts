/** DNS messages (RFC 1035): reads queries and answers each with an address that only this sandbox knows. */
import { addressBytes } from "./address.ts";
import { u16 } from "./bytes.ts";
import type { NameTable } from "./name-table.ts";

export interface Query {
  readonly id: number;
  /** As asked, in the case it was sent, without the dot at the end; `.` is the root. A byte that cannot be seen, a backslash
   *  or a dot inside a label is written as `\DDD`. */
  readonly name: string;
  /** `A`, `AAAA`, `TXT` …, or `TYPE99` for a type without a name here. */
  readonly type: string;
  readonly wantsRecursion: boolean;
  /** Name, type and class as sent. */
  readonly question: Buffer;
}

export interface Answer {
  readonly reply: Buffer;
  /** The address or name that was answered, or `none`. */
  readonly answer: string;
}

export interface StreamQueries {
  readonly messages: readonly Buffer[];
  /** So many bytes are done with; the rest is the beginning of the next message. */
  readonly takenBytes: number;
}

const TYPES: Readonly<Record<number, string>> = {
  1: "A",
  2: "NS",
  5: "CNAME",
  6: "SOA",
  10: "NULL",
  12: "PTR",
  13: "HINFO",
  15: "MX",
  16: "TXT",
  28: "AAAA",
  29: "LOC",
  33: "SRV",
  35: "NAPTR",
  39: "DNAME",
  43: "DS",
  44: "SSHFP",
  48: "DNSKEY",
  52: "TLSA",
  64: "SVCB",
  65: "HTTPS",
  251: "IXFR",
  252: "AXFR",
  255: "ANY",
  257: "CAA",
};

const HEAD_BYTES = 12;
const MAX_NAME_BYTES = 255;
const MAX_LABEL_BYTES = 63;
const CLASS_IN = 1;
const TTL_SECONDS = 60;

const IS_REPLY = 0x8000;
const OPCODE = 0x7800;
const RECURSION_DESIRED = 0x0100;
const RECURSION_AVAILABLE = 0x0080;
const NO_SUCH_NAME = 3;

/** A query with one question, or nothing. What follows the question, EDNS included, is not looked at. */
export function readQuery(bytes: Buffer): Query | undefined {
  const flags = u16(bytes, 2);
  const questions = u16(bytes, 4);
  if ((flags & (IS_REPLY | OPCODE)) !== 0 || questions !== 1) return undefined;
  const name = readName(bytes, HEAD_BYTES);
  if (name === undefined || name.end + 4 > bytes.length) return undefined;
  const type = u16(bytes, name.end);
  return {
    id: u16(bytes, 0),
    name: name.text,
    type: TYPES[type] ?? `TYPE${type}`,
    wantsRecursion: (flags & RECURSION_DESIRED) !== 0,
    question: bytes.subarray(HEAD_BYTES, name.end + 4),
  };
}

/** A length above 63 is a pointer to another place, which an honest question has no use for. */
function readName(bytes: Buffer, start: number): { readonly text: string; readonly end: number } | undefined {
  const labels: string[] = [];
  let at = start;
  for (;;) {
    const length = bytes[at];
    if (length === undefined || length > MAX_LABEL_BYTES) return undefined;
    const next = at + 1 + length;
    if (next > bytes.length || next - start > MAX_NAME_BYTES) return undefined;
    if (length === 0) return { text: labels.join(".") || ".", end: next };
    labels.push(shownLabel(bytes.toString("latin1", at + 1, next)));
    at = next;
  }
}

const shownLabel = (label: string): string =>
  label.replace(/[^!-~]|[.\\]/g, (character) => `\\${String(character.charCodeAt(0)).padStart(3, "0")}`);

/** A and AAAA get the address of the name, PTR gets the name of such an address; nothing else has an answer. */
export function answerQuery(query: Query, names: NameTable): Answer {
  const { id, name, type, wantsRecursion, question } = query;
  const isInternet = u16(question, question.length - 2) === CLASS_IN;
  const answer = isInternet ? answerText(name.toLowerCase(), type, names) : undefined;
  const data = answer === undefined ? undefined : type === "PTR" ? nameBytes(answer) : addressBytes(answer);

  const head = Buffer.alloc(HEAD_BYTES);
  const code = type === "PTR" && data === undefined ? NO_SUCH_NAME : 0;
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(IS_REPLY | (wantsRecursion ? RECURSION_DESIRED : 0) | RECURSION_AVAILABLE | code, 2);
  head.writeUInt16BE(1, 4);
  if (answer === undefined || data === undefined)
    return { reply: Buffer.concat([head, question]), answer: "none" };

  head.writeUInt16BE(1, 6);
  const record = Buffer.alloc(12);
  // A pointer to the name in the question, then its type and class.
  record.writeUInt16BE(0xc000 | HEAD_BYTES, 0);
  question.copy(record, 2, question.length - 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(data.length, 10);
  return { reply: Buffer.concat([head, question, record, Buffer.from(data)]), answer };
}

function answerText(name: string, type: string, names: NameTable): string | undefined {
  const isLocal = name === "localhost" || name.endsWith(".localhost");
  if (type === "A") return isLocal ? "127.0.0.1" : names.v4(name);
  if (type === "AAAA") return isLocal ? "::1" : names.v6(name);
  return type === "PTR" ? names.nameOf(reversed(name)) : undefined;
}

/** The address that a name below `in-addr.arpa` or `ip6.arpa` stands for, or a text that is none. */
function reversed(name: string): string {
  const v4 = /^([\d.]{7,15})\.in-addr\.arpa$/.exec(name)?.[1];
  if (v4 !== undefined) return v4.split(".").reverse().join(".");
  const v6 = /^((?:[0-9a-f]\.){32})ip6\.arpa$/.exec(name)?.[1];
  if (v6 === undefined) return "";
  const digits = v6.split(".").reverse().join("");
  return digits.replace(/.{4}(?!$)/g, "$&:");
}

/** A name as it is sent, or nothing when it cannot be sent. */
function nameBytes(name: string): Buffer | undefined {
  const labels = (name === "." ? [] : name.split(".")).map((label) =>
    Buffer.from(
      label.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code))),
      "latin1",
    ),
  );
  if (labels.some(({ length }) => length === 0 || length > MAX_LABEL_BYTES)) return undefined;
  const bytes = Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0]),
  ]);
  return bytes.length > MAX_NAME_BYTES ? undefined : bytes;
}

/** The complete messages of DNS over TCP, each behind its length in two bytes. Empty ones are left out. */
export function queriesFromStream(bytes: Buffer): StreamQueries {
  const messages: Buffer[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const next = at + 2 + u16(bytes, at);
    if (next > bytes.length) break;
    if (next > at + 2) messages.push(bytes.subarray(at + 2, next));
    at = next;
  }
  return { messages, takenBytes: at };
}
