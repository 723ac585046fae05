/** The gateway's own entry in a client's config, in that client's words. */
import { realpathSync } from "node:fs";
import { defined, ownFile, TrustError } from "../../core/index.ts";
import type { Client, ClientId } from "../../target/index.ts";

export const ENTRY_NAME = "touchstone";

/** Runners keep what they fetch for one run in folders that they empty when they like. */
const PASSING = /[/\\](?:_npx|dlx|dlx-[^/\\]+|bunx-[^/\\]+)[/\\]/;

/** The words that start this very program again, whatever the client's PATH is. */
export function ownCommand(): readonly string[] {
  const main = realpathSync(ownFile("dist/cli/main.js"));
  if (PASSING.test(main))
    throw new TrustError(
      "CLI_BAD_VALUE",
      `${main} is a copy for one run, which the client may not find again`,
      {
        hint: "install touchstone (npm install --global touchstone), and run that",
      },
    );
  return [process.execPath, main];
}

export function gatewayEntry(
  { id, variables }: Client & { readonly id: ClientId },
  [command = "", ...args]: readonly string[],
  reads: readonly string[],
): Readonly<Record<string, unknown>> {
  const values = Object.fromEntries(reads.map((name) => [name, REFERENCES[variables](name)]));
  const env = reads.length === 0 ? undefined : values;
  switch (id) {
    case "opencode":
      return { type: "local", command: [command, ...args], enabled: true, ...defined({ environment: env }) };
    case "codex":
      return {
        command,
        args,
        // It starts many at once, and calls take as long as they take behind it.
        startup_timeout_sec: 60,
        tool_timeout_sec: 300,
        ...(reads.length === 0 ? {} : { env_vars: [...reads] }),
      };
    case "vscode":
      return { type: "stdio", command, args, ...defined({ env }) };
    default:
      return { command, args, ...defined({ env }) };
  }
}

/** How a client is told to hand a variable on. */
const REFERENCES: Readonly<Record<Client["variables"], (name: string) => string>> = {
  // Whose entries cannot name a variable has none to hand on.
  none: () => "",
  braces: (name) => `\${${name}:-}`,
  editor: (name) => `\${env:${name}}`,
  shell: (name) => `\${${name}}`,
  curly: (name) => `{env:${name}}`,
};

/** The file that an entry starts a gateway from, whatever else was written into it; undefined where it does not. */
export function gatewayFileOf(entry: unknown): string | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { command, args } = entry as { command?: unknown; args?: unknown };
  const words = [command, args].flat(2);
  const at = words.indexOf("gateway");
  const file = at > 0 && words[at + 1] === "--config" ? words[at + 2] : undefined;
  return typeof file === "string" ? file : undefined;
}

export const startsFrom =
  (file: string) =>
  (entry: unknown): boolean =>
    gatewayFileOf(entry) === file;
