/** Puts a report where it was asked for: standard output, a file, or both in different formats. */
import { constants } from "node:fs";
import { access, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { TrustError } from "../../core/index.ts";
import { FORMATS, type Format, type Report, render } from "../../report/index.ts";
import type { Option, Words } from "../command.ts";
import type { Output } from "../output.ts";

export const REPORT_OPTIONS: Readonly<Record<string, Option>> = {
  format: {
    type: "string",
    value: "FORMAT",
    choices: FORMATS,
    help: "of the report, default text",
  },
  output: {
    type: "string",
    value: "FILE",
    help: "write the report there, and text to stdout",
  },
};

export interface Delivery {
  readonly stdout: Format;
  readonly file?: { readonly path: string; readonly format: Format };
}

/** Read before anything is started: a report that cannot be written is not worth waiting for. */
export async function deliveryFrom(words: Words, out: Output): Promise<Delivery> {
  const format = words.text("format") as Format | undefined;
  const path = words.text("output");
  if (path === undefined) {
    if (out.isJson && format !== undefined && format !== "json")
      throw new TrustError("CLI_BAD_VALUE", `scan: --json and --format ${format} both want stdout`, {
        hint: `leave out --json, or write the report to a file with --output FILE`,
      });
    return { stdout: format ?? (out.isJson ? "json" : "text") };
  }
  await checkWritable(path);
  return {
    stdout: out.isJson ? "json" : "text",
    file: { path, format: format ?? (out.isJson ? "json" : "text") },
  };
}

async function checkWritable(path: string): Promise<void> {
  try {
    await access(dirname(resolve(path)), constants.W_OK);
    const there = await stat(path).catch(() => undefined);
    if (there && !there.isFile() && !there.isCharacterDevice()) throw new Error("not a regular file");
    if (there) await access(path, constants.W_OK);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

export async function deliver(
  report: Report,
  { stdout, file }: Delivery,
  out: Output,
  hide: ((text: string) => string) | undefined,
): Promise<void> {
  const options = hide ? { hide } : {};
  if (file) {
    const text = render(report, file.format, options);
    await writeFile(file.path, text).catch((cause) => Promise.reject(unwritable(file.path, cause)));
  }
  // Texts are clean from here on; replacing once more in the finished document could only break its syntax.
  out.hide(undefined);
  const text = render(report, stdout, stdout === "text" ? { ...options, paint: out.color } : options);
  if (out.isJson) {
    out.json(JSON.parse(text));
    out.line(render(report, "text", { ...options, paint: out.color }).trimEnd());
  } else out.line(text.trimEnd());
  if (file && stdout === "text") out.line(`\nwritten to ${file.path}`);
}

function unwritable(path: string, cause: unknown): TrustError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new TrustError("CLI_BAD_VALUE", `--output: ${path} cannot be written (${code ?? message})`, {
    cause,
  });
}
