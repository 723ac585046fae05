/** Puts the report of a suite where it was asked for, and says how the command ends. */
import { writeFileSync } from "node:fs";
import { type ExitCode, TrustError } from "../../core/index.ts";
import { renderSuite, type SuiteFormat, suiteJson } from "../../report/index.ts";
import type { SuiteReport } from "../../suite/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { version } from "../version.ts";

/** Something has to have passed: an empty run is not a good one. */
export const exitOf = ({ summary: { passed, failed } }: SuiteReport): 0 | 1 =>
  failed === 0 && passed > 0 ? 0 : 1;

export function checkDelivery(words: Words, out: Output): void {
  const format = words.text("format");
  if (out.isJson && words.text("output") === undefined && format !== undefined && format !== "json")
    throw new TrustError("CLI_BAD_VALUE", `--json and --format ${format} both want stdout`, {
      hint: "leave out --json, or write the report to a file with --output FILE",
    });
}

export async function deliver(
  report: SuiteReport,
  command: "test" | "check",
  words: Words,
  out: Output,
): Promise<ExitCode> {
  const exit = exitOf(report);
  const options = { command, version: await version(), folder: process.cwd(), exit, paint: out.color };
  const format = (words.text("format") ?? "text") as SuiteFormat;
  const file = words.text("output");
  out.clear();
  out.json(suiteJson(report));
  if (file !== undefined) {
    const plain = { ...options, paint: PLAIN };
    try {
      writeFileSync(file, renderSuite(report, format, plain), { mode: 0o600 });
    } catch (cause) {
      throw new TrustError("CLI_BAD_VALUE", `--output: ${(cause as Error).message}`, { cause });
    }
  }
  const onStdout = file === undefined && !out.isJson ? format : "text";
  for (const line of renderSuite(report, onStdout, options).trimEnd().split("\n")) out.line(line);
  if (file !== undefined) out.line(`written to ${file}`);
  return exit;
}

const same = (text: string): string => text;
const PLAIN = { bold: same, dim: same, red: same, green: same, yellow: same } as const;
