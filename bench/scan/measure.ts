/** Detection figures: per source and class, per disguise, per honest source, per server, one source left out. */
import type { Severity } from "../../src/core/index.ts";
import { THRESHOLDS } from "../../src/scan/instructions.ts";
import { read } from "../../src/scan/reading.ts";
import { scanText } from "../../src/scan/scan-text.ts";
import { signsIn } from "../../src/scan/signals/seen.ts";
import { heaviest } from "../../src/scan/signals/sum.ts";
import type { Text } from "./corpus.ts";

export interface Rate {
  readonly n: number;
  readonly warn: number;
  readonly fail: number;
}

export interface Judged extends Text {
  readonly severity: Severity | undefined;
}

export type OwnTools = (text: Text) => ReadonlySet<string>;

/** Each text through every scanner; its severity is the highest of its hits. A stack trace is a matter of its own: it
 *  gives away the server, and does not steer the agent. */
export function judge(texts: readonly Text[], ownTools: OwnTools): Judged[] {
  return texts.map((text) => {
    const hits = scanText(text.text, { kind: text.kind, ownTools: ownTools(text) }).filter(
      ({ rule }) => rule !== "SCAN-05",
    );
    const has = (severity: Severity) => hits.some((hit) => hit.severity === severity);
    return { ...text, severity: has("fail") ? "fail" : has("warn") ? "warn" : undefined };
  });
}

export function rate(texts: readonly Judged[]): Rate {
  return {
    n: texts.length,
    warn: texts.filter(({ severity }) => severity !== undefined).length,
    fail: texts.filter(({ severity }) => severity === "fail").length,
  };
}

export function rates(texts: readonly Judged[], by: (text: Judged) => string): Record<string, Rate> {
  const groups = groupBy(texts, by);
  return Object.fromEntries(
    [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, group]) => [key, rate(group)]),
  );
}

function groupBy<T>(items: readonly T[], by: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(by(item));
    if (group) group.push(item);
    else groups.set(by(item), [item]);
  }
  return groups;
}

/** Share of honest servers with at least one tool flagged. */
export function serverRate(texts: readonly Judged[]): Rate {
  const servers = [
    ...groupBy(
      texts.filter(({ server }) => server !== undefined),
      ({ server }) => server ?? "",
    ).values(),
  ];
  return {
    n: servers.length,
    warn: servers.filter((tools) => tools.some(({ severity }) => severity !== undefined)).length,
    fail: servers.filter((tools) => tools.some(({ severity }) => severity === "fail")).length,
  };
}

/** Recall on each source with only those signs that some other source shows too: what would be left had this source
 *  never been seen. Of the summed signs alone; characters and links need no examples. */
export function leaveOneOut(attacks: readonly Text[], ownTools: OwnTools): Record<string, Rate> {
  const readings = attacks.map((text) => {
    const place = { kind: text.kind, ownTools: ownTools(text) };
    return { text, seen: read(text.text).views.map(({ view, tokens }) => signsIn(view, tokens, place)) };
  });
  const sourcesOf = new Map<string, Set<string>>();
  for (const { text, seen } of readings)
    for (const { sign } of seen.flat())
      sourcesOf.set(sign.name, (sourcesOf.get(sign.name) ?? new Set()).add(text.source));
  const judged = readings.map(({ text, seen }): Judged => {
    const isShared = (name: string) =>
      [...(sourcesOf.get(name) ?? [])].some((source) => source !== text.source);
    const totals = seen.map((signs) => heaviest(signs.filter(({ sign }) => isShared(sign.name)))?.total ?? 0);
    const total = Math.max(0, ...totals);
    const { warn, fail } = THRESHOLDS[text.kind];
    return { ...text, severity: total >= fail ? "fail" : total >= warn ? "warn" : undefined };
  });
  return rates(judged, ({ source }) => source);
}

/** For each disguise the seeds still seen, of those seen undisguised. */
export function retention(texts: readonly Judged[]): {
  plain: Rate;
  kept: Record<string, { kept: number; lost: number }>;
} {
  const disguises = groupBy(texts, ({ attackClass }) => attackClass.split("/")[1] ?? "");
  const plain = disguises.get("plain") ?? [];
  const seen = new Set(plain.filter(({ severity }) => severity !== undefined).map(({ parent }) => parent));
  const kept = [...disguises]
    .filter(([name]) => name !== "plain")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, group]): [string, { kept: number; lost: number }] => {
      const still = group.filter(({ severity, parent }) => severity !== undefined && seen.has(parent)).length;
      return [name, { kept: still, lost: seen.size - still }];
    });
  return { plain: rate(plain), kept: Object.fromEntries(kept) };
}
