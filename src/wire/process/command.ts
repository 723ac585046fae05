/** What to start: a command, the file it names, and the environment it gets. Implements spec/wire.md, WIR-21. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve, sep } from "node:path";

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to the minimal environment; nothing else of ours is inherited. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A command that was found, ready to be started. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const INHERITED = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"] as const;

/** Finds what a command names, or says why it cannot be started. */
export function findProgram(what: Command): { readonly program: Program } | { readonly failure: string } {
  const cwd = what.cwd ?? process.cwd();
  const env = minimalEnv(what.env);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return { failure: `no such folder: ${cwd}` };
  const file = findCommand(what.command, cwd, env.PATH ?? "");
  if (file === undefined) return { failure: noSuch(what.command, cwd, env.PATH ?? "") };
  return { program: { file, args: what.args, cwd, env } };
}

/** A whole line in the place of a command is told as that where its first word is one. */
function noSuch(command: string, cwd: string, path: string): string {
  const [first = "", ...others] = command.trim().split(/\s+/);
  const isLine = others.length > 0 && findCommand(first, cwd, path) !== undefined;
  return `no such command: ${command}${isLine ? `; the command is ${first} alone, the rest are its arguments` : ""}`;
}

function minimalEnv(added: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, ...added };
}

/** The file a command names, as the child would find it; undefined when there is none it could run. */
export function findCommand(command: string, cwd: string, path: string): string | undefined {
  if (command === "") return undefined;
  const candidates = command.includes(sep)
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : path.split(delimiter).map((dir) => join(dir || ".", command));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}
