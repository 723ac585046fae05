/** The servers behind a gateway: taken on, let go, and how each stands, which is looked at again and again. Implements spec/gateway.md, GTW-10,
 *  GTW-20 and GTW-31. */
import { defined } from "../core/index.ts";
import { policyFor, type Standing } from "../policy/index.ts";
import { type Change, changesBetween, unreadSince } from "./changes.ts";
import type { Changeable, Gateway, GatewayServer } from "./gateway.ts";
import { type Unread, WHOLE } from "./lists.ts";
import { claimsFor, kindOf, type QuestionModes } from "./question.ts";
import { standingOf } from "./standing.ts";
import { Upstream } from "./upstream.ts";
import type { UpstreamOptions } from "./upstream-settings.ts";

interface Kept {
  readonly upstream: Upstream;
  standing: Standing;
  /** As it was told. */
  unread: Unread;
  lookedAt: number;
}

/** What a gateway hears of its servers. */
interface Hearing {
  readonly onNotification: NonNullable<UpstreamOptions["onNotification"]>;
  onChange(name: string): void;
  told(changes: readonly Change[]): void;
}

export class Upstreams {
  /** In the order of the file: of two that show one address the first has it. */
  readonly all = new Map<string, Kept>();
  readonly #gateway: Gateway;
  readonly #hearing: Hearing;
  /** Of each server the start whose admission is written down. */
  readonly #noted = new Map<string, number>();

  constructor(gateway: Gateway, hearing: Hearing) {
    this.#gateway = gateway;
    this.#hearing = hearing;
  }

  add({ name, target, launcher, fetched, renewed }: GatewayServer): Upstream {
    const { info, settings } = this.#gateway.options;
    const upstream = new Upstream({
      name,
      target,
      clientInfo: { name: info.name, version: info.version },
      onChange: () => this.#hearing.onChange(name),
      onNotification: this.#hearing.onNotification,
      onStray: (from, { method }, reason) =>
        this.#gateway.errands.unasked(from.name, { rule: "question-unattributed", reason }, kindOf(method)),
      onEnded: (from, ended) => this.#gateway.options.telemetry?.lasted(from, ended),
      wanted: () => this.#gateway.subscriptions.of(name),
      onGap: (from) => this.#gateway.subscriptions.missed(from),
      claims: claimsFor(settings.questions),
      ...defined({ launcher, fetched, renewed }),
    });
    this.all.set(name, { upstream, standing: this.#standing(name, upstream), unread: WHOLE, lookedAt: 0 });
    return upstream;
  }

  /** Takes on what has changed; those that are started as before stay. Gives whom to end, and whom to start. */
  change(
    before: Changeable,
    now: Changeable,
  ): { readonly gone: readonly Upstream[]; readonly added: readonly Upstream[] } {
    const { questions } = before.settings;
    const started = new Map(before.servers.map((server) => [server.name, startOf(server, questions)]));
    const isKept = (server: GatewayServer): boolean =>
      started.get(server.name) === startOf(server, now.settings.questions);
    const kept = new Set(now.servers.filter(isKept).map(({ name }) => name));
    const gone = [...this.all].filter(([name]) => !kept.has(name));
    for (const [name] of gone) {
      this.all.delete(name);
      this.#noted.delete(name);
    }
    const added = now.servers.filter(({ name }) => !kept.has(name)).map((server) => this.add(server));
    this.#sort(now.servers);
    for (const each of this.all.values()) this.lookAgain(each);
    return { gone: gone.map(([, { upstream }]) => upstream), added };
  }

  #sort(servers: readonly GatewayServer[]): void {
    for (const { name } of servers) {
      const kept = this.all.get(name);
      this.all.delete(name);
      if (kept) this.all.set(name, kept);
    }
  }

  /** How it stands now; what has come about with that is written down and told. */
  lookAgain(kept: Kept): void {
    const { upstream, standing: before, unread: unreadBefore } = kept;
    const { name, starts, isUp, unread } = upstream;
    kept.lookedAt = performance.now();
    kept.standing = this.#standing(name, upstream);
    if (!isUp) return;
    const isStart = starts > (this.#noted.get(name) ?? 0);
    this.#noted.set(name, starts);
    const { rules } = this.#gateway;
    kept.unread = unread;
    this.#hearing.told([
      ...changesBetween(before, kept.standing, rules, isStart, unread),
      ...unreadSince(unreadBefore, unread, kept.standing),
    ]);
  }

  #standing(name: string, upstream: Upstream): Standing {
    const { options } = this.#gateway;
    const server = options.servers.find((each) => each.name === name) as GatewayServer;
    const { launch } = server.target;
    const url = launch.kind === "http" ? launch.url.href : undefined;
    return standingOf({
      name,
      policy: policyFor(options.table, { name, ...defined({ url }) }),
      mode: options.settings.policy,
      tools: upstream.lists.tools,
      lists: upstream.lists,
      hasTasks: upstream.hasTasks,
      voucher: server.voucher(),
    });
  }
}

/** How a server is started, and what it is told that can be asked, to tell whether it has to be started anew. */
const startOf = ({ target, launcher }: GatewayServer, questions: QuestionModes): string =>
  JSON.stringify([target.launch, target.era, target.limits, launcher?.containment, claimsFor(questions)]);
