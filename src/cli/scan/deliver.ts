/** Puts a report where it was asked for: standard output, a file, or both in different formats. */
import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, lstat, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { TrustError } from "../../core/index.ts";
import { type Format, type Report, render } from "../../report/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";

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
    const there = await plainFile(path);
    if (there) await access(path, constants.W_OK);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** What is there now. A project of others may have put a link where a report is usually written: nothing goes through one. */
async function plainFile(path: string): Promise<Stats | undefined> {
  const [folder, here] = await Promise.all([realpath(dirname(resolve(path))), realpath(".")]);
  if (isInside(dirname(resolve(path)), process.cwd()) && !isInside(folder, here))
    throw new Error("a link leads out of this folder");
  const there = await lstat(path).catch(() => undefined);
  const behind = there?.isSymbolicLink() ? await stat(path).catch(() => undefined) : there;
  // /dev/stdout is a link; what is written to a device replaces nothing.
  if (behind?.isCharacterDevice()) return behind;
  if (there?.isSymbolicLink()) throw new Error("it is a symbolic link");
  if (there && !there.isFile()) throw new Error("not a regular file");
  return there;
}

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Written beside and put in place whole: a link that came in the meantime is replaced, not followed, and a report is never
 *  half of one. */
async function writeReport(path: string, text: string): Promise<void> {
  const there = await plainFile(path);
  if (there?.isCharacterDevice()) return writeFile(path, text);
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeFile(beside, text, { flag: "wx", ...(there ? { mode: there.mode & 0o777 } : {}) });
    await rename(beside, path);
  } catch (cause) {
    await rm(beside, { force: true });
    throw cause;
  }
}

export async function deliver(
  report: Report,
  { stdout, file }: Delivery,
  out: Output,
  hide: (text: string) => string,
): Promise<void> {
  const options = { hide };
  if (file) {
    const text = render(report, file.format, options);
    await writeReport(file.path, text).catch((cause) => Promise.reject(unwritable(file.path, cause)));
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
