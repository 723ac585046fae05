/** Everything a root is refused for, in the order in which it is asked. Implements spec/trust-root.md, ROO-1 to ROO-15. */
import { toBase64 } from "../keys/base64.ts";
import { isDerivedId, keyFromSeed, keyIdOf, weaknessOf } from "../keys/ed25519.ts";
import { type Envelope, type Signed, signedBy } from "../keys/envelope.ts";
import { fromInstant } from "../keys/instant.ts";
import { keyById, signerById, standingOf } from "./find.ts";
import { ROOT_PAYLOAD_TYPE, type TrustedKey, type TrustRoot } from "./format.ts";
import type { RootReason } from "./reasons.ts";

export interface RootOptions {
  readonly nowMs: number;
  readonly skewMs?: number;
  /** Takes keys whose private part everybody knows. For tests. */
  readonly allowTestKeys?: boolean;
  /** A root on the way to a newer one may have expired meanwhile. */
  readonly allowExpired?: boolean;
  /** The highest version seen so far, for a root that is read without the one before it. */
  readonly highestVersion?: number;
}

/** A root that came in, before and after its payload is read. */
export interface Incoming {
  readonly envelope: Envelope;
  readonly old?: TrustRoot;
  readonly options: RootOptions;
}
export interface Candidate extends Incoming {
  readonly root: TrustRoot;
}

export type RootCheck = { readonly reason: RootReason } & (
  | { readonly before: "reading"; readonly fault: (incoming: Incoming) => string | undefined }
  | { readonly before: "use"; readonly fault: (candidate: Candidate) => string | undefined }
);

const usable =
  ({ nowMs, skewMs = 60_000 }: RootOptions) =>
  (key: TrustedKey): boolean =>
    key.roles.includes("root") && standingOf(key, nowMs, skewMs) === "usable";

const signers = (envelope: Envelope, root: TrustRoot): Signed<TrustedKey> =>
  signedBy(envelope, (keyid) => signerById(root, keyid));

export const ROOT_CHECKS: readonly RootCheck[] = [
  {
    reason: "root-wrong-type",
    before: "reading",
    fault: ({ envelope }) =>
      envelope.payloadType === ROOT_PAYLOAD_TYPE
        ? undefined
        : "the envelope holds something else than a root",
  },
  {
    reason: "root-not-signed-by-old",
    before: "reading",
    fault: ({ envelope, old, options }) => {
      if (old === undefined) return undefined;
      const count = signers(envelope, old).by.filter(usable(options)).length;
      const { threshold, version } = old.content;
      return count >= threshold
        ? undefined
        : `${count} of ${threshold} signatures by root keys of version ${version}`;
    },
  },
  key("root-placeholder-key", ({ publicKey }) => weaknessOf(publicKey) === "placeholder"),
  key("root-weak-key", ({ publicKey }) => !["placeholder", undefined].includes(weaknessOf(publicKey))),
  key(
    "root-test-key",
    ({ publicKey }, { options }) => options.allowTestKeys !== true && testKeys().has(toBase64(publicKey)),
  ),
  key("root-key-id-mismatch", ({ id, publicKey }) => isDerivedId(id) && id !== keyIdOf(publicKey)),
  key("root-duplicate-key-id", ({ id }, { root }) => root.keys.filter((other) => other.id === id).length > 1),
  key(
    "root-duplicate-key",
    ({ publicKey }, { root }) =>
      root.keys.filter((other) => toBase64(other.publicKey) === toBase64(publicKey)).length > 1,
  ),
  level("root-equal-ranks", (levels) => firstTwice(levels.map(({ rank }) => rank))),
  level("root-duplicate-level", (levels) =>
    firstTwice(levels.flatMap(({ name, aliases = [] }) => [name, ...aliases])),
  ),
  key("root-unknown-level", ({ approvedClearances }, { root }) => {
    const names = root.content.scheme.levels.map(({ name }) => name);
    return approvedClearances.some((name) => !names.includes(name));
  }),
  key("root-key-for-every-level", ({ approvedClearances }, { root }) => {
    const { levels } = root.content.scheme;
    return levels.length > 1 && levels.every(({ name }) => approvedClearances.includes(name));
  }),
  {
    reason: "root-threshold-unreachable",
    before: "use",
    fault: ({ root }) => {
      const count = root.keys.filter((each) => each.roles.includes("root") && each.state === "active").length;
      const { threshold } = root.content;
      return count >= threshold ? undefined : `a threshold of ${threshold} with ${count} active root keys`;
    },
  },
  {
    reason: "root-bad-signature",
    before: "use",
    fault: ({ envelope, root }) => {
      const [id] = signers(envelope, root).broken;
      return id === undefined ? undefined : `the signature of ${id} does not fit`;
    },
  },
  {
    reason: "root-too-few-signatures",
    before: "use",
    fault: ({ envelope, root, options }) => {
      const count = signers(envelope, root).by.filter(usable(options)).length;
      const { threshold } = root.content;
      return count >= threshold ? undefined : `${count} of ${threshold} signatures by its own root keys`;
    },
  },
  {
    reason: "root-rollback",
    before: "use",
    fault: ({ root, old, options }) => {
      const { version } = root.content;
      const least = Math.max(old === undefined ? 1 : old.content.version + 1, options.highestVersion ?? 1);
      return version >= least ? undefined : `version ${version}, where ${least} is the least`;
    },
  },
  {
    reason: "root-version-gap",
    before: "use",
    fault: ({ root, old }) =>
      old === undefined || root.content.version <= old.content.version + 1
        ? undefined
        : `version ${root.content.version} does not follow ${old.content.version}`,
  },
  key("root-key-id-reused", ({ id, publicKey }, { old }) => {
    const before = old && keyById(old, id);
    return before !== undefined && toBase64(before.publicKey) !== toBase64(publicKey);
  }),
  {
    reason: "root-key-restored",
    before: "use",
    fault: ({ root, old }) => {
      const restored = root.keys.find((each) =>
        old?.keys.some(
          (before) =>
            before.state === "revoked" &&
            each.state !== "revoked" &&
            toBase64(before.publicKey) === toBase64(each.publicKey),
        ),
      );
      return restored && `${restored.id} was revoked`;
    },
  },
  {
    reason: "root-not-yet-valid",
    before: "use",
    fault: ({ root, options: { nowMs, skewMs = 60_000 } }) =>
      Number(fromInstant(root.content.issuedAt)) <= nowMs + skewMs
        ? undefined
        : `it is issued at ${root.content.issuedAt}`,
  },
  {
    reason: "root-expired",
    before: "use",
    fault: ({ root, options: { nowMs, allowExpired = false } }) =>
      allowExpired || nowMs < root.expiresAtMs ? undefined : `it expired at ${root.content.expiresAt}`,
  },
];

/** A check that each key has to pass. */
function key(reason: RootReason, isWrong: (key: TrustedKey, candidate: Candidate) => boolean): RootCheck {
  const fault = (candidate: Candidate): string | undefined => {
    const wrong = candidate.root.keys.find((each) => isWrong(each, candidate));
    return wrong && `key ${wrong.id}`;
  };
  return { reason, before: "use", fault };
}

function level(
  reason: RootReason,
  twice: (levels: TrustRoot["content"]["scheme"]["levels"]) => string | number | undefined,
): RootCheck {
  const fault = ({ root }: Candidate): string | undefined => {
    const found = twice(root.content.scheme.levels);
    return found === undefined ? undefined : `${found} stands twice in ${root.content.scheme.name}`;
  };
  return { reason, before: "use", fault };
}

const firstTwice = <Item>(items: readonly Item[]): Item | undefined =>
  items.find((item, index) => items.indexOf(item) !== index);

let known: ReadonlySet<string> | undefined;

/** Keys of seeds that are one digit 64 times: those of published vectors, ours and ATSA's. */
function testKeys(): ReadonlySet<string> {
  known ??= new Set(
    [..."0123456789abcdef"].flatMap((digit) => {
      const key = keyFromSeed(Buffer.from(digit.repeat(64), "hex"));
      return key === undefined ? [] : [toBase64(key.publicKey)];
    }),
  );
  return known;
}
