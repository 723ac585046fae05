/** The targets of the command line. One that is written wrongly ends the run before anything is started; one that cannot
 *  be started here is told with its reason. */
import { asTrustError, defined, TrustError } from "../../core/index.ts";
import {
  type Reference,
  type Resolution,
  readReference,
  resolveTarget,
  type TargetOptions,
} from "../../target/index.ts";
import { type Words, wholeNumber } from "../command.ts";
import { wordSecrets } from "../command-line.ts";
import type { Output } from "../output.ts";
import { targetOptions } from "../target-options.ts";
import { detailsOf, type Known } from "./known.ts";
import { commandLabel } from "./label.ts";

/** Options that are meant for one server: a token for one must not go to another. */
const FOR_ONE = ["env", "cwd", "header", "bearer-env", "transport"] as const;

export interface NamedServers {
  readonly known: readonly Known[];
  readonly secrets: readonly string[];
  readonly notes: readonly string[];
}

export async function namedServers(words: Words, out: Output): Promise<NamedServers> {
  const references = referencesFrom(words);
  if (references.length > 1) refuse(words, "with one target only");
  const options = targetOptions(words, out);
  const known: Known[] = [];
  const secrets: string[] = [];
  const notes: string[] = [];
  for (const [word, reference] of references) {
    const resolution = await resolve(reference, options);
    if (!("kind" in resolution) || resolution.kind === "not-startable") {
      known.push(unresolved(word, resolution));
      continue;
    }
    const own = [...new Set([...resolution.secrets, ...wordSecrets(resolution.launch)])];
    const target = { ...resolution, secrets: own };
    for (const secret of own) secrets.push(secret);
    for (const note of resolution.notes) notes.push(note);
    const label = reference.kind === "command" ? commandLabel(reference, own) : resolution.label;
    known.push({
      ...resolved(reference.kind === "command" ? label : word, { ...target, label }),
      target: withTimeout(words, target),
    });
  }
  return { known, secrets, notes };
}

/** Without a target, options for a server would be ignored: they are refused. */
export function refuseTargetOptions(words: Words): void {
  refuse(words, "with a target only");
}

function refuse(words: Words, when: string): void {
  const given = FOR_ONE.find((name) => words.text(name) !== undefined || words.texts(name).length > 0);
  if (given !== undefined) throw new TrustError("CLI_BAD_VALUE", `scan: --${given} goes ${when}`);
}

function referencesFrom({ positionals, rest }: Words): [word: string, Reference][] {
  if (positionals.length > 1 && rest !== undefined)
    throw new TrustError(
      "TGT_BAD_REFERENCE",
      "scan: words after -- belong to one target, and there are several",
      {
        hint: "scan it alone, or name it in touchstone.yml",
      },
    );
  if (positionals.length <= 1) return [[positionals[0] ?? rest?.[0] ?? "", readReference(positionals, rest)]];
  return positionals.map((word) => [word, readReference([word], undefined)]);
}

/** Faults of the command line and of files end the run; a package or login that is not to be had is this target's own. */
async function resolve(reference: Reference, options: TargetOptions): Promise<Resolution | TrustError> {
  try {
    return await resolveTarget(reference, options);
  } catch (thrown) {
    const error = asTrustError(thrown);
    if (error.exit === 3 || error.exit === 4) return error;
    throw thrown;
  }
}

function unresolved(word: string, why: TrustError | (Resolution & { kind: "not-startable" })): Known {
  const base = {
    name: word,
    reference: word,
    origin: "command line",
    isDisabled: false,
    scope: { client: "" },
  };
  if (why instanceof TrustError)
    return { ...base, details: [], reason: why.message, exit: why.exit === 3 ? 3 : 4 };
  return { ...base, details: detailsOf(undefined, why.pinning), reason: why.reason, exit: 4 };
}

function resolved(word: string, target: Resolution & { kind: "target" }): Known {
  const { label, origin, pinning } = target;
  const place =
    origin.kind === "client-config"
      ? { file: origin.file, line: origin.line, column: origin.column }
      : undefined;
  const from =
    origin.kind === "client-config"
      ? `${origin.client}, ${origin.level}`
      : origin.kind === "touchstone.yml"
        ? origin.file
        : "command line";
  return {
    name: label,
    reference: word,
    origin: from,
    details: detailsOf(target, pinning),
    isDisabled: false,
    scope: { client: "" },
    ...defined({ place }),
  };
}

export function withTimeout<T extends { readonly limits: object }>(words: Words, target: T): T {
  const seconds = wholeNumber(words, "timeout");
  return seconds === undefined
    ? target
    : { ...target, limits: { ...target.limits, timeoutMs: seconds * 1000 } };
}
