/** How a command starts servers: in the sandbox where there is one, and aloud where there is not. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { defined, type Finding, readConfigFile, TrustError } from "../core/index.ts";
import { skippedText } from "../report/index.ts";
import {
  type AllowedHost,
  detectSandbox,
  type FindCanaries,
  hostsDeclaredFor,
  makeCanaries,
  type PlantedCanary,
  readAllowedHost,
  type SandboxEvent,
  sandboxFindings,
  sandboxLauncher,
} from "../sandbox/index.ts";
import { canaryMatch } from "../scan/index.ts";
import { CONFIG_FILE, type Config, configSchema, offlineLaunch, type Target } from "../target/index.ts";
import type { Launcher } from "../wire/index.ts";
import type { Words } from "./command.ts";

/** Whether a server was started in the sandbox. `reason` is short and stable; `detail` says more. */
export type SandboxUse =
  | { readonly status: "used" }
  | { readonly status: "skipped"; readonly reason: string; readonly detail?: string };

export interface Contained<T extends Target> {
  /** The target as it is to be started: what a runner would fetch is installed by now. */
  readonly target: T;
  readonly launcher?: Launcher;
  /** Absent for a server that runs elsewhere. */
  readonly use?: SandboxUse;
  readonly notes: readonly string[];
  /** What the sandbox saw of it so far. */
  findings(): Finding[];
}

export type Contain = <T extends Target>(target: T) => Promise<Contained<T>>;

/** Throws when a sandbox is required and there is none. */
export async function containment(
  words: Words,
  onProgress: (text: string) => void = () => {},
): Promise<Contain> {
  const mode = words.text("sandbox") ?? "auto";
  const operator = await operatorHosts(words);
  return async (target) => {
    const plain = { target, notes: [], findings: () => [] };
    const skipped = (reason: string, detail?: string): Contained<typeof target> => {
      if (mode === "required")
        throw new TrustError("SBX_UNAVAILABLE", `${target.label}: ${detail ?? reason}`);
      return { ...plain, use: { status: "skipped", reason, ...defined({ detail }) } };
    };
    if (target.launch.kind === "http") return plain;
    if (mode === "none") return skipped("--sandbox none");
    const detection = detectSandbox();
    if (!detection.backend) return skipped("no sandbox", `${detection.reason}; ${detection.hint}`);
    const offline = await offlineLaunch(target.launch, { onProgress });
    if ("reason" in offline || offline.launch.kind === "http")
      return skipped("not startable there", "reason" in offline ? offline.reason : undefined);
    const { launch, notes } = offline;
    const { canaries, env, homeFiles, workFiles } = makeCanaries({ form: "plain", random: randomBytes });
    const cwd = launch.cwd ?? process.cwd();
    const declared = hostsDeclaredFor({ file: launch.command, args: launch.args, cwd });
    const events: SandboxEvent[] = [];
    const launcher = sandboxLauncher(detection.backend, {
      allowed: [...operator, ...declared.hosts],
      env,
      homeFiles,
      workFiles,
      onEvent: (event) => events.push(event),
    });
    return {
      target: { ...target, launch },
      launcher,
      use: { status: "used" },
      notes: [
        ...notes,
        ...declared.faults.map((fault) => `${target.label}: not declared properly: ${fault}`),
      ],
      findings: () => sandboxFindings(target.label, events, canaryFinder(canaries)),
    };
  };
}

/** Looks for these canaries, whole or in part. */
export function canaryFinder(canaries: readonly PlantedCanary[]): FindCanaries {
  return (texts) => {
    const found = new Map<string, boolean>();
    for (const { canary, severity } of canaryMatch(texts, canaries))
      found.set(canary, found.get(canary) === true || severity === "fail");
    return [...found].map(([canary, isWhole]) => ({ canary, isWhole }));
  };
}

/** Hosts of the command line and of touchstone.yml. */
export async function operatorHosts(words: Words): Promise<AllowedHost[]> {
  const given = words.texts("allow-host").map((text) => readAllowedHost(text, "operator"));
  const file = words.text("config") ?? CONFIG_FILE;
  if (!existsSync(file)) return given;
  // A file that cannot be read allows nothing; who needs it says what is wrong with it.
  const { egress } = await readConfigFile(file, configSchema).catch((): Config => ({}));
  return [...given, ...(egress?.allow ?? []).map((text) => readAllowedHost(text, "operator"))];
}

export const useText = (use: SandboxUse): string => skippedText(use) || "in the sandbox";
