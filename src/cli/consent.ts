/** Asks before commands of config files are started: whoever wrote the file chose them, and they run as this user.
 *  Implements spec/surface.md, SUR-20. */
import { createInterface } from "node:readline";
import { count, shown, TrustError } from "../core/index.ts";
import type { Target } from "../target/index.ts";
import { redactor } from "../wire/index.ts";
import type { Output } from "./output.ts";

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
  ask.write(`${listed(servers).join("\n")}\nstart? [y/N] `.replace(/^.*$/gm, (line) => out.text(line, 2000)));
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
      `  ${shown(name, 80)}: ${shown(command, 1000)}${where === undefined ? "" : `  (${shown(where, 200)})`}`,
      ...notes.map((note) => `    ${shown(note, 300)}`),
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

/** What a target starts, as a line for people: words as written, secrets and variables left out. */
export function commandLine({ launch, secrets }: Pick<Target, "launch" | "secrets">): string {
  const hide = redactor(secrets);
  const clean = (text: string): string => hide?.text(text) ?? text;
  if (launch.kind === "http") return clean(launch.url.origin + launch.url.pathname);
  const exact = new Set(secrets);
  return (
    [launch.command, ...launch.args]
      .map((word) => (exact.has(word) ? "[redacted]" : clean(withoutValue(word, exact))))
      // A connection string: who reads over a shoulder needs no password.
      .map((word) => word.replace(/:\/\/[^/@\s]*@/, "://[redacted]@"))
      .map((word) => (/^[\w@%+=:,./[\]-]+$/.test(word) ? word : `'${shown(word, 500)}'`))
      .join(" ")
  );
}

/** `--pin=12` when 12 is a secret: too short to be looked for everywhere, and plain enough to be seen here. */
function withoutValue(word: string, secrets: ReadonlySet<string>): string {
  const equals = word.indexOf("=");
  return equals > 0 && secrets.has(word.slice(equals + 1)) ? `${word.slice(0, equals)}=[redacted]` : word;
}
