/** From a reference and the operator's options to a launch, and to the secrets that must not be recorded. */
import { dirname, resolve } from "node:path";
import { defined, didYouMean, readConfigFile, TrustError } from "../core/index.ts";
import type { EraChoice, Launch, Limits } from "../wire/index.ts";
import { type Config, configSchema, type ServerEntry } from "./config.ts";
import type { Reference } from "./reference.ts";

export const CONFIG_FILE = "touchstone.yml";

export interface TargetOptions {
  /** `NAME=VALUE`, or `NAME` to pass on our own value. */
  readonly env?: readonly string[];
  readonly cwd?: string;
  /** `Name: value`. */
  readonly headers?: readonly string[];
  readonly bearerEnv?: string;
  readonly era?: EraChoice;
  readonly transport?: "http" | "sse" | "auto";
  readonly configFile?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface Target {
  /** How people name it: the server's name, its URL without query, or its command. */
  readonly label: string;
  readonly launch: Launch;
  readonly era?: EraChoice;
  readonly limits: Partial<Limits>;
  /** Values of the operator that must never be printed or recorded. */
  readonly secrets: readonly string[];
}

export async function resolveTarget(reference: Reference, options: TargetOptions = {}): Promise<Target> {
  const file = options.configFile ?? CONFIG_FILE;
  const isNeeded = reference.kind === "named" || options.configFile !== undefined;
  const config = isNeeded ? await readTargetConfig(file, reference, options.configFile !== undefined) : {};
  const entry = reference.kind === "named" ? serverEntry(config, reference.name, file) : entryOf(reference);
  const environment = options.environment ?? process.env;
  const env = {
    ...entry.env,
    ...Object.fromEntries((options.env ?? []).map((word) => readEnv(word, environment))),
  };
  const headers = { ...entry.headers, ...Object.fromEntries((options.headers ?? []).map(readHeader)) };
  const bearerEnv = options.bearerEnv ?? entry.auth?.bearer_env;
  if (bearerEnv !== undefined) headers.authorization = `Bearer ${bearer(bearerEnv, environment)}`;
  const cwd = options.cwd ?? (entry.cwd === undefined ? undefined : resolve(dirname(file), entry.cwd));
  const transport = options.transport ?? entry.transport;
  const era = options.era ?? entry.era;
  const launch: Launch =
    entry.url === undefined
      ? { kind: "stdio", command: entry.command ?? "", args: entry.args ?? [], env, ...defined({ cwd }) }
      : { kind: "http", url: new URL(entry.url), headers, ...defined({ transport }) };
  return {
    label: reference.kind === "named" ? reference.name : labelOf(launch),
    launch,
    limits: limitsOf(config),
    secrets: [
      ...Object.values(env),
      ...Object.values(headers),
      ...Object.values(headers).map((value) => value.replace(/^\w+ /, "")),
    ],
    ...defined({ era }),
  };
}

async function readTargetConfig(file: string, reference: Reference, isExplicit: boolean): Promise<Config> {
  try {
    return await readConfigFile(file, configSchema);
  } catch (cause) {
    const isAbsent = cause instanceof TrustError && cause.code === "CFG_NOT_FOUND";
    if (!isAbsent || isExplicit || reference.kind !== "named") throw cause;
    const message = `no server "${reference.name}": there is no ${file} here`;
    throw new TrustError("TGT_UNKNOWN_SERVER", message, { cause });
  }
}

function serverEntry(config: Config, name: string, file: string): ServerEntry {
  const servers = config.servers ?? {};
  const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (entry) return entry;
  throw new TrustError(
    "TGT_UNKNOWN_SERVER",
    `${file} has no server "${name}"${didYouMean(name, Object.keys(servers))}`,
  );
}

function entryOf(reference: Reference & { kind: "command" | "url" }): ServerEntry {
  if (reference.kind === "url") return { url: reference.url.href };
  return { command: reference.command, args: [...reference.args] };
}

function readEnv(word: string, environment: Readonly<Record<string, string | undefined>>): [string, string] {
  const [, name, , value] = /^([A-Za-z_][A-Za-z0-9_]*)(=([\s\S]*))?$/.exec(word) ?? [];
  // The word may hold a secret: it is not repeated.
  if (name === undefined) throw new TrustError("CLI_BAD_VALUE", "--env: want NAME or NAME=VALUE");
  const found = value ?? environment[name];
  if (found === undefined)
    throw new TrustError("TGT_MISSING_ENV", `--env ${name}: not set in this environment`);
  return [name, found];
}

function readHeader(word: string): [string, string] {
  const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(word) ?? [];
  if (name === undefined || value === undefined)
    throw new TrustError("CLI_BAD_VALUE", '--header: want "Name: value"');
  return [name.toLowerCase(), value];
}

function bearer(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const token = environment[name];
  if (token === undefined || token === "")
    throw new TrustError("TGT_MISSING_ENV", `${name} is not set in this environment`);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TrustError("CLI_BAD_VALUE", `${name} does not hold a token: it has spaces or line breaks`);
  return token;
}

function limitsOf({ limits = {} }: Config): Partial<Limits> {
  return defined({
    timeoutMs: limits.timeout_ms,
    maxFrameBytes: limits.max_frame_bytes,
    maxMessages: limits.max_messages,
    maxPages: limits.max_pages,
  });
}

/** Query and arguments may hold secrets: they are no part of a name. */
function labelOf(launch: Launch): string {
  return launch.kind === "http" ? launch.url.origin + launch.url.pathname : launch.command;
}
