/** The servers a lock is about: those of the project in this folder, or those of the user. Reads configs, starts nothing. */
import { homedir } from "node:os";
import { dirname, relative, resolve } from "node:path";
import {
  byUnits,
  didYouMean,
  type Finding,
  finding,
  readConfigFile,
  shown,
  TrustError,
} from "../../core/index.ts";
import {
  CLIENTS,
  type Client,
  type ClientEntry,
  type ClientProblem,
  CONFIG_FILE,
  configSchema,
  type Machine,
  type Reference,
  readClients,
} from "../../target/index.ts";
import type { ServerName } from "./entry.ts";

export interface ConfiguredServer extends ServerName {
  /** Where it is written, for people. */
  readonly where: string;
  readonly reference: Reference;
  /** The folder its config is meant for. */
  readonly folder: string;
}

export interface Configured {
  /** By id. */
  readonly servers: readonly ConfiguredServer[];
  /** Entries a client has switched off: they are not started, so they are not locked. */
  readonly disabled: readonly ServerName[];
  /** CONF-04 for each config that could not be read; its servers are unknown. */
  readonly problems: readonly Finding[];
  /** The sources of those configs. */
  readonly unreadable: ReadonlySet<string>;
}

export interface ServersOptions {
  readonly level: "project" | "user";
  /** touchstone.yml, where it is not in the folder itself. */
  readonly configFile?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The folder whose configs are meant: that of the file given, else where we stand. */
export const projectFolder = (configFile?: string): string =>
  configFile === undefined ? process.cwd() : dirname(resolve(configFile));

export async function configuredServers(options: ServersOptions): Promise<Configured> {
  const { level, configFile, environment = process.env } = options;
  const home = environment.HOME || homedir();
  const folder = level === "user" ? home : projectFolder(configFile);
  const platform = process.platform === "darwin" || process.platform === "win32" ? process.platform : "linux";
  const machine: Machine = { platform, home, folder, environment };
  const survey = await readClients(machine);
  const own = level === "user" ? NONE : await ownServers(configFile, folder);
  const clients = survey.entries.filter(({ origin }) => origin === level);
  const broken = survey.problems.flatMap((problem) => {
    const client = ownerOf(problem.file, level, machine);
    return client === undefined ? [] : [{ client, problem }];
  });
  return {
    servers: byId([
      ...own.servers,
      ...clients.filter(({ isDisabled }) => !isDisabled).map((entry) => clientServer(entry, folder)),
    ]),
    disabled: clients.filter(({ isDisabled }) => isDisabled).map((entry) => clientServer(entry, folder)),
    problems: [...own.problems, ...broken.map(({ problem }) => unreadable(problem))],
    unreadable: new Set([
      ...(own.problems.length > 0 ? [CONFIG_FILE] : []),
      ...broken.map(({ client }) => client),
    ]),
  };
}

const NONE = { servers: [], problems: [] } as const;

/** A broken touchstone.yml is said and the clients' configs are read on; one that was asked for must be there. */
async function ownServers(
  configFile: string | undefined,
  folder: string,
): Promise<{ servers: readonly ConfiguredServer[]; problems: readonly Finding[] }> {
  const file = configFile ?? CONFIG_FILE;
  try {
    const { servers = {} } = await readConfigFile(file, configSchema);
    return {
      servers: Object.keys(servers).map((name) => ({
        id: name,
        name,
        source: CONFIG_FILE,
        where: file,
        reference: { kind: "named", name, args: [] },
        folder,
      })),
      problems: [],
    };
  } catch (cause) {
    if (!(cause instanceof TrustError)) throw cause;
    if (cause.code === "CFG_NOT_FOUND" && configFile === undefined) return NONE;
    if (cause.code === "CFG_NOT_FOUND") throw cause;
    return { servers: [], problems: [finding("CONF-04", file, cause.message)] };
  }
}

function clientServer(entry: ClientEntry, folder: string): ConfiguredServer {
  const { client, origin: level, name, file, line, column } = entry;
  return {
    id: `${client}/${name}${entry.folder === undefined ? "" : `@${entry.folder}`}`,
    name,
    source: client,
    where: `${fromHere(file)}:${line}:${column}`,
    reference: { kind: "config", client, level, name, args: [] },
    folder: entry.folder ?? folder,
  };
}

/** The shorter of the two ways to name a file. */
function fromHere(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith("..") ? file : path;
}

/** One server an id. Two files of one client may hold one name: which is meant is asked when it is resolved. */
function byId(servers: readonly ConfiguredServer[]): ConfiguredServer[] {
  const found = new Map<string, ConfiguredServer>();
  for (const server of servers) {
    const other = found.get(server.id);
    if (other && other.source !== server.source)
      throw new TrustError(
        "TGT_AMBIGUOUS",
        `"${shown(server.id, 120)}" is the name of two servers: ${other.where}, ${server.where}`,
        { hint: "rename the one in touchstone.yml" },
      );
    found.set(server.id, server);
  }
  return [...found.values()].sort((a, b) => byUnits(a.id, b.id));
}

const unreadable = ({ file, line, column, message }: ClientProblem): Finding =>
  finding("CONF-04", `${shown(fromHere(file))}:${line}:${column}`, shown(message, 200));

/** Which client's file this is; undefined when it belongs to the other level. */
function ownerOf(
  file: string,
  level: "project" | "user",
  { platform, folder, home }: Machine,
): string | undefined {
  const clients: readonly Client[] = CLIENTS;
  const user = clients.find(({ user }) =>
    user[platform].some((pattern) => file.endsWith(resolve("/", pattern.replace(/^\{\w+\}\//, "")))),
  );
  if (level === "user") return user?.id;
  if (user && folder === home) return undefined;
  return clients.find(({ project }) => project.some((name) => resolve(folder, name) === file))?.id;
}

/** The servers people name on the command line, by id or by name; all of them when none is named. */
export function chosen<Named extends ServerName>(
  words: readonly string[],
  known: readonly Named[],
): readonly Named[] {
  if (words.length === 0) return known;
  return [...new Set(words.map((word) => one(word, known)))];
}

/** The one server a word means. */
export function one<Named extends ServerName>(word: string, known: readonly Named[]): Named {
  const exact = known.filter(({ id }) => id === word);
  const [only, ...others] = exact.length > 0 ? exact : known.filter(({ name }) => name === word);
  if (only && others.length === 0) return only;
  const ids = (only ? [only, ...others] : known).map(({ id }) => shown(id, 80));
  if (only)
    throw new TrustError("TGT_AMBIGUOUS", `"${shown(word, 80)}" is the name of several servers`, {
      hint: `name the one you mean: ${ids.join(", ")}`,
    });
  const near = didYouMean(
    word,
    known.flatMap(({ id, name }) => [id, name]),
  );
  throw new TrustError("TGT_UNKNOWN_SERVER", `no server "${shown(word, 80)}"${near}`, {
    hint: ids.length > 0 ? `there are: ${ids.slice(0, 20).join(", ")}` : "no config here names a server",
  });
}
