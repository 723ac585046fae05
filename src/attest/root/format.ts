/** The trust root as a value: whose signatures count, for what, and which levels there are. Implements spec/trust-root.md. */
import * as v from "valibot";
import { fromBase64 } from "../keys/base64.ts";
import { fromInstant } from "../keys/instant.ts";
import { isOrigin } from "./origin.ts";

export const ROOT_FORMAT = "touchstone/trust-root/1";
/** Its own type, so that no signature of a root can be taken for one of anything else. */
export const ROOT_PAYLOAD_TYPE = "application/vnd.touchstone.trust-root+json";

const MAX_KEYS = 256;
const MAX_LEVELS = 64;
const MAX_REVOKED = 4096;

// What people read aloud and type: nothing that looks like something else.
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/;
export const DIGEST = /^sha256:[0-9a-f]{64}$/;

const name = v.pipe(v.string(), v.maxLength(128), v.regex(NAME));
export const instant = v.pipe(
  v.string(),
  v.check((text) => fromInstant(text) !== undefined, "not an instant in UTC"),
);
export const origin = v.pipe(v.string(), v.check(isOrigin, "not an origin"));
export const digest = v.pipe(v.string(), v.regex(DIGEST));
const natural = v.pipe(v.number(), v.safeInteger());
export const positive = v.pipe(natural, v.minValue(1));
const listOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(
    v.array(item),
    v.maxLength(most),
    v.check((items) => new Set(items).size === items.length, "an item stands twice"),
    v.readonly(),
  );

const ROLES = ["root", "clearance", "grade", "exemption"] as const;
export type Role = (typeof ROLES)[number];

const rootKey = v.pipe(
  v.strictObject({
    id: name,
    publicKey: v.pipe(
      v.string(),
      v.check((text) => fromBase64(text)?.length === 32, "not 32 bytes in strict base64"),
    ),
    state: v.picklist(["active", "retired", "revoked"]),
    roles: v.pipe(listOf(v.picklist(ROLES), ROLES.length), v.minLength(1)),
    approvedClearances: v.optional(listOf(name, MAX_LEVELS)),
    origins: v.optional(v.pipe(listOf(origin, 256), v.minLength(1))),
    notBefore: v.optional(instant),
    notAfter: v.optional(instant),
    revokedFrom: v.optional(instant),
  }),
  v.check(
    ({ state, revokedFrom }) => revokedFrom === undefined || state === "revoked",
    "revokedFrom without being revoked",
  ),
  v.check(
    ({ roles, approvedClearances }) =>
      roles.includes("clearance") === (approvedClearances !== undefined && approvedClearances.length > 0),
    "approvedClearances belong to keys for clearances, and to all of them",
  ),
  v.check(
    ({ roles }) => !roles.includes("exemption") || !(roles.includes("grade") || roles.includes("clearance")),
    "who vouches for servers does not waive what vouches for them",
  ),
  v.check(
    ({ notBefore, notAfter }) =>
      notBefore === undefined ||
      notAfter === undefined ||
      Number(fromInstant(notBefore)) < Number(fromInstant(notAfter)),
    "ends before it begins",
  ),
  v.readonly(),
);

const level = v.pipe(
  v.strictObject({
    name,
    rank: v.pipe(natural, v.minValue(0)),
    aliases: v.optional(listOf(name, 16)),
  }),
  v.readonly(),
);

export const rootSchema = v.pipe(
  v.strictObject({
    format: v.literal(ROOT_FORMAT),
    version: positive,
    issuedAt: instant,
    expiresAt: instant,
    threshold: positive,
    scheme: v.pipe(
      v.strictObject({
        name,
        levels: v.pipe(v.array(level), v.minLength(1), v.maxLength(MAX_LEVELS), v.readonly()),
      }),
      v.readonly(),
    ),
    keys: v.pipe(v.array(rootKey), v.minLength(1), v.maxLength(MAX_KEYS), v.readonly()),
    revokedStatements: v.optional(listOf(digest, MAX_REVOKED), []),
  }),
  v.check(
    ({ issuedAt, expiresAt }) => Number(fromInstant(issuedAt)) < Number(fromInstant(expiresAt)),
    "expires before it is issued",
  ),
  v.readonly(),
);

export type RootContent = v.InferOutput<typeof rootSchema>;
export type RootKey = RootContent["keys"][number];
export type Scheme = RootContent["scheme"];

/** A key ready for use. */
export interface TrustedKey {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly state: RootKey["state"];
  readonly roles: readonly Role[];
  readonly approvedClearances: readonly string[];
  readonly origins?: readonly string[];
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  readonly revokedFromMs?: number;
}

/** A root that was read and found good. */
export interface TrustRoot {
  readonly content: RootContent;
  /** Of the signed bytes. */
  readonly digest: string;
  readonly expiresAtMs: number;
  readonly keys: readonly TrustedKey[];
}
