/** Asks before commands of config files are started: whoever wrote the file chose them, and they run as this user.
 *  Implements spec/surface.md, SUR-20. */
import { createInterface } from "node:readline";
import { count, shown, TrustError } from "../core/index.ts";
import type { Launch } from "../wire/index.ts";
import type { Output } from "./output.ts";

export { commandLine } from "./command-line.ts";

/** A command is read by who says yes to it: what is cut off would be started unread. */
const MAX_COMMAND_CHARS = 6000;
const MAX_LINE_CHARS = 8000;

export interface Starter {
  readonly name: string;
  /** The command line as people read it, without secrets: see `commandLine`. */
  readonly command: string;
  /** Where it is written: `.mcp.json:3:5`. */
  readonly where?: string;
  /** What else the operator should know, such as variables it is given. */
  readonly notes?: readonly string[];
}

export interface ConsentOptions {
  /** The operator said yes beforehand. */
  readonly yes: boolean;
  readonly out: Output;
  /** Where the answer is typed; standard input unless said. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Where the question stands; standard error unless said, so that a result on standard output stays whole. */
  readonly ask?: { write(text: string): unknown };
}

/** Shows what would be started and asks once for all of it. Anything but a clear yes is a no. Without a terminal there is
 *  nobody to ask, and nothing is shown: the caller decides what that means, `consentError` says it. */
export async function mayStart(
  servers: readonly Starter[],
  options: ConsentOptions,
): Promise<"yes" | "no" | "no-terminal"> {
  const { yes, out, input = process.stdin, ask = process.stderr } = options;
  if (yes || servers.length === 0) return "yes";
  if (!input.isTTY) return "no-terminal";
  out.clear();
  ask.write(
    `${listed(servers).join("\n")}\nstart? [y/N] `.replace(/^.*$/gm, (line) =>
      out.text(line, MAX_LINE_CHARS),
    ),
  );
  return /^y(es)?$/i.test((await firstLine(input)).trim()) ? "yes" : "no";
}

/** For who has nobody to ask: what would have been started, and how to say yes beforehand. */
export function consentError(servers: readonly Starter[]): TrustError {
  return new TrustError("CLI_MISSING_ARGUMENT", `needs a yes first: ${listed(servers).join("\n")}`, {
    hint: "there is no terminal to ask on: look at each, then run it again with --yes",
  });
}

function listed(servers: readonly Starter[]): string[] {
  return [
    `this starts or reaches ${count(servers.length, "server")} as you:`,
    ...servers.flatMap(({ name, command, where, notes = [] }) => [
      `  ${shown(name, 80)}: ${shown(command, MAX_COMMAND_CHARS)}${where === undefined ? "" : `  (${shown(where, 200)})`}`,
      ...notes.map((note) => `    ${shown(note, 1000)}`),
    ]),
  ];
}

/** The line a person types; nothing when the input ends. The terminal keeps its own ways, so that Ctrl-C ends us. */
function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input, terminal: false });
  return new Promise((done) => {
    lines.once("line", (line) => {
      done(line);
      lines.close();
    });
    lines.once("close", () => done(""));
  });
}

/** Variables that load code into a program or decide which program runs: who sets one sets what is started. */
const LOADS_CODE =
  /^(?:NODE_OPTIONS|NODE_PATH|LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_.*|PYTHON(?:STARTUP|PATH|HOME)|PERL5(?:OPT|LIB)|RUBY(?:OPT|LIB)|BASH_ENV|ENV|PATH|GIT_SSH(?:_COMMAND)?|JAVA_TOOL_OPTIONS|npm_config_.*)$/i;
const MAX_NAMED = 40;

/** What a start does besides running its command line. Names only: of a variable or header, no value is shown, since any may
 *  hold a secret; the file and line beside the command tell where to look. */
export function startNotes(launch: Launch, takes: readonly string[] = []): string[] {
  const taken = takes.length === 0 ? [] : [`it takes ${named(takes)} from your environment`];
  if (launch.kind === "http") {
    const headers = Object.keys(launch.headers ?? {});
    return [...(headers.length === 0 ? [] : [`it is sent the headers ${named(headers)}`]), ...taken];
  }
  const names = Object.keys(launch.env ?? {});
  const loading = names.filter((name) => LOADS_CODE.test(name));
  const others = names.filter((name) => !LOADS_CODE.test(name));
  return [
    ...(loading.length === 0
      ? []
      : [`WARNING: it sets ${named(loading)}, which can load other code than the command names`]),
    ...(others.length === 0 ? [] : [`it sets ${named(others)}`]),
    ...(launch.cwd === undefined || launch.cwd === process.cwd() ? [] : [`it runs in ${launch.cwd}`]),
    ...taken,
  ];
}

function named(names: readonly string[]): string {
  const listed = names.slice(0, MAX_NAMED).map((name) => shown(name, 80));
  return listed.join(", ") + (names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "");
}
