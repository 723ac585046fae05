/** 5.5: files that change although every tool that could have done it claims to read only, and files that steer the machine. */
import { type Finding, finding } from "../../core/index.ts";
import { isRecord } from "../../wire/index.ts";
import { inHome } from "../asked.ts";
import { changesOf, type FileChange, isOwnState } from "../changes.ts";
import { judgedBy, OURS, type Probe, passed, unobserved } from "../probe.ts";
import type { Run } from "../run/model.ts";

export const silentWrite: Probe = {
  id: "5.5",
  category: "X-04",
  title: "changes behind a claim to read only",
  methods: OURS,
  judge(run) {
    const skipped = unobserved(run);
    if (skipped) return skipped;
    const claims = claimsOf(run);
    const findings = changesOf(run).flatMap((change): Finding[] => {
      const { path, how } = change;
      const why = whyUnasked(change, claims);
      if (why !== undefined) return [finding("X-04/5.5", path, `${how} ${why}`)];
      if (!isOwnState(path)) return [];
      // One finding for a folder: its files may have names that were drawn.
      const folder = inHome(path).split("/").slice(0, 2).join("/");
      return [finding("X-04/5.5", folder, "keeps files of its own there", undefined, "info")];
    });
    return judgedBy(findings, passed("nothing changed behind a claim to read only"));
  },
};

interface Claims {
  readonly readers: ReadonlySet<string>;
  readonly isAllReading: boolean;
}

function whyUnasked(
  { path, how, steers, during, isAskedFor, isEarly }: FileChange,
  { readers, isAllReading }: Claims,
): string | undefined {
  // What agents read is another probe's.
  if (isAskedFor || steers === "agent") return undefined;
  if (steers === "machine") return "unasked: it is run or read by others at their start";
  if (isOwnState(path)) return undefined;
  const [first] = during;
  if (first) {
    if (!during.every(({ tool }) => readers.has(tool))) return undefined;
    return `during ${first.tool}, which claims to read only`;
  }
  if (isAllReading) return "between calls, by a server whose tools all claim to read only";
  return isEarly && how !== "made" ? "before any call" : undefined;
}

function claimsOf(run: Run): Claims {
  const tools = run.sights.flatMap(({ surface }) => surface.tools).filter(isRecord);
  const claiming = tools.filter(
    ({ annotations }) => isRecord(annotations) && annotations.readOnlyHint === true,
  );
  return {
    readers: new Set(claiming.map(({ name }) => String(name))),
    isAllReading: tools.length > 0 && claiming.length === tools.length,
  };
}
