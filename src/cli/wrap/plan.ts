/** Which entries of a config can be taken behind the gateway, how each is written in its file, and why the others stay. */
import { randomUUID } from "node:crypto";
import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { defined, readConfig, shown, TrustError } from "../../core/index.ts";
import { gatewaySchema } from "../../gateway/index.ts";
import { type ClientEntry, type Exchange, exchangeEntries } from "../../target/index.ts";
import { isRecord, type Launch } from "../../wire/index.ts";
import { type Located, surveyOf } from "./locate.ts";

/** A server as it is written under `servers`. Holds secrets: not for printing. */
export type WrittenServer = Readonly<Record<string, unknown>>;

export interface Candidate {
  readonly name: string;
  /** Its name behind the gateway. */
  readonly as: string;
  readonly entry: ClientEntry;
  readonly launch: Launch;
  readonly server: WrittenServer;
  /** Names of variables that it takes from the client's environment. */
  readonly reads: readonly string[];
  /** Whether the client let this tool of it through. */
  readonly isWanted: (tool: string) => boolean;
  /** What is otherwise behind the gateway. */
  readonly notes: readonly string[];
}

export interface Stay {
  readonly name: string;
  readonly reason: string;
  /** It should have been taken, and could not be. */
  readonly isFault: boolean;
}

export interface Plan {
  readonly candidates: readonly Candidate[];
  readonly stays: readonly Stay[];
}

export interface Names {
  /** Names that were given before, by those in the config: they stay. */
  readonly known: ReadonlyMap<string, string>;
  /** All that there are in the gateway's file. */
  readonly used: Iterable<string>;
}

/** `text` is the config without the gateway's own entry. */
export async function planOf(
  located: Located,
  text: string,
  entries: readonly ClientEntry[],
  { known, used: given }: Names,
  exchange: Omit<Exchange, "names">,
): Promise<Plan> {
  const candidates: Candidate[] = [];
  const stays: Stay[] = [];
  const templates = await templatesOf(located, text);
  const used = new Set([...known.values(), ...given]);
  for (const entry of entries) {
    const { name } = entry;
    const stay = stayOf(entry, located);
    if (stay) {
      stays.push({ name, ...stay });
      continue;
    }
    try {
      const as = known.get(name) ?? nameFor(name, used);
      used.add(as);
      candidates.push(await candidateOf(entry, as, templates.get(name), text, exchange));
    } catch (thrown) {
      if (!(thrown instanceof TrustError)) throw thrown;
      // The reader's own words begin with a place in a file that nobody has.
      const reason = thrown.message.replace(/^touchstone\.yml:\d+:\d+ /, "");
      stays.push({ name, reason, isFault: true });
    }
  }
  return { candidates, stays };
}

function stayOf({ folder, isDisabled, start, value, origin }: ClientEntry, { client, isKnown }: Located) {
  if (folder !== undefined) return { reason: `it is for ${shown(folder)} alone`, isFault: false };
  if (isDisabled) return { reason: `it is switched off in ${client.label}`, isFault: false };
  const fault = (reason: string) => ({ reason, isFault: true });
  if (start.kind === "not-startable") return fault(start.reason);
  const texts = textsIn(value);
  if (!isKnown && texts.some((text) => /\$\{|\{env:/.test(text)))
    return fault("it uses variables, and which client reads this file is not known: say it with --client");
  // What is meant anew in each window cannot be written down once.
  if (origin !== "user") return undefined;
  if (client.variables === "editor" && texts.some((text) => /\$\{workspace/.test(text)))
    return fault("it depends on the folder that is open in the editor");
  if (
    isRecord(value) &&
    typeof value.cwd === "string" &&
    /^[^/\\$~]/.test(value.cwd) &&
    !isAbsolute(value.cwd)
  )
    return fault("cwd: it depends on where the client runs");
  return undefined;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The same entries with the names of variables in the place of their values; one that is not set later is empty, and hurts its own
 *  server only. The path to programs is needed to read them. */
async function templatesOf(located: Located, text: string): Promise<ReadonlyMap<string, ClientEntry>> {
  const { environment } = located.machine;
  const names = Object.keys(environment).filter((name) => environment[name] !== undefined);
  const references = Object.fromEntries(names.map((name) => [name, `\${${name}:-}`]));
  const { PATH } = environment;
  const survey = await surveyOf(located, Buffer.from(text), { ...references, ...defined({ PATH }) });
  return new Map(
    survey.entries.filter(({ folder }) => folder === undefined).map((entry) => [entry.name, entry]),
  );
}

async function candidateOf(
  entry: ClientEntry,
  as: string,
  template: ClientEntry | undefined,
  text: string,
  exchange: Omit<Exchange, "names">,
): Promise<Candidate> {
  const { name, value, start } = entry;
  if (start.kind !== "launch") throw new TrustError("TGT_NOT_STARTABLE", start.reason);
  const { launch, reads } = start;
  const server = serverOf(launch, template?.start.kind === "launch" ? template.start.launch : launch);
  await readConfig(JSON.stringify({ servers: { [as]: server } }), "touchstone.yml", gatewaySchema);
  // Whether it can be taken out is found out before anything is started.
  await exchangeEntries(text, { ...exchange, names: [name], name: `${exchange.name}-${randomUUID()}` });
  const fields = isRecord(value) ? value : {};
  return {
    name,
    as,
    entry,
    launch,
    server,
    reads: server.variables === true ? reads.filter((each) => each !== "PATH") : [],
    isWanted: toolFilter(fields),
    notes: notesOn(fields, name, as),
  };
}

function serverOf(launch: Launch, template: Launch): WrittenServer {
  const hasVariables = !isDeepStrictEqual(wordsOf(launch), wordsOf(template));
  return { ...wordsOf(template), ...(hasVariables ? { variables: true } : {}) };
}

function wordsOf(launch: Launch): WrittenServer {
  if (launch.kind === "http") {
    const { url, headers = {}, transport } = launch;
    // A URL escapes the braces in its path.
    const address = url.href.replace(/\$%7B([A-Za-z_]\w*:-)%7D/g, "$${$1}");
    return { url: address, ...(isEmpty(headers) ? {} : { headers }), ...defined({ transport }) };
  }
  const { command, args, cwd, env = {} } = launch;
  return {
    command,
    ...(args.length === 0 ? {} : { args: [...args] }),
    ...defined({ cwd }),
    ...(isEmpty(env) ? {} : { env }),
  };
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const ONLY = ["includeTools", "enabled_tools", "enabledTools"];
const NOT = ["excludeTools", "disabled_tools", "disabledTools"];

/** Clients can leave tools out; what is left out stays out. */
function toolFilter(fields: Readonly<Record<string, unknown>>): (tool: string) => boolean {
  const lists = (keys: readonly string[]): Set<string>[] =>
    keys.filter((key) => fields[key] !== undefined).map((key) => new Set(namesIn(fields[key], key)));
  const [only, not] = [lists(ONLY), lists(NOT)];
  return (tool) => only.every((names) => names.has(tool)) && !not.some((names) => names.has(tool));
}

function namesIn(value: unknown, key: string): string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string"))
    throw new TrustError("CFG_BAD_VALUE", `${key}: want a list of names`);
  // Some write what a tool may be called with behind its name.
  return value.map((each: string) => each.replace(/\(.*$/s, ""));
}

/** Keys that say how a server is started, that are read here, or that say nothing. */
const READ = new Set([
  ...["command", "args", "env", "environment", "cwd", "envFile", "type", "transport", "url", "serverUrl"],
  ...["httpUrl", "headers", "http_headers", "env_http_headers", "bearer_token_env_var", "env_vars"],
  ...["disabled", "enabled", "name", "description", ...ONLY, ...NOT],
]);

function notesOn(fields: Readonly<Record<string, unknown>>, name: string, as: string): string[] {
  const lost = Object.keys(fields).filter((key) => !READ.has(key));
  return [
    ...(as === name ? [] : [`it is called ${as} behind the gateway`]),
    ...(lost.length === 0
      ? []
      : [`of no effect behind the gateway: ${lost.map((key) => shown(key, 60)).join(", ")}`]),
    ...(fields.envFile === undefined ? [] : ["the variables of its envFile are kept as they are now"]),
  ];
}

const MAX_NAME_CHARS = 40;
/** Names that no file of ours may hold. */
const RESERVED = new Set(["constructor", "prototype"]);

/** A name as the gateway's file takes it, and that no other has. */
export function nameFor(name: string, used: ReadonlySet<string>): string {
  const plain = name
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/_{2,}/g, "_")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, MAX_NAME_CHARS)
    .replace(/[^A-Za-z0-9]+$/, "");
  const base = plain === "" || RESERVED.has(plain) ? `${plain || "unnamed"}-server` : plain;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (!used.has(candidate)) return candidate;
  }
}
