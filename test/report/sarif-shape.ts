/** The part of the SARIF 2.1.0 schema that our logs use, as our own table: members each object may and must have. */
import { isRecord } from "../../src/wire/index.ts";

type Check = (value: unknown, at: string) => string[];

const fails = (at: string, want: string): string[] => [`${at}: want ${want}`];
const text: Check = (value, at) => (typeof value === "string" ? [] : fails(at, "text"));
const flag: Check = (value, at) => (typeof value === "boolean" ? [] : fails(at, "a boolean"));
const whole =
  (least: number): Check =>
  (value, at) =>
    Number.isInteger(value) && Number(value) >= least ? [] : fails(at, `a whole number from ${least}`);
const one =
  (...words: readonly string[]): Check =>
  (value, at) =>
    words.includes(String(value)) ? [] : fails(at, words.join(", "));
const uri: Check = (value, at) =>
  typeof value === "string" && URL.canParse(value, "file:///x/") && !/[\s<>"{}|\\^`]/.test(value)
    ? []
    : fails(at, "a URI reference");
const list =
  (item: Check): Check =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((each, index) => item(each, `${at}[${index}]`))
      : fails(at, "a list");
const map =
  (item: Check): Check =>
  (value, at) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([key, each]) => item(each, `${at}.${key}`))
      : fails(at, "a map");
const anything: Check = (value, at) => (isRecord(value) ? [] : fails(at, "a property bag"));

/** Members with `!` must be there; none but these may. */
function object(members: Readonly<Record<string, Check>>): Check {
  const checks = new Map(Object.entries(members).map(([key, check]) => [key.replace("!", ""), check]));
  const required = Object.keys(members).filter((key) => key.endsWith("!"));
  return (value, at) => {
    if (!isRecord(value)) return fails(at, "an object");
    return [
      ...required
        .filter((key) => !Object.hasOwn(value, key.slice(0, -1)))
        .map((key) => `${at}: lacks ${key.slice(0, -1)}`),
      ...Object.entries(value).flatMap(
        ([key, each]) => checks.get(key)?.(each, `${at}.${key}`) ?? [`${at}: no member ${key}`],
      ),
    ];
  };
}

const level = one("none", "note", "warning", "error");
const message = object({ "text!": text, markdown: text });
const artifactLocation = object({ uri, uriBaseId: text, index: whole(-1) });
const location = object({
  physicalLocation: object({
    artifactLocation,
    region: object({ startLine: whole(1), startColumn: whole(1) }),
  }),
  logicalLocations: list(object({ name: text, fullyQualifiedName: text, kind: text })),
  message,
});
const suppression = object({
  "kind!": one("inSource", "external"),
  status: one("accepted", "underReview", "rejected"),
  justification: text,
  properties: anything,
});
const result = object({
  ruleId: text,
  ruleIndex: whole(-1),
  level,
  "message!": message,
  locations: list(location),
  partialFingerprints: map(text),
  suppressions: list(suppression),
  properties: anything,
});
const rule = object({
  "id!": text,
  name: text,
  shortDescription: message,
  fullDescription: message,
  help: message,
  defaultConfiguration: object({ level, enabled: flag }),
  properties: anything,
});
const run = object({
  "tool!": object({ "driver!": object({ "name!": text, version: text, rules: list(rule) }) }),
  columnKind: one("utf16CodeUnits", "unicodeCodePoints"),
  originalUriBaseIds: map(artifactLocation),
  invocations: list(
    object({
      "executionSuccessful!": flag,
      exitCode: whole(0),
      toolExecutionNotifications: list(object({ level, "message!": message, locations: list(location) })),
    }),
  ),
  results: list(result),
});
const log = object({ $schema: uri, "version!": one("2.1.0"), "runs!": list(run) });

export const sarifFaults = (value: unknown): string[] => log(value, "log");
