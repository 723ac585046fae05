/** The control point: many servers behind one face. Every list, call, read and prompt passes one decision, and nothing takes effect that is
 *  not written down. Implements spec/gateway.md, GTW-5 to GTW-24. */
import type { AuditEvent, AuditLog, ContentPolicy } from "../audit/index.ts";
import { asTrustError, defined, shown } from "../core/index.ts";
import {
  type Mode,
  type PolicyTable,
  policyFor,
  type Rules,
  type Standing,
  visible,
  type Wish,
} from "../policy/index.ts";
import type { Target } from "../target/index.ts";
import {
  type Call,
  isRecord,
  type Launcher,
  type MirroredArgument,
  mirroredArguments,
  type PeerInfo,
  type Refused,
  type ServerDefinition,
} from "../wire/index.ts";
import { withoutHopNames } from "./answer.ts";
import { Approvals } from "./approval.ts";
import { ClientClaims } from "./claims.ts";
import { type GatewayFile, rulesOf } from "./config.ts";
import { Contexts } from "./contexts.ts";
import type { Desk } from "./desk.ts";
import { Errands } from "./errands.ts";
import { callTool, getPrompt, readResource, withinClaims } from "./exchange.ts";
import { CallLimits } from "./limits.ts";
import { type NameTable, nameTable, type Owned } from "./names.ts";
import { claimsFor, kindOf, type QuestionModes } from "./question.ts";
import { standingOf, type Voucher } from "./standing.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { type Lists, Upstream } from "./upstream.ts";

export interface GatewayServer {
  readonly name: string;
  readonly target: Target;
  readonly launcher?: Launcher;
  /** Looked at again at each start of the server, and whenever its lists change. */
  readonly voucher: () => Voucher;
}

/** What one token opens. */
export interface Caller {
  readonly servers?: ReadonlySet<string>;
  /** By the names that clients see. */
  readonly tools?: ReadonlySet<string>;
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
const FRESH_MS = 1_000;

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
  readonly #servers = new Map<string, Kept>();
  #tools: NameTable = nameTable([]);
  #prompts: NameTable = nameTable([]);
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
      onNotification: (from, method, params) => this.#passOn(from.name, method, params),
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
    for (const each of this.#servers.values()) this.#lookAgain(each);
    this.#rename();
    this.#announceChanges();
    await Promise.all([
      ...gone.map(([, { upstream }]) => upstream.close()),
      ...added.map((upstream) => upstream.open()),
    ]);
  }

  /** Starts all servers; resolves when each is up or has failed once. */
  async start(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ upstream }) => upstream.open()));
  }

  async close(): Promise<void> {
    this.errands.close();
    await Promise.all([...this.#servers.values()].map(({ upstream }) => upstream.close()));
  }

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
  async refreshed(name: string | undefined): Promise<void> {
    const upstream = name === undefined ? undefined : this.#servers.get(name)?.upstream;
    if (upstream?.isStale(LOOK_AGAIN_MS)) await within(FRESH_MS, upstream.refresh());
  }

  get collisions(): NameTable["collisions"] {
    return this.#tools.collisions;
  }

  tool(name: string): Owned | undefined {
    return this.#tools.byName.get(name);
  }
  prompt(name: string): Owned | undefined {
    return this.#prompts.byName.get(name);
  }

  /** Whether this caller may know of it at all. */
  isOpenTo(caller: string | undefined, server: string, tool?: string): boolean {
    const { callers } = this.options;
    if (!callers || callers.size === 0) return true;
    const limits = caller === undefined ? undefined : callers.get(caller);
    if (!limits) return false;
    const isServer = limits.servers === undefined || limits.servers.has(server);
    return isServer && (tool === undefined || limits.tools === undefined || limits.tools.has(tool));
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
      "tools/call": async (params, call) => callTool(this, params, await withinClaims(this, call)),
      "resources/read": async (params, call) => readResource(this, params, await withinClaims(this, call)),
      "prompts/get": async (params, call) => getPrompt(this, params, await withinClaims(this, call)),
    };
  }

  /** What a tool wants repeated in headers. Of one that is not there for a caller nothing is told by asking for it. */
  #mirrored(name: string, caller: string | undefined): readonly MirroredArgument[] {
    const owned = this.tool(name);
    if (!owned || !this.isOpenTo(caller, owned.server, name)) return [];
    const tools = this.#servers.get(owned.server)?.upstream.lists.tools ?? [];
    const tool = tools.find((item): item is object => isRecord(item) && item.name === owned.name);
    if (!tool) return [];
    const known = this.#headers.get(tool) ?? mirroredArguments(tool);
    this.#headers.set(tool, known);
    return known;
  }
  /** A schema may be large: it is walked once. */
  readonly #headers = new WeakMap<object, readonly MirroredArgument[]>();

  async #listed(list: keyof Lists, call: Call): Promise<unknown[]> {
    await this.#fresh();
    const items: unknown[] = [];
    for (const server of this.#servers.keys()) {
      const behind = this.behind(server);
      if (!behind || !this.isOpenTo(call.from?.caller, server)) continue;
      const { upstream, standing } = behind;
      for (const item of upstream.lists[list]) {
        const shown = this.#shown(list, server, standing, item, call.from?.caller);
        if (shown) items.push(shown);
      }
    }
    return items;
  }

  /** An item as clients see it; undefined where they do not. */
  #shown(
    list: keyof Lists,
    server: string,
    standing: Standing,
    item: unknown,
    caller: string | undefined,
  ): unknown {
    if (!isRecord(item)) return undefined;
    const { name, uri, uriTemplate } = item;
    const owned = typeof name === "string" ? { server, name } : undefined;
    const isVisible = (wish: Wish): boolean => visible(this.rules, standing, wish).kind !== "deny";
    if (list === "tools" || list === "prompts") {
      const table = list === "tools" ? this.#tools : this.#prompts;
      const seen = owned && table.nameOf(owned);
      if (!owned || seen === undefined || !this.isOpenTo(caller, server, seen)) return undefined;
      const kind = list === "tools" ? "tool" : "prompt";
      return isVisible({ kind, name: owned.name }) ? { ...withoutHopNames(item), name: seen } : undefined;
    }
    const address = list === "resources" ? uri : uriTemplate;
    return typeof address === "string" && isVisible({ kind: "resource", uri: address })
      ? withoutHopNames(item)
      : undefined;
  }

  /** Which server a resource is read from: the one that lists it, or has a template for it; more than one is nobody's. */
  ownersOf(uri: string, caller: string | undefined): readonly string[] {
    const open = [...this.#servers].filter(([server]) => this.isOpenTo(caller, server));
    const listed = open.filter(([, { upstream }]) =>
      upstream.lists.resources.some((item) => isRecord(item) && item.uri === uri),
    );
    const found =
      listed.length > 0
        ? listed
        : open.filter(([, { upstream }]) =>
            upstream.lists.resourceTemplates.some(
              (item) =>
                isRecord(item) && typeof item.uriTemplate === "string" && mayFit(item.uriTemplate, uri),
            ),
          );
    return found.map(([server]) => server);
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
    this.#rename();
    if (!kept.upstream.isUp) this.options.onProgress?.(`${name}: ${kept.upstream.reason}`);
    this.#announceChanges();
  }

  #rename(): void {
    const owned = (list: "tools" | "prompts"): Owned[] =>
      [...this.#servers].flatMap(([server, { upstream }]) =>
        namesIn(upstream.lists[list]).map((name) => ({ server, name })),
      );
    this.#tools = nameTable(owned("tools"));
    // Of a prompt that is listed twice nobody knows which one is meant.
    const isOnce = ({ server, name }: Owned): boolean =>
      namesIn(this.#servers.get(server)?.upstream.lists.prompts ?? []).filter((each) => each === name)
        .length === 1;
    this.#prompts = nameTable(owned("prompts").filter(isOnce));
  }

  #announceChanges(): void {
    for (const list of ["tools", "resources", "prompts"] as const) this.#announceIfChanged(list);
  }

  /** A list is told of when it is another one for somebody. */
  #announceIfChanged(list: "tools" | "resources" | "prompts"): void {
    const kinds = { tools: "tool", prompts: "prompt", resources: "resource" } as const;
    const parts = list === "resources" ? (["resources", "resourceTemplates"] as const) : ([list] as const);
    const shown = [...this.#servers].flatMap(([server, { upstream, standing }]) =>
      parts.flatMap((part) =>
        upstream.lists[part]
          .filter((item) => {
            const name = isRecord(item) ? String(item.name ?? "") : "";
            const kind = kinds[list];
            const wish = kind === "resource" ? { kind, uri: name } : { kind, name };
            return visible(this.rules, standing, wish).kind !== "deny";
          })
          .map((item) => [server, item]),
      ),
    );
    const text = JSON.stringify(shown);
    if (this.#announced.get(list) === text) return;
    this.#announced.set(list, text);
    this.#announce(`notifications/${list}/list_changed`);
  }
  readonly #announced = new Map<string, string>();

  #lookAgain(kept: Kept): void {
    const before = kept.standing;
    const { upstream } = kept;
    kept.lookedAt = performance.now();
    kept.standing = this.#standing(upstream.name, upstream);
    this.#noteChange(upstream.name, before, kept.standing, upstream);
  }

  /** Admissions, refusals and drift are written down when they come about, not when somebody asks. */
  #noteChange(name: string, before: Standing, now: Standing, upstream: Upstream): void {
    const { onProgress = () => {} } = this.options;
    if (!upstream.isUp) return;
    const { admission } = now;
    const words = (standing: Standing): string => JSON.stringify(standing.admission);
    if (words(before) !== words(now) || upstream.starts > (this.#noted.get(name) ?? 0)) {
      this.#noted.set(name, upstream.starts);
      const isIn = admission.status !== "refused";
      this.#write({
        type: "admission",
        outcome: isIn ? "allowed" : "denied",
        server: name,
        data: {
          status: admission.status,
          ...(admission.status === "admitted"
            ? {
                grade: admission.grade,
                ...defined({ clearance: admission.clearance, lapsed: admission.lapsed }),
              }
            : {}),
          ...(admission.status === "exempted" ? admission.by : {}),
          ...(isIn ? {} : { reason: admission.reason }),
          tools: now.tools.size,
        },
      });
      onProgress(`${name}: ${inWords(admission)}`);
    }
    const { drift, description } = this.rules.modes;
    for (const [tool, { hasDrifted, flaw }] of now.tools) {
      const known = before.tools.get(tool);
      if (hasDrifted && !known?.hasDrifted) {
        this.#write({ type: "drift", outcome: outcomeIn(drift), server: name, tool });
        onProgress(`${name}: the tool "${shown(tool, 80)}" is not the one that was attested or locked`);
      }
      if (flaw !== undefined && known?.flaw !== flaw) {
        this.#write({ type: "finding", outcome: outcomeIn(description), server: name, tool, data: { flaw } });
        onProgress(`${name}: the tool "${shown(tool, 80)}" is hostile to read: ${flaw}`);
      }
    }
  }
  readonly #noted = new Map<string, number>();

  /** Where the log has failed nothing takes effect any more: nobody has to be told of this as well. */
  #write(event: AuditEvent): void {
    try {
      this.options.log.append(event);
      this.options.telemetry?.counted(event);
    } catch {}
  }

  /** What was turned away at the door. Whoever knocks often is counted, not written down each time. */
  refused({ status, reason, caller }: Refused): void {
    const key = JSON.stringify([status, reason, caller]);
    const known = this.#refused.get(key);
    const now = performance.now();
    if (known && now - known.at < KNOCK_MS) {
      known.more += 1;
      return;
    }
    // The words are ours and the callers the operator's: there are not many.
    this.#refused.set(key, { at: now, more: 0 });
    const data = { reason, rule: "door", status, times: (known?.more ?? 0) + 1 };
    this.#write({ type: "decision", outcome: "denied", data, ...defined({ actor: caller }) });
  }
  readonly #refused = new Map<string, { readonly at: number; more: number }>();

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

function inWords(admission: Standing["admission"]): string {
  if (admission.status === "refused") return `not admitted: ${admission.reason}`;
  if (admission.status === "exempted")
    return `exempted until ${admission.by.expires}: ${shown(admission.by.reason, 200)} (${admission.by.lacks})`;
  const lapsed = admission.status === "admitted" ? admission.lapsed : undefined;
  return lapsed === undefined ? admission.status : `${admission.status}; ${lapsed}`;
}

const outcomeIn = (mode: Mode): "denied" | "allowed" => (mode === "enforce" ? "denied" : "allowed");

const namesIn = (items: readonly unknown[]): string[] =>
  items.flatMap((item) => (isRecord(item) && typeof item.name === "string" ? [item.name] : []));

/** The text before the first variable is all that is compared: whose template it is, not whether it fits. */
function mayFit(template: string, uri: string): boolean {
  const fixed = template.split("{")[0] ?? "";
  return fixed !== "" && uri.startsWith(fixed);
}
