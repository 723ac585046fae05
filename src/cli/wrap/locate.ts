/** Which config is meant, whose it is, and the folder that is kept for it. Reads names of files only. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { didYouMean, shown, TrustError } from "../../core/index.ts";
import { DESK_FILE } from "../../gateway/index.ts";
import {
  CLIENT_IDS,
  CLIENTS,
  type Client,
  type ClientId,
  type ClientSurvey,
  type ConfigPlace,
  clientById,
  configPlaces,
  credentialFile,
  isClientId,
  type Machine,
  readClientBytes,
} from "../../target/index.ts";
import type { Words } from "../command.ts";
import { thisMachine } from "../scan/installed.ts";

export interface Located {
  readonly client: Client & { readonly id: ClientId };
  /** Where nobody knows which client reads the file, its variables have no meaning. */
  readonly isKnown: boolean;
  readonly level: "user" | "project";
  /** The file itself, not a link to it. */
  readonly file: string;
  readonly machine: Machine;
  /** Where all is kept that belongs to this config. */
  readonly folder: string;
}

export async function locate(words: Words, command: string): Promise<Located> {
  const [word, ...more] = words.positionals;
  if (word === undefined || more.length > 0 || words.rest !== undefined)
    throw new TrustError("CLI_MISSING_ARGUMENT", `${command} needs one client or one config file`, {
      hint: `clients: ${CLIENT_IDS.join(", ")}`,
    });
  if (isClientId(word) && words.text("client") !== undefined)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `${command}: --client says how to read a file, and ${word} is none`,
    );
  const machine = thisMachine();
  const found = isClientId(word) ? ofClient(word, machine) : ofFile(word, words.text("client"), machine);
  const file = await realpath(found.file);
  const given = words.text("folder");
  const folder = given === undefined ? ownFolder(file, machine) : resolve(given);
  return { ...found, client: named(found.client, found.isKnown), file, folder };
}

/** Of a file of nobody known only the words are a client's: it must not be called by that one's name. */
const named = (id: ClientId, isKnown: boolean): Located["client"] => ({
  ...clientById(id),
  id,
  ...(isKnown ? {} : { label: "the client" }),
});

type Found = Pick<Located, "isKnown" | "level" | "file" | "machine"> & { readonly client: ClientId };

function ofClient(id: ClientId, machine: Machine): Found {
  const places = configPlaces(machine).filter(({ client, level }) => client === id && level === "user");
  const there = places.filter(({ file }) => existsSync(file));
  const [only, ...others] = there;
  const { label } = clientById(id);
  if (!only)
    throw new TrustError("CFG_NOT_FOUND", `there is no config of ${label}: ${listed(places)}`, {
      hint: "name the file itself, where it is elsewhere",
    });
  if (others.length > 0)
    throw new TrustError("TGT_AMBIGUOUS", `${label} has several configs: ${listed(there)}`, {
      hint: "name the file you mean",
    });
  return { client: id, isKnown: true, level: "user", file: only.file, machine };
}

const listed = (places: readonly { readonly file: string }[]): string =>
  places.map(({ file }) => shown(file)).join(", ");

function ofFile(word: string, client: string | undefined, machine: Machine): Found {
  const file = resolve(word);
  if (client !== undefined && !isClientId(client))
    throw new TrustError(
      "CLI_BAD_VALUE",
      `--client: no client "${shown(client, 80)}"${didYouMean(client, CLIENT_IDS)}`,
    );
  if (!existsSync(file))
    throw new TrustError(
      "CFG_NOT_FOUND",
      `${shown(word)}: neither a client nor a file${didYouMean(word, CLIENT_IDS)}`,
      { hint: `clients: ${CLIENT_IDS.join(", ")}` },
    );
  const place = placeOf(file, machine);
  if (place && client === undefined) return { ...place, isKnown: true, machine };
  const project = projectOf(file, client);
  if (project)
    return {
      client: project.client,
      isKnown: true,
      level: "project",
      file,
      machine: { ...machine, folder: project.folder },
    };
  if (client !== undefined) return { client, isKnown: true, level: "user", file, machine };
  return { client: likeliest(file), isKnown: false, level: "user", file, machine };
}

const placeOf = (file: string, machine: Machine): ConfigPlace | undefined =>
  configPlaces(machine).find((each) => each.file === file);

/** A file that lies where a client looks for a project's: the project, and whose it is. */
function projectOf(
  file: string,
  wanted?: ClientId,
): { readonly client: ClientId; readonly folder: string } | undefined {
  const clients: readonly (Client & { readonly id: ClientId })[] = CLIENTS;
  for (const { id, project } of clients.filter((each) => wanted === undefined || each.id === wanted))
    for (const name of project)
      if (file.endsWith(`/${name}`)) return { client: id, folder: file.slice(0, -name.length - 1) || "/" };
  return undefined;
}

/** By the words that most clients use; `readAs` looks into it. */
const likeliest = (file: string): ClientId =>
  extname(file).toLowerCase() === ".toml" ? "codex" : "claude-desktop";

/** The config with those of its entries that count. A file of nobody known is read as by the first client whose words it is in. */
export async function readAs(
  located: Located,
  bytes: Uint8Array,
): Promise<{ readonly located: Located; readonly survey: ClientSurvey }> {
  const survey = await surveyOf(located, bytes);
  if (located.isKnown || survey.entries.length > 0) return { located, survey };
  for (const id of ["vscode", "opencode"] as const) {
    const other = { ...located, client: named(id, false) };
    const seen = await surveyOf(other, bytes);
    if (seen.entries.length > 0) return { located: other, survey: seen };
  }
  return { located, survey };
}

export function surveyOf(
  { client, level, file, machine }: Located,
  bytes: Uint8Array,
  environment = machine.environment,
): Promise<ClientSurvey> {
  return readClientBytes(bytes, { client: client.id, level, file }, { ...machine, environment });
}

/** A socket's path may have so many bytes on every system. */
const MAX_SOCKET_BYTES = 103;

/** One stands in it, and in each further log beside that. */
export const hasRoom = (folder: string): boolean =>
  Buffer.byteLength(join(folder, "audit-32", DESK_FILE)) <= MAX_SOCKET_BYTES;

/** By the file alone, however it was named. Where the home folder has a long name, less of the client's stands in it. */
function ownFolder(file: string, machine: Machine): string {
  const { environment } = machine;
  const digest = createHash("sha256").update(file).digest("hex").slice(0, 8);
  const { client = basename(file, extname(file)) } = placeOf(file, machine) ?? projectOf(file) ?? {};
  const name = client.replace(/[^A-Za-z0-9_-]/g, "-");
  const parent = join(dirname(credentialFile(environment)), "wrapped");
  const whole = name.slice(0, 24) || "file";
  const folders = [...whole].map((_, cut) => join(parent, `${whole.slice(0, whole.length - cut)}-${digest}`));
  return folders.find(hasRoom) ?? join(parent, digest);
}
