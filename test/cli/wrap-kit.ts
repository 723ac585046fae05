/** A user with a home, clients with configs in it, and servers that show what a test wants; started as a client would start them. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { connect, type Launcher, type Session } from "../../src/wire/index.ts";
import { Servers } from "../gateway/kit.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { type Run, touchstone } from "../kit/program.ts";

export interface User extends Disposable {
  readonly home: string;
  readonly servers: Servers;
  /** A file in the home folder. */
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string): void;
  run(words: readonly string[], env?: Record<string, string>): Promise<Run>;
  /** The same with --yes, and without a sandbox, which would not show the servers of a test their files. */
  wrap(...words: readonly string[]): Promise<Run>;
  /** The folder of the only config that was wrapped. */
  folder(): string;
  /** Every file with its bytes and its rights. */
  tree(): Record<string, string>;
}

export const SECRET = "canary-wrap-secret-88aa";

export function user(): User {
  const temporary = temporaryFolder();
  const home = temporary.path;
  const servers = new Servers(home);
  const path = (name: string): string => join(home, name);
  const environment = {
    HOME: home,
    XDG_CONFIG_HOME: "",
    XDG_CACHE_HOME: "",
    CODEX_HOME: "",
    CLAUDE_CONFIG_DIR: "",
    FROM_SHELL: `${SECRET}-shell`,
  };
  const run = (words: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
    touchstone(words, { cwd: home, env: { ...environment, ...env } });
  return {
    home,
    servers,
    path,
    run,
    read: (name) => readFileSync(path(name), "utf8"),
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    wrap: (...words) => run(["wrap", "--yes", "--sandbox", "none", ...words]),
    folder() {
      const all = path(".config/touchstone/wrapped");
      return join(all, readdirSync(all)[0] ?? "");
    },
    tree() {
      const files = readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
      return Object.fromEntries(
        files.map((name) => {
          const info = statSync(path(name));
          return [
            name,
            `${info.mode.toString(8)} ${info.isFile() ? readFileSync(path(name), "latin1") : ""}`,
          ];
        }),
      );
    },
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts an entry as a client would: with its words, its variables filled in, and nothing else. */
export function startEntry({ home }: User, { command, args, env = {} }: Entry): Promise<Session> {
  const filled = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/\$\{(?:env:)?FROM_SHELL(?::-)?\}/, `${SECRET}-shell`),
  ]);
  const all = { HOME: home, ...Object.fromEntries(filled) };
  return connect({ kind: "stdio", command, args, cwd: home, env: all }, { launcher: asClientsDo });
}

/** A process, and nothing around it: clients give their servers no namespaces. */
const asClientsDo: Launcher = {
  containment: "supervisor",
  reason: "as clients do",
  launch({ file, args, cwd, env }) {
    const started = spawn(file, args, { cwd, env, stdio: "pipe" });
    return {
      process: started,
      terminate: () => void started.kill("SIGTERM"),
      kill: () => void started.kill("SIGKILL"),
      exitOf: (code, signal) => ({ code, signal }),
    };
  },
};

export const json = (servers: object): string => `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`;

export const entryIn = (text: string, root = "mcpServers"): Entry =>
  (JSON.parse(text) as Record<string, { touchstone: Entry }>)[root]?.touchstone as Entry;
