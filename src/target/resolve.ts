/** From a reference and the operator's options to a target, with where it came from and what must not be recorded. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { defined, didYouMean, readConfigFile, shown, TrustError } from "../core/index.ts";
import type { Launch, Limits } from "../wire/index.ts";
import { findEntry } from "./clients/find.ts";
import { readClients } from "./clients/read.ts";
import { clientById, type Machine } from "./clients/table.ts";
import { createExpander } from "./clients/variables.ts";
import { type Config, configSchema, type ServerEntry } from "./config.ts";
import { credentialFile, credentialStore } from "./credentials.ts";
import { fileLaunch } from "./file.ts";
import { storedToken } from "./login.ts";
import { npmLaunch, specOf } from "./npm.ts";
import { type Environment, type Overrides, withOverrides } from "./overrides.ts";
import { npmSpec } from "./pinning/npm.ts";
import { pinningOf } from "./pinning.ts";
import type { Reference } from "./reference.ts";
import { missingRunner, runnerLaunch } from "./runner.ts";
import type { NotStartable, Resolution, ResolvedTarget } from "./target.ts";

export const CONFIG_FILE = "touchstone.yml";

export interface TargetOptions extends Overrides {
  readonly configFile?: string;
  readonly environment?: Environment;
  /** Where client configs are looked for; what is left out is this machine's own. */
  readonly machine?: Partial<Machine>;
  /** Told what takes its time. */
  readonly onProgress?: (text: string) => void;
}

/** What the reference alone says, before the options of the command line. */
interface Found
  extends Pick<ResolvedTarget, "label" | "launch" | "origin" | "pinning">,
    Partial<Pick<ResolvedTarget, "era" | "notes" | "resolved" | "secrets">> {
  readonly kind: "found";
  readonly bearerEnv?: string;
}

export async function resolveTarget(reference: Reference, options: TargetOptions = {}): Promise<Resolution> {
  const file = options.configFile ?? CONFIG_FILE;
  const isNeeded = reference.kind === "named" || options.configFile !== undefined;
  const config = isNeeded ? await readTargetConfig(file, reference, options.configFile !== undefined) : {};
  const environment = options.environment ?? process.env;
  const found = await find(reference, config, file, environment, options);
  if (found.kind === "not-startable") return found;
  const given = withOverrides(found, options, environment);
  const { launch, secrets } = await withLogin(given, environment);
  const missing = missingRunner(launch, environment);
  if (missing) return missing;
  return {
    kind: "target",
    label: found.label,
    launch,
    limits: limitsOf(config),
    origin: found.origin,
    pinning: found.pinning,
    notes: found.notes ?? [],
    secrets: [...new Set([...(found.secrets ?? []), ...secrets])],
    ...defined({ era: options.era ?? found.era, resolved: found.resolved }),
  };
}

/** Adds the token of an earlier login to a remote server that was given no credentials of its own. */
async function withLogin(
  given: { launch: Launch; secrets: readonly string[] },
  environment: Environment,
): Promise<{ launch: Launch; secrets: readonly string[] }> {
  const { launch, secrets } = given;
  if (launch.kind !== "http" || Object.hasOwn(launch.headers ?? {}, "authorization")) return given;
  const token = await storedToken(launch.url, credentialStore(credentialFile(environment)));
  if (token === undefined) return given;
  const headers = { ...launch.headers, authorization: `Bearer ${token}` };
  return { launch: { ...launch, headers }, secrets: [...secrets, token] };
}

async function find(
  reference: Reference,
  config: Config,
  file: string,
  environment: Environment,
  options: TargetOptions,
): Promise<Found | NotStartable> {
  const origin = { kind: "command-line" } as const;
  const given = (label: string, launch: Launch): Found => ({
    kind: "found",
    label,
    launch,
    origin,
    pinning: pinningOf(launch),
  });
  switch (reference.kind) {
    case "command": {
      const launch = { kind: "stdio", command: reference.command, args: reference.args } as const;
      return given(labelOf(launch), launch);
    }
    case "url": {
      const launch = { kind: "http", url: reference.url } as const;
      return given(labelOf(launch), launch);
    }
    case "file": {
      const launch = await fileLaunch(reference.path, reference.args);
      return launch.kind === "not-startable" ? launch : given(reference.path, launch);
    }
    case "runner":
      return given(
        `${reference.runner}:${reference.spec}`,
        runnerLaunch(reference.runner, reference.spec, reference.args),
      );
    case "npm": {
      const installed = await npmLaunch(reference, reference.args, {
        environment,
        ...defined({ onProgress: options.onProgress }),
      });
      if (installed.kind === "not-startable") return installed;
      const { launch, resolved, notes } = installed;
      const label = `npm:${resolved.name}@${resolved.version}`;
      return { kind: "found", label, launch, origin, resolved, notes, pinning: npmSpec(specOf(reference)) };
    }
    case "config":
      return findInClients(reference, environment, options);
    case "named":
      return fromEntry(
        reference,
        serverEntry(config, reference.name, file),
        file,
        machineOf(environment, options),
      );
  }
}

function fromEntry(
  reference: Reference & { kind: "named" },
  written: ServerEntry,
  file: string,
  machine: Machine,
): Found {
  const { name, args } = reference;
  const { entry, secrets } = filledIn(name, written, machine);
  const cwd = entry.cwd === undefined ? undefined : resolve(dirname(file), entry.cwd);
  const { env, headers = {}, transport } = entry;
  if (entry.url !== undefined && args.length > 0) throw noArguments(name);
  const launch: Launch =
    entry.url === undefined
      ? {
          kind: "stdio",
          command: entry.command ?? "",
          args: [...(entry.args ?? []), ...args],
          ...defined({ env, cwd }),
        }
      : { kind: "http", url: new URL(entry.url), headers, ...defined({ transport }) };
  return {
    kind: "found",
    label: name,
    launch,
    origin: { kind: "touchstone.yml", file },
    pinning: pinningOf(launch),
    secrets,
    ...defined({ era: entry.era, bearerEnv: entry.auth?.bearer_env }),
  };
}

/** The entry with the values of variables in the place of `${NAME}`, where it asks for that. */
function filledIn(
  name: string,
  entry: ServerEntry,
  machine: Machine,
): { readonly entry: ServerEntry; readonly secrets: readonly string[] } {
  if (entry.variables !== true) return { entry, secrets: [] };
  const expander = createExpander("braces", machine);
  const fill = (text: string | undefined, where: string): string | undefined =>
    text === undefined ? undefined : expander.expand(text, where);
  const all = (texts: Readonly<Record<string, string>> | undefined, where: string) =>
    texts &&
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, expander.expand(text, `${where}.${key}`)]),
    );
  const filled: ServerEntry = {
    ...entry,
    ...defined({
      command: fill(entry.command, "command"),
      args: entry.args?.map((word, index) => expander.expand(word, `args[${index}]`)),
      cwd: fill(entry.cwd, "cwd"),
      env: all(entry.env, "env"),
      url: fill(entry.url, "url"),
      headers: all(entry.headers, "headers"),
    }),
  };
  if (expander.fault !== undefined)
    throw new TrustError("TGT_MISSING_ENV", `servers.${name}.${expander.fault}`);
  // A variable fills in a key, and says not who it is sent to.
  if (entry.url !== undefined && originOf(filled.url) !== originOf(entry.url))
    throw new TrustError("TGT_BAD_REFERENCE", `servers.${name}.url: no variable may stand in its host`, {
      hint: "write the host out; a variable may stand behind it, in the path or the query",
    });
  return { entry: filled, secrets: expander.values.filter((value) => value !== "") };
}

const originOf = (url = ""): string => (URL.canParse(url) ? new URL(url).origin : "");

function machineOf(environment: Environment, options: TargetOptions): Machine {
  return {
    platform: process.platform === "darwin" || process.platform === "win32" ? process.platform : "linux",
    home: environment.HOME || homedir(),
    folder: process.cwd(),
    environment,
    ...options.machine,
  };
}

async function findInClients(
  reference: Reference & { kind: "config" },
  environment: Environment,
  options: TargetOptions,
): Promise<Found | NotStartable> {
  const machine = machineOf(environment, options);
  const entry = findEntry(await readClients(machine), reference, machine.folder);
  if (entry.start.kind === "not-startable") return entry.start;
  const { launch, secrets, reads } = entry.start;
  if (launch.kind === "http" && reference.args.length > 0) throw noArguments(entry.name);
  const { client, origin: level, file, line, column } = entry;
  const where = `${shown(file)}:${line}:${column}`;
  const notes = [
    ...(level === "project"
      ? [`${where} belongs to this project: whoever wrote it chose what is started`]
      : []),
    ...(level === "project" && reads.length > 0
      ? [`it takes ${reads.join(", ")} from your environment`]
      : []),
    ...(entry.isDisabled ? [`${where} is switched off in ${clientById(client).label}`] : []),
  ];
  return {
    kind: "found",
    label: shown(entry.name, 80),
    launch: launch.kind === "http" ? launch : { ...launch, args: [...launch.args, ...reference.args] },
    origin: { kind: "client-config", client, level, file, line, column },
    pinning: pinningOf(launch),
    notes,
    secrets,
  };
}

function noArguments(name: string): TrustError {
  return new TrustError(
    "TGT_BAD_REFERENCE",
    `"${shown(name, 80)}" is a server at a URL, which takes no arguments`,
    {
      hint: "leave out everything after --",
    },
  );
}

async function readTargetConfig(file: string, reference: Reference, isExplicit: boolean): Promise<Config> {
  try {
    return await readConfigFile(file, configSchema);
  } catch (cause) {
    const isAbsent = cause instanceof TrustError && cause.code === "CFG_NOT_FOUND";
    if (!isAbsent || isExplicit || reference.kind !== "named") throw cause;
    const message = `no server "${reference.name}": there is no ${file} here`;
    throw new TrustError("TGT_UNKNOWN_SERVER", message, { cause, ...fileHint(reference.name) });
  }
}

function serverEntry(config: Config, name: string, file: string): ServerEntry {
  const servers = config.servers ?? {};
  const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (entry) return entry;
  throw new TrustError(
    "TGT_UNKNOWN_SERVER",
    `${file} has no server "${name}"${didYouMean(name, Object.keys(servers))}`,
    fileHint(name),
  );
}

const fileHint = (name: string): { hint?: string } =>
  existsSync(name) ? { hint: `for the file write ./${name}` } : {};

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
