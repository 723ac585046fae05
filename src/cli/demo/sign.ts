/** Step 2: keys, a trust root, and a signed statement for each, the bad letter like the good ones. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  addKey,
  createRoot,
  draftRoot,
  generateKey,
  type SigningKey,
  type StatementPolicy,
  type StatementVerdict,
  type TrustRoot,
  verifyStatement,
} from "../../attest/index.ts";
import { count, TrustError } from "../../core/index.ts";
import { signFolder } from "../attest/sign.ts";
import type { Words } from "../command.ts";
import { commandOf, NAMES, type Name } from "./cast.ts";
import { type Bundles, evidenceOf } from "./grade.ts";
import type { Scene } from "./story.ts";

export const ROOT_FILE = "root.json";
/** In the folder of its evidence. */
export const STATEMENT_FILE = "statement.json";
const METHOD = "touchstone-1";
const DAY_MS = 86_400_000;

export interface Signed {
  readonly grader: string;
  readonly rootKey: string;
  readonly verdicts: Readonly<Record<Name, StatementVerdict>>;
  /** The letter of the hostile server, changed by hand. */
  readonly forged: StatementVerdict;
}

/** The keys are made for this run, and stay in this process. */
export async function signAll(folder: string, nowMs: number): Promise<Signed> {
  const [rootKey, grader] = [generateKey(), generateKey()];
  const root = rootOf(folder, rootKey, grader, nowMs);
  for (const name of NAMES) {
    const evidence = evidenceOf(folder, name);
    await signFolder(evidence, evidence, ONE_DAY, [grader]);
  }
  // The statements were issued a moment ago: the clock has moved on.
  const verified = (name: Name, bytes: Uint8Array): StatementVerdict =>
    verifyStatement(bytes, root, policyFor(name, Date.now()));
  const verdicts = NAMES.map((name) => [name, verified(name, statementOf(folder, name))] as const);
  return {
    grader: grader.id,
    rootKey: rootKey.id,
    verdicts: Object.fromEntries(verdicts) as Signed["verdicts"],
    forged: verified("weather", withLetter(statementOf(folder, "weather"), "F", "A")),
  };
}

const ONE_DAY: Words = {
  positionals: [],
  rest: undefined,
  text: (name) => (name === "days" ? "1" : undefined),
  texts: () => [],
  flag: () => false,
};

const statementOf = (folder: string, name: Name): Buffer =>
  readFileSync(join(evidenceOf(folder, name), STATEMENT_FILE));

const policyFor = (name: Name, nowMs: number): StatementPolicy => ({
  nowMs,
  threshold: 1,
  acceptedMethods: [METHOD],
  command: commandOf(name),
});

function rootOf(folder: string, rootKey: SigningKey, grader: SigningKey, nowMs: number): TrustRoot {
  const empty = draftRoot(1, { name: "demo", levels: [{ name: "public", rank: 0 }] });
  const withRoot = addKey(empty, { key: rootKey, roles: ["root"] });
  const draft = addKey(withRoot, { key: grader, roles: ["grade"] });
  const term = { issuedAtMs: nowMs, expiresAtMs: nowMs + DAY_MS };
  const made = createRoot(draft, term, [rootKey], { nowMs });
  if (made.status !== "read") throw new TrustError("ATT_UNUSABLE", `no root came about: ${made.message}`);
  writeFileSync(join(folder, ROOT_FILE), made.bytes);
  return made.root;
}

/** A statement with another letter under the same signatures. */
export function withLetter(bytes: Uint8Array, from: string, to: string): Buffer {
  const envelope = JSON.parse(Buffer.from(bytes).toString("utf8")) as { payload: string };
  const text = Buffer.from(envelope.payload, "base64").toString("utf8");
  const changed = text.replaceAll(`"grade":"${from}"`, `"grade":"${to}"`);
  if (changed === text) throw new TrustError("ATT_UNUSABLE", `there is no grade ${from} in this statement`);
  return Buffer.from(JSON.stringify({ ...envelope, payload: Buffer.from(changed).toString("base64") }));
}

export function signScene({ grader, rootKey, verdicts, forged }: Signed, bundles: Bundles): Scene {
  const accepted = NAMES.flatMap((name) => {
    const verdict = verdicts[name];
    return verdict.status === "accepted" ? [{ name, verdict }] : [];
  });
  const letters = accepted.map(({ name, verdict }) => `${name} ${verdict.grades[0]?.grade ?? "none"}`);
  const tools = accepted.flatMap(({ name, verdict }) =>
    [...verdict.tools].map(([tool, digest]) => [name, tool, digest] as const),
  );
  const isSame = (name: Name): boolean => {
    const verdict = verdicts[name];
    if (verdict.status !== "accepted") return false;
    return verdict.grades.length > 0 && verdict.grades.every(({ grade }) => grade === bundles[name].grade);
  };
  return {
    id: "sign",
    claims: [
      {
        claim: "each statement holds under the trust root, for the command that was graded",
        holds:
          accepted.length === NAMES.length &&
          accepted.every(
            ({ verdict }) => verdict.signers.includes(grader) && verdict.compared.includes("command"),
          ),
      },
      { claim: "each says the letter of its evidence, F as well as A", holds: NAMES.every(isSame) },
      {
        claim: "each names every tool by its digest",
        holds: accepted.every(
          ({ name, verdict }) => verdict.tools.size === bundles[name].coverage.advertised,
        ),
      },
      {
        claim: "an F that was made an A by hand is refused",
        holds: forged.status === "refused" && forged.reason === "bad-signature",
      },
    ],
    shows: [
      {
        word: "signed",
        tone: "good",
        what: letters.join(", "),
        text: `and ${count(tools.length, "tool")} by digest, with a key that the trust root names`,
      },
      {
        word: forged.status === "refused" ? "refused" : "accepted",
        tone: "bad",
        what: "weather A",
        text: `its F, made an A by hand${forged.status === "refused" ? `: ${forged.reason} (code ${forged.code})` : ""}`,
      },
    ],
    exhibits: [{ kind: "table", name: "What was signed", head: ["Server", "Tool", "Digest"], rows: tools }],
    facts: {
      grader,
      rootKey,
      statements: NAMES.map((name) => {
        const verdict = verdicts[name];
        return verdict.status === "accepted"
          ? { name, status: verdict.status, digest: verdict.digest, tools: Object.fromEntries(verdict.tools) }
          : { name, status: verdict.status, reason: verdict.reason };
      }),
      forged:
        forged.status === "refused"
          ? { status: forged.status, reason: forged.reason }
          : { status: forged.status },
    },
  };
}
