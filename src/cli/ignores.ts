/** Suppressions for every command that prints findings: read, applied, counted and shown. */
import {
  dayOf,
  IGNORE_FILE,
  type Ignore,
  readIgnoreFile,
  type Suppression,
  TrustError,
} from "../core/index.ts";
import type { Option, Words } from "./command.ts";
import type { Output } from "./output.ts";

export const IGNORE_OPTION: Readonly<Record<string, Option>> = {
  ignore: { type: "string", value: "FILE", help: `suppressions, default ${IGNORE_FILE}` },
};

/** The entries of the file that `--ignore` names, or of the one in the working folder. */
export async function ignoresFrom(words: Words, now: Date): Promise<readonly Ignore[]> {
  const named = words.text("ignore");
  try {
    return await readIgnoreFile(named ?? IGNORE_FILE, dayOf(now));
  } catch (thrown) {
    const isAbsent = thrown instanceof TrustError && thrown.code === "CFG_NOT_FOUND";
    if (named === undefined && isAbsent) return [];
    if (isAbsent)
      throw new TrustError("CFG_NOT_FOUND", thrown.message, {
        hint: "check the path given with --ignore",
        cause: thrown,
      });
    throw thrown;
  }
}

/** Entries that count no more, or counted for nothing: said, so that the file stays true. */
export function ignoreNotes({ expired, unused }: Suppression): string[] {
  return [
    ...expired.map((one) => `the suppression of ${entryText(one)} expired on ${one.expires}`),
    ...unused.map((one) => `the suppression of ${entryText(one)} matched nothing in this run`),
  ];
}

const entryText = ({ rule, where }: Ignore): string => `${rule} at ${where}`;

/** The notes on entries for these rules. `families` are the rules a command can find anything by: that an entry for another
 *  command matched nothing is no news. */
export function ownNotes(suppression: Suppression, families: RegExp): string[] {
  const isOwn = ({ rule }: Ignore): boolean => families.test(rule);
  const { expired, unused } = suppression;
  return ignoreNotes({ ...suppression, expired: expired.filter(isOwn), unused: unused.filter(isOwn) });
}

/** What was set aside, each with its reason, and the notes. */
export function showSuppressed(suppression: Suppression, families: RegExp, out: Output): void {
  for (const { finding, ignore } of suppression.suppressed)
    out.line(
      out.color.dim(
        `suppressed ${finding.rule} ${out.text(finding.where, 200)}: ${out.text(ignore.reason, 300)} (until ${ignore.expires})`,
      ),
    );
  for (const note of ownNotes(suppression, families)) out.line(`note: ${out.text(note, 600)}`);
}
