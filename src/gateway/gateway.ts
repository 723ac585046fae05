/** The control point: many servers behind one face. Every list, call, read and prompt passes one decision, and nothing takes effect that is
 *  not written down. Implements spec/gateway.md, GTW-5 to GTW-24. */
import type { AuditEvent, AuditLog, ContentPolicy } from "../audit/index.ts";
import { asTrustError, defined } from "../core/index.ts";
import { type PolicyTable, policyFor, type Rules, type Standing, serverNamed } from "../policy/index.ts";
import type { Target } from "../target/index.ts";
import {
  type Call,
  type Handler,
  isRecord,
  type Launcher,
  type MirroredArgument,
  mirroredArguments,
  type PeerInfo,
  type Refused,
  type ServerDefinition,
} from "../wire/index.ts";
import { Approvals } from "./approval.ts";
import { changesBetween } from "./changes.ts";
import { ClientClaims } from "./claims.ts";
import { complete } from "./completion.ts";
import { type GatewayFile, rulesOf } from "./config.ts";
import { Contexts } from "./contexts.ts";
import type { Desk } from "./desk.ts";
import { Errands } from "./errands.ts";
import { callTool, getPrompt, readResource } from "./exchange.ts";
import { CallLimits } from "./limits.ts";
import { type IsOpen, Listing } from "./listing.ts";
import { LOG_METHOD } from "./log-level.ts";
import { ServerLogs } from "./logging.ts";
import type { Owned } from "./names.ts";
import { type Caller, opens, type Wanted } from "./open.ts";
import { claimsFor, kindOf, type QuestionModes } from "./question.ts";
import { Seldom } from "./seldom.ts";
import { standingOf, type Voucher } from "./standing.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { type Lists, Upstream } from "./upstream.ts";
import { withinClaims } from "./within-claims.ts";

export interface GatewayServer {
  readonly name: string;
  readonly target: Target;
  readonly launcher?: Launcher;
  /** Looked at again at each start of the server, and whenever its lists change. */
  readonly voucher: () => Voucher;
}

/** What may change while it runs. */
export interface Changeable {
  readonly settings: Pick<GatewayFile, "policy" | "modes" | "questions" | "security" | "limits">;
  readonly table: PolicyTable;
  readonly servers: readonly GatewayServer[];
  readonly callers?: ReadonlyMap<string, Caller>;
  /** What a decision was made by, in its entry. */
  readonly policyDigest: string;
}

export interface GatewayOptions extends Changeable {
  readonly log: Pick<AuditLog, "append">;
  readonly content?: ContentPolicy;
  /** Where calls wait for a person whom the client cannot ask. */
  readonly desk?: Desk;
  /** How long a call waits for the answer to a question of its server. */
  readonly holdMs?: number | undefined;
  readonly info: PeerInfo;
  /** Where it is told what happens; absent unless somebody wants to know. */
  readonly telemetry?: Telemetry;
  readonly onProgress?: (text: string) => void;
}

/** Who holds a list up for longer is left out of it. */
const LIST_MS = 3_000;
/** What was read just now is not read again for everybody who lists. */
const FRESH_MS = 100;
/** So long a call waits for what its server shows. */
const SHOW_MS = 1_000;

/** A statement expires, and a root changes, while nothing else does. */
const LOOK_AGAIN_MS = 5_000;

/** How often the same is written down of those who are turned away. */
const KNOCK_MS = 1_000;

export interface Behind {
  readonly upstream: Upstream;
  readonly standing: Standing;
}

interface Progress {
  readonly server: string;
  readonly tell: (params: Readonly<Record<string, unknown>>) => void;
}

interface Kept {
  readonly upstream: Upstream;
  standing: Standing;
  lookedAt: number;
}

export class Gateway {
  options: GatewayOptions;
  rules: Rules;
  readonly contexts = new Contexts();
  readonly approvals = new Approvals();
  readonly claims = new ClientClaims();
  limits: CallLimits;
  /** Calls whose servers have asked something. */
  readonly errands: Errands;
  readonly logs = new ServerLogs(this, (event) => this.#write(event));
  readonly #servers = new Map<string, Kept>();
  readonly #listing = new Listing(this.#servers);
  #announce: (method: string) => void = () => {};

  constructor(options: GatewayOptions) {
    this.options = options;
    this.rules = rulesOf(options.settings);
    this.limits = new CallLimits(options.settings.limits.calls);
    this.errands = new Errands({ holdMs: options.holdMs, write: (event) => this.#write(event) });
    for (const server of options.servers) this.#add(server);
  }

  #add({ name, target, launcher }: GatewayServer): Upstream {
    const upstream = new Upstream({
      name,
      target,
      clientInfo: { name: this.options.info.name, version: this.options.info.version },
      onChange: () => this.#changed(name),
      onNotification: (from, method, params, within) => {
        if (method === LOG_METHOD) this.logs.heard(from, params, within);
        else this.#passOn(from.name, method, params);
      },
      onStray: (from, { method }, reason) =>
        this.errands.unasked(from.name, { rule: "question-unattributed", reason }, kindOf(method)),
      claims: claimsFor(this.options.settings.questions),
      ...defined({ launcher }),
    });
    this.#servers.set(name, { upstream, standing: this.#standing(name, upstream), lookedAt: 0 });
    return upstream;
  }

  /** Takes on another configuration. Servers that are started as before go on; calls that wait for a person's word wait for another one. */
  async change(changed: Changeable): Promise<void> {
    const isLimitedAsBefore =
      JSON.stringify(changed.settings.limits) === JSON.stringify(this.options.settings.limits);
    const { questions } = this.options.settings;
    const started = new Map(this.options.servers.map((server) => [server.name, startOf(server, questions)]));
    this.options = { ...this.options, ...changed };
    this.rules = rulesOf(changed.settings);
    if (!isLimitedAsBefore) this.limits = new CallLimits(changed.settings.limits.calls);
    const kept = new Set(
      changed.servers
        .filter((server) => started.get(server.name) === startOf(server, changed.settings.questions))
        .map(({ name }) => name),
    );
    const gone = [...this.#servers].filter(([name]) => !kept.has(name));
    for (const [name] of gone) {
      this.#servers.delete(name);
      this.#noted.delete(name);
    }
    const added = changed.servers.filter(({ name }) => !kept.has(name)).map((server) => this.#add(server));
    this.#sort(changed.servers);
    for (const each of this.#servers.values()) this.#lookAgain(each);
    this.#listing.rename();
    this.#announceChanges();
    await Promise.all([
      ...gone.map(([, { upstream }]) => upstream.close()),
      ...added.map((upstream) => upstream.open()),
    ]);
  }

  /** In the order of the file: of two that show one address the first has it. */
  #sort(servers: readonly GatewayServer[]): void {
    for (const { name } of servers) {
      const kept = this.#servers.get(name);
      this.#servers.delete(name);
      if (kept) this.#servers.set(name, kept);
    }
  }

  /** Starts all servers; resolves when each is up or has failed once. */
  async start(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ upstream }) => upstream.open()));
  }

  async close(): Promise<void> {
    this.errands.close();
    await Promise.all([...this.#servers.values()].map(({ upstream }) => upstream.close()));
  }

  /** A server as people know it. */
  readonly named = (server: string): string =>
    serverNamed(server, this.#servers.get(server)?.standing.policy.label);

  /** Told when a list that clients see has changed. */
  onAnnounce(announce: (method: string) => void): void {
    this.#announce = announce;
  }

  get servers(): ReadonlyMap<string, Behind> {
    return this.#servers;
  }

  /** A server as it stands now. */
  behind(name: string | undefined): Behind | undefined {
    const kept = name === undefined ? undefined : this.#servers.get(name);
    if (kept && performance.now() - kept.lookedAt > LOOK_AGAIN_MS) {
      this.#lookAgain(kept);
      this.#announceChanges();
    }
    return kept;
  }

  /** Reads what it shows again where that was long ago: it need not tell of what it changes. Whoever takes long for that is taken as it was,
   *  and as it is once it has answered. */
  refreshed(name: string | undefined): Promise<void> | undefined {
    const upstream = name === undefined ? undefined : this.#servers.get(name)?.upstream;
    return upstream?.isStale(LOOK_AGAIN_MS) ? within(SHOW_MS, upstream.refresh()) : undefined;
  }

  tool(name: string): Owned | undefined {
    return this.#listing.tools.byName.get(name);
  }
  prompt(name: string): Owned | undefined {
    return this.#listing.prompts.byName.get(name);
  }

  /** Whether this caller may know of it at all. */
  isOpenTo(caller: string | undefined, server: string, wanted?: Wanted): boolean {
    const { callers } = this.options;
    if (!callers || callers.size === 0) return true;
    const limits = caller === undefined ? undefined : callers.get(caller);
    return limits !== undefined && opens(limits, server, wanted);
  }

  /** What a gateway says of itself, and who answers what. */
  definition(): ServerDefinition {
    const handlers = this.#handlers();
    return {
      info: this.options.info,
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      mirrored: (name, caller) => this.#mirrored(name, caller),
      handlers: this.options.telemetry?.watched(this, handlers) ?? handlers,
    };
  }

  #handlers(): ServerDefinition["handlers"] {
    return {
      "tools/list": async (_, call) => ({ tools: await this.#listed("tools", call) }),
      "prompts/list": async (_, call) => ({ prompts: await this.#listed("prompts", call) }),
      "resources/list": async (_, call) => ({ resources: await this.#listed("resources", call) }),
      "resources/templates/list": async (_, call) => ({
        resourceTemplates: await this.#listed("resourceTemplates", call),
      }),
      "tools/call": this.#asked(callTool),
      "resources/read": this.#asked(readResource),
      "prompts/get": this.#asked(getPrompt),
      "completion/complete": this.#asked(complete),
      "logging/setLevel": (params, call) => this.logs.setLevel(params, call),
    };
  }

  #asked(serve: typeof callTool): Handler {
    return (params, call) => {
      const within = withinClaims(this, params, call);
      return within instanceof Promise
        ? within.then((own) => serve(this, params, own))
        : serve(this, params, within);
    };
  }

  /** What a tool wants repeated in headers. Of one that is not there for a caller nothing is told by asking for it. */
  #mirrored(name: string, caller: string | undefined): readonly MirroredArgument[] {
    const owned = this.tool(name);
    if (!owned || !this.isOpenTo(caller, owned.server, { kind: "tool", name })) return [];
    const tools = this.#servers.get(owned.server)?.upstream.lists.tools ?? [];
    const tool = tools.find((item): item is object => isRecord(item) && item.name === owned.name);
    if (!tool) return [];
    const known = this.#headers.get(tool) ?? mirroredArguments(tool);
    this.#headers.set(tool, known);
    return known;
  }
  /** A schema may be large: it is walked once. */
  readonly #headers = new WeakMap<object, readonly MirroredArgument[]>();

  async #listed(list: keyof Lists, { from }: Call): Promise<unknown[]> {
    await this.#fresh();
    const isOpen = this.#isOpenFor(from?.caller);
    for (const server of this.#servers.keys()) this.behind(server);
    return this.#listing.all(list, this.rules, isOpen);
  }

  /** Which servers a resource can be read from, of those that this caller may know of: it is the first. */
  ownersOf(uri: string, caller: string | undefined): readonly string[] {
    for (const server of this.#servers.keys()) this.behind(server);
    return this.#listing.ownersOf(uri, this.rules, this.#isOpenFor(caller));
  }

  #isOpenFor(caller: string | undefined): IsOpen {
    return (server, wanted) => this.isOpenTo(caller, server, wanted);
  }

  async #fresh(): Promise<void> {
    const stale = [...this.#servers.values()].filter(({ upstream }) => upstream.isStale(FRESH_MS));
    await within(LIST_MS, Promise.all(stale.map(({ upstream }) => upstream.refresh())));
  }

  #standing(name: string, upstream: Upstream): Standing {
    const server = this.options.servers.find((each) => each.name === name) as GatewayServer;
    const { launch } = server.target;
    const url = launch.kind === "http" ? launch.url.href : undefined;
    return standingOf({
      name,
      policy: policyFor(this.options.table, { name, ...defined({ url }) }),
      mode: this.options.settings.policy,
      tools: upstream.lists.tools,
      lists: upstream.lists,
      voucher: this.#voucherOf(server),
    });
  }

  /** Whoever cannot be looked into vouches for nothing. */
  #voucherOf({ voucher }: GatewayServer): Voucher {
    try {
      return voucher();
    } catch (cause) {
      return { kind: "none", reason: asTrustError(cause).message };
    }
  }

  #changed(name: string): void {
    const kept = this.#servers.get(name);
    if (!kept) return;
    this.#lookAgain(kept);
    this.#listing.rename();
    this.logs.changed(kept.upstream);
    if (!kept.upstream.isUp) this.options.onProgress?.(`${this.named(name)}: ${kept.upstream.ending}`);
    this.#announceChanges();
  }

  #announceChanges(): void {
    for (const list of this.#listing.changed(this.rules))
      this.#announce(`notifications/${list}/list_changed`);
    const clashes = this.#listing.clashes(this.rules);
    for (const [key, { event, words }] of clashes)
      if (!this.#clashes.has(key)) {
        this.#write(event);
        this.options.onProgress?.(words);
      }
    this.#clashes = new Set(clashes.keys());
  }
  /** What was told of already. */
  #clashes: ReadonlySet<string> = new Set();

  #lookAgain(kept: Kept): void {
    const { upstream, standing: before } = kept;
    const { name, starts, isUp } = upstream;
    kept.lookedAt = performance.now();
    kept.standing = this.#standing(name, upstream);
    if (!isUp) return;
    const isStart = starts > (this.#noted.get(name) ?? 0);
    this.#noted.set(name, starts);
    for (const { event, words } of changesBetween(before, kept.standing, this.rules, isStart)) {
      this.#write(event);
      this.options.onProgress?.(words);
    }
  }
  /** Of each server the start whose admission is written down. */
  readonly #noted = new Map<string, number>();

  /** Where the log has failed nothing takes effect any more: nobody has to be told of this as well. */
  #write(event: AuditEvent): void {
    try {
      this.options.log.append(event);
      this.options.telemetry?.counted(event);
    } catch {}
  }

  /** What was turned away at the door. */
  refused({ status, reason, caller }: Refused): void {
    const times = this.#knocks.times(JSON.stringify([status, reason, caller]));
    if (times === undefined) return;
    const data = { reason, rule: "door", status, times };
    this.#write({ type: "decision", outcome: "denied", data, ...defined({ actor: caller }) });
  }
  readonly #knocks = new Seldom(KNOCK_MS);

  /** Progress belongs to a call of ours: whoever made it hears of it. */
  readonly progress = new Map<string, Progress>();
  #passOn(server: string, method: string, params: unknown): void {
    if (method !== "notifications/progress" || !isRecord(params)) return;
    const own = this.progress.get(String(params.progressToken));
    // Tokens can be guessed: another server's are none of its business.
    if (own?.server !== server) return;
    const { _meta, ...body } = params;
    own.tell(body);
  }
}

/** Waits, and not for longer than this. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** How a server is started, and what it is told that can be asked, to tell whether it has to be started anew. */
const startOf = ({ target, launcher }: GatewayServer, questions: QuestionModes): string =>
  JSON.stringify([target.launch, target.era, target.limits, launcher?.containment, claimsFor(questions)]);
