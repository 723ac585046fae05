/** A report as SARIF 2.1.0, for code scanning and editors. A viewer reads `[text](target)` in a message as a link and
 *  `{0}` as a placeholder: foreign text can be neither. */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { type Ignore, type RuleId, ruleTable, type Severity } from "../core/index.ts";
import { placeUri } from "./place.ts";
import type { Place, Report, Sighting, Subject } from "./report.ts";

const LEVEL: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  fail: "error",
  warn: "warning",
  info: "note",
};
const BASE = "WORKINGFOLDER";
const RULE_IDS = Object.keys(ruleTable) as RuleId[];

export function sarifValue(report: Report): object {
  const { version, subjects, findings, suppressed, notes, folder, exit } = report;
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "touchstone", version, rules: RULE_IDS.map(rule) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { [BASE]: { uri: pathToFileURL(`${folder}/`).href } },
        invocations: [
          {
            // What was not assessed did not pass: a run that missed a subject did not succeed.
            executionSuccessful: subjects.every(({ status }) => status !== "failed"),
            exitCode: exit,
            toolExecutionNotifications: [
              ...subjects.filter(({ status }) => status !== "scanned").map((one) => notScanned(one, folder)),
              ...notes.map((note) => ({ level: "note", message: { text: inert(note) } })),
            ],
          },
        ],
        results: [
          ...findings.map((found) => result(found, folder)),
          ...suppressed.map(({ finding, ignore }) => result(finding, folder, ignore)),
        ],
      },
    ],
  };
}

function rule(id: RuleId): object {
  const { name, severity, title, fix } = ruleTable[id];
  return {
    id,
    name,
    shortDescription: { text: title },
    help: { text: `${title}. ${fix}`, markdown: `${title}.\n\n**What to do:** ${fix}` },
    defaultConfiguration: { level: LEVEL[severity] },
    properties: { tags: ["mcp", "security"] },
  };
}

function result(found: Sighting, folder: string, ignore?: Ignore): object {
  const { rule: ruleId, severity, where, message, evidence, place } = found;
  const seen = evidence === undefined || evidence === "" ? "" : `\nSeen: ${evidence}`;
  return {
    ruleId,
    ruleIndex: RULE_IDS.indexOf(ruleId),
    level: LEVEL[severity],
    message: { text: inert(`${where}: ${message}${seen}`) },
    locations: [
      {
        ...(place ? { physicalLocation: physical(place, folder) } : {}),
        logicalLocations: [{ fullyQualifiedName: inert(where) }],
      },
    ],
    partialFingerprints: { "touchstone/v1": fingerprint(found) },
    ...(ignore
      ? {
          suppressions: [
            {
              kind: "external",
              status: "accepted",
              justification: inert(ignore.reason),
              properties: { expires: ignore.expires },
            },
          ],
        }
      : {}),
  };
}

function physical(place: Place, folder: string): object {
  const { uri, isInside } = placeUri(place, folder);
  return {
    artifactLocation: isInside ? { uri, uriBaseId: BASE } : { uri },
    region: { startLine: place.line, startColumn: place.column },
  };
}

function notScanned({ name, origin, status, reason = "", place }: Subject, folder: string): object {
  const what = status === "failed" ? "could not be scanned" : "was not started";
  return {
    level: status === "failed" ? "error" : "warning",
    message: { text: inert(`${name} (${origin}) ${what}${reason === "" ? "" : `: ${reason}`}`) },
    ...(place ? { locations: [{ physicalLocation: physical(place, folder) }] } : {}),
  };
}

/** The same finding after its line has moved is the same one. */
function fingerprint({ rule: id, where, message, evidence = "" }: Sighting): string {
  return createHash("sha256")
    .update(JSON.stringify([id, where, message, evidence]))
    .digest("hex")
    .slice(0, 32);
}

/** No link, no placeholder, no tag: a space stands where one would begin. An address is not followed by a click. */
function inert(text: string): string {
  return text
    .replaceAll("](", "] (")
    .replace(/\{(?=\d+\})/g, "{ ")
    .replace(/<(?=[A-Za-z!/?])/g, "< ")
    .replace(/\b(h)tt(ps?:\/\/)/gi, "$1xx$2");
}
