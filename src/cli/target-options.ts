/** How the options of a command that speaks to a server become a target. */
import { defined } from "../core/index.ts";
import {
  type ResolvedTarget,
  readReference,
  resolveTarget,
  startable,
  type TargetOptions,
} from "../target/index.ts";
import { type EraChoice, redactor } from "../wire/index.ts";
import { type Words, wholeNumber } from "./command.ts";
import { wordSecrets } from "./command-line.ts";
import type { Output } from "./output.ts";
import { commandLabel } from "./scan/label.ts";

export function targetOptions(words: Words, out: Output): TargetOptions {
  return defined({
    env: words.texts("env"),
    headers: words.texts("header"),
    cwd: words.text("cwd"),
    bearerEnv: words.text("bearer-env"),
    era: words.text("era") as EraChoice | undefined,
    transport: words.text("transport") as "http" | "sse" | "auto" | undefined,
    configFile: words.text("config"),
    onProgress: (text: string) => out.progress(text),
  });
}

/** A command is named by its words, not by its program alone. */
export function labelFor({ positionals, rest }: Words, { label, launch, secrets }: ResolvedTarget): string {
  const [command, ...args] = positionals.length === 0 ? (rest ?? []) : [];
  return command === undefined
    ? label
    : commandLabel({ command, args }, [...secrets, ...wordSecrets(launch)]);
}

/** Resolves the target a command was given, and keeps its secrets out of everything printed from here on. */
export async function targetFrom(words: Words, out: Output): Promise<ResolvedTarget> {
  const seconds = wholeNumber(words, "timeout");
  const reference = readReference(words.positionals, words.rest);
  const target = startable(await resolveTarget(reference, targetOptions(words, out)));
  out.hide(redactor(target.secrets));
  for (const note of target.notes) out.line(`note: ${note}`);
  return seconds === undefined
    ? target
    : { ...target, limits: { ...target.limits, timeoutMs: seconds * 1000 } };
}
