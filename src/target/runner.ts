/** Programs that fetch and start servers of other worlds. They are recognised whether they are here or not. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import type { Launch } from "../wire/index.ts";
import { pinningOf, programName } from "./pinning.ts";
import { type NotStartable, notStartable } from "./target.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `uvx:name` and the like: the words that start it. */
const RUNNERS = {
  uvx: (spec: string) => [spec],
  pipx: (spec: string) => ["run", spec],
  bunx: (spec: string) => [spec],
  deno: (spec: string) => ["run", spec],
  docker: (image: string) => ["run", "-i", "--rm", image],
  podman: (image: string) => ["run", "-i", "--rm", image],
} as const;

export type Runner = keyof typeof RUNNERS;

export function isRunner(text: string): text is Runner {
  return Object.hasOwn(RUNNERS, text);
}

export function runnerLaunch(runner: Runner, spec: string, args: readonly string[]): Launch {
  return { kind: "stdio", command: runner, args: [...RUNNERS[runner](spec), ...args] };
}

/** Says that a launch needs a runner that is not installed here; undefined when nothing is missing. */
export function missingRunner(launch: Launch, environment: Environment): NotStartable | undefined {
  if (launch.kind !== "stdio") return undefined;
  const program = programName(launch.command);
  if (!isRunner(program) && program !== "uv") return undefined;
  const path = launch.env?.PATH ?? environment.PATH ?? "";
  if (isInstalled(launch.command, path)) return undefined;
  return notStartable(program, `it needs ${program}, which is not installed here`, pinningOf(launch));
}

function isInstalled(command: string, path: string): boolean {
  const candidates =
    command.includes("/") || command.includes(sep)
      ? [command]
      : path.split(delimiter).flatMap((folder) => {
          const file = join(folder || ".", command);
          return process.platform === "win32" ? [`${file}.exe`, `${file}.cmd`, file] : [file];
        });
  return candidates.some((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}
