/** Log messages of servers: who hears them, under which name, and how many of them. A server that only logs is no less to be believed than one
 *  that answers: not at all. Implements spec/gateway.md, GTW-62 to GTW-65. */
import type { AuditEvent } from "../audit/index.ts";
import { defined, shown } from "../core/index.ts";
import { labelSpeech, visible } from "../policy/index.ts";
import { type Call, type ClientSession, type Id, isRecord, META, RpcFailure } from "../wire/index.ts";
import { LABEL_KEY, withoutHopNames } from "./answer.ts";
import { atMost } from "./at-most.ts";
import type { Conversed } from "./context.ts";
import { contextKey } from "./contexts.ts";
import { sourceOf } from "./deliver.ts";
import type { Gateway } from "./gateway.ts";
import { isLogLevel, LOG_LEVELS, LOG_METHOD, type LogLevel, rankOf } from "./log-level.ts";
import { isHostile, seenIn } from "./output.ts";
import { Rate } from "./rate.ts";
import { Seldom } from "./seldom.ts";
import { firstTexts } from "./texts.ts";
import type { Upstream } from "./upstream.ts";

type Json = Readonly<Record<string, unknown>>;

/** Whose a call is that runs at a server, or was given up and may still run there. */
export interface Party {
  readonly caller: string | undefined;
  readonly session: ClientSession | undefined;
  /** The least that it wants to hear; absent where it wants nothing. */
  readonly level?: LogLevel | undefined;
  readonly context?: Conversed;
  /** What it was called with. */
  readonly given?: unknown;
  /** Says it in the stream of the call; false where that is over. */
  hear?(message: Json): boolean;
}

/** A session that has asked to hear of servers. */
interface Asker {
  readonly level: LogLevel;
  readonly caller: string | undefined;
  /** The conversation in which it did. */
  readonly context: () => Conversed;
}

interface Hearer {
  readonly context: Conversed | undefined;
  readonly given?: unknown;
  tell(message: Json): void;
}

interface Told {
  readonly start: number;
  readonly rank: number;
  done: Promise<void>;
}

/** Of one server: so many at once, and so many each second after that. */
const [AT_ONCE, A_SECOND] = [100, 20];
const REFILL_MS = (AT_ONCE / A_SECOND) * 1000;
/** Of one message. */
const MAX_CHARS = 16 * 1024;
const LOGGER_CHARS = 128;
/** How often the same is written down. */
const SAME_MS = 10_000;
/** So long a client waits for its servers to know. */
const TELL_MS = 1_000;
/** What a request of the modern era wants counts for so long at servers that are told once for all. */
const LATELY_MS = 10 * 60_000;

export class ServerLogs {
  readonly #gateway: Gateway;
  readonly #write: (event: AuditEvent) => void;
  readonly #askers = new Map<ClientSession, Asker>();
  readonly #lately = new Map<Upstream, { readonly rank: number; readonly timer: NodeJS.Timeout }>();
  readonly #told = new WeakMap<Upstream, Told>();
  readonly #rates = new Map<string, Rate>();
  readonly #left = new Seldom(SAME_MS);

  constructor(gateway: Gateway, write: (event: AuditEvent) => void) {
    this.#gateway = gateway;
    this.#write = write;
  }

  /** `logging/setLevel` of a legacy client. */
  async setLevel(params: Json, { session, from }: Call): Promise<unknown> {
    const { level } = params;
    if (!isLogLevel(level)) throw new RpcFailure(-32602, `want a level: ${LOG_LEVELS.join(", ")}`);
    if (session && !session.over.aborted) {
      if (!this.#askers.has(session)) session.over.addEventListener("abort", () => this.#leave(session));
      const key = contextKey(params, from);
      const context = (): Conversed => this.#gateway.contexts.of(key, from, session.over);
      this.#askers.set(session, { level, caller: from?.caller, context });
    }
    await atMost(TELL_MS, this.#tellAll());
    return {};
  }

  #leave(session: ClientSession): void {
    this.#askers.delete(session);
    void this.#tellAll();
  }

  levelOf(session: ClientSession | undefined): LogLevel | undefined {
    return session && this.#askers.get(session)?.level;
  }

  /** What goes to a server with a request whose client wants to hear of it: at once, or when the server knows. */
  wanted(upstream: Upstream, level: LogLevel, params: Json, era: Call["era"]): Json | Promise<Json> {
    if (upstream.era === "modern")
      return {
        ...params,
        _meta: { ...(isRecord(params._meta) ? params._meta : {}), [META.logLevel]: level },
      };
    if (era === "legacy") return params;
    this.#wantedLately(upstream, rankOf(level));
    return atMost(TELL_MS, this.#tell(upstream)).then(() => params);
  }

  #wantedLately(upstream: Upstream, rank: number): void {
    const lately = this.#lately.get(upstream);
    const end = (): void => {
      this.#lately.delete(upstream);
      void this.#tell(upstream);
    };
    const timer = lately?.timer.refresh() ?? setTimeout(end, LATELY_MS).unref();
    this.#lately.set(upstream, { rank: Math.min(lately?.rank ?? rank, rank), timer });
  }

  async #tellAll(): Promise<void> {
    await Promise.all([...this.#gateway.servers.values()].map(({ upstream }) => this.#tell(upstream)));
  }

  /** A server was started, or has changed: what it was told before it does not know any more. */
  changed(upstream: Upstream): void {
    void this.#tell(upstream);
  }

  /** Tells it the most that somebody wants to hear; once nobody does any more, the least there is. One that was never told is left alone. */
  #tell(upstream: Upstream): Promise<void> {
    const { starts: start } = upstream;
    const told = this.#told.get(upstream);
    const isTold = told?.start === start;
    const wanted = this.#rankFor(upstream);
    if (!upstream.isUp || (wanted === undefined && !isTold)) return DONE;
    const rank = wanted ?? LOG_LEVELS.length - 1;
    if (isTold && told.rank === rank) return told.done;
    const next: Told = { start, rank, done: DONE };
    this.#told.set(upstream, next);
    // Of several that wait only the last one is still true.
    next.done = (told?.done ?? DONE).then(async () => {
      if (this.#told.get(upstream) === next) await upstream.setLogLevel(LOG_LEVELS[rank] as LogLevel);
    });
    return next.done;
  }

  #rankFor(upstream: Upstream): number | undefined {
    const ranks = [...this.#askers.values()]
      .filter(({ caller }) => this.#gateway.isOpenTo(caller, upstream.name))
      .map(({ level }) => rankOf(level));
    const least = Math.min(...ranks, this.#lately.get(upstream)?.rank ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(least) ? least : undefined;
  }

  /** A server says something. `within`: the calls whose stream it came in; absent where nobody can tell. */
  heard(upstream: Upstream, params: unknown, within: readonly Id[] | undefined): void {
    if (!isRecord(params) || !isLogLevel(params.level)) return;
    const { name } = upstream;
    const behind = this.#gateway.servers.get(name);
    if (behind?.upstream !== upstream) return;
    const hearers = this.#hearers(upstream, rankOf(params.level), within);
    if (hearers.length === 0) return;
    const { rules } = this.#gateway;
    // Whoever is not admitted has nothing to say either.
    if (visible(rules, behind.standing, { kind: "prompt", name: "" }).kind === "deny") return;
    if (!this.#rateOf(name).take()) return this.#leftOut(name, "log-flood", "there were too many at once");
    const { logger, data, level } = params;
    const own = typeof logger === "string" && logger !== "" ? `/${shown(logger, LOGGER_CHARS)}` : "";
    const clean = cleaned(data);
    if (!clean) return this.#leftOut(name, "log-size", `it has more than ${MAX_CHARS} characters`);
    const given = hearers.length === 1 ? firstTexts(hearers[0]?.given) : undefined;
    const seen = seenIn({ data, logger }, given);
    const mode = this.#gateway.options.settings.modes.output;
    const isHostileToo = seen.some(isHostile);
    const isKept = isHostileToo && (mode === "block" || mode === "redact");
    if (isHostileToo) {
      const reason = "it gives orders to the agent or hides text";
      this.#leftOut(name, "output", reason, { output_mode: mode, seen }, isKept);
    }
    if (isKept) return;
    const findings =
      seen.length > 0 && mode !== "observe" ? seen.map(({ message: _, ...each }) => each) : undefined;
    const label = { ...labelSpeech(sourceOf(behind)), ...defined({ findings }) };
    const message = { level, logger: `${name}${own}`, data: clean.data, _meta: { [LABEL_KEY]: label } };
    // It is heard in a conversation: what is taken from it into a call of another server is found there.
    const speech = {
      id: `log ${name}`,
      server: name,
      tool: LOG_METHOD,
      arguments: undefined,
      result: { data },
    };
    for (const context of new Set(hearers.map((hearer) => hearer.context)))
      context?.said(speech, "NONE", clean.chars);
    for (const hearer of hearers) hearer.tell(message);
  }

  /** Whoever made the call that it belongs to; those who listen, where none runs; nobody, where it may be about somebody else's call. */
  #hearers(upstream: Upstream, rank: number, within: readonly Id[] | undefined): readonly Hearer[] {
    const wants = ({ level }: { readonly level?: LogLevel | undefined }): boolean =>
      level !== undefined && rank >= rankOf(level);
    const isOpen = ({ caller }: { readonly caller: string | undefined }): boolean =>
      this.#gateway.isOpenTo(caller, upstream.name);
    const isModern = upstream.era === "modern";
    // A modern server logs for those alone who asked it to.
    const parties = upstream.parties(within).filter(({ level }) => !isModern || level !== undefined);
    if (parties.length === 0)
      return within || isModern
        ? []
        : [...this.#askers]
            .filter(([, asker]) => wants(asker) && isOpen(asker))
            .map(([session, { context }]) => ({
              context: context(),
              tell: (said) => void session.tell(LOG_METHOD, said),
            }));
    const wanting = parties.filter((party) => wants(party) && isOpen(party));
    if (new Set(parties.map(({ caller }) => caller)).size > 1) {
      if (wanting.length > 0)
        this.#leftOut(upstream.name, "log-unattributed", "it may belong to the call of somebody else");
      return [];
    }
    // Of several calls of one session, or of nobody's, the last one.
    const last = new Map(wanting.map((party) => [party.session, party]));
    return [...last.values()].map((party) => ({
      context: party.context,
      given: party.given,
      tell: (said) => {
        const aside = (): boolean => party.session?.tell(LOG_METHOD, said) ?? false;
        const inCall = (): boolean => party.hear?.(said) ?? false;
        void (within ? inCall() || aside() : aside() || inCall());
      },
    }));
  }

  #rateOf(server: string): Rate {
    const known = this.#rates.get(server) ?? new Rate(AT_ONCE, REFILL_MS);
    this.#rates.set(server, known);
    return known;
  }

  /** Written down, and not each time. */
  #leftOut(server: string, rule: string, reason: string, more: Json = {}, isDenied = true): void {
    const times = this.#left.times(JSON.stringify([server, rule]));
    if (times === undefined) return;
    const data = { ...more, method: LOG_METHOD, reason, rule, times };
    this.#write({ type: "finding", outcome: isDenied ? "denied" : "allowed", server, data });
  }
}

const DONE = Promise.resolve();

/** Without what only a gateway may say; undefined where it is too large, or too deep to be written. */
function cleaned(data: unknown): { readonly data: unknown; readonly chars: number } | undefined {
  try {
    const text = JSON.stringify(data ?? null);
    return text.length > MAX_CHARS ? undefined : { data: withoutHopNames(data ?? null), chars: text.length };
  } catch {
    return undefined;
  }
}
