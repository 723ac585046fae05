/** Who hears that a resource has changed: whoever asked to, may read it, and has it from the server that says so. What a server says with it is
 *  not passed on. Implements spec/gateway.md, GTW-78 and GTW-79. */
import type { AuditEvent } from "../audit/index.ts";
import { visible } from "../policy/index.ts";
import { type Call, type ClientSession, isRecord, RpcFailure, type Subscribed } from "../wire/index.ts";
import { notSent } from "./deliver.ts";
import { resourceAsked } from "./exchange.ts";
import type { Behind, Gateway } from "./gateway.ts";
import { Ground } from "./ground.ts";
import { note } from "./journal.ts";
import { decisionEvent, judge } from "./judge.ts";
import { Rate } from "./rate.ts";
import { Seldom } from "./seldom.ts";
import { argumentsOf, unreadable } from "./turn-away.ts";
import type { Upstream } from "./upstream.ts";

type Params = Readonly<Record<string, unknown>>;

export const UPDATED = "notifications/resources/updated";
const SUBSCRIBE = "resources/subscribe";
const INVALID = -32602;
const NOT_FOUND = -32601;
/** Of one session or standing request, of one caller, and of all of them. */
const [MAX_OF_ONE, MAX_OF_CALLER, MAX_OF_ALL] = [256, 2048, 8192];
/** They are kept for as long as somebody listens. */
const MAX_URI_CHARS = 4096;
/** Of one server: so many at once, and as many again in this time. */
const [AT_ONCE, REFILL_MS] = [100, 5_000];
/** How often the same is written down. */
const SAME_MS = 10_000;

interface Client {
  /** Its session, or its standing request. */
  readonly client: object;
  readonly caller: string | undefined;
}

interface Hearer extends Client {
  readonly uri: string;
  readonly server: string;
  tell(): void;
}

export class Subscriptions {
  readonly #gateway: Gateway;
  readonly #write: (event: AuditEvent) => void;
  readonly #hearers = new Set<Hearer>();
  /** Of legacy clients, by address. */
  readonly #sessions = new Map<ClientSession, Map<string, Hearer>>();
  /** What servers were asked to tell of, and whether they do. */
  readonly #told = new Map<string, Promise<boolean>>();
  readonly #rates = new Map<string, Rate>();
  readonly #left = new Seldom(SAME_MS);

  constructor(gateway: Gateway, write: (event: AuditEvent) => void) {
    this.#gateway = gateway;
    this.#write = write;
  }

  /** The resources of a server of which somebody wants to hear. */
  of(server: string): readonly string[] {
    return [...new Set([...this.#hearers].filter((each) => each.server === server).map(({ uri }) => uri))];
  }

  /** `resources/subscribe` of a legacy client. */
  async subscribe(params: Params, call: Call): Promise<unknown> {
    const { uri } = params;
    if (typeof uri !== "string") return unreadable(this.#gateway, call, "want a uri");
    const passed = argumentsOf(call);
    if (typeof passed === "string") return unreadable(this.#gateway, call, passed);
    const { session } = call;
    if (!session || session.over.aborted) throw new RpcFailure(NOT_FOUND, "There is no session to tell");
    const own = this.#ofSession(session);
    const client = { client: session, caller: call.from?.caller };
    const behind = await this.#allowed(uri, call, client);
    // Its end was told before this one was there.
    if (session.over.aborted) return {};
    // It may have had it from another server.
    this.#drop(own.get(uri));
    const tell = (): void => void session.tell(UPDATED, { uri });
    const hearer = { ...client, uri, server: behind.upstream.name, tell };
    const told = this.#add(hearer, behind);
    own.set(uri, hearer);
    if (await told) return {};
    if (own.get(uri) === hearer) own.delete(uri);
    throw new RpcFailure(NOT_FOUND, `${this.#gateway.named(hearer.server)} does not tell of its changes`);
  }

  unsubscribe({ uri }: Params, { session }: Call): unknown {
    const own = session && this.#sessions.get(session);
    if (typeof uri !== "string") return {};
    this.#drop(own?.get(uri));
    own?.delete(uri);
    return {};
  }

  /** What a modern client may hear of what it asks for, in one standing request. */
  async listen(uris: readonly string[], call: Call, hear: (uri: string) => void): Promise<Subscribed> {
    const client = { client: call, caller: call.from?.caller };
    const wanted = typeof argumentsOf(call) === "string" ? [] : [...new Set(uris)].slice(0, MAX_OF_ONE);
    const decided = await Promise.allSettled(wanted.map((uri) => this.#allowed(uri, call, client)));
    const own: Hearer[] = [];
    // All in one turn: their server is asked for them in one request.
    const told = decided.map(async (each, n) => {
      if (each.status === "rejected") return undefined;
      const uri = wanted[n] as string;
      const hearer = { ...client, uri, server: each.value.upstream.name, tell: () => hear(uri) };
      own.push(hearer);
      return (await this.#add(hearer, each.value)) ? uri : undefined;
    });
    const results = await Promise.allSettled(told);
    return {
      uris: results.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value] : [])),
      end: () => own.forEach((hearer) => void this.#drop(hearer)),
    };
  }

  /** A server says that a resource has changed. */
  heard(upstream: Upstream, params: unknown): void {
    const uri = isRecord(params) ? params.uri : undefined;
    const hearers = this.#of(upstream).filter((each) => each.uri === uri);
    if (hearers.length === 0) return;
    if (this.#rateOf(upstream.name).take()) return this.#tell(hearers);
    const times = this.#left.times(upstream.name);
    if (times === undefined) return;
    const data = { method: UPDATED, reason: "there were too many at once", rule: "update-flood", times };
    this.#write({ type: "finding", outcome: "denied", server: upstream.name, data });
  }

  /** Nobody has heard what a server told for a while: everything may have changed. */
  missed(upstream: Upstream): void {
    this.#tell(this.#of(upstream));
  }

  #of(upstream: Upstream): readonly Hearer[] {
    const { name } = upstream;
    if (this.#gateway.servers.get(name)?.upstream !== upstream) return [];
    return [...this.#hearers].filter(({ server }) => server === name);
  }

  /** Much may have changed since they asked: it is looked whose it is, and whether it may be read, each time. */
  #tell(hearers: readonly Hearer[]): void {
    // Of one address to many sessions of a caller that is the same.
    const known = new Map<string, boolean>();
    for (const { uri, server, caller, tell } of hearers) {
      const key = JSON.stringify([uri, server, caller]);
      const isTold = known.get(key) ?? this.#mayHear(uri, server, caller);
      known.set(key, isTold);
      if (isTold) tell();
    }
  }

  #mayHear(uri: string, server: string, caller: string | undefined): boolean {
    const { rules } = this.#gateway;
    const [owner] = this.#gateway.ownersOf(uri, caller);
    const standing = this.#gateway.behind(server)?.standing;
    const isSeen = standing && visible(rules, standing, { kind: "resource", uri }).kind !== "deny";
    return owner === server && isSeen === true;
  }

  /** Decided as reading it is. Nobody is asked about it: that is done when it is read. */
  async #allowed(uri: string, call: Call, client: Client): Promise<Behind> {
    if (uri.length > MAX_URI_CHARS)
      throw new RpcFailure(INVALID, `An address that is listened to has at most ${MAX_URI_CHARS} characters`);
    this.#assertRoom(client);
    const gateway = this.#gateway;
    const asked = await resourceAsked(gateway, SUBSCRIBE, { uri }, {}, call);
    const judged = await judge(gateway, asked, call);
    const { kind, rule, reason: why } = judged.verdict;
    const isAllowed = kind === "allow" || kind === "warn";
    const reason = kind === "ask" ? `${why}; nobody is asked about changes` : why;
    const event = decisionEvent(gateway, asked, judged, { isAllowed, reason });
    const ground = new Ground(gateway, asked.behind, asked.wish);
    const decision = await note(gateway, { ...event, data: { ...event.data, method: SUBSCRIBE } }, call);
    if (!isAllowed) throw new RpcFailure(INVALID, `${rule}: ${reason} (decision ${decision})`);
    if (!ground.isSame) throw await notSent(gateway, { decision, flowCall: judged.flowCall }, call);
    gateway.letThrough(asked.behind, asked.wish, judged.verdict);
    return asked.behind;
  }

  #assertRoom({ client, caller }: Client): void {
    const all = [...this.#hearers];
    const ofOne = all.filter((each) => each.client === client).length;
    const ofCaller = all.filter((each) => each.caller === caller).length;
    if (ofOne >= MAX_OF_ONE || ofCaller >= MAX_OF_CALLER || all.length >= MAX_OF_ALL)
      throw new RpcFailure(INVALID, "Too many resources are listened to");
  }

  /** Whether its server tells of it. That is asked once for all who want to hear. Throws where there is no room. */
  #add(hearer: Hearer, { upstream }: Behind): Promise<boolean> {
    // Others may have come while it was decided.
    this.#assertRoom(hearer);
    this.#hearers.add(hearer);
    const key = keyOf(hearer);
    const told = this.#told.get(key) ?? upstream.subscribe(hearer.uri);
    this.#told.set(key, told);
    return told.then((isTold) => {
      if (!isTold) this.#drop(hearer);
      return isTold;
    });
  }

  #drop(hearer: Hearer | undefined): void {
    if (!hearer || !this.#hearers.delete(hearer)) return;
    const key = keyOf(hearer);
    if ([...this.#hearers].some((each) => keyOf(each) === key)) return;
    const told = this.#told.get(key);
    this.#told.delete(key);
    void told?.then((isTold) => {
      const { upstream } = this.#gateway.servers.get(hearer.server) ?? {};
      if (isTold && !this.#told.has(key)) upstream?.unsubscribe(hearer.uri);
    });
  }

  #ofSession(session: ClientSession): Map<string, Hearer> {
    const known = this.#sessions.get(session);
    if (known) return known;
    const own = new Map<string, Hearer>();
    this.#sessions.set(session, own);
    session.over.addEventListener("abort", () => {
      this.#sessions.delete(session);
      for (const hearer of own.values()) this.#drop(hearer);
    });
    return own;
  }

  #rateOf(server: string): Rate {
    const known = this.#rates.get(server) ?? new Rate(AT_ONCE, REFILL_MS);
    this.#rates.set(server, known);
    return known;
  }
}

const keyOf = ({ server, uri }: Hearer): string => JSON.stringify([server, uri]);
