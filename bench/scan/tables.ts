/** The figures as Markdown tables, for the terminal and the page. */
import type { Result } from "../scan.ts";
import type { Rate } from "./measure.ts";

const percent = (part: number, whole: number): string =>
  whole === 0 ? "-" : `${((100 * part) / whole).toFixed(part === 0 || part === whole ? 0 : 2)} %`;
const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const rateRows = (rates: Readonly<Record<string, Rate>>): string[] =>
  Object.entries(rates).map(([name, { n, warn, fail }]) => row(name, n, percent(warn, n), percent(fail, n)));
const rateTable = (what: string, rates: Readonly<Record<string, Rate>>): string =>
  [row(what, "n", "warn or fail", "fail"), "|---|--:|--:|--:|", ...rateRows(rates)].join("\n");

export function asMarkdown({
  date,
  node,
  texts,
  attacks,
  disguises,
  honest,
  readOnly,
  traces,
  surfaces,
  speed,
}: Result): string {
  const { all } = speed;
  const lost = Object.entries(disguises.kept).filter(([, { lost }]) => lost > 0);
  const parts = [
    `Measured ${date}, ${node}, ${texts} texts.`,
    "### Attacks: headline sets",
    rateTable("set", attacks.headline),
    "### Attacks: every source",
    "Without bare tasks and advertising, which no text scanner can decide; those are in the table by class.",
    rateTable("source", attacks.bySource),
    "### Attacks: one source left out",
    "Recall on a source with only those signs that fire in another source too; the summed signs alone, without the scanners for characters and links.",
    rateTable("source", attacks.leftOut),
    "### Attacks: by class",
    rateTable("source, kind, class", attacks.byClass),
    "### Disguises",
    `Seen without disguise: ${disguises.plain.warn} of ${disguises.plain.n} seeds. ${Object.keys(disguises.kept).length} disguises; seeds lost: ${
      lost.length === 0 ? "none" : lost.map(([name, { lost }]) => `${name} ${lost}`).join(", ")
    }.`,
    "### False alarms",
    rateTable("honest texts", {
      "all descriptions": honest.descriptions,
      "servers with a flagged tool": honest.servers,
      ...prefixed("descriptions: ", honest.descriptionsBySource),
      ...prefixed("outputs: ", honest.outputs),
    }),
    "### Read-only lies",
    rateTable("tools", {
      "honest, readOnlyHint true": readOnly.honest,
      "changing, hint turned to true": readOnly.turned,
    }),
    "### Stack traces (own set)",
    [
      row("runtime", "n", "fail"),
      "|---|--:|--:|",
      ...Object.entries(traces).map(([name, { n, fail }]) => row(name, n, percent(fail, n))),
    ].join("\n"),
    ...(surfaces
      ? [
          "### Surfaces of real servers",
          `${surfaces.servers} servers, ${surfaces.tools} tools; with a finding: ${Object.keys(surfaces.flagged).length}, with a failure: ${
            Object.values(surfaces.flagged).filter(({ fail }) => fail > 0).length
          }.`,
          ...Object.entries(surfaces.flagged).map(([name, { rules }]) => `- ${name}: ${rules.join("; ")}`),
        ]
      : []),
    "### Speed",
    `All views and scanners against NFKC and ten phrase patterns over the same ${all.megabytes.toFixed(1)} MB: ${all.ratio.toFixed(2)} x (${all.scanPerSecond.toFixed(1)} against ${all.phrasesPerSecond.toFixed(1)} MB/s). 8 MB against eight times 1 MB: ${speed.growth.toFixed(2)} x.`,
  ];
  return parts.join("\n\n");
}

function prefixed(prefix: string, rates: Readonly<Record<string, Rate>>): Record<string, Rate> {
  return Object.fromEntries(Object.entries(rates).map(([name, one]) => [prefix + name, one]));
}
