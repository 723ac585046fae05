/** Asks before commands of config files are started: whoever wrote the file chose them, and they run as this user. */
import { createInterface } from "node:readline";
import { count, shown } from "../core/index.ts";
import type { Target } from "../target/index.ts";
import { redactor } from "../wire/index.ts";
import type { Output } from "./output.ts";

export interface Starter {
  readonly name: string;
  /** The command line as people read it, without secrets: see `commandLine`. */
  readonly command: string;
  /** Where it is written: `.mcp.json:3:5`. */
  readonly where?: string;
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
 *  nobody to ask: the caller says what to do. */
export async function mayStart(
  servers: readonly Starter[],
  options: ConsentOptions,
): Promise<"yes" | "no" | "no-terminal"> {
  const { yes, out, input = process.stdin, ask = process.stderr } = options;
  if (yes || servers.length === 0) return "yes";
  ask.write(`this starts ${count(servers.length, "command")} as you:\n`);
  for (const { name, command, where } of servers) {
    const place = where === undefined ? "" : `  (${out.text(where, 200)})`;
    ask.write(`  ${out.text(name, 80)}: ${out.text(command, 1000)}${place}\n`);
  }
  if (!input.isTTY) return "no-terminal";
  ask.write("start? [y/N] ");
  return /^y(es)?$/i.test((await firstLine(input)).trim()) ? "yes" : "no";
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
  return [launch.command, ...launch.args]
    .map((word) => (exact.has(word) ? "[redacted]" : clean(withoutValue(word, exact))))
    .map((word) => (/^[\w@%+=:,./[\]-]+$/.test(word) ? word : `'${shown(word, 500)}'`))
    .join(" ");
}

/** `--pin=12` when 12 is a secret: too short to be looked for everywhere, and plain enough to be seen here. */
function withoutValue(word: string, secrets: ReadonlySet<string>): string {
  const equals = word.indexOf("=");
  return equals > 0 && secrets.has(word.slice(equals + 1)) ? `${word.slice(0, equals)}=[redacted]` : word;
}
