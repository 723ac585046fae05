/** Annotations of a GitHub workflow: one line a failed test or finding, at the line of the suite. */
import { shown } from "../../core/index.ts";
import type { SuiteReport } from "../../suite/index.ts";
import { placeUri } from "../place.ts";
import { summaryText } from "./text.ts";

const LEVELS = { fail: "error", warn: "warning", info: "notice" } as const;
/** More are not shown by the runner. */
const MAX_LINES = 50;

export function suiteGithub(report: SuiteReport, folder: string): string {
  const lines = report.findings.slice(0, MAX_LINES).map(({ severity, rule, where, message, place }) => {
    const at =
      place === undefined
        ? ""
        : `file=${property(decodeURI(placeUri(place, folder).uri))},line=${place.line},col=${place.column},`;
    return `::${LEVELS[severity]} ${at}title=${property(rule)}::${data(`${shown(where, 200)}: ${shown(message, 600)}`)}`;
  });
  return `${[...lines, data(summaryText(report))].join("\n")}\n`;
}

/** A command begins with two colons at the start of a line; no text of others begins one. */
const data = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
