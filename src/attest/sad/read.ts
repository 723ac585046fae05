/** Reads an assertion as if by an enemy: whatever could be seen differently by another reader, or could switch a check off by
 *  being malformed, is refused before any rule is asked. Implements spec/sad.md, SAD-7 to SAD-15. */
import { shown } from "../../core/index.ts";
import { type Denial, type DenialCode, denial } from "../codes.ts";
import { type JsonFault, readStrictJson } from "../strict-json.ts";
import { FIELDS, type Sad } from "./document.ts";
import { originKey } from "./origin.ts";

export const MAX_SAD_BYTES = 64 * 1024;
const MAX_DEPTH = 8;

export type SadRead = { readonly sad: Sad } | { readonly fault: Denial };
/** What a host has in its hands when it decides. Nothing published is an answer too, and not a fault of the document. */
export type SadReading = SadRead | { readonly absent: true };

const JSON_FAULTS: Readonly<Record<JsonFault, readonly [code: DenialCode, words: string]>> = {
  "too-large": [100, `the document is larger than ${MAX_SAD_BYTES} bytes`],
  "byte-order-mark": [101, "the document begins with a byte order mark"],
  "not-utf8": [102, "the document is not UTF-8"],
  "not-json": [103, "the document is not JSON"],
  "duplicate-key": [104, "the document holds a name twice"],
  "too-deep": [105, `the document is nested deeper than ${MAX_DEPTH} levels`],
  "prototype-key": [106, "the document holds a name that reaches into the language"],
  "unpaired-surrogate": [107, "the document holds half of a character"],
};

export function readSad(bytes: Uint8Array): SadRead {
  const json = readSadJson(bytes);
  if ("fault" in json) return json;
  const { members } = json;
  const major = majorOf(members.v);
  if (major === undefined) return fault(109, `v: want "1.x" or the integer 1, not ${value(members.v)}`);
  const wrong = shapeFault(members);
  if (wrong === undefined) return { sad: registered(members) };
  // Another version may have another shape; that it is another version is what its publisher has to know.
  return {
    fault: major === "1" ? wrong : denial(110, `v: ${value(members.v)} is not spoken here; ${wrong.message}`),
  };
}

type Members = Readonly<Record<string, unknown>>;

/** The document as an object of JSON. What its members are is not looked at. */
export function readSadJson(bytes: Uint8Array): { members: Members } | { fault: Denial } {
  const json = readStrictJson(bytes, { maxBytes: MAX_SAD_BYTES, maxDepth: MAX_DEPTH });
  if ("fault" in json) {
    const [code, words] = JSON_FAULTS[json.fault];
    return fault(code, json.at === 0 ? words : `${words}, at character ${json.at + 1}`);
  }
  if (typeof json.value !== "object" || json.value === null || Array.isArray(json.value))
    return fault(108, `the document is ${value(json.value)}, not an object`);
  return { members: json.value as Members };
}

const VERSION = /^(0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)$/;
/** `01.0` is a version to one reader and none to another. */
const TWO_NUMBERS = /^[0-9]+\.[0-9]+$/;

/** The MAJOR of both forms of a version: `"1.7"` and, before ATSA 1.0, the integer `1`. Empty for other numbers and texts, which
 *  are versions that nobody speaks. */
export function majorOf(version: unknown): string | undefined {
  if (typeof version === "number")
    return Number.isSafeInteger(version) && version >= 0 ? String(version) : "";
  if (typeof version !== "string") return undefined;
  return VERSION.exec(version)?.[1] ?? (TWO_NUMBERS.test(version) ? undefined : "");
}

/** Canonical base64: bits behind the last byte must be zero. Its length is for rule 6. */
const SIGNATURE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$/;
/** Printable ASCII that every JSON writer writes as it is. */
const MEMBER = /^[ !#-[\]-~]+$/;

function shapeFault(members: Members): Denial | undefined {
  const names = new Set(FIELDS.map(nameKey));
  for (const name of Object.keys(members))
    if (!isField(name) && names.has(nameKey(name)))
      return denial(120, `"${shown(name, 40)}" is no field of the format, but some readers take it for one`);

  for (const name of ["id", "publisher", "version"])
    if (!isText(members[name])) return denial(111, `${name}: want text, not ${value(members[name])}`);
  if (!isText(members.clearance))
    return denial(112, `clearance: want the name of a level, not ${value(members.clearance)}`);

  const { capabilities, netAllowedHosts, verification, signerKeyId, signature } = members;
  if (!isTexts(capabilities))
    return denial(113, `capabilities: want a list of texts, not ${value(capabilities)}`);
  const odd = capabilities.find((capability) => !MEMBER.test(capability));
  if (odd !== undefined) return denial(114, `capabilities: ${value(odd)} has characters that are not taken`);

  if (verification !== undefined && typeof verification !== "string")
    return denial(115, `verification: want text, not ${value(verification)}`);
  for (const [name, member] of Object.entries({ signerKeyId, signature }))
    if (member !== undefined && typeof member !== "string")
      return denial(116, `${name}: want text, not ${value(member)}`);
  // An empty text is not a malformed signature but none, which is for rule 2 to say.
  if (typeof signature === "string" && signature !== "" && !SIGNATURE.test(signature))
    return denial(117, `signature: want padded base64, not ${value(signature)}`);

  if (netAllowedHosts === undefined) return undefined;
  if (!isTexts(netAllowedHosts))
    return denial(118, `netAllowedHosts: want a list of texts, not ${value(netAllowedHosts)}`);
  const unbound = netAllowedHosts.find((host) => originKey(host) === undefined);
  return unbound === undefined
    ? undefined
    : denial(119, `netAllowedHosts: want https://host or https://host:port, not ${value(unbound)}`);
}

const isField = (name: string): boolean => (FIELDS as readonly string[]).includes(name);
/** What is left of a name in readers that ignore case or separators. */
const nameKey = (name: string): string => name.replace(/[-_\s]/g, "").toLowerCase();

const isText = (member: unknown): member is string => typeof member === "string" && member !== "";
const isTexts = (member: unknown): member is string[] =>
  Array.isArray(member) && member.every((item) => typeof item === "string");

/** Unknown members end here: nothing that is not signed goes on. */
function registered(members: Members): Sad {
  const kept = FIELDS.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]]);
  return Object.fromEntries(kept) as Sad;
}

const fault = (code: DenialCode, message: string): { fault: Denial } => ({ fault: denial(code, message) });

/** Attacker-controlled: short, printable, in one line. */
function value(member: unknown): string {
  if (member === undefined) return "nothing";
  if (Array.isArray(member)) return "a list";
  if (typeof member === "object" && member !== null) return "an object";
  return typeof member === "string" ? `"${shown(member, 80)}"` : String(member);
}
