/** Runs npm itself: no shell, no scripts of packages, a time limit, bounded output, and only its error code is told on. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

export type NpmRun =
  | { readonly kind: "ok"; readonly stdout: string }
  /** `code` is npm's own word, such as E404 or ECONNREFUSED. Its text names hosts and paths: not for printing. */
  | { readonly kind: "failed"; readonly code: string };

const MAX_OUTPUT_CHARS = 256 * 1024;

/** Words that every run gets. A project's .npmrc is not read, since the folder is ours. */
const ALWAYS = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--global=false",
  "--workspaces=false",
  "--dry-run=false",
  "--loglevel=error",
];

export function runNpm(
  words: readonly string[],
  folder: string,
  environment: Environment,
  timeoutMs: number,
): Promise<NpmRun> {
  const [command, ...before] = npmCommand(environment);
  return new Promise((done) => {
    const child = spawn(command, [...before, ...words, ...ALWAYS, "--prefix", folder], {
      cwd: folder,
      // A git dependency may bring an .npmrc that names a program to run as git: such packages are refused.
      env: { ...environment, npm_config_allow_git: "none", NO_UPDATE_NOTIFIER: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout = (stdout + chunk).slice(0, MAX_OUTPUT_CHARS);
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(-MAX_OUTPUT_CHARS);
    });
    child.on("error", (cause: NodeJS.ErrnoException) =>
      done({ kind: "failed", code: cause.code === "ENOENT" ? "no npm here" : (cause.code ?? "unknown") }),
    );
    child.on("close", (exit, signal) => {
      if (exit === 0) return done({ kind: "ok", stdout });
      const said = /^npm (?:error|ERR!) code ([A-Z0-9_]{2,40})\s*$/m.exec(stderr)?.[1];
      const code = said ?? (signal ? `no answer in ${timeoutMs} ms` : `exit code ${exit}`);
      done({ kind: "failed", code });
    });
  });
}

/** Windows cannot start `npm.cmd` without a shell: there npm's own script is started. */
function npmCommand(environment: Environment): [string, ...string[]] {
  if (process.platform !== "win32") return ["npm"];
  const script = join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js");
  return existsSync(script) ? [process.execPath, script] : [environment.npm_execpath ?? "npm"];
}
