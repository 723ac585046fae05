/** What the operator should know of a file that is taken all the same: what does not count, what nobody can call, what is started otherwise. */
import { urlTold } from "../core/index.ts";
import { type PolicyTable, serverKey, warningsFor } from "../policy/index.ts";
import { LOCK_FILE, type Lock, startChanges, startOf } from "../surface/index.ts";
import type { ResolvedTarget } from "../target/index.ts";
import type { GatewayFile, ServerFile } from "./config.ts";
import type { GatewayServer } from "./gateway.ts";
import { admissionBy, isVerified } from "./standing.ts";
import { unfilledIn } from "./variables.ts";

/** `areLooked`: their vouchers may be looked into: where that is remembered, it is not before the file is taken. */
export function warningsOf(
  file: GatewayFile,
  table: PolicyTable,
  servers: readonly GatewayServer[],
  areLooked: boolean,
): string[] {
  const keys = new Map(servers.map((server) => [server.name, keyOf(server)]));
  const known = new Set(Object.keys(file.servers).flatMap((name) => [name, keys.get(name)]));
  const unasked = new Set(
    Object.entries(file.servers)
      .filter(([, { statement, require: wanted, exemption }]) => !statement && !wanted && !exemption)
      .flatMap(([name]) => [name, keys.get(name)]),
  );
  const verified =
    areLooked &&
    new Set(
      servers
        .filter(({ name, voucher }) => isPublished(file.servers[name]) || isVerified(admissionBy(voucher())))
        .flatMap(({ name }) => [name, keys.get(name)]),
    );
  const unheeded =
    file.listen === "stdio" && Object.keys(file.tokens).length > 0
      ? ["tokens: over stdio nobody is asked for one, and every server is open; they count with listen: URL"]
      : [];
  const entries = [...table].flatMap(([entry, policy]) => [
    ...warningsFor(urlTold(entry), policy, file.policy, !verified || verified.has(entry)),
    ...(file.policy === "strict" && policy.verified && unasked.has(entry)
      ? [
          `${urlTold(entry)}: verified expects evidence, and none is asked for: name a statement or a clearance`,
        ]
      : []),
    ...(known.has(entry) ? [] : [`mcp_servers: there is no server "${urlTold(entry)}" in this file`]),
  ]);
  const empty = Object.keys(file.servers).length === 0 ? ["no servers: nothing is behind the gateway"] : [];
  return [...empty, ...unheeded, ...entries, ...idle(file), ...unreached(file), ...unfilledIn(file)];
}

/** What an entry says of another kind of server than it names: whoever wrote it expects something of it. */
const idle = ({ servers }: GatewayFile): string[] =>
  Object.entries(servers).flatMap(([name, entry]) => {
    const [keys, why] = entry.url === undefined ? [FOR_URLS, "it is for a server at a URL"] : FOR_COMMANDS;
    return keys
      .filter((key) => entry[key] !== undefined && Object.keys(entry[key]).length > 0)
      .map((key) => `servers.${name}.${key} has no effect: ${why}`);
  });
const FOR_URLS = ["headers", "auth", "transport"] as const;
const FOR_COMMANDS = [["args", "cwd", "env"] as const, "it is for a server that is started here"] as const;

/** The URL that it is reached at, in the one form: variables are in it, and letters as they are sent. */
export const keyOf = ({ target: { launch } }: GatewayServer): string | undefined =>
  launch.kind === "http" ? serverKey(launch.url.href) : undefined;

/** What commands that look at servers permit there is nothing that a gateway opens. */
function unreached({ egress, servers }: GatewayFile): string[] {
  if ((egress?.allow ?? []).length === 0) return [];
  return Object.entries(servers)
    .filter(([, { sandbox }]) => sandbox)
    .map(
      ([name]) =>
        `${name}: egress.allow is for commands that look at servers: in its sandbox here it reaches nothing`,
    );
}

/** Its clearance is fetched: what comes of it is not known yet. */
const isPublished = (entry?: ServerFile): boolean =>
  entry?.require?.clearance !== undefined && entry.clearance === undefined;

/** What is locked holds tools, however they are started: that another program may be behind them is told. */
export function startedOtherwise(
  name: string,
  target: ResolvedTarget,
  lock: Lock | undefined,
  places: Parameters<typeof startOf>[1],
): string[] {
  const locked = lock?.servers.find(({ id }) => id === name);
  if (!locked) return [];
  return startChanges(locked.start, startOf(target, places)).map(
    ({ message, before, after }) =>
      `${name}: ${LOCK_FILE} was written for another start of it: it ${message}${before === undefined ? "" : `, ${after} for ${before}`}; look at it, then touchstone lock --accept ${name}`,
  );
}
