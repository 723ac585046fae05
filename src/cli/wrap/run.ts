/** One run of `wrap`: what the config names is looked at once and pinned, all that is needed to undo it is kept, and only then the
 *  config is changed. Implements spec/gateway.md, GTW-36 and GTW-37. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ExitCode, readConfig, shown, TrustError } from "../../core/index.ts";
import { DESK_FILE, gatewaySchema, prepare } from "../../gateway/index.ts";
import { LOCK_FILE, LOCK_FORMAT, type Lock, readLock, writeLock } from "../../surface/index.ts";
import {
  type ClientEntry,
  CONFIG_FILE,
  type Exchange,
  entrySecrets,
  exchangeEntries,
  restoreEntries,
} from "../../target/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { plainRedactor } from "../redact.ts";
import {
  type ConfigText,
  makeFolder,
  readConfigText,
  replaceConfig,
  sha256,
  writeDurably,
} from "./durable.ts";
import { ENTRY_NAME, gatewayEntry, gatewayFileOf, ownCommand, startsFrom } from "./entry.ts";
import { gatewayText, readGatewayText } from "./file.ts";
import { type Located, locate, readAs, surveyOf } from "./locate.ts";
import { isSameStart, type Looked, lookAt, type Shown } from "./look.ts";
import { type Candidate, planOf, type Stay } from "./plan.ts";
import { showPlan, showWrapped } from "./show.ts";
import { keepOriginal, readOriginal, readState, STATE_FILE, type State, writeState } from "./state.ts";

/** A config as it is, and as it would be without us. */
interface Config {
  readonly located: Located;
  readonly now: ConfigText;
  readonly original: string;
  readonly entries: readonly ClientEntry[];
  readonly state: State | undefined;
  /** Those behind the gateway already, which need no second look. */
  readonly kept: State["servers"];
  /** All names in the gateway's file, those that its owner put there too. */
  readonly behind: readonly string[];
  /** That file as it stands. */
  readonly gateway: string | undefined;
}

export async function runWrap(words: Words, out: Output): Promise<ExitCode> {
  const config = await readWhole(words);
  const { located, kept } = config;
  const hide = hiding(out, config);
  const exchange = exchangeFor(config, []);
  const fresh = config.entries.filter(({ name, folder }) => folder !== undefined || !isKept(kept, name));
  const { candidates, stays } = await planOf(
    located,
    config.original,
    fresh,
    {
      known: new Map(config.state?.servers.map(({ name, as }) => [name, as])),
      used: config.behind,
    },
    exchange,
  );
  checkFolder(located.folder);
  checkName(stays, located);
  if (words.flag("dry-run")) {
    showPlan({ located, kept, candidates, stays, entry: exchangeFor(config, candidates).value }, out);
    return exitFor(stays);
  }
  const old = await readLock(join(located.folder, LOCK_FILE));
  const isNew = !existsSync(located.folder);
  await makeFolder(located.folder);
  try {
    const seen = await look(candidates, located.folder, old, words, { out, hide });
    if (!seen) {
      out.json({ file: located.file, isWritten: false, exit: 1 });
      out.line("nothing was started, and nothing was changed");
      return 1;
    }
    const all = [...stays, ...seen.failed];
    if (seen.looked.length > 0) checkName(all, located);
    const isWritten = await settle(config, seen.looked, old);
    showWrapped({ located, kept, looked: seen.looked, stays: all, isWritten }, out);
    return exitFor(all);
  } finally {
    if (isNew) await rmdir(located.folder).catch(() => {});
  }
}

const exitFor = (stays: readonly Stay[]): ExitCode => (stays.some(({ isFault }) => isFault) ? 1 : 0);
const isKept = (kept: State["servers"], name: string): boolean => kept.some((each) => each.name === name);

async function look(
  candidates: readonly Candidate[],
  folder: string,
  old: Lock | undefined,
  words: Words,
  shownBy: Shown,
): ReturnType<typeof lookAt> {
  return candidates.length === 0
    ? { looked: [], failed: [] }
    : lookAt(candidates, folder, old, words, shownBy);
}

/** Wrapping once more begins where nothing was wrapped: with what unwrapping would give. */
async function readWhole(words: Words): Promise<Config> {
  const found = await locate(words, "wrap");
  const [now, state] = [await readConfigText(found.file), await readState(found.folder, found.file)];
  const gateway = await readGatewayText(found.folder);
  if (gateway !== undefined && !state)
    throw new TrustError("WRP_UNUSABLE", `${found.folder} has a ${CONFIG_FILE} that wrap did not write`, {
      hint: "give another folder with --folder",
    });
  if (!state) await refuseOther(found, now);
  const isWrapped = state?.status === "wrapped" && sha256(now.bytes) !== state.original.sha256;
  const original = isWrapped ? await unwrapped(found, now.text, state) : now.text;
  const { located, survey } = await readAs(found, Buffer.from(original));
  const [problem] = survey.problems;
  if (survey.entries.length === 0 && problem)
    throw new TrustError(
      "CFG_SYNTAX",
      `${problem.file}:${problem.line}:${problem.column} ${problem.message}`,
    );
  if (survey.entries.length === 0)
    throw new TrustError("TGT_UNKNOWN_SERVER", `${located.file} names no server`, {
      hint: `there is nothing to put the gateway in front of; servers stand under "${located.client.root}"`,
    });
  const file = join(located.folder, CONFIG_FILE);
  const { servers } =
    gateway === undefined ? { servers: {} } : await readConfig(gateway, file, gatewaySchema);
  const behind = Object.keys(servers);
  const kept = isWrapped ? state.servers.filter(({ as }) => behind.includes(as)) : [];
  return { located, now, original, entries: survey.entries, state, kept, behind, gateway };
}

/** A gateway of ours that is kept elsewhere is not a server to put one in front of. */
export async function refuseOther(located: Located, { bytes }: ConfigText): Promise<void> {
  const { survey } = await readAs(located, bytes);
  const own = survey.entries.find(({ name, folder }) => name === ENTRY_NAME && folder === undefined);
  const file = gatewayFileOf(own?.value);
  if (file === undefined) return;
  const folder = dirname(file);
  if (folder !== located.folder && !existsSync(join(folder, STATE_FILE))) return;
  throw new TrustError("WRP_UNUSABLE", `${located.file} is wrapped, and kept in ${shown(folder)}`, {
    hint:
      folder === located.folder
        ? "what was kept there is gone: take the entry out by hand"
        : "give that folder: --folder DIR",
  });
}

async function unwrapped(located: Located, text: string, state: State): Promise<string> {
  const exchange = exchangeOf(located, state);
  const isOurs = startsFrom(join(located.folder, CONFIG_FILE));
  const original = await readOriginal(located.folder, state);
  return (await restoreEntries(text, original, exchange, isOurs)).text;
}

export const exchangeOf = ({ client }: Located, { root, entry, servers }: State): Exchange => ({
  format: client.format,
  root,
  name: entry.name,
  value: entry.value,
  names: servers.map(({ name }) => name),
});

/** What is secret is kept out of all that is printed, but for words that stand in the names of files and servers anyway. */
function hiding(out: Output, { entries, located }: Config): (secrets: readonly string[]) => void {
  const names = new Set(entries.map(({ name }) => name));
  const isPublic = (text: string): boolean =>
    names.has(text) || located.file.includes(text) || located.folder.includes(text);
  const all = new Set<string>();
  const hide = (secrets: readonly string[]): void => {
    for (const secret of secrets) if (!isPublic(secret)) all.add(secret);
    out.hide(plainRedactor([...all]));
  };
  hide(entries.flatMap(entrySecrets));
  return hide;
}

function exchangeFor(config: Config, coming: readonly Candidate[]): Exchange {
  const { located, kept } = config;
  const { client, folder } = located;
  const taken = [...kept, ...coming];
  const reads = [...new Set(taken.flatMap((each) => each.reads))].sort();
  const words = [...ownCommand(), "gateway", "--config", join(folder, CONFIG_FILE)];
  return {
    format: client.format,
    root: [client.root],
    name: ENTRY_NAME,
    value: gatewayEntry(client, words, reads),
    names: taken.map(({ name }) => name),
  };
}

/** Our entry needs its name. */
function checkName(stays: readonly Stay[], { file }: Located): void {
  const own = stays.find(({ name }) => name === ENTRY_NAME);
  if (!own) return;
  throw new TrustError(
    "TGT_NOT_REWRITABLE",
    `${file}: "${ENTRY_NAME}" is the name of an entry that stays: ${own.reason}`,
    {
      hint: "give it another name there; the file was left as it is",
    },
  );
}

/** A socket's path may have so many bytes on every system. */
const MAX_SOCKET_BYTES = 103;

function checkFolder(folder: string): void {
  const socket = join(folder, "audit-32", DESK_FILE);
  if (Buffer.byteLength(socket) <= MAX_SOCKET_BYTES) return;
  throw new TrustError("CLI_BAD_VALUE", `${shown(folder)} is too long a name: a socket has to stand in it`, {
    hint: "give a folder with a shorter one: --folder DIR",
  });
}

/** Writes all of it, the config last. False where there is nothing to change. */
async function settle(config: Config, looked: readonly Looked[], old: Lock | undefined): Promise<boolean> {
  const { located, now, original, kept, state } = config;
  const coming = looked.map(({ candidate }) => candidate);
  const exchange = exchangeFor(config, coming);
  if (exchange.names.length === 0) return false;
  const { text } = await exchangeEntries(original, exchange);
  await checkEntry(located, text);
  if (text === now.text) return false;
  const { folder, file } = located;
  const servers = [...kept, ...coming.map(({ name, as, reads }) => ({ name, as, reads: [...reads] }))];
  const gatewayFile = await draftFolder(config, looked, old, servers);
  await writeState(folder, {
    status: "wrapped",
    file,
    client: located.client.id,
    root: [...exchange.root],
    entry: { name: exchange.name, value: { ...exchange.value } },
    servers,
    original: await keepOriginal(folder, original),
    written: sha256(text),
    at: new Date().toISOString(),
  });
  await rename(gatewayFile, join(folder, CONFIG_FILE));
  try {
    await replaceConfig(file, now, text);
  } catch (cause) {
    // What is kept is again about the config as it is.
    if (state) await writeState(folder, withoutFormat(state));
    throw cause;
  }
  return true;
}

const withoutFormat = ({ format: _, ...rest }: State): Omit<State, "format"> => rest;

/** A client may have a list of the servers that it starts. */
async function checkEntry(located: Located, text: string): Promise<void> {
  const { entries } = await surveyOf(located, Buffer.from(text));
  const own = entries.find(({ name, folder }) => name === ENTRY_NAME && folder === undefined);
  if (own?.isDisabled !== false)
    throw new TrustError("TGT_NOT_REWRITABLE", `${located.client.label} would not start "${ENTRY_NAME}"`, {
      hint: `${located.file} has a list of the servers that may run: put "${ENTRY_NAME}" there first`,
    });
}

/** Writes the lock, and the gateway's file beside its place: it takes it once it is proven. */
async function draftFolder(
  config: Config,
  looked: readonly Looked[],
  old: Lock | undefined,
  servers: State["servers"],
): Promise<string> {
  const { located, gateway, state } = config;
  const { folder } = located;
  const pinned = new Map((old?.servers ?? []).map((server) => [server.id, server]));
  for (const { entry } of looked) pinned.set(entry.id, entry);
  const lockFile = join(folder, LOCK_FILE);
  await writeLock(lockFile, { format: LOCK_FORMAT, servers: [...pinned.values()] }, old);
  await chmod(lockFile, 0o600);
  const staying = new Set(servers.map(({ as }) => as));
  const going = (state?.servers ?? []).map(({ as }) => as).filter((as) => !staying.has(as));
  const coming = looked.map(({ candidate: { as, server, isWanted }, entry }) => {
    const { surface, tools } = entry.surfaces.none;
    const names = [...new Set(tools.flatMap(([name]) => (name === null ? [] : [name])))];
    return { as, server, era: surface.era, tools: names.filter(isWanted) };
  });
  const draft = join(folder, `draft-${randomBytes(6).toString("hex")}.yml`);
  try {
    await writeDurably(draft, await gatewayText(gateway, coming, going, located));
    await proveFolder(draft, looked, servers);
    return draft;
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}

/** Read as the gateway reads it: it starts what was looked at, and holds each to its lock. */
async function proveFolder(
  file: string,
  looked: readonly Looked[],
  servers: State["servers"],
): Promise<void> {
  const prepared = await prepare(file, {});
  const byName = new Map(prepared.servers.map((server) => [server.name, server]));
  for (const { as } of servers)
    if (byName.get(as)?.voucher().kind !== "lock")
      throw new TrustError("WRP_UNUSABLE", `${file}: "${as}" is not held to ${LOCK_FILE} there`);
  for (const { candidate } of looked) {
    const { launch } = byName.get(candidate.as)?.target ?? {};
    if (!launch || !isSameStart(launch, candidate.launch))
      throw new TrustError("WRP_UNUSABLE", `${file}: "${candidate.as}" is not what was looked at`);
  }
}
