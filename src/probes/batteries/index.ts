/** The digests of the texts that a method sends: who has them can tell that two runs sent the same. */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../core/index.ts";
import { BAITS, JAILBREAKS, MALFORMED } from "./litmus-v5.ts";

const digest = (value: unknown): string =>
  `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;

/** Both methods send the same. */
export const batteryDigests = (): Readonly<Record<string, string>> => ({
  "litmus-v5/bait": digest(BAITS),
  "litmus-v5/jailbreak": digest(JAILBREAKS),
  "litmus-v5/malformed": digest(MALFORMED),
});
