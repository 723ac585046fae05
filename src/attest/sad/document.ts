/** The clearance assertion as values, and the bytes that are signed. Implements spec/sad.md, SAD-1 to SAD-4. */
import { createHash } from "node:crypto";
import { byUnits } from "../../core/index.ts";

/** What a signature covers. */
export interface SadBody {
  /** `"1.0"` in ATSA 1.0, the integer `1` in the draft before it. */
  readonly v: string | number;
  readonly id: string;
  readonly publisher: string;
  readonly version: string;
  /** The name or an alias of a level in the scheme of the host. */
  readonly clearance: string;
  readonly capabilities: readonly string[];
  readonly signerKeyId?: string;
  /** Origins the document is bound to. Absent or empty: whoever serves a copy can use it. */
  readonly netAllowedHosts?: readonly string[];
  readonly verification?: string;
}

/** A document of version 1, as `readSad` lets it through. It is not verified by being one. */
export interface Sad extends SadBody {
  readonly signature?: string;
}

/** In the order of UTF-16 code units, which is the order they are signed in. */
const SIGNED = [
  "capabilities",
  "clearance",
  "id",
  "netAllowedHosts",
  "publisher",
  "signerKeyId",
  "v",
  "verification",
  "version",
] as const satisfies readonly (keyof SadBody)[];

/** Every field of the format, in the order they are published. */
export const FIELDS = [
  "v",
  "id",
  "publisher",
  "version",
  "clearance",
  "capabilities",
  "netAllowedHosts",
  "verification",
  "signerKeyId",
  "signature",
] as const satisfies readonly (keyof Sad)[];

/** The bytes that are signed. This is not RFC 8785: fields are chosen, and lists are in the order of their members' texts. */
export function canonicalBody(sad: SadBody): Uint8Array {
  const members = SIGNED.flatMap((name) => {
    const value = sad[name] === undefined && name === "signerKeyId" ? null : sad[name];
    return value === undefined ? [] : [`"${name}":${canonicalText(value)}`];
  });
  return new TextEncoder().encode(`{${members.join(",")}}`);
}

function canonicalText(value: string | number | null | readonly string[]): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  // Members are written first and sorted then: a space sorts before the quote that ends a shorter text.
  return `[${value.map(canonicalText).sort(byUnits).join(",")}]`;
}

/** Names a document by its bytes as they were served, whitespace included. */
export const sadDigest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
