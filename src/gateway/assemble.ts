/** A gateway from its file: servers found, vouchers read, the log opened. Everything that can be wrong is said before anything is started.
 *  Implements spec/gateway.md, GTW-1 to GTW-4 and GTW-10. */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { AuditEvent, AuditLog } from "../audit/index.ts";
import {
  asTrustError,
  canonicalJson,
  defined,
  type Placed,
  readPlacedFile,
  TrustError,
  urlTold,
} from "../core/index.ts";
import { type PolicyTable, type Rules, serverNamed } from "../policy/index.ts";
import { LOCK_FILE, readLock } from "../surface/index.ts";
import { resolveTarget, startable } from "../target/index.ts";
import { redactor } from "../wire/index.ts";
import { type GatewayFile, gatewaySchema, rulesOf, type ServerFile } from "./config.ts";
import { contained } from "./contained.ts";
import { DESK_FILE, Desk, type Held, serveDesk } from "./desk.ts";
import { keyOf, startedOtherwise, warningsOf } from "./file-warnings.ts";
import { type Changeable, Gateway, type GatewayServer } from "./gateway.ts";
import { renewing } from "./login.ts";
import { ownLog } from "./own-log.ts";
import { SERIALS_FILE, Serials } from "./serials.ts";
import { openTelemetry } from "./telemetry/open.ts";
import { telemetryOf, type Wanted } from "./telemetry/settings.ts";
import { type Tokens, tokensOf } from "./tokens.ts";
import { refuseUnset, standIn, unsetIn } from "./variables.ts";
import { rootOf, voucherOf } from "./vouchers.ts";
import { stateOf, watchFiles } from "./watch.ts";

export interface Assembled {
  readonly file: GatewayFile;
  /** Where something stood in it when it was started. */
  readonly place: Placed<GatewayFile>["place"];
  readonly gateway: Gateway;
  readonly log: AuditLog;
  /** Ends servers, desk and log. */
  close(): Promise<void>;
  /** Reads the file again, as happens by itself when it changes. Throws where it cannot be taken: then all stays as it was. Gives what the
   *  operator should know. */
  reload(): Promise<readonly string[]>;
  readonly callerOf: Tokens["callerOf"];
  /** What the operator should know. */
  readonly warnings: readonly string[];
}

export interface AssembleOptions {
  readonly version: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (text: string) => void;
  /** How long a call waits for a person. */
  readonly holdMs?: number;
}

/** All that is known before anything is started or written. */
export interface Prepared {
  readonly file: GatewayFile;
  readonly place: Placed<GatewayFile>["place"];
  readonly folder: string;
  readonly table: PolicyTable;
  readonly rules: Rules;
  readonly servers: readonly GatewayServer[];
  readonly callers: Tokens;
  readonly secrets: readonly string[];
  readonly telemetry: Wanted;
  readonly warnings: readonly string[];
}

/** `isKept`: what is taken for true is remembered. `isOnlyRead`: nothing is started by it, so that a variable that is not set is warned of. */
export async function prepare(
  path: string,
  options: Omit<AssembleOptions, "version"> & { readonly isKept?: boolean; readonly isOnlyRead?: boolean },
): Promise<Prepared> {
  const { onProgress = () => {} } = options;
  const { value: file, place } = await readPlacedFile(path, gatewaySchema);
  const own = options.environment ?? process.env;
  const unset = options.isOnlyRead ? unsetIn(file, own) : [];
  const environment = { ...own, ...Object.fromEntries(unset.map(({ name }) => [name, standIn(name)])) };
  const folder = dirname(resolve(path));
  const table = file.mcp_servers as PolicyTable;
  const callers = tokensOf(file, environment, place);
  const root = file.root === undefined ? undefined : rootOf(folder, file.root, place);
  const lock = await readLock(join(folder, LOCK_FILE));
  const serials = new Serials(resolve(folder, file.audit.folder, SERIALS_FILE), options.isKept ?? false);
  const servers: GatewayServer[] = [];
  const otherwise: string[] = [];
  const places = { folder, home: own.HOME || homedir() };
  const telemetry = telemetryOf(file.telemetry, environment);
  const secrets: string[] = [...callers.secrets, ...(telemetry.settings?.secrets ?? [])];
  for (const [name, entry] of Object.entries(file.servers)) {
    refuseUnset(name, entry, environment, place);
    const found = startable(
      await resolveTarget(
        { kind: "named", name, args: [] },
        { configFile: path, environment, onProgress },
      ).catch((cause: unknown) => {
        throw placed(cause, name, place);
      }),
    );
    secrets.push(...found.secrets);
    let fetched: Promise<void> | undefined;
    const onFetch = (now: Promise<void>): void => {
      fetched = now;
    };
    const parts = { name, entry, target: found, folder, root, lock, serials, place, onFetch };
    const server = { name, voucher: voucherOf(parts), fetched: () => fetched, target: found };
    refuseTwin(server, table, place);
    servers.push(server);
    if (entry.locked) otherwise.push(...startedOtherwise(name, found, lock, places));
  }
  return {
    file,
    place,
    folder,
    table,
    rules: rulesOf(file),
    servers,
    callers,
    secrets,
    telemetry,
    warnings: [
      ...unset.map(
        ({ place, name }) => `${place}: the variable ${name} is not set: the gateway would not start`,
      ),
      ...warningsOf(file, table, servers, !options.isKept),
      ...otherwise,
      ...(telemetry.warning === undefined ? [] : [telemetry.warning]),
    ],
  };
}

/** What is wrong with an entry, where it stands. */
function placed(cause: unknown, name: string, place: Prepared["place"]): unknown {
  if (!(cause instanceof TrustError) || !cause.message.startsWith(`servers.${name}.`)) return cause;
  return new TrustError(cause.code, `${place(["servers", name])} ${cause.message}`, {
    cause,
    hint: cause.hint,
  });
}

/** Two entries for one server, also where that shows only in the URL that it is reached at. */
function refuseTwin(server: GatewayServer, table: PolicyTable, place: Prepared["place"]): void {
  const { name } = server;
  const key = keyOf(server);
  if (key === undefined || !table.has(key) || !table.has(name)) return;
  throw new TrustError(
    "CFG_BAD_VALUE",
    `${place(["mcp_servers", name])} mcp_servers.${name}: this is the same server as "${urlTold(key)}"`,
    { hint: "keep one of the two" },
  );
}

/** All of that, and how each server is started. */
interface Ready extends Prepared {
  readonly policyDigest: string;
}

async function ready(
  path: string,
  options: Omit<AssembleOptions, "version">,
  onSecret: (token: string) => void,
): Promise<Ready> {
  const prepared = await prepare(path, { ...options, isKept: true });
  const { file } = prepared;
  const servers: GatewayServer[] = [];
  for (const server of prepared.servers) {
    const { name, target } = server;
    const entry = file.servers[name] as ServerFile;
    const renewed = renewing(entry, options.environment ?? process.env, onSecret);
    const how = entry.sandbox ? await contained(name, target, options.onProgress) : {};
    servers.push({ ...server, ...how, ...defined({ renewed }) });
  }
  return { ...prepared, servers, policyDigest: digestOf(file) };
}

/** What a gateway can take on while it runs. */
const changeable = ({ file, table, servers, callers, policyDigest }: Ready): Changeable => ({
  settings: file,
  table,
  servers,
  callers: callers.limits,
  policyDigest,
});

export async function assemble(path: string, options: AssembleOptions): Promise<Assembled> {
  const { onProgress = () => {} } = options;
  const watched = [path, join(dirname(resolve(path)), LOCK_FILE)];
  // To make ready takes time: what is written into them meanwhile is a change.
  const since = stateOf(watched);
  const renewed: string[] = [];
  const onSecret = (token: string): void => {
    renewed.unshift(token);
    renewed.length = Math.min(renewed.length, MAX_RENEWED);
    hideAll([...now.secrets, ...renewed]);
  };
  let now = await ready(path, options, onSecret);
  const { file, place, folder, warnings } = now;
  let hide = redactor(now.secrets)?.text;
  const { log, logFolder } = await ownLog(folder, { value: file, place }, hide, onProgress);
  const hideAll = (secrets: readonly string[]): void => {
    hide = redactor(secrets)?.text;
    log.redactBy(hide);
  };
  log.append(configEvent(now));
  const onHeld = ({ id, server, label, tool, reason }: Held): void => {
    const what = `${serverNamed(server, label)}: ${tool} waits for a person: ${reason}`;
    onProgress(`${what}; touchstone approve ${id}${basename(path) === path ? "" : ` --config ${path}`}`);
  };
  const desk = new Desk(onHeld, options.holdMs);
  const door = await serveDesk(desk, join(logFolder, DESK_FILE)).catch(async (cause) => {
    await log.close();
    throw cause;
  });
  const telemetry = await openTelemetry(now.telemetry, {
    version: options.version,
    listen: file.listen,
    hide: (text) => hide?.(text) ?? text,
    onProgress,
  });
  const gateway = new Gateway({
    ...changeable(now),
    desk,
    log,
    content: file.audit.content,
    info: { name: "touchstone-gateway", version: options.version },
    onProgress,
    ...defined({ telemetry }),
    holdMs: options.holdMs,
  });
  telemetry?.observe(() => ({
    upstreams: [...gateway.servers].map(([name, { upstream }]) => ({ name, isUp: upstream.isUp })),
    isLogWell: log.failure === undefined,
  }));
  const reload = async (): Promise<readonly string[]> => {
    const next = await ready(path, options, onSecret);
    refuseFixed(file, next.file);
    // Answers to what was asked before are still to come.
    hideAll([...now.secrets, ...next.secrets, ...renewed]);
    // What is not written down is not taken.
    log.append(configEvent(next));
    now = next;
    await gateway.change(changeable(now));
    return now.warnings;
  };
  const watch = watchFiles(watched, since, () =>
    reload().then(
      (told) => onProgress(["the configuration was read again", ...told].join("; warning: ")),
      (cause: unknown) => {
        const { message } = asTrustError(cause);
        try {
          log.append({ type: "config", outcome: "error", data: { reason: message } });
        } catch {
          // It has failed: that may be why.
        }
        onProgress(`the configuration was not taken, the one before still counts: ${message}`);
      },
    ),
  );
  const close = async (): Promise<void> => {
    telemetry?.rest();
    watch.close();
    desk.close();
    door.close();
    await gateway.close();
    await log.close();
    // Last: nothing waits for a collector.
    await telemetry?.close();
  };
  const callerOf = now.callers.callerOf && ((token: string) => now.callers.callerOf?.(token));
  return { file, place, gateway, log, close, reload, callerOf, warnings };
}

/** Tokens end, one after another: what is said in an answer is of one of the last. */
const MAX_RENEWED = 64;

const configEvent = ({ file, policyDigest }: Ready): AuditEvent => ({
  type: "config",
  data: { policy: policyDigest, servers: Object.keys(file.servers).sort() },
});

/** What clients are connected to, and the log, stay as they are while it runs. */
function refuseFixed(before: GatewayFile, after: GatewayFile): void {
  const fixed = (file: GatewayFile): Readonly<Record<string, unknown>> => ({
    listen: file.listen,
    audit: file.audit,
    telemetry: file.telemetry,
    "whether a token is wanted": Object.keys(file.tokens).length > 0,
  });
  const [old, now] = [fixed(before), fixed(after)];
  for (const [what, value] of Object.entries(now))
    if (JSON.stringify(value) !== JSON.stringify(old[what]))
      throw new TrustError("CFG_BAD_VALUE", `${what} cannot change while the gateway runs: start it again`, {
        hint: "start the gateway again, or put back what stood there",
      });
}

/** Of what decisions are made by. */
function digestOf(file: GatewayFile): string {
  const { policy, modes, questions, security, limits, servers, tokens, mcp_servers } = file;
  const entries = [...(mcp_servers as PolicyTable)];
  const value = JSON.parse(
    JSON.stringify({ policy, modes, questions, security, limits, servers, tokens, entries }),
  ) as unknown;
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
