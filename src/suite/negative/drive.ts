/** Sends bad requests one after another and says what became of each. A server that ends or stays mute is started again, and
 *  the request that did it is found: by sending it alone, and if it is not the one, by sending those before. */
import type { Outcome, Params, RequestOptions, Stray } from "../../wire/index.ts";
import type { ToolCall } from "./tool.ts";

/** How the server is reached: in a sandbox or not, recorded or not, is the caller's. */
export interface Peer {
  open(): Promise<PeerSession>;
}

/** What is used of a session; `Session` of the wire is one. */
export interface PeerSession {
  readonly isOpen: boolean;
  readonly transport: "stdio" | "http" | "sse";
  readonly strays: {
    readonly counts: ReadonlyMap<Stray["reason"], number>;
    readonly kept: readonly Stray[];
  };
  request(method: string, params?: Params, options?: RequestOptions): Promise<Outcome>;
  close(): Promise<void>;
}

export interface BadCall {
  readonly check: string;
  readonly request: ToolCall;
  /** The schema takes it, so it may take as long as an ordinary call does. */
  readonly mayBeSlow: boolean;
}

/** What was seen while one request was open. */
export interface Seen {
  readonly outcome: Outcome;
  readonly transport: PeerSession["transport"];
  /** Frames that belonged to no request. */
  readonly strays: readonly Stray[];
  /** It answered, and ended by this request all the same. */
  readonly endedAfter: boolean;
  /** No answer in time, and none to ordinary arguments either. */
  readonly isSlowAnyway: boolean;
  readonly note?: string;
}

export interface Sent<C extends BadCall> {
  readonly call: C;
  readonly seen: Seen;
}

export interface Driven<C extends BadCall> {
  readonly sent: readonly Sent<C>[];
  /** Requests that were not sent, and why. */
  readonly left: readonly { readonly call: C; readonly why: string }[];
  readonly restarts: number;
}

export interface DriveOptions<C extends BadCall> {
  readonly maxCallMs: number;
  /** Why a request must not be sent; asked just before. */
  readonly withheld: (call: C) => string | undefined;
  /** Under what name the ends of the server are counted; that of the check unless told. */
  readonly endsOf?: (call: C) => string;
  /** An ordinary call of the tool, where one may be made: tells a slow tool from one that hangs. */
  readonly ordinary?: ToolCall;
  /** For all of it together. */
  readonly maxMs?: number;
  readonly now?: () => number;
}

/** After so many ends or silences of one check its other requests are left out: it has failed already. */
const MAX_ENDS_OF_CHECK = 3;
const MAX_ENDS = 12;
const DEFAULT_MAX_MS = 180_000;
/** A server that ends after its answer is given this time to do so. */
const SETTLE_MS = 150;
/** So many requests that were answered before the end are suspected of it. */
const SUSPECTS = 5;

/** `undefined` when the server could not be opened at all. */
export async function drive<C extends BadCall>(
  peer: Peer,
  calls: readonly C[],
  options: DriveOptions<C>,
): Promise<Driven<C> | undefined> {
  const driver = new Driver(peer, options);
  try {
    return (await driver.open()) ? await driver.sendAll(calls) : undefined;
  } finally {
    await driver.close();
  }
}

class Driver<C extends BadCall> {
  readonly #peer: Peer;
  readonly #options: DriveOptions<C>;
  readonly #sent: Sent<C>[] = [];
  readonly #ends = new Map<string, number>();
  #session: PeerSession | undefined;
  #restarts = -1;
  /** The last requests that this session answered, newest first, by their places in what was sent. */
  #recent: readonly number[] = [];
  #isSlow: boolean | undefined;

  constructor(peer: Peer, options: DriveOptions<C>) {
    this.#peer = peer;
    this.#options = options;
  }

  async open(): Promise<boolean> {
    await this.close();
    this.#restarts += 1;
    this.#recent = [];
    const session = await this.#peer.open();
    if (session.isOpen) this.#session = session;
    else await session.close();
    return session.isOpen;
  }

  async close(): Promise<void> {
    await this.#session?.close();
    this.#session = undefined;
  }

  async sendAll(calls: readonly C[]): Promise<Driven<C>> {
    const { now = () => performance.now(), maxMs = DEFAULT_MAX_MS, withheld } = this.#options;
    const began = now();
    const left: { call: C; why: string }[] = [];
    for (const call of calls) {
      const why =
        this.#exhausted(call) ??
        (now() - began > maxMs ? `the time for all requests, ${maxMs} ms, was used up` : undefined) ??
        withheld(call);
      if (why !== undefined) {
        left.push({ call, why });
        continue;
      }
      const seen = await this.#send(call.request);
      this.#sent.push({ call, seen });
      await this.#follow(this.#sent.length - 1);
    }
    return { sent: this.#sent, left, restarts: this.#restarts };
  }

  #groupOf(call: C): string {
    return this.#options.endsOf?.(call) ?? call.check;
  }

  #exhausted(call: C): string | undefined {
    if (this.#session === undefined) return "the server did not start again";
    if (this.#isSlow === true && call.mayBeSlow) return "the tool takes too long with ordinary arguments";
    const all = [...this.#ends.values()].reduce((sum, times) => sum + times, 0);
    const times = this.#ends.get(this.#groupOf(call)) ?? 0;
    if (times < MAX_ENDS_OF_CHECK && all < MAX_ENDS) return undefined;
    return `the server had ended or stayed mute ${Math.max(times, all < MAX_ENDS ? 0 : all)} times by then`;
  }

  async #send({ name, arguments: args }: ToolCall): Promise<Seen> {
    const session = this.#session;
    if (session === undefined) throw new Error("no session is open");
    const before = counted(session);
    const outcome = await session.request(
      "tools/call",
      args === undefined ? { name } : { name, arguments: args },
      // Questions of the server are not answered: that would lead a bad call on.
      { timeoutMs: this.#options.maxCallMs, keepInput: true },
    );
    return {
      outcome,
      transport: session.transport,
      strays: freshStrays(session, before),
      endedAfter: false,
      isSlowAnyway: false,
    };
  }

  /** After an answer nothing is left to do; after anything else the server is looked after, and the blame found. */
  async #follow(at: number): Promise<void> {
    const sent = this.#sent[at];
    if (sent === undefined) return;
    if (isAnswer(sent.seen.outcome)) {
      this.#recent = [at, ...this.#recent].slice(0, SUSPECTS);
      return;
    }
    const recent = this.#recent;
    if (isGone(sent.seen)) {
      if (!(await this.open()) || recent.length === 0) return this.#end(at);
      return this.#blame(at, recent);
    }
    const isAlive = await this.#isAlive();
    if (!isAlive && !(await this.open())) return this.#end(at);
    if (sent.seen.outcome.kind !== "timed-out") {
      if (!isAlive) this.#end(at);
      return;
    }
    if (sent.call.mayBeSlow && (await this.#isSlowAnyway()))
      this.#sent[at] = { ...sent, seen: { ...sent.seen, isSlowAnyway: true } };
    else this.#end(at);
  }

  #end(at: number): void {
    const call = this.#sent[at]?.call;
    if (call === undefined) return;
    const group = this.#groupOf(call);
    this.#ends.set(group, (this.#ends.get(group) ?? 0) + 1);
  }

  /** The server ended while a request was open that may only have come too late: each suspect is sent alone. */
  async #blame(at: number, recent: readonly number[]): Promise<void> {
    const sent = this.#sent[at];
    if (sent === undefined) return;
    const again = await this.#alone(sent.call.request);
    if (again.isEnd) {
      this.#end(at);
      await this.open();
      return;
    }
    for (const index of recent) {
      const earlier = this.#sent[index];
      if (earlier === undefined || !(await this.#alone(earlier.call.request)).isEnd) continue;
      this.#sent[index] = { ...earlier, seen: { ...earlier.seen, endedAfter: true } };
      this.#sent[at] = { ...sent, seen: { ...again.seen, note: "sent again after the server had ended" } };
      this.#end(index);
      await this.open();
      return;
    }
    this.#sent[at] = {
      ...sent,
      seen: { ...sent.seen, note: "it did not end when the request was sent again" },
    };
    this.#end(at);
  }

  async #alone(request: ToolCall): Promise<{ readonly seen: Seen; readonly isEnd: boolean }> {
    const seen = await this.#send(request);
    if (isGone(seen)) return { seen, isEnd: true };
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    return { seen, isEnd: !(await this.#isAlive()) };
  }

  /** Asked once: the tool does not become faster. */
  async #isSlowAnyway(): Promise<boolean> {
    const { ordinary } = this.#options;
    if (this.#isSlow !== undefined || ordinary === undefined) return this.#isSlow ?? false;
    const { outcome } = await this.#send(ordinary);
    this.#isSlow = outcome.kind === "timed-out";
    if (!(await this.#isAlive())) await this.open();
    return this.#isSlow;
  }

  async #isAlive(): Promise<boolean> {
    const outcome = await this.#session?.request("tools/list", {}, { timeoutMs: this.#options.maxCallMs });
    return outcome?.kind === "result" || outcome?.kind === "error";
  }
}

const isAnswer = ({ kind }: Outcome): boolean =>
  kind === "result" || kind === "error" || kind === "input-required";

/** The process is no more. Over HTTP only one exchange is, perhaps. */
export function isGone({ outcome: { kind }, transport }: Pick<Seen, "outcome" | "transport">): boolean {
  return kind === "crashed" || (transport === "stdio" && (kind === "closed" || kind === "unreachable"));
}

const counted = ({ strays }: PeerSession): ReadonlyMap<Stray["reason"], number> => new Map(strays.counts);

/** What a server says late to a request that was given up is no fault of the one that is open. */
function freshStrays(
  { strays }: PeerSession,
  before: ReadonlyMap<Stray["reason"], number>,
): readonly Stray[] {
  return [...strays.counts].flatMap(([reason, times]) => {
    const fresh = times - (before.get(reason) ?? 0);
    if (fresh <= 0 || reason === "late-answer") return [];
    const kept = strays.kept.filter((stray) => stray.reason === reason).slice(-fresh);
    return kept.length > 0 ? kept : [{ reason, head: Buffer.alloc(0), bytes: 0 }];
  });
}
