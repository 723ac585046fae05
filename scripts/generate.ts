/** Writes everything that is made from spec/registry: the table in code and the reference pages. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface ErrorRow {
  code: string;
  exit: number;
  title: string;
  hint: string;
}
interface RuleRow {
  id: string;
  name: string;
  severity: string;
  title: string;
  fix: string;
  /** Where the rule comes from, for those of the literature. */
  axis?: string;
  blackBox?: boolean;
  source?: string;
}

const root = new URL("../", import.meta.url);

export function generated(): Record<string, string> {
  const errors = readRegistry<ErrorRow>("errors");
  const rules = readRegistry<RuleRow>("rules");
  return {
    "src/core/registry.ts": codeTable(errors, rules),
    "docs/reference/errors.md": errorPage(errors),
    "docs/reference/rules.md": rulePage(rules),
  };
}

function readRegistry<Row>(name: string): Row[] {
  return JSON.parse(readFileSync(new URL(`spec/registry/${name}.json`, root), "utf8")) as Row[];
}

function codeTable(errors: ErrorRow[], rules: RuleRow[]): string {
  const line = (key: string, row: object) => `  ${JSON.stringify(key)}: ${JSON.stringify(row)},`;
  return [
    "/** The rule and error tables. Made from spec/registry by `npm run generate`: edit the JSON, not this file. */",
    "",
    "export const errorTable = {",
    ...errors.map(({ code, ...row }) => line(code, row)),
    "} as const;",
    "",
    "export const ruleTable = {",
    ...rules.map(({ id, ...row }) => line(id, row)),
    "} as const;",
    "",
  ].join("\n");
}

const pageHead = (title: string, source: string) =>
  `# ${title}\n\nMade from \`spec/registry/${source}.json\` by \`npm run generate\`: edit the JSON, not this page.\n\n`;

function errorPage(errors: ErrorRow[]): string {
  const rows = errors.map((e) => `| \`${e.code}\` | ${e.exit} | ${e.title} | ${e.hint} |`);
  return `${pageHead("Errors", "errors")}An error is about Touchstone or its input. What is wrong with a server is a *finding*: see [rules](rules.md).\n\n| code | exit | what happened | what to do |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function rulePage(rules: RuleRow[]): string {
  const rows = rules.map((r) => `| \`${r.id}\` | ${r.name} | ${r.severity} | ${r.title} | ${r.fix} |`);
  return `${pageHead("Rules", "rules")}A rule id means the same in a report, a SARIF file, a denial and a log entry.\n\n| id | name | severity | what was seen | how to fix it |\n|---|---|---|---|---|\n${rows.join("\n")}\n${taxonomy(rules)}`;
}

function taxonomy(rules: RuleRow[]): string {
  const rows = rules.flatMap(({ id, axis, blackBox, source }) =>
    axis === undefined ? [] : [`| ${id} | ${axis} | ${blackBox ? "yes" : "no"} | ${source} |`],
  );
  return `\n## Rules of the literature\n\n| id | axis | black-box probeable | source |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(generated())) writeFileSync(new URL(path, root), text);
}
