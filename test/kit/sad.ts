/** Assertions for tests: the published test keys, roots and cases of spec/vectors/sad, and documents signed on the spot. */
import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromInstant } from "../../src/attest/keys/instant.ts";
import {
  readSad,
  type Sad,
  type SadAnchors,
  type SadContext,
  type SadKey,
  type SadReading,
} from "../../src/attest/sad/index.ts";
import { defined } from "../../src/core/index.ts";
import { root } from "./paths.ts";
import { otherCanonicalBody } from "./sad-canonical.ts";
import { vectors } from "./vectors.ts";

export interface Expected {
  readonly status: "admitted" | "denied";
  readonly reason?: string;
  readonly code?: number;
  readonly level?: string;
  readonly rank?: number;
  readonly keyId?: string;
}

interface Told {
  /** Who made the case. */
  readonly provenance: string;
  /** What must say no: `intake`, `rule 0` to `rule 9`, or `none`. */
  readonly layer: string;
  readonly expect: Expected;
  /** What ATSA 1.0 alone answers, where it is something else. */
  readonly base?: Expected;
}

export interface DocumentCase extends Told {
  readonly root: string;
  /** The exact text; null where nothing is published. */
  readonly document: string | null;
  readonly encoding?: "base64";
  /** Spaces follow until there are so many bytes. */
  readonly padTo?: number;
  readonly context: {
    readonly origin: string;
    readonly requiredClearance: string;
    readonly now: string;
    readonly skewMs?: number;
  };
  readonly canonicalBody?: string;
}

export interface ToolCase extends Told {
  readonly allowed: readonly string[];
  readonly tool: string;
}

export interface DialectCase {
  readonly provenance: string;
  readonly document: string;
  readonly publicKey: string;
  readonly inspect: { readonly dialects: readonly string[]; readonly signature: string };
}

type Named<Case> = Case & { readonly file: string; readonly about: string };

const cases = vectors<DocumentCase | ToolCase | DialectCase>("sad");
export const documentCases = cases.filter((one): one is Named<DocumentCase> => "context" in one);
export const toolCases = cases.filter((one): one is Named<ToolCase> => "tool" in one);
export const dialectCases = cases.filter((one): one is Named<DialectCase> => "inspect" in one);

export function bytesOf({ document, encoding, padTo = 0 }: Omit<DocumentCase, keyof Told>): Buffer {
  const bytes = Buffer.from(document ?? "", encoding ?? "utf8");
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, padTo - bytes.length), " ")]);
}

export const readingOf = (one: DocumentCase): SadReading =>
  one.document === null ? { absent: true } : readSad(bytesOf(one));

export const contextOf = ({ context }: DocumentCase): SadContext => ({
  ...context,
  now: new Date(context.now),
});

interface RootFile {
  readonly scheme: SadAnchors["scheme"];
  readonly keys: readonly {
    readonly id: string;
    readonly publicKey: string;
    readonly state?: SadKey["state"];
    readonly notBefore?: string;
    readonly notAfter?: string;
    readonly revokedFrom?: string;
    readonly approvedClearances: readonly string[];
    readonly origins?: readonly string[];
  }[];
}

/** A root of spec/vectors/sad/roots: the one of ATSA 1.0, whose keys have no state, or one with what ours have beside it. */
export function anchorsOf(name: string): SadAnchors {
  const file = readFileSync(join(root, "spec/vectors/sad/roots", `${name}.json`), "utf8");
  const { scheme, keys } = JSON.parse(file) as RootFile;
  const ms = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : (fromInstant(text) ?? Number.NaN);
  const entries = keys.map((key): [string, SadKey] => [
    key.id,
    {
      publicKey: Buffer.from(key.publicKey, "base64"),
      state: key.state ?? "active",
      approvedClearances: key.approvedClearances,
      ...defined({
        notBeforeMs: ms(key.notBefore),
        notAfterMs: ms(key.notAfter),
        revokedFromMs: ms(key.revokedFrom),
        origins: key.origins,
      }),
    },
  ]);
  return { scheme, keys: new Map(entries) };
}

/** The seeds are constants that everybody knows: 32 times the same byte. */
export function testKey(byte: number): KeyObject {
  const head = Buffer.from("302e020100300506032b657004220420", "hex");
  return createPrivateKey({
    key: Buffer.concat([head, Buffer.alloc(32, byte)]),
    format: "der",
    type: "pkcs8",
  });
}
export const TEST_SEEDS: Readonly<Record<string, number>> = {
  "key-prod-2026": 0x11,
  "key-expired": 0x22,
  "key-restricted": 0x33,
  "key-untrusted": 0x44,
};

export const WEATHER = {
  v: "1.0",
  id: "urn:omcp:server:weather",
  publisher: "Example Tools Ltd",
  version: "2.3.1",
  clearance: "internal",
  capabilities: ["mcp-server"],
  signerKeyId: "key-prod-2026",
} as const satisfies Sad;

export const AT_WEATHER: DocumentCase["context"] = {
  origin: "https://tools.example.com",
  requiredClearance: "internal",
  now: "2026-06-01T12:00:00Z",
};

/** Signed, whatever it holds: also what `signSad` refuses. */
export function signed<Document extends object>(
  document: Document,
  seed = 0x11,
): Document & { signature: string } {
  const body = otherCanonicalBody(document);
  return { ...document, signature: sign(null, body, testKey(seed)).toString("base64") };
}
