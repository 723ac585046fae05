/** The servers a lock is about: those of the project in this folder, or those of the user. Reads configs, starts nothing. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { byUnits, type Finding, finding, readConfigFile, shown, TrustError } from "../../core/index.ts";
import {
  type ClientEntry,
  CONFIG_FILE,
  clientById,
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
  /** Sources of which a config could not be read. */
  readonly unreadable: ReadonlySet<string>;
}

export interface ServersOptions {
  readonly level: "project" | "user";
  /** touchstone.yml, where it is not in the folder itself. */
  readonly configFile?: string;
  readonly machine?: Partial<Machine>;
}

export async function configuredServers(options: ServersOptions): Promise<Configured> {
  const { level, configFile } = options;
  const environment = options.machine?.environment ?? process.env;
  const home = environment.HOME || homedir();
  const folder = level === "user" ? home : projectFolder(configFile);
  const machine: Machine = {
    platform: process.platform === "darwin" || process.platform === "win32" ? process.platform : "linux",
    home,
    folder,
    environment,
    ...options.machine,
  };
  const own = level === "user" ? NOTHING : await ownServers(configFile, machine.folder);
  const survey = await readClients(machine);
  const entries = survey.entries.filter(({ origin }) => origin === level);
  const problems = survey.problems
    .filter(({ file }) => levelOf(file, machine, survey.entries) === level)
    .map(({ file, line, column, message }) =>
      finding("CONF-04", `${shown(file)}:${line}:${column}`, shown(message, 200)),
    );
  void clientById;
  return combined(own, entries, problems, machine);
}
