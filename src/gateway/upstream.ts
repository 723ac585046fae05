/** One server behind the gateway: started once, listed, asked, and started again where it ends. What happens to it hurts nobody else.
 *  Implements spec/gateway.md, GTW-20 to GTW-23, GTW-88. */
import { asTrustError, defined, shown, tellingLines } from "../core/index.ts";
import type { Target } from "../target/index.ts";
import {
  connect,
  describe,
  type Ending,
  type Id,
  isRecord,
  type Outcome,
  type Params,
  type Question,
  redactor,
  type Session,
} from "../wire/index.ts";
import { atMost } from "./at-most.ts";
import { Listening } from "./listening.ts";
import { EMPTY, type Lists, only, readLists, type Unread, WHOLE } from "./lists.ts";
import type { Party } from "./logging.ts";
import { Login } from "./login.ts";
import { kindOf, refusalTo } from "./question.ts";
import { reasonOf } from "./reason-of.ts";
import { Rereading } from "./rereading.ts";
import { RunningCalls } from "./running.ts";
import { offersTasks } from "./standing.ts";
import type { Asked, UpstreamOptions } from "./upstream-settings.ts";

const [FIRST_WAIT_MS, MOST_WAIT_MS] = [500, 30_000];
/** One that has run so long begins with the shortest wait again. */
const STEADY_MS = 60_000;
/** So long a list, or a call of something that nobody shows yet, waits for a server that is started for the first time. Clients give up on
 *  a gateway that does not answer; one that asks a server for its era first may wait for that alone three seconds. */
const START_MS = 5_000;
/** It runs for long, beside others: what one frame or list of it takes is taken from all. */
const LIMITS = {
  maxMessages: Number.MAX_SAFE_INTEGER,
  maxFrameBytes: 16 * 1024 * 1024,
  maxListBytes: 16 * 1024 * 1024,
} as const;

export class Upstream {
  readonly name: string;
  readonly #options: UpstreamOptions;
  readonly #listening: Listening;
  #session: Session | undefined;
  readonly #login: Login;
  #lists: Lists = EMPTY;
  #before: Lists = EMPTY;
  #unread: Unread = WHOLE;
  #how: Ending | Outcome | undefined;
  #lastWords = "";
  /** How many bytes of its own it had said when it was up: what it says when it starts does not tell why it ends. */
  #saidAtStart = 0;
  #wait = FIRST_WAIT_MS;
  #openedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  readonly #closed = new Promise<void>((done) => {
    this.#closing.signal.addEventListener("abort", () => done(), { once: true });
  });
  /** The last start, as long as it takes. */
  #opening: Promise<void> | undefined;
  #starting: Promise<void> | undefined;
  readonly #rereading = new Rereading(() =>
    this.#read().catch((cause: unknown) => {
      this.#lost({ kind: "closed", reason: asTrustError(cause).message });
      return true;
    }),
  );
  /** Whom we wait for to say that it is there. */
  #calledOut: Session | undefined;
  #readAt = 0;
  /** The lists as they were told last, and of which start. */
  #text = "";
  #told = 0;
  readonly #running = new RunningCalls();
  /** Counts its starts: what was pinned of one is not of the next before it was looked at. */
  starts = 0;

  constructor(options: UpstreamOptions) {
    this.name = options.name;
    this.#options = options;
    this.#login = new Login(options.target, options.renewed, this.#closed);
    this.#listening = new Listening({
      wanted: options.wanted ?? (() => []),
      onGap: () => {
        void this.refresh();
        options.onGap?.(this);
      },
    });
  }

  get isUp(): boolean {
    return this.#session !== undefined;
  }
  /** Why it is not, in our words alone. */
  get reason(): string {
    if (this.#how) return reasonOf(this.#how);
    return this.starts === 0 ? "it was not started yet" : "it has not answered since it was started";
  }
  /** The same for its operator, with what it said before it ended: clients do not get that. */
  get ending(): string {
    const how = this.#how ? describe(this.#how) : this.reason;
    const said = redactor(this.target.secrets)?.text(this.#lastWords) ?? this.#lastWords;
    const [telling] = tellingLines(said, 1);
    return telling === undefined ? how : `${how}: ${shown(telling.trim(), 200)}`;
  }
  get era(): Session["era"] | undefined {
    return this.#session?.era;
  }
  get face(): Session["face"] {
    return this.#session?.face;
  }
  get lists(): Lists {
    return this.#lists;
  }
  /** Whether calls of its tools can be tasks. */
  get hasTasks(): boolean {
    return offersTasks(this.era, this.face?.capabilities);
  }
  /** What it listed when it was lost, or when a list of it could be read last, until it lists again. */
  get before(): Lists {
    return this.#before;
  }
  /** Lists of which nothing is shown, for they were not read to their end; read again until they are. */
  get unread(): Unread {
    return this.#unread;
  }
  get target(): Target {
    return this.#login.target;
  }

  /** Starts it; resolves when it is up or has failed, and then goes on trying. */
  open(): Promise<void> {
    const isFirst = this.starts === 0;
    this.#opening = this.#open();
    if (isFirst)
      this.#starting = atMost(START_MS, this.#opening).then(() => {
        this.#starting = undefined;
      });
    return this.#opening;
  }

  /** Until it has been started for the first time, or that takes long: then nobody waits for it any more. */
  get starting(): Promise<void> | undefined {
    return this.#starting;
  }

  async #open(): Promise<void> {
    const { launcher, clientInfo, claims = {} } = this.#options;
    this.starts += 1;
    this.#saidAtStart = 0;
    const number = this.starts;
    const isCurrent = (): boolean => this.starts === number && !this.#closing.signal.aborted;
    // It is not admitted before that is known: who lists meanwhile would not see it, and not be told of it later.
    const fetched = this.#options.fetched?.();
    if (fetched) await Promise.race([fetched, this.#closed]);
    if (isCurrent()) await this.#login.isRenewed();
    if (!isCurrent()) return;
    const { target } = this;
    const session = await connect(target.launch, {
      clientInfo,
      claims,
      peer: this.name,
      era: target.era ?? "auto",
      limits: { ...LIMITS, ...target.limits },
      onNotification: ({ method, params, within }) => {
        if (isCurrent()) this.#heard(method, params, within);
      },
      answer: (question) => (isCurrent() ? this.#asked(question) : undefined),
      onEnd: (ending) => {
        if (isCurrent() && this.#session) this.#lost(ending);
      },
      signal: this.#closing.signal,
      ...defined({ launcher }),
    });
    if (!isCurrent()) return session.close();
    if (!session.isOpen) {
      await session.close();
      return this.#lost(session.opening, session);
    }
    this.#session = session;
    this.#running.clear();
    this.#openedAt = performance.now();
    await this.refresh();
    if (this.#session !== session) return;
    this.#saidAtStart = session.stderrTail().bytes;
    this.#listening.begin(session);
  }

  /** It does not take our credentials. Others may not be taken either: it is left alone unless there are newer ones. */
  async #refused(session: Session): Promise<void> {
    if (!(await this.#login.isRenewedOnRefusal()) || this.#session !== session) return;
    this.#lost({ kind: "closed", reason: "its login was renewed" });
  }

  /** Whether it tells of changes to this resource from now on. */
  subscribe(uri: string): Promise<boolean> {
    return this.#listening.subscribe(uri);
  }
  unsubscribe(uri: string): void {
    this.#listening.unsubscribe(uri);
  }

  /** Reads its lists again; who asks meanwhile gets the same reading. */
  refresh(): Promise<void> {
    return this.#rereading.now();
  }

  /** Whether it is longer than this ago that they were read, or they are being read, or have to be. */
  isStale(ms: number): boolean {
    return this.isUp && (this.#rereading.isDue || performance.now() - this.#readAt > ms);
  }

  /** Whether all was read; where there is nobody to be read any more, all is. */
  async #read(): Promise<boolean> {
    const session = this.#session;
    if (!session) return true;
    let isRefused = false;
    const { lists, text, over, unread } = await readLists(session, (page) => {
      isRefused ||= page.kind === "unauthorized";
      return isOver(session, page);
    });
    if (this.#session !== session) return true;
    if (over) {
      this.#lost(over);
      return true;
    }
    if (isRefused) void this.#refused(session);
    this.#readAt = performance.now();
    // Whoever does not take our credentials is left alone.
    const isWhole = unread.size === 0 || isRefused;
    if (text === this.#text && this.#told === this.starts) return isWhole;
    [this.#text, this.#told, this.#unread] = [text, this.starts, unread];
    const last = { ...this.#lists, ...only(this.#unread, this.#before) };
    [this.#before, this.#lists] = [{ ...EMPTY, ...only(unread, last) }, lists];
    this.#options.onChange(this);
    return isWhole;
  }

  async request(method: string, params: Params, asked: Asked): Promise<Outcome> {
    const session = this.#session;
    if (!session) return { kind: "unreachable", reason: `is down: ${this.reason}`, id: 0, ms: 0 };
    const { id, party } = asked;
    const running = this.#running.begin(id, { ask: asked.onQuestion, party });
    const outcome = await session.request(method, params, asked);
    running.ask = undefined;
    if (this.#session !== session) return outcome;
    this.#running.end(id, outcome);
    if (isOver(session, outcome)) this.#lost(outcome);
    else if (outcome.kind === "unauthorized") void this.#refused(session);
    else if (outcome.kind === "timed-out" && session.transport === "stdio") void this.#callOut(session);
    return outcome;
  }

  /** One that does not answer a call may have much to do. One that then does not even say that it is there has to be started again. */
  async #callOut(session: Session): Promise<void> {
    if (this.#calledOut === session) return;
    this.#calledOut = session;
    const outcome = await session.request(session.era === "modern" ? "server/discover" : "ping");
    this.#calledOut = undefined;
    if (this.#session !== session || outcome.kind !== "timed-out") return;
    this.#lost({ kind: "closed", reason: `it said nothing for ${outcome.afterMs} ms` });
  }

  /** Gives up a request by its id. */
  cancel(id: Id): void {
    this.#session?.cancel(id);
  }

  /** Whose calls run, or were given up and may still: of these, or of all. */
  parties(ids?: readonly Id[]): Party[] {
    return this.#running.alive(ids).map(([, { party }]) => party);
  }

  /** How much it should log, where it can be told that once for all. */
  async setLogLevel(level: string): Promise<void> {
    const capabilities = this.face?.capabilities;
    if (this.era === "legacy" && isRecord(capabilities) && Object.hasOwn(capabilities, "logging"))
      await this.#session?.request("logging/setLevel", { level });
  }

  /** A question is for whoever made the call that it belongs to. Over a pipe nobody says which that is: then there has to be one alone. */
  async #asked(question: Question): Promise<unknown> {
    const session = this.#session;
    const running = this.#running.alive(question.within);
    const [[id, call] = []] = running.length === 1 ? running : [];
    if (!session || id === undefined || !call?.ask) {
      const why = running.length === 0 ? "no call runs that it could belong to" : UNKNOWN_CALL;
      this.#options.onStray?.(this, question, why);
      return refusalTo(kindOf(question.method));
    }
    const release = session.hold(id);
    try {
      return await call.ask(question);
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#rereading.forget();
    this.#tellEnd();
    this.#listening.end();
    const session = this.#session;
    this.#session = undefined;
    await Promise.all([session?.close(), this.#opening]);
  }

  #tellEnd(error?: string): void {
    const session = this.#session;
    if (!session) return;
    const seconds = (performance.now() - this.#openedAt) / 1000;
    this.#options.onEnded?.(this, { era: session.era, version: session.face?.version, seconds, error });
  }

  #heard(method: string, params: unknown, within: readonly Id[] | undefined): void {
    if (this.#listening.takes(method, params)) return;
    if (CHANGES.has(method)) this.#rereading.told();
    else this.#options.onNotification?.(this, method, params, within);
  }

  #lost(how: Ending | Outcome, session = this.#session): void {
    const { text = "", bytes = 0 } = session?.stderrTail() ?? {};
    this.#lastWords = lastBytes(text, bytes - this.#saidAtStart);
    // One that never came up has not run at all, however long ago the last one did.
    const ranMs = this.#session ? performance.now() - this.#openedAt : 0;
    this.#tellEnd(how.kind);
    this.#listening.end();
    this.#rereading.forget();
    void this.#session?.close();
    this.#session = undefined;
    // It may be lost again before it has listed anything.
    if (this.#lists !== EMPTY) this.#before = { ...this.#lists, ...only(this.#unread, this.#before) };
    this.#lists = EMPTY;
    this.#unread = WHOLE;
    this.#how = how;
    if (ranMs > STEADY_MS) this.#wait = FIRST_WAIT_MS;
    this.#options.onChange(this);
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => void this.open(), this.#wait);
    this.#timer.unref();
    this.#wait = Math.min(this.#wait * 2, MOST_WAIT_MS);
  }
}

/** A server at an address has no end that shows by itself: nobody is there any more, or whoever is there knows nothing of our session. */
const isOver = ({ transport, era }: Session, outcome: Outcome): boolean =>
  transport === "http" &&
  (outcome.kind === "unreachable" || (era === "legacy" && "status" in outcome && outcome.status === 404));

function lastBytes(text: string, count: number): string {
  const bytes = Buffer.from(text);
  return bytes.subarray(Math.max(0, bytes.length - count)).toString("utf8");
}

const UNKNOWN_CALL = "it does not say which of the calls it belongs to that run, or were given up";

const CHANGES: ReadonlySet<string> = new Set([
  "notifications/tools/list_changed",
  "notifications/resources/list_changed",
  "notifications/prompts/list_changed",
]);
