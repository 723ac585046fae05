/** Says which of the three dialects a document is in and whether its signature fits there. For people who look for what went
 *  wrong; nothing here admits anything. Implements spec/sad.md, SAD-28. */
import { asText, byUnits } from "../../core/index.ts";
import type { Denial } from "../codes.ts";
import { verifies, weaknessOf } from "../keys/ed25519.ts";
import { canonicalBody, FIELDS, type SadBody } from "./document.ts";
import { majorOf, readSad, readSadJson } from "./read.ts";

/** ATSA 1.0 (`"1.0"`), the SEP before it (the integer 1), and enclawed-oss, which signs other bytes and names bare hosts. */
export type Dialect = "atsa-1.0" | "sep-2809" | "enclawed-oss";

export interface Inspection {
  /** Those the document can be in. A signature that fits leaves one; without a key the last two are hard to tell apart. */
  readonly dialects: readonly Dialect[];
  /** The members of the format, as they stand there. */
  readonly holds: Readonly<Record<string, unknown>>;
  /** Names of members that no signature covers. */
  readonly unsigned: readonly string[];
  readonly signature: "fits" | "does-not-fit" | "no-key-given" | "key-unusable" | "missing" | "malformed";
  /** Why `readSad` refuses the document, where it does. */
  readonly fault?: Denial;
}

/** `publicKey` is raw, 32 bytes. Bytes that are no JSON object have a fault and nothing else. */
export function inspectSad(bytes: Uint8Array, publicKey?: Uint8Array): Inspection {
  const read = readSad(bytes);
  const fault = "fault" in read ? { fault: read.fault } : {};
  const json = readSadJson(bytes);
  if ("fault" in json) return { dialects: [], holds: {}, unsigned: [], signature: "missing", ...fault };

  const { members } = json;
  const names = Object.keys(members);
  const isField = (name: string): boolean => (FIELDS as readonly string[]).includes(name);
  const held = {
    holds: Object.fromEntries(names.filter(isField).map((name) => [name, members[name]])),
    unsigned: names.filter((name) => !isField(name)),
    ...fault,
  };
  const candidates = candidatesOf(members, "sad" in read ? read.sad : undefined);
  const told = (
    signature: Inspection["signature"],
    dialects: readonly Dialect[] = candidates.map(({ dialect }) => dialect),
  ) => ({ dialects, ...held, signature });

  if (members.signature === undefined || members.signature === "") return told("missing");
  const signature = Buffer.from(asText(members.signature), "base64");
  if (signature.length !== 64) return told("malformed");
  if (publicKey === undefined) return told("no-key-given");
  if (weaknessOf(publicKey) !== undefined) return told("key-unusable");
  const fitting = candidates.filter(({ body }) => body && verifies(publicKey, body, signature));
  return fitting.length === 0
    ? told("does-not-fit")
    : told(
        "fits",
        fitting.map(({ dialect }) => dialect),
      );
}

interface Candidate {
  readonly dialect: Dialect;
  /** What is signed in it; nothing where the document has not the shape. */
  readonly body: Uint8Array | undefined;
}

function candidatesOf(members: Readonly<Record<string, unknown>>, sad: SadBody | undefined): Candidate[] {
  const body = sad && canonicalBody(sad);
  if (members.v !== 1) return majorOf(members.v) === "1" ? [{ dialect: "atsa-1.0", body }] : [];
  const hosts = Array.isArray(members.netAllowedHosts) ? members.netAllowedHosts.map(asText) : [];
  const origins = hosts.filter((host) => host.includes("://"));
  const candidates: Candidate[] = [];
  if (origins.length === hosts.length) candidates.push({ dialect: "sep-2809", body });
  if (origins.length === 0) candidates.push({ dialect: "enclawed-oss", body: enclawedBody(members) });
  return candidates;
}

/** Values become text and lose the space around them; lists are sorted before they are written, and always there; an absent
 *  `verification` is the bare word. */
function enclawedBody(members: Readonly<Record<string, unknown>>): Uint8Array {
  const text = (value: unknown): string => JSON.stringify(asText(value ?? "").trim());
  const list = (value: unknown): string =>
    `[${(Array.isArray(value) ? value : [])
      .map((item) => asText(item).trim())
      .sort(byUnits)
      .map(text)
      .join(",")}]`;
  const verification = members.verification === undefined ? "undefined" : text(members.verification);
  return new TextEncoder().encode(
    `{"capabilities":${list(members.capabilities)},"clearance":${text(members.clearance)},"id":${text(members.id)},` +
      `"netAllowedHosts":${list(members.netAllowedHosts)},"publisher":${text(members.publisher)},` +
      `"signerKeyId":${text(members.signerKeyId)},"v":1,"verification":${verification},"version":${text(members.version)}}`,
  );
}
