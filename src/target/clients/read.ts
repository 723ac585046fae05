/** Reads the servers of every client config on this machine and in this folder. A broken file is a problem with its
 *  place, and the others are read on. Nothing is started, and no value of a variable or header is put into words. */
import { readFile, stat } from "node:fs/promises";
import { shown } from "../../core/index.ts";
import { pinningOf } from "../pinning.ts";
import { missingRunner } from "../runner.ts";
import { type NotStartable, notStartable } from "../target.ts";
import { type Document, parseDocument } from "./document.ts";
import { readEnvText } from "./env-file.ts";
import { type EntryLaunch, launchOf, type NoLaunch } from "./launch.ts";
import {
  type Client,
  type ClientId,
  type ConfigPlace,
  clientById,
  configPlaces,
  type Machine,
} from "./table.ts";
import { isObject, type Path, valueAt } from "./values.ts";

export interface ClientEntry {
  readonly client: ClientId;
  /** Who wrote it. What stands in a project file is untrusted: it names commands. */
  readonly origin: "user" | "project";
  readonly file: string;
  /** The folder an entry of the user's own file is meant for; absent when it is meant for all. */
  readonly folder?: string;
  readonly name: string;
  /** Where the entry is in the file, for `replaceEntry`. */
  readonly path: Path;
  readonly line: number;
  readonly column: number;
  /** All of the entry, unknown keys too. Holds secrets: not for printing. */
  readonly value: unknown;
  /** Its exact text, where it is one piece. Holds secrets: not for printing. */
  readonly raw?: string;
  readonly isDisabled: boolean;
  readonly start: EntryLaunch | NotStartable;
}

export interface ClientProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ClientSurvey {
  readonly entries: readonly ClientEntry[];
  readonly problems: readonly ClientProblem[];
}

/** Some clients keep whole histories in the user's file; what a project brings is attacker-controlled and small. */
const MAX_BYTES = { user: 32 * 1024 * 1024, project: 1024 * 1024 } as const;
const MAX_SERVERS = 500;

export async function readClients(machine: Machine): Promise<ClientSurvey> {
  const read = await Promise.all(configPlaces(machine).map((place) => readClientFile(place, machine)));
  return {
    entries: read.flatMap(({ entries }) => entries),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** One file. A file that is not there has no entries and is no problem. */
export async function readClientFile(place: ConfigPlace, machine: Machine): Promise<ClientSurvey> {
  const bytes = await readBounded(place.file, MAX_BYTES[place.level]);
  if (bytes === undefined) return { entries: [], problems: [] };
  if (typeof bytes === "string")
    return { entries: [], problems: [{ file: place.file, line: 1, column: 1, message: bytes }] };
  return readClientBytes(bytes, place, machine);
}

export async function readClientBytes(
  bytes: Uint8Array,
  place: ConfigPlace,
  machine: Machine,
): Promise<ClientSurvey> {
  const { file } = place;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { entries: [], problems: [{ file, line: 1, column: 1, message: "not valid UTF-8" }] };
  }
  const client = clientById(place.client);
  // An empty file is what a client leaves behind before its first server.
  if (text.trim() === "") return { entries: [], problems: [] };
  const parsed = await parseDocument(text, client.format);
  if (parsed.kind === "flaw") return { entries: [], problems: [{ file, ...parsed.flaw }] };
  return readDocument(parsed.document, client, place, machine);
}

async function readDocument(
  document: Document,
  client: Client,
  place: ConfigPlace,
  machine: Machine,
): Promise<ClientSurvey> {
  const { file, level } = place;
  const entries: ClientEntry[] = [];
  const problems: ClientProblem[] = [];
  const problem = (offset: number | undefined, message: string): void =>
    void problems.push({ file, ...document.placeOf(offset ?? 0), message: shown(message, 200) });
  for (const { path, offset } of document.duplicates)
    problem(offset, `the key "${path.at(-1)}" stands twice`);
  if (!isObject(document.value)) problem(0, "want an object");
  for (const { path: root, folder } of roots(client, document.value, level)) {
    const servers = valueAt(document.value, root);
    if (servers === undefined) continue;
    if (!isObject(servers)) {
      problem(document.keyOffset(root), `${root.at(-1)}: want servers by name`);
      continue;
    }
    const named = Object.entries(servers);
    if (named.length > MAX_SERVERS)
      problem(document.keyOffset(root), `${named.length} servers, only the first ${MAX_SERVERS} are read`);
    for (const [name, value] of named.slice(0, MAX_SERVERS)) {
      const path = [...root, name];
      const span = document.span(path);
      const twice = document.duplicates.find(
        (found) => isPrefix(path, found.path) || isPrefix(found.path, path),
      );
      entries.push({
        client: place.client,
        origin: level,
        file,
        ...(folder === undefined ? {} : { folder }),
        name,
        path,
        ...document.placeOf(document.keyOffset(path) ?? 0),
        value,
        ...("reason" in span ? {} : { raw: document.text.slice(span.start, span.end) }),
        isDisabled: isDisabled(client, name, value, document.value),
        start: twice
          ? unfit(name, `the key "${twice.path.at(-1)}" stands twice`)
          : await startOf(client, name, value, level, machine),
      });
    }
  }
  return { entries, problems };
}

const isPrefix = (short: Path, long: Path): boolean => short.every((key, index) => long[index] === key);

/** Claude Code also keeps servers by project in the user's own file. */
function roots(client: Client, value: unknown, level: "user" | "project"): { path: Path; folder?: string }[] {
  const own = [{ path: [client.root] }];
  if (client.id !== "claude-code" || level !== "user") return own;
  const projects = valueAt(value, ["projects"]);
  if (!isObject(projects)) return own;
  return [
    ...own,
    ...Object.keys(projects).map((folder) => ({ path: ["projects", folder, client.root], folder })),
  ];
}

function isDisabled(client: Client, name: string, entry: unknown, root: unknown): boolean {
  if (isObject(entry) && (entry.disabled === true || entry.enabled === false)) return true;
  if (client.id !== "gemini") return false;
  const [excluded, allowed] = [valueAt(root, ["mcp", "excluded"]), valueAt(root, ["mcp", "allowed"])];
  return (
    (Array.isArray(excluded) && excluded.includes(name)) ||
    (Array.isArray(allowed) && !allowed.includes(name))
  );
}

async function startOf(
  client: Client,
  name: string,
  value: unknown,
  level: "user" | "project",
  machine: Machine,
): Promise<EntryLaunch | NotStartable> {
  if (!isObject(value)) return unfit(name, "the entry is not an object");
  const draft = launchOf(client, value, level, machine);
  if (draft.kind === "reason") return unfit(name, draft.reason, wordsOnly(value));
  const complete = draft.envFile === undefined ? draft : await withEnvFile(draft, draft.envFile);
  if (complete.kind === "reason") return unfit(name, complete.reason, draft);
  return missingRunner(complete.launch, machine.environment) ?? complete;
}

/** Pinning is judged on the words as written where an entry cannot be started: variables rarely name the code. */
function wordsOnly(value: Readonly<Record<string, unknown>>): Pick<EntryLaunch, "launch"> | undefined {
  const words = [value.command, value.args].flat().filter((word) => typeof word === "string");
  const [command, ...args] = words;
  return command === undefined ? undefined : { launch: { kind: "stdio", command, args } };
}

function unfit(name: string, reason: string, draft?: Pick<EntryLaunch, "launch">): NotStartable {
  const pinning = draft
    ? pinningOf(draft.launch)
    : ({ status: "unknown", why: "the entry cannot be read" } as const);
  return notStartable(name, shown(reason, 200), pinning);
}

async function withEnvFile(draft: EntryLaunch, file: string): Promise<EntryLaunch | NoLaunch> {
  if (draft.launch.kind !== "stdio") return draft;
  const bytes = await readBounded(file, MAX_BYTES.project);
  if (bytes === undefined) return { kind: "reason", reason: "envFile: there is no such file" };
  if (typeof bytes === "string") return { kind: "reason", reason: `envFile: ${bytes}` };
  const added = readEnvText(new TextDecoder().decode(bytes));
  return {
    ...draft,
    launch: { ...draft.launch, env: { ...added, ...draft.launch.env } },
    secrets: [...new Set([...draft.secrets, ...Object.values(added)])].filter((value) => value !== ""),
  };
}

/** The bytes; undefined when there is no such file; a reason in words when it cannot be read. */
async function readBounded(file: string, maxBytes: number): Promise<Uint8Array | string | undefined> {
  try {
    const info = await stat(file);
    // A pipe or device in a project folder would hold us for ever.
    if (!info.isFile()) return "not a regular file";
    if (info.size > maxBytes) return `${info.size} bytes, limit ${maxBytes}`;
    return await readFile(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR"
      ? undefined
      : `cannot be read (${code ?? "unknown fault"})`;
  }
}
