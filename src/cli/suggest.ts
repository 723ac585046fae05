/** `policy suggest`: the logs of a file verified, read in the order of time, and made into a policy. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Entry, logFiles, PROBLEMS, query, verifierKey, verifyLog } from "../audit/index.ts";
import { count, defined, type ExitCode, TrustError } from "../core/index.ts";
import {
  type GatewayFile,
  logFolders,
  readGatewayFile,
  suggest,
  suggestionText,
  type Today,
} from "../gateway/index.ts";
import { policyFor } from "../policy/index.ts";
import { LOCK_FILE, type Lock, readLock } from "../surface/index.ts";
import { CONFIG_FILE } from "../target/index.ts";
import { newFile } from "./attest/keys.ts";
import { indexesFor, keyFor } from "./audit/folder.ts";
import { instantFrom } from "./audit/show.ts";
import { unhurried } from "./audit/verify.ts";
import type { Words } from "./command.ts";
import type { Output } from "./output.ts";

export async function runSuggest(words: Words, out: Output): Promise<ExitCode> {
  const { folders, today } = await sourceFrom(words);
  const absent = folders.find((each) => statSync(each, { throwIfNoEntry: false })?.isDirectory() !== true);
  if (absent !== undefined)
    throw new TrustError("CFG_NOT_FOUND", `${absent}: there is no such folder`, {
      hint: "give the folder that the log is written to: --log FOLDER",
    });
  const isUnverified = words.flag("unverified");
  const sources = folders.map((folder): Source => {
    out.progress(`reading ${folder}`);
    return isUnverified ? { folder, ...UNVERIFIED } : verified(words, folder, folders);
  });
  const since = instantFrom(words, "since");
  const suggestion = suggest(inOrder(sources.map((source) => entriesOf(source, since))), today);
  if (suggestion.seen.calls === 0) throw nothingIn(sources);
  const yaml = suggestionText(suggestion, isUnverified ? [WARNING] : sources.flatMap(({ about }) => about));
  const file = words.text("out");
  if (file !== undefined) newFile(file, Buffer.from(yaml), 0o644);
  out.json({ ...suggestion, yaml, ...defined({ file }) });
  if (file === undefined && !out.isJson) out.line(yaml.trimEnd());
  if (file !== undefined)
    out.line(
      `${file}: ${count(suggestion.servers.length, "server")}, ${count(suggestion.flows.length, "flow")}; read it before you use it`,
    );
  return 0;
}

function nothingIn(sources: readonly Source[]): TrustError {
  const folders = sources.map(({ folder }) => folder).join(", ");
  const signed = sources.reduce((sum, { until }) => sum + until, 0);
  const waiting = sources.reduce((sum, source) => sum + source.waiting, 0);
  if (waiting > 0)
    return new TrustError(
      "CLI_BAD_VALUE",
      `${folders}: no call of a tool was let through in ${sources.length === 1 ? "its" : "their"} ${count(signed, "signed entry", "signed entries")}; ${count(waiting, "entry waits", "entries wait")} for the next checkpoint`,
      {
        hint: "a gateway that runs signs what it wrote every ten seconds, and when it ends: ask again then, or take it unsigned with --unverified",
      },
    );
  return new TrustError(
    "CLI_BAD_VALUE",
    `${folders}: no call of a tool was let through: there is nothing to suggest`,
    { hint: "let the gateway run with policy: spec and its modes in observe first" },
  );
}

/** The logs, and the file that they belong to where there is one. */
async function sourceFrom(words: Words): Promise<{ folders: readonly string[]; today: Today | undefined }> {
  const [given, config] = [words.text("log"), words.text("config")];
  if (given !== undefined && config === undefined) return { folders: [given], today: undefined };
  const path = config ?? CONFIG_FILE;
  const file = await readGatewayFile(path);
  const lock = await readLock(join(dirname(resolve(path)), LOCK_FILE));
  const folders = given === undefined ? await logFolders(path) : [given];
  return { folders, today: todayOf(file, lock) };
}

function todayOf(file: GatewayFile, lock: Lock | undefined): Today {
  const servers = Object.entries(file.servers).map(([name, { url, locked }]) => {
    const { label, serverTrust, resourceTrust, allowedTools } = policyFor(file.mcp_servers, {
      name,
      ...defined({ url }),
    });
    const known = locked ? lock?.servers.find(({ id }) => id === name)?.surfaces.none.tools : undefined;
    const pinned = (known ?? []).flatMap(([tool]) => tool ?? []);
    const isBelieved = serverTrust !== "NONE" || resourceTrust !== "NONE";
    return [name, { label, isBelieved, tools: [...(allowedTools ?? []), ...pinned] }] as const;
  });
  const { allowed_flows = [], required_sanitizers = [] } = file.security.trust_boundary ?? {};
  return {
    servers: new Map(servers),
    allowedFlows: allowed_flows,
    sanitizers: required_sanitizers,
    modes: file.modes,
  };
}

interface Source {
  readonly folder: string;
  /** Entries from here on do not count. */
  readonly until: number;
  /** So many there are behind that. */
  readonly waiting: number;
  readonly about: readonly string[];
}

const UNVERIFIED = { until: Number.POSITIVE_INFINITY, waiting: 0, about: [] };
const WARNING = "NOT VERIFIED: whoever could write to the log may have chosen what stands here.";

/** What is behind the last checkpoint could be anybody's: it does not count. */
function verified(words: Words, folder: string, folders: readonly string[]): Source {
  const { key: found, isOwn } = keyFor(words, folder);
  // Gateways of one file sign with one key, each log under the name of its folder.
  const suffix = folder.slice(folders[0]?.length);
  const key = isOwn || suffix === "" ? found : verifierKey(`${found.name}${suffix}`, found.publicKey);
  const verdict = unhurried(() => verifyLog(logFiles(folder), { key }));
  if (verdict.status === "problem")
    throw new TrustError(
      "AUD_DAMAGED",
      `${folder}: the log is not whole: ${verdict.problem}: ${PROBLEMS[verdict.problem]}`,
      {
        hint: `touchstone audit verify ${folder} tells where; --unverified takes it as it is${folders.length > 1 ? ", --log FOLDER another one alone" : ""}`,
      },
    );
  const { entries, signed } = verdict;
  const whose = isOwn ? "its folder's own key" : "the key that was given";
  const rest =
    entries > signed
      ? [`${count(entries - signed, "entry", "entries")} behind the last checkpoint: left out.`]
      : [];
  return {
    folder,
    until: signed,
    waiting: entries - signed,
    about: [
      `From the log of ${key.name}: whole, ${count(signed, "entry", "entries")} signed, by ${whose}.`,
      ...rest,
    ],
  };
}

function* entriesOf({ folder, until }: Source, since: string | undefined): Generator<Entry, undefined> {
  for (const { entry } of query(logFiles(folder), defined({ since }), indexesFor(folder))) {
    if (entry.n >= until) return;
    yield entry;
  }
}

/** The entries of all logs as they were written: how a tool stands is what was seen of it last. */
function* inOrder(logs: readonly Generator<Entry, undefined>[]): Generator<Entry> {
  const heads = logs.map((log) => ({ log, entry: log.next().value }));
  for (;;) {
    let first: { readonly log: Generator<Entry, undefined>; entry: Entry | undefined } | undefined;
    for (const head of heads)
      if (head.entry && (!first?.entry || head.entry.at < first.entry.at)) first = head;
    if (!first?.entry) return;
    yield first.entry;
    first.entry = first.log.next().value;
  }
}
