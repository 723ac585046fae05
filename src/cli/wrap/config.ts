/** A client's config as it is, as it would be without us, and what is kept of it. Writes nothing. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readConfig, shown, TrustError } from "../../core/index.ts";
import { gatewaySchema } from "../../gateway/index.ts";
import { LOCK_FILE, type Lock, readLock } from "../../surface/index.ts";
import { type ClientEntry, CONFIG_FILE, type Exchange, restoreEntries } from "../../target/index.ts";
import type { Words } from "../command.ts";
import { type ConfigText, readConfigText, sha256 } from "./durable.ts";
import { ENTRY_NAME, gatewayEntry, gatewayFileOf, ownCommand, startsFrom } from "./entry.ts";
import { readGatewayText } from "./file.ts";
import { type Located, locate, readAs } from "./locate.ts";
import type { Candidate } from "./plan.ts";
import { readOriginal, readState, STATE_FILE, type State } from "./state.ts";

/** A config as it is, and as it would be without us. */
export interface Config {
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
  readonly lock: Lock | undefined;
}

/** Wrapping once more begins where nothing was wrapped: with what unwrapping would give. */
export async function readWhole(words: Words): Promise<Config> {
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
  const lock = await readLock(join(located.folder, LOCK_FILE));
  const isPinned = (as: string): boolean => lock?.servers.some(({ id }) => id === as) === true;
  const kept = isWrapped ? state.servers.filter(({ as }) => behind.includes(as) && isPinned(as)) : [];
  return { located, now, original, entries: survey.entries, state, kept, behind, gateway, lock };
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

/** Ours for those behind the gateway, and for those that come. */
export function exchangeFor(config: Config, coming: readonly Candidate[]): Exchange {
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
