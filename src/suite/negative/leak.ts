/** Whether an answer shows the inside of a server: traces, places in files, keys. What it merely repeats of the request is none. */
import { shown } from "../../core/index.ts";
import { internalsLeak } from "../../scan/index.ts";
import { textsIn } from "./evidence.ts";

export interface Leak {
  readonly what: string;
  /** Foreign; bounded and safe to print. Of a key only its beginning. */
  readonly evidence: string;
  /** A trace or a key; a path or a line that only smells of one is none. */
  readonly isHard: boolean;
}

/** More of an answer is not read. */
const MAX_CHARS = 200_000;
const MAX_EVIDENCE_CHARS = 120;
const MAX_KEY_CHARS = 12;
/** Shorter texts are repeated by chance. */
const MIN_ECHO_CHARS = 6;

/** Beginnings that issuers give their keys so that they are recognised. */
const KEYS: readonly (readonly [what: string, shape: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/],
  ["a GitHub token", /\b(?:gh[opsru]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})/],
  ["a GitLab token", /\bgl(?:pat|ptt|rt)-[A-Za-z0-9_-]{16,}/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Google API key", /\bAIza[A-Za-z0-9_-]{30,}/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ["a Stripe key", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/],
  ["an API key that begins with sk-", /\bsk-[A-Za-z0-9_-]{16,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{30,}/],
  ["a signed token (JWT)", /\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,}/],
  ["a password in an address", /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,64}:[^\s/:@]{3,64}@/],
];

/** `sent` is what the request carried. */
export function leaksIn(text: string, sent: unknown): readonly Leak[] {
  const read = text.slice(0, MAX_CHARS);
  const ours = textsIn(sent).filter((one) => one.length >= MIN_ECHO_CHARS);
  const isOurs = (piece: string): boolean => ours.some((one) => one.includes(piece));
  const traces = internalsLeak(read)
    .filter(({ evidence }) => !isOurs(evidence.trim()) && !isOnlyOurPath(evidence, isOurs))
    .map(
      ({ message, evidence, severity }): Leak => ({
        what: message,
        evidence: shown(evidence, MAX_EVIDENCE_CHARS),
        isHard: severity === "fail",
      }),
    );
  const keys = KEYS.flatMap(([what, shape]): Leak[] => {
    const [found] = shape.exec(read) ?? [];
    if (found === undefined || isOurs(found)) return [];
    return [{ what, evidence: `${shown(found, MAX_KEY_CHARS)}`, isHard: true }];
  });
  return [...keys, ...traces];
}

const PATH = /(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]+){2,}/g;

/** An error about a path that the request named. */
function isOnlyOurPath(evidence: string, isOurs: (piece: string) => boolean): boolean {
  const paths = evidence.match(PATH) ?? [];
  return paths.length > 0 && paths.every(isOurs);
}
