/** Why an assertion or a tool is not admitted: every reason and code, in one table. Implements spec/sad.md, SAD-5 and SAD-6.
 *  0 to 9 are those of ATSA 1.0. Ours begin at 100; each stands under a reason of ATSA 1.0, so that others understand it. */

export type DenialReason =
  | "unsupported_version"
  | "not_mcp_server"
  | "unsigned"
  | "signer_not_trusted"
  | "signer_expired"
  | "signer_not_approved"
  | "bad_signature"
  | "below_required"
  | "host_not_bound"
  | "tool_not_admitted";

export interface DenialRow {
  readonly reason: DenialReason;
  readonly title: string;
  /** What whoever is denied can do. */
  readonly hint: string;
}

const RESERVE = "publish the document again, as one JSON object in UTF-8, written by a JSON library";
const RESIGN = "correct the document and sign it again";
const ROOT = "ask the operator of the host what its trust root holds";

export const denialTable = {
  0: {
    reason: "unsupported_version",
    title: "the document is of a version that is not spoken here",
    hint: "publish a document of version 1.x",
  },
  1: {
    reason: "not_mcp_server",
    title: "there is no document, or it does not speak of an MCP server",
    hint: 'publish a document at /.well-known/mcp-attestation whose capabilities hold "mcp-server"',
  },
  2: {
    reason: "unsigned",
    title: "the document has no signature or names no key",
    hint: "sign the document; both signerKeyId and signature are needed",
  },
  3: {
    reason: "signer_not_trusted",
    title: "the key that the document names is not in the trust root",
    hint: "have the document signed by a key of the trust root, or have the key added to it after checking whose it is",
  },
  4: {
    reason: "signer_expired",
    title: "the key that signed has reached its end",
    hint: "sign again with a key that is still valid",
  },
  5: {
    reason: "signer_not_approved",
    title: "the level is unknown, or the key may not vouch for it",
    hint: "have the document signed by a key that is approved for this very level, or assert a level it is approved for",
  },
  6: {
    reason: "bad_signature",
    title: "the signature does not fit the document",
    hint: "the document was changed after it was signed, or was signed with another key: fetch it anew or sign it again",
  },
  7: {
    reason: "below_required",
    title: "the asserted level is below the one that is required",
    hint: "require a lower level for this server, or have it attested for a higher one",
  },
  8: {
    reason: "host_not_bound",
    title: "the document is bound to other origins than the one connected to",
    hint: "connect to an origin that the document names, or have this one added and signed",
  },
  9: {
    reason: "tool_not_admitted",
    title: "the tool is not on the list of this server",
    hint: "add the exact name to the server's list if the tool is wanted",
  },

  100: {
    reason: "not_mcp_server",
    title: "the document is larger than 64 KiB",
    hint: "publish a smaller one",
  },
  101: {
    reason: "not_mcp_server",
    title: "the document begins with a byte order mark",
    hint: "save it as UTF-8 without one",
  },
  102: { reason: "not_mcp_server", title: "the document is not UTF-8", hint: RESERVE },
  103: { reason: "not_mcp_server", title: "the document is not JSON", hint: RESERVE },
  104: {
    reason: "not_mcp_server",
    title: "the document holds a name twice in one object",
    hint: "two readers could see two documents: leave one of them out",
  },
  105: {
    reason: "not_mcp_server",
    title: "the document is nested deeper than 8 levels",
    hint: "leave out members that are not part of the format",
  },
  106: {
    reason: "not_mcp_server",
    title: "the document holds a name that reaches into a language",
    hint: "leave out __proto__, prototype and constructor",
  },
  107: { reason: "not_mcp_server", title: "the document holds half of a character", hint: RESERVE },
  108: { reason: "not_mcp_server", title: "the document is not a JSON object", hint: RESERVE },
  109: {
    reason: "unsupported_version",
    title: "the version is missing, no text or number, or has leading zeros",
    hint: 'write v as "1.0" or as the integer 1',
  },
  110: {
    reason: "unsupported_version",
    title: "the document is of another version and does not have the shape of version 1",
    hint: "publish a document of version 1.x",
  },
  111: {
    reason: "not_mcp_server",
    title: "id, publisher or version is missing, empty or not text",
    hint: RESIGN,
  },
  112: { reason: "signer_not_approved", title: "the clearance is missing, empty or not text", hint: RESIGN },
  113: { reason: "not_mcp_server", title: "capabilities is not a list of texts", hint: RESIGN },
  114: {
    reason: "not_mcp_server",
    title: "a capability is empty, or has a quote, a backslash or a character that is not printable ASCII",
    hint: "writers of JSON write such texts differently and would sign different bytes: rename it and sign again",
  },
  115: { reason: "not_mcp_server", title: "verification is not text", hint: RESIGN },
  116: { reason: "unsigned", title: "signerKeyId or signature is not text", hint: RESIGN },
  117: {
    reason: "bad_signature",
    title: "the signature is not padded base64",
    hint: "write it in the standard alphabet with padding: 88 characters, the last two of them =",
  },
  118: {
    reason: "host_not_bound",
    title: "netAllowedHosts is not a list of texts",
    hint: "write a list of origins, and sign again",
  },
  119: {
    reason: "host_not_bound",
    title: "netAllowedHosts holds something else than bare origins",
    hint: "write each as https://host or https://host:port, nothing after it, and sign again",
  },
  120: {
    reason: "not_mcp_server",
    title: "the document holds a name that some readers take for one of the format",
    hint: "leave it out: it is not covered by the signature",
  },

  130: { reason: "signer_not_trusted", title: "the key that signed was revoked", hint: ROOT },
  131: {
    reason: "signer_expired",
    title: "the key that signed is retired",
    hint: "sign again with a key that is in use",
  },
  132: {
    reason: "signer_expired",
    title: "the key that signed is not valid yet",
    hint: "wait until its notBefore, or check the clock of this machine",
  },
  133: { reason: "signer_not_approved", title: "the key may not vouch for this origin", hint: ROOT },
  134: {
    reason: "bad_signature",
    title: "the pinned key is no usable Ed25519 key",
    hint: "replace it in the trust root: 32 bytes, a canonical point that is not of small order",
  },
  135: {
    reason: "tool_not_admitted",
    title: "the name is no name a tool can have",
    hint: "names have 1 to 64 characters of A-Z a-z 0-9 _ - . /",
  },
} as const satisfies Readonly<Record<number, DenialRow>>;

export type DenialCode = keyof typeof denialTable;

/** A denial as it is told, logged and recorded. */
export interface Denial {
  readonly reason: DenialReason;
  readonly code: DenialCode;
  /** What was seen. Foreign text in it is made fit for a terminal. */
  readonly message: string;
}

export const denial = (code: DenialCode, message: string): Denial => ({
  reason: denialTable[code].reason,
  code,
  message,
});

/** The row of a code, or nothing where there is no such code. */
export function explainDenial(code: number): DenialRow | undefined {
  return Object.hasOwn(denialTable, code) ? denialTable[code as DenialCode] : undefined;
}
