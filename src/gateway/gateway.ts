/** The control point: many servers behind one face. Every list, call, read and prompt passes one decision, and nothing takes effect that is
 *  not written down. Implements spec/gateway.md, GTW-5 to GTW-24. */
import type { AuditEvent, AuditLog, ContentPolicy } from "../audit/index.ts";
import { type PolicyTable, type Rules, type Standing, serverNamed, type Wish } from "../policy/index.ts";
import type { Target } from "../target/index.ts";
import {
  type Call,
  isRecord,
  type Launcher,
  type PeerInfo,
  type Refused,
  type ServerDefinition,
} from "../wire/index.ts";
import { Approvals } from "./approval.ts";
import { atMost } from "./at-most.ts";
import { ClientClaims } from "./claims.ts";
import { newClashes } from "./clashes.ts";
import { type GatewayFile, rulesOf } from "./config.ts";
import { Contexts, contextKey } from "./contexts.ts";
import type { Verdict } from "./decision.ts";
import type { Desk } from "./desk.ts";
import { Errands } from "./errands.ts";
import { faceOf } from "./face.ts";
import { Changes } from "./flood.ts";
import { Knocks } from "./knocks.ts";
import { CallLimits } from "./limits.ts";
import { type IsOpen, Listing } from "./listing.ts";
import { type Lists, METHODS } from "./lists.ts";
import { LOG_METHOD } from "./log-level.ts";
import { ServerLogs } from "./logging.ts";
import type { Renewed } from "./login.ts";
import { LongWork } from "./long-work.ts";
import { mayBeOf, type Owned } from "./names.ts";
import { type Caller, opens, type Wanted } from "./open.ts";
import type { Voucher } from "./standing.ts";
import { Subscriptions, UPDATED } from "./subscriptions.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { Upstream } from "./upstream.ts";
import { Upstreams } from "./upstreams.ts";
import { type Warning, Warnings, warningsIn } from "./warning.ts";

export interface GatewayServer {
  readonly name: string;
  readonly target: Target;
  readonly launcher?: Launcher;
  /** Looked at again at each start of the server, and whenever its lists change. */
  readonly voucher: () => Voucher;
  /** Until what the server itself publishes was fetched; it is begun when the voucher is asked for. */
  readonly fetched?: () => Promise<void> | undefined;
  /** With credentials of now, where it has some that end. */
  readonly renewed?: Renewed;
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

export interface Behind {
  readonly upstream: Upstream;
  readonly standing: Standing;
}

interface Progress {
  readonly server: string;
  readonly tell: (params: Readonly<Record<string, unknown>>) => void;
}

export class Gateway {
  options: GatewayOptions;
  rules: Rules;
  readonly contexts = new Contexts();
  readonly longWork = new LongWork();
  readonly approvals = new Approvals();
  readonly claims = new ClientClaims();
  limits: CallLimits;
  /** So many calls, reads and prompts there are at the moment that got as far as to be decided. */
  underWay = 0;
  /** Calls whose servers have asked something. */
  readonly errands: Errands;
  readonly logs = new ServerLogs(this, (event) => this.#write(event));
  readonly subscriptions = new Subscriptions(this, (event) => this.#write(event));
  readonly #changes = new Changes({
    write: (event) => void this.#write(event),
    tell: (words) => this.options.onProgress?.(words),
  });
  readonly #upstreams = new Upstreams(this, {
    onChange: (name) => this.#changed(name),
    onNotification: (from, method, params, within) => {
      if (method === LOG_METHOD) this.logs.heard(from, params, within);
      else if (method === UPDATED) this.subscriptions.heard(from, params);
      else this.#passOn(from.name, method, params);
    },
    told: (changes) => this.#changes.take(changes, this.named),
  });
  readonly #listing = new Listing(this.#upstreams.all);
  #announce: (method: string) => void = () => {};

  constructor(options: GatewayOptions) {
    this.options = options;
    this.rules = rulesOf(options.settings);
    this.limits = new CallLimits(options.settings.limits.calls);
    this.errands = new Errands({ holdMs: options.holdMs, write: (event) => this.#write(event) });
    for (const server of options.servers) this.#upstreams.add(server);
  }

  /** Takes on another configuration. Servers that are started as before go on; calls that wait for a person's word wait for another one. */
  async change(changed: Changeable): Promise<void> {
    const isLimitedAsBefore =
      JSON.stringify(changed.settings.limits) === JSON.stringify(this.options.settings.limits);
    const before = this.options;
    this.options = { ...this.options, ...changed };
    this.rules = rulesOf(changed.settings);
    if (!isLimitedAsBefore) this.limits = new CallLimits(changed.settings.limits.calls);
    const { gone, added } = this.#upstreams.change(before, changed);
    this.#listing.rename();
    this.#announceChanges();
    for (const upstream of added) void upstream.open();
    await Promise.all([
      ...gone.map((upstream) => upstream.close()),
      ...added.map((upstream) => upstream.starting),
    ]);
  }

  /** Starts all servers; resolves when each is up or has failed once. */
  async start(): Promise<void> {
    await Promise.all([...this.#upstreams.all.values()].map(({ upstream }) => upstream.open()));
  }

  async close(): Promise<void> {
    this.errands.close();
    await Promise.all([...this.#upstreams.all.values()].map(({ upstream }) => upstream.close()));
  }

  /** A server as people know it. */
  readonly named = (server: string): string =>
    serverNamed(server, this.#upstreams.all.get(server)?.standing.policy.label);

  /** What goes on although a control warns of it is told here, and given for its client. */
  letThrough({ upstream: { name } }: Behind, wish: Wish, verdict: Verdict): readonly Warning[] {
    const warnings = warningsIn(verdict);
    if (warnings.length > 0) this.#warnings.letThrough(name, this.named(name), wish, warnings);
    return warnings;
  }
  readonly #warnings = new Warnings((text) => this.options.onProgress?.(text));

  /** Told when a list that clients see has changed. */
  onAnnounce(announce: (method: string) => void): void {
    this.#announce = announce;
  }

  get servers(): ReadonlyMap<string, Behind> {
    return this.#upstreams.all;
  }

  /** A server as it stands now. */
  behind(name: string | undefined): Behind | undefined {
    const kept = name === undefined ? undefined : this.#upstreams.all.get(name);
    if (kept && performance.now() - kept.lookedAt > LOOK_AGAIN_MS) {
      this.#upstreams.lookAgain(kept);
      this.#announceChanges();
    }
    return kept;
  }

  /** Reads what it shows again where that was long ago: it need not tell of what it changes. Whoever takes long for that is taken as it was,
   *  and as it is once it has answered. */
  refreshed(name: string): Promise<void> | undefined {
    const upstream = this.#upstreams.all.get(name)?.upstream;
    return upstream?.isStale(LOOK_AGAIN_MS) ? atMost(SHOW_MS, upstream.refresh()) : undefined;
  }

  /** Waits for those that are started for the first time, of whom this caller may know, and who may show something by this name; undefined
   *  where there are none. */
  started(caller: string | undefined, name?: string): Promise<unknown> | undefined {
    const waits = [...this.#upstreams.all].flatMap(
      ([
        server,
        {
          upstream: { starting },
        },
      ]) => {
        const isWanted = this.isOpenTo(caller, server) && (name === undefined || mayBeOf(name, server));
        return starting && isWanted ? [starting] : [];
      },
    );
    return waits.length === 0 ? undefined : Promise.all(waits);
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
    return faceOf(this);
  }

  /** What a caller sees of a list of all servers. Tools are held against what was looked at; all else is heard in a conversation. */
  async listed(
    list: keyof Lists,
    params: Readonly<Record<string, unknown>>,
    { from, session }: Call,
  ): Promise<unknown[]> {
    await Promise.all([this.#fresh(), this.started(from?.caller)]);
    const isOpen = this.#isOpenFor(from?.caller);
    for (const server of this.#upstreams.all.keys()) this.behind(server);
    const shown = this.#listing.all(list, this.rules, isOpen);
    if (list !== "tools" && shown.length > 0)
      this.contexts.of(contextKey(params, from), from, session?.over).listed(METHODS[list], shown);
    return shown.map(({ item }) => item);
  }

  /** Which servers a resource can be read from, of those that this caller may know of: it is the first. */
  ownersOf(uri: string, caller: string | undefined): readonly string[] {
    for (const server of this.#upstreams.all.keys()) this.behind(server);
    return this.#listing.ownersOf(uri, this.rules, this.#isOpenFor(caller));
  }

  #isOpenFor(caller: string | undefined): IsOpen {
    return (server, wanted) => this.isOpenTo(caller, server, wanted);
  }

  async #fresh(): Promise<void> {
    const stale = [...this.#upstreams.all.values()].filter(({ upstream }) => upstream.isStale(FRESH_MS));
    await atMost(LIST_MS, Promise.all(stale.map(({ upstream }) => upstream.refresh())));
  }

  #changed(name: string): void {
    const kept = this.#upstreams.all.get(name);
    if (!kept) return;
    this.#upstreams.lookAgain(kept);
    this.#listing.rename();
    this.logs.changed(kept.upstream);
    this.#tellEnding(kept.upstream);
    this.#announceChanges();
  }

  /** One that cannot be started is tried for as long as the gateway runs: why is told once, until it was up or it is another reason. */
  #tellEnding(upstream: Upstream): void {
    const { name, ending } = upstream;
    const isNew = !upstream.isUp && this.#endings.get(upstream) !== ending;
    if (upstream.isUp) this.#endings.delete(upstream);
    else this.#endings.set(upstream, ending);
    if (isNew) this.options.onProgress?.(`${this.named(name)}: ${ending}`);
  }
  readonly #endings = new WeakMap<Upstream, string>();

  #announceChanges(): void {
    for (const list of this.#listing.changed(this.rules))
      this.#announce(`notifications/${list}/list_changed`);
    const clashes = this.#listing.clashes(this.rules);
    this.#changes.take(newClashes(clashes, this.#clashes), this.named);
    this.#clashes = new Set(clashes.keys());
  }
  /** What was told of already. */
  #clashes: ReadonlySet<string> = new Set();

  /** Whether it was written. Where the log has failed nothing takes effect any more: nobody has to be told of this as well. */
  #write(event: AuditEvent): boolean {
    try {
      this.options.log.append(event);
      this.options.telemetry?.counted(event);
      return true;
    } catch {
      return false;
    }
  }

  /** What was turned away at the door; the id of the entry that says so. */
  refused(refused: Refused): string | undefined {
    return this.#knocks.refused(refused);
  }
  readonly #knocks = new Knocks((event) => this.#write(event));

  /** Progress belongs to a call of ours: whoever made it hears of it. */
  readonly progress = new Map<string, Progress>();
  #passOn(server: string, method: string, params: unknown): void {
    if (method !== "notifications/progress" || !isRecord(params)) return;
    const own =
      typeof params.progressToken === "string" ? this.progress.get(params.progressToken) : undefined;
    // Tokens can be guessed: another server's are none of its business.
    if (own?.server !== server) return;
    const { _meta, ...body } = params;
    own.tell(body);
  }
}
