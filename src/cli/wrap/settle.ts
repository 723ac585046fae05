/** Writes what a wrapped client needs, proves it, and changes the client's config last. Implements spec/gateway.md, GTW-36. */
import { randomBytes } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { TrustError } from "../../core/index.ts";
import { prepare } from "../../gateway/index.ts";
import { LOCK_FILE, LOCK_FORMAT, writeLock } from "../../surface/index.ts";
import { CONFIG_FILE, exchangeEntries } from "../../target/index.ts";
import { type Config, exchangeFor } from "./config.ts";
import { moveDurably, replaceConfig, sha256, writeDurably } from "./durable.ts";
import { ENTRY_NAME } from "./entry.ts";
import { gatewayText } from "./file.ts";
import { type Located, surveyOf } from "./locate.ts";
import { isSameStart, type Looked } from "./look.ts";
import { keepOriginal, type State, writeState } from "./state.ts";

/** Writes all of it, the config last. False where there is nothing to change. */
export async function settle(config: Config, looked: readonly Looked[]): Promise<boolean> {
  const { located, now, original, kept, state } = config;
  const coming = looked.map(({ candidate }) => candidate);
  const exchange = exchangeFor(config, coming);
  if (exchange.names.length === 0) return false;
  const { text } = await exchangeEntries(original, exchange);
  await checkEntry(located, text);
  if (text === now.text && looked.length === 0) return false;
  const { folder, file } = located;
  const servers = [...kept, ...coming.map(({ name, as, reads }) => ({ name, as, reads: [...reads] }))];
  const gatewayFile = await draftFolder(config, looked, servers);
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
  await moveDurably(gatewayFile, join(folder, CONFIG_FILE));
  try {
    if (text !== now.text) await replaceConfig(file, now, text);
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
  servers: State["servers"],
): Promise<string> {
  const { located, gateway, state, lock: old } = config;
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
