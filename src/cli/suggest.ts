/** `policy suggest`: a log verified, read, and made into a policy. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Entry, type LogFiles, logFiles, PROBLEMS, query, verifyLog } from "../audit/index.ts";
import { count, defined, type ExitCode, TrustError } from "../core/index.ts";
import { type GatewayFile, readGatewayFile, suggest, suggestionText, type Today } from "../gateway/index.ts";
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
  const { folder, today } = await sourceFrom(words);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new TrustError("CFG_NOT_FOUND", `${folder}: there is no such folder`, {
      hint: "give the folder that the log is written to: --log FOLDER",
    });
  const files = logFiles(folder);
  out.progress(`reading ${folder}`);
  const source = words.flag("unverified") ? UNVERIFIED : verified(words, folder, files);
  const { until, about } = source;
  const since = instantFrom(words, "since");
  const found = query(files, defined({ since }), indexesFor(folder));
  const suggestion = suggest(entriesOf(found, until), today);
  if (suggestion.seen.calls === 0) throw nothingIn(folder, source);
  const yaml = suggestionText(suggestion, about);
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

function nothingIn(folder: string, { until, waiting }: Source): TrustError {
  if (waiting > 0)
    return new TrustError(
      "CLI_BAD_VALUE",
      `${folder}: no call of a tool was let through in its ${count(until, "signed entry", "signed entries")}; ${count(waiting, "entry waits", "entries wait")} for the next checkpoint`,
      {
        hint: "a gateway that runs signs what it wrote every ten seconds, and when it ends: ask again then, or take it unsigned with --unverified",
      },
    );
  return new TrustError(
    "CLI_BAD_VALUE",
    `${folder}: no call of a tool was let through: there is nothing to suggest`,
    { hint: "let the gateway run with policy: spec and its modes in observe first" },
  );
}

/** The log, and the file that it belongs to where there is one. */
async function sourceFrom(words: Words): Promise<{ folder: string; today: Today | undefined }> {
  const [given, config] = [words.text("log"), words.text("config")];
  if (given !== undefined && config === undefined) return { folder: given, today: undefined };
  const path = config ?? CONFIG_FILE;
  const file = await readGatewayFile(path);
  const at = dirname(resolve(path));
  const lock = await readLock(join(at, LOCK_FILE));
  return { folder: given ?? resolve(at, file.audit.folder), today: todayOf(file, lock) };
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
    triggerFrom: file.modes.trigger_from,
  };
}

interface Source {
  /** Entries from here on do not count. */
  readonly until: number;
  /** So many there are behind that. */
  readonly waiting: number;
  readonly about: readonly string[];
}

const UNVERIFIED: Source = {
  until: Number.POSITIVE_INFINITY,
  waiting: 0,
  about: ["NOT VERIFIED: whoever could write to the log may have chosen what stands here."],
};

/** What is behind the last checkpoint could be anybody's: it does not count. */
function verified(words: Words, folder: string, files: LogFiles): Source {
  const { key, isOwn } = keyFor(words, folder);
  const verdict = unhurried(() => verifyLog(files, { key }));
  if (verdict.status === "problem")
    throw new TrustError(
      "AUD_DAMAGED",
      `${folder}: the log is not whole: ${verdict.problem}: ${PROBLEMS[verdict.problem]}`,
      { hint: `touchstone audit verify ${folder} tells where; --unverified takes it as it is` },
    );
  const { entries, signed } = verdict;
  const whose = isOwn ? "its folder's own key" : "the key that was given";
  const rest =
    entries > signed
      ? [`${count(entries - signed, "entry", "entries")} behind the last checkpoint: left out.`]
      : [];
  return {
    until: signed,
    waiting: entries - signed,
    about: [
      `From the log of ${key.name}: whole, ${count(signed, "entry", "entries")} signed, by ${whose}.`,
      ...rest,
    ],
  };
}

function* entriesOf(found: Iterable<{ readonly entry: Entry }>, until: number): Generator<Entry> {
  for (const { entry } of found) {
    if (entry.n >= until) return;
    yield entry;
  }
}
