/** From the entry of a client config to a launch, in that client's own words, or to the reason why there is none.
 *  Entries are written by others: reasons name fields, never values. */
import { resolve } from "node:path";
import { defined } from "../../core/index.ts";
import type { Launch } from "../../wire/index.ts";
import type { Client, Machine } from "./table.ts";
import { isObject } from "./values.ts";
import { createExpander, type Expander } from "./variables.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface EntryLaunch {
  readonly kind: "launch";
  readonly launch: Launch;
  /** A file with further variables; those of the entry itself win. */
  readonly envFile?: string;
  readonly secrets: readonly string[];
  /** Names of variables that the entry takes from the operator's environment. */
  readonly reads: readonly string[];
}

export interface NoLaunch {
  readonly kind: "reason";
  readonly reason: string;
}

/** Ends the reading of one entry; never leaves this file. */
class Unfit extends Error {}

export function launchOf(
  client: Client,
  entry: Fields,
  level: "user" | "project",
  machine: Machine,
): EntryLaunch | NoLaunch {
  const expander = createExpander(client.variables, machine);
  try {
    const fields = normal(client, entry);
    const launch = isRemote(client, fields)
      ? httpLaunch(client, fields, expander)
      : stdioLaunch(client, fields, expander, level, machine);
    if (expander.fault !== undefined) return { kind: "reason", reason: expander.fault };
    return {
      kind: "launch",
      ...launch,
      secrets: secretsOf(launch.launch, expander),
      reads: [...expander.reads],
    };
  } catch (thrown) {
    if (!(thrown instanceof Unfit)) throw thrown;
    // A missing variable is the better reason: what is unfit may only be so without its value.
    return { kind: "reason", reason: expander.fault ?? thrown.message };
  }
}

/** opencode writes the command as one list and calls the variables otherwise. */
function normal(client: Client, entry: Fields): Fields {
  if (client.id !== "opencode") return entry;
  const { command, environment, ...rest } = entry;
  if (command === undefined) return rest;
  if (!Array.isArray(command) || command.length === 0) throw new Unfit("command: want a list of words");
  return { ...rest, command: command[0], args: command.slice(1), ...defined({ env: environment }) };
}

const TYPES: Readonly<Record<string, "stdio" | "http" | "sse" | "remote">> = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  streamable_http: "http",
  sse: "sse",
  remote: "remote",
};

function isRemote(client: Client, fields: Fields): boolean {
  const type = typeOf(fields);
  const hasUrl = Object.keys(client.urls).some((key) => fields[key] !== undefined);
  const hasCommand = fields.command !== undefined;
  if (hasUrl && hasCommand) throw new Unfit("it has both a command and a URL");
  if (!hasUrl && !hasCommand) throw new Unfit("it has neither a command nor a URL");
  if (type !== undefined && (type === "stdio") === hasUrl)
    throw new Unfit(`type: does not go with a ${hasUrl ? "URL" : "command"}`);
  return hasUrl;
}

function typeOf(fields: Fields): "stdio" | "http" | "sse" | "remote" | undefined {
  const type = fields.type ?? fields.transport;
  if (type === undefined) return undefined;
  const known = typeof type === "string" && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known === undefined) throw new Unfit("type: a transport that is not spoken here");
  return known;
}

function stdioLaunch(
  client: Client,
  fields: Fields,
  { expand, variable }: Expander,
  level: "user" | "project",
  machine: Machine,
): Pick<EntryLaunch, "launch" | "envFile"> {
  const command = expand(text(fields.command, "command"), "command");
  if (command === "") throw new Unfit("command: it is empty");
  const args = list(fields.args, "args").map((word, index) => expand(word, `args[${index}]`));
  const env: Record<string, string> = {};
  for (const name of passedOn(client, fields)) {
    if (machine.environment[name] !== undefined) env[name] = variable(name, "env_vars");
  }
  for (const [name, value] of texts(fields.env, "env", client.id === "vscode")) {
    if (!/^[^=\0]+$/.test(name)) throw new Unfit("env: a name that no variable can have");
    env[name] = noNull(expand(value, `env.${name}`), `env.${name}`);
  }
  // What a project says is meant from its folder; what the user says, from where the client happens to run.
  const written = fields.cwd === undefined ? undefined : expand(text(fields.cwd, "cwd"), "cwd");
  const cwd =
    written === undefined
      ? level === "project"
        ? machine.folder
        : undefined
      : resolve(machine.folder, noNull(written, "cwd"));
  const hasEnvFile = (client.id === "vscode" || client.id === "cursor") && fields.envFile !== undefined;
  const envFile = hasEnvFile
    ? resolve(machine.folder, expand(text(fields.envFile, "envFile"), "envFile"))
    : undefined;
  return {
    launch: {
      kind: "stdio",
      command: noNull(command, "command"),
      args: args.map((word, index) => noNull(word, `args[${index}]`)),
      env,
      ...defined({ cwd }),
    },
    ...defined({ envFile }),
  };
}

/** Codex: names of variables that are handed on as they are. */
function passedOn(client: Client, fields: Fields): string[] {
  if (client.id !== "codex" || fields.env_vars === undefined) return [];
  if (!Array.isArray(fields.env_vars)) throw new Unfit("env_vars: want a list");
  return fields.env_vars.map((item) => text(isObject(item) ? item.name : item, "env_vars"));
}

function httpLaunch(
  client: Client,
  fields: Fields,
  { expand, variable }: Expander,
): Pick<EntryLaunch, "launch"> {
  const [key = "url", kind = "auto"] =
    Object.entries(client.urls).find(([name]) => fields[name] !== undefined) ?? [];
  const written = expand(text(fields[key], key), key);
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written))
    throw new Unfit(`${key}: want an http or https URL`);
  const url = new URL(written);
  if (url.username || url.password) throw new Unfit(`${key}: it holds a user name or password`);
  if (fields.headersHelper !== undefined)
    throw new Unfit("headersHelper: its headers come from a command, which is not run here");
  const headers: Record<string, string> = {};
  const set = (name: string, value: string): void => {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      throw new Unfit("headers: a name that no header can have");
    if (!/^[^\r\n\0]*$/.test(value)) throw new Unfit(`headers.${name}: it holds a line break`);
    headers[name.toLowerCase()] = value;
  };
  for (const field of ["headers", "http_headers"])
    for (const [name, value] of texts(fields[field], field)) set(name, expand(value, `${field}.${name}`));
  if (client.id === "codex") {
    for (const [name, from] of texts(fields.env_http_headers, "env_http_headers"))
      set(name, variable(from, "env_http_headers"));
    if (fields.bearer_token_env_var !== undefined) {
      const from = text(fields.bearer_token_env_var, "bearer_token_env_var");
      set("authorization", `Bearer ${variable(from, "bearer_token_env_var")}`);
    }
  }
  const type = typeOf(fields);
  const transport = type === "http" || type === "sse" ? type : kind;
  return { launch: { kind: "http", url, headers, transport } };
}

function secretsOf(launch: Launch, { values }: Expander): string[] {
  const own =
    launch.kind === "stdio"
      ? Object.values(launch.env ?? {})
      : [
          ...Object.values(launch.headers ?? {}).flatMap((value) => [value, value.replace(/^\w+ /, "")]),
          ...launch.url.searchParams.values(),
        ];
  return [...new Set([...own, ...values])].filter((value) => value !== "");
}

function text(value: unknown, where: string): string {
  if (typeof value !== "string") throw new Unfit(`${where}: want text`);
  return value;
}

function noNull(value: string, where: string): string {
  if (value.includes("\0")) throw new Unfit(`${where}: it holds a null character`);
  return value;
}

function list(value: unknown, where: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Unfit(`${where}: want a list`);
  return value.map((item, index) => text(item, `${where}[${index}]`));
}

/** VS Code also takes numbers, and null for a variable that shall not be there. */
function texts(value: unknown, where: string, takesNumbers = false): [string, string][] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw new Unfit(`${where}: want names with text`);
  return Object.entries(value).flatMap(([name, item]): [string, string][] => {
    if (takesNumbers && item === null) return [];
    if (takesNumbers && typeof item === "number") return [[name, String(item)]];
    return [[name, text(item, `${where}.${name}`)]];
  });
}
