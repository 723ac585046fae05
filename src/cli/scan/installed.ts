/** Everything that is installed: the entries of every client config on this machine and in this folder, and of
 *  touchstone.yml, with what can be said about them before anything is started. */
import { homedir } from "node:os";
import { dirname } from "node:path";
import { defined } from "../../core/index.ts";
import type { Sighting } from "../../report/index.ts";
import {
  auditClients,
  type ClientEntry,
  clientById,
  credentialFile,
  credentialStore,
  entryName,
  entryPinning,
  entrySecrets,
  type Machine,
  readClients,
  storedToken,
  type Target,
  writtenWords,
} from "../../target/index.ts";
import type { Launch } from "../../wire/index.ts";
import { detailsOf, type Known, MAX_SECRETS } from "./known.ts";
import { ownServers } from "./own-config.ts";

export interface Installed {
  readonly known: readonly Known[];
  readonly findings: readonly Sighting[];
  readonly secrets: readonly string[];
  /** How many files name servers or could not be read. */
  readonly files: number;
  /** How many could not be read. */
  readonly unreadable: number;
}

export function thisMachine(): Machine {
  const { platform, env } = process;
  return {
    platform: platform === "darwin" || platform === "win32" ? platform : "linux",
    home: env.HOME || homedir(),
    folder: process.cwd(),
    environment: env,
  };
}

export async function installedServers(
  machine: Machine,
  config: { readonly file: string; readonly isNamed: boolean },
): Promise<Installed> {
  const [survey, own] = await Promise.all([readClients(machine), ownServers(config.file, config.isNamed)]);
  const isPublic = publicWords(machine, [...survey.entries, ...own.known]);
  const known: Known[] = [];
  const secrets = own.secrets.filter((secret) => !isPublic(secret));
  for (const entry of survey.entries) {
    const hidden = entrySecrets(entry).filter((secret) => !isPublic(secret));
    if (secrets.length + hidden.length > MAX_SECRETS) {
      // What cannot be hidden is not shown, and what might say it is not started.
      const { target: _, ...rest } = await knownEntry(entry, [], machine);
      const reason = `it holds ${hidden.length} values that may be secret: too many`;
      known.push({ ...rest, details: [], reason });
      continue;
    }
    const one = await knownEntry(entry, hidden, machine);
    for (const secret of [...hidden, ...(one.target?.secrets ?? [])]) secrets.push(secret);
    known.push(one);
  }
  const files = [...survey.entries, ...survey.problems].map(({ file }) => file);
  const hasOwn = own.known.length + own.findings.length > 0;
  return {
    known: [...known, ...own.known],
    findings: [...(await auditClients(survey)), ...own.findings],
    secrets: [...new Set(secrets)],
    files: new Set(files).size + (hasOwn ? 1 : 0),
    unreadable:
      new Set(survey.problems.map(({ file }) => file)).size +
      (own.findings.some(({ rule }) => rule === "CONF-04") ? 1 : 0),
  };
}

/** Values of variables that stand in every path or name anyway: replacing them would only make a report unreadable. */
function publicWords(
  { home, folder }: Machine,
  named: readonly { readonly name: string }[],
): (text: string) => boolean {
  const words = new Set(named.map(({ name }) => name));
  for (const start of [home, folder])
    for (let path = start; !words.has(path); path = dirname(path)) words.add(path);
  return (text) => words.has(text.replace(/(?<=.)[/\\]$/, ""));
}

async function knownEntry(entry: ClientEntry, secrets: readonly string[], machine: Machine): Promise<Known> {
  const { name, client, origin, file, line, column, folder, start, isDisabled } = entry;
  const { label } = clientById(client);
  const written = writtenLaunch(entry);
  const base = {
    name,
    reference: entryName(entry),
    origin: `${label}, ${origin}${folder === undefined ? "" : `, for ${folder}`}`,
    place: { file, line, column },
    isDisabled,
    scope: { client, ...defined({ folder }) },
  };
  if (start.kind === "not-startable")
    return {
      ...base,
      details: detailsOf(written && { launch: written, secrets }, entryPinning(entry)),
      reason: start.reason,
    };
  const target = await withLogin({ label: name, launch: start.launch, limits: {}, secrets }, machine);
  // What a project takes from the user's environment it can hand on: that is said before it is started.
  const reads =
    origin === "project" && start.reads.length > 0
      ? [`takes ${start.reads.join(", ")} from your environment`]
      : [];
  const details = [...detailsOf(target, entryPinning(entry)), ...reads];
  if (isDisabled) return { ...base, details, reason: `switched off in ${label}` };
  return { ...base, details, target, takes: start.reads };
}

/** A remote server without credentials of its own gets the token of an earlier login, as for a named target. */
async function withLogin(target: Target, { environment }: Machine): Promise<Target> {
  const { launch, secrets } = target;
  if (launch.kind !== "http" || Object.hasOwn(launch.headers ?? {}, "authorization")) return target;
  const token = await storedToken(launch.url, credentialStore(credentialFile(environment)));
  if (token === undefined) return target;
  const headers = { ...launch.headers, authorization: `Bearer ${token}` };
  return { ...target, launch: { ...launch, headers }, secrets: [...secrets, token] };
}

/** The words of an entry that cannot be started, for showing only. */
function writtenLaunch({ value }: ClientEntry): Launch | undefined {
  const [first, ...args] = writtenWords(value);
  if (first === undefined) return undefined;
  if (/^https?:\/\//i.test(first) && URL.canParse(first)) return { kind: "http", url: new URL(first) };
  return { kind: "stdio", command: first, args };
}
