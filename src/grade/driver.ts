/** One server under test: opened, asked, called, started again where it ends. Writes down what happens and judges nothing. */
import { canonicalJson, defined } from "../core/index.ts";
import type { CallOutcome, PlannedCall, RunTerms } from "../probes/index.ts";
import { type ClaimSet, claimsOf } from "../surface/index.ts";
import type { Target } from "../target/index.ts";
import { connect, type Launcher, type ListMethod, list, type Recorder, type Session } from "../wire/index.ts";
import { answerFor, outcomeOf } from "./client.ts";
import type { ToolPlan } from "./plan.ts";

export interface DriverOptions {
  readonly terms: RunTerms;
  readonly recorder: Recorder;
  /** How many bytes the server has said so far. */
  readonly receivedBytes: () => number;
  readonly launcher?: Launcher;
  /** Resets what nobody answers for, where a sandbox can. */
  readonly cutOff?: () => Promise<void>;
}

export type Planned = ToolPlan["calls"][number];

export interface Done {
  readonly id: string;
  readonly outcome: CallOutcome;
  readonly ms: number;
}

const MIB = 1024 * 1024;
const HANG_MS = 15_000;
const PROGRESS_MS = 120_000;
const PULSE_MS = 4_000;
const QUICK_STOP_MS = 600;
const MAX_RESTARTS = 6;
/** A server that says more than this is called no more. */
const FLOOD_BYTES = 64 * MIB;
/** One that says still more, although nobody asks, is ended. */
const MOST_BYTES = 2 * FLOOD_BYTES;
const MAX_FRAME_BYTES = 16 * MIB;
const LOOK_MS = 100;
/** The probe whose calls are spoiled on purpose. */
const SPOILING = "3.1";
const LISTS: readonly ListMethod[] = [
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
];

export class Driver {
  readonly #target: Target;
  readonly #options: DriverOptions;
  readonly #done = new Map<string, Done>();
  /** Tools that hang or crash are not called again; where it was by spoiled arguments, not with those. */
  readonly #spent = new Set<string>();
  #session: Session | undefined;
  #claims: ClaimSet = "none";
  #peers = 0;
  #calls = 0;
  #reads = 0;
  #open = 0;
  #restarts = 0;
  #restarting: Promise<void> | undefined;
  #isFlooded = false;
  #guard: NodeJS.Timeout | undefined;
  /** Tools or prompts were said to have changed since the lists were last read. */
  hasNews = false;

  constructor(target: Target, options: DriverOptions) {
    this.#target = target;
    this.#options = options;
  }

  get #peer(): string {
    return `session-${this.#peers}`;
  }

  async open(claims: ClaimSet): Promise<void> {
    const { launcher, recorder, terms } = this.#options;
    this.#claims = claims;
    this.#peers += 1;
    this.#session = await connect(this.#target.launch, {
      clientInfo: claims === "none" ? (terms.bareIdentity ?? terms.identity) : terms.identity,
      claims: claimsOf(claims),
      recorder,
      answer: answerFor,
      onNotification: ({ method }) => {
        if (method === "notifications/tools/list_changed") this.hasNews = true;
      },
      peer: this.#peer,
      limits: {
        maxFrameBytes: MAX_FRAME_BYTES,
        // What it does at its end is looked at in the other session.
        ...(claims === "none" ? { stopStepMs: QUICK_STOP_MS } : {}),
        ...this.#target.limits,
        timeoutMs: HANG_MS,
      },
      ...defined({ era: this.#target.era, launcher }),
    });
    const session = this.#session;
    clearInterval(this.#guard);
    this.#guard = setInterval(() => {
      if (this.#options.receivedBytes() < MOST_BYTES) return;
      clearInterval(this.#guard);
      this.#noteFlood();
      void session.close();
    }, LOOK_MS).unref();
    if (!session.isOpen) {
      // It may still run: whoever says why it did not open does not wait for it.
      await this.close();
      throw new OpeningFailed(session);
    }
  }

  /** From now on services that are not there are not even said to be unavailable. */
  async cutOff(): Promise<void> {
    await this.#options.cutOff?.();
  }

  async close(): Promise<void> {
    clearInterval(this.#guard);
    await this.#session?.close();
  }

  /** Reads all lists; gives the tools. */
  async sight(round: "first" | "again" | "changed"): Promise<readonly unknown[]> {
    const { recorder } = this.#options;
    const session = this.#session;
    if (!session?.isOpen) return [];
    this.hasNews = false;
    const place = { peer: this.#peer, claims: this.#claims, round };
    recorder.event("sight", { phase: "begin", ...place });
    const unread: string[] = [];
    let tools: readonly unknown[] = [];
    for (const method of LISTS) {
      const { items, end } = await list(session, method);
      if (end !== "complete") unread.push(method);
      if (method === "tools/list") tools = items;
    }
    recorder.event("sight", {
      phase: "end",
      ...place,
      unread,
      era: session.era,
      version: session.face?.version ?? "",
    });
    return tools;
  }

  async list(method: ListMethod): Promise<readonly unknown[]> {
    return this.#session?.isOpen ? (await list(this.#session, method)).items : [];
  }

  async read(what: string, method: string, params: Record<string, unknown>): Promise<void> {
    if (!this.#session?.isOpen || this.#isFull()) return;
    const id = `r${++this.#reads}`;
    this.#options.recorder.event("read", { peer: this.#peer, id, what });
    await this.#session.request(method, params, { id, timeoutMs: PULSE_MS });
  }

  async pulse(after: string): Promise<boolean> {
    const outcome = await this.#session?.request("tools/list", {}, { timeoutMs: PULSE_MS });
    const isAlive = outcome?.kind === "result" || outcome?.kind === "error";
    this.#options.recorder.event("pulse", { peer: this.#peer, isAlive, after });
    return isAlive;
  }

  withhold(tool: string, reason: string): void {
    this.#options.recorder.event("withheld", { tool, reason });
  }

  /** How a call ended that was made with these arguments. */
  doneWith(call: Pick<PlannedCall, "tool" | "args">): Done | undefined {
    return this.#done.get(keyOf(call));
  }

  isSpent({ tool, probe }: Pick<Planned, "tool" | "probe">): boolean {
    return this.#spent.has(tool) || this.#spent.has(`${tool} ${probe}`);
  }

  /** A repeated call is made whether or not it was made before, and teaches nothing. */
  async call(call: Planned, isRepeat = false): Promise<CallOutcome> {
    await this.#restarting;
    if (this.isSpent(call) || this.#isFull()) return "not-sent";
    const { recorder } = this.#options;
    const key = keyOf(call);
    const known = isRepeat ? undefined : this.#done.get(key);
    if (known) {
      recorder.event("reused", { id: known.id, probe: call.probe, note: call.note });
      return known.outcome;
    }
    const id = `c${++this.#calls}`;
    const session = this.#session;
    const { tool, args, probe, note, canaries, sent } = call;
    recorder.event("call", { peer: this.#peer, id, tool, probe, note, ...defined({ canaries, sent }) });
    this.#open += 1;
    const isAlone = this.#open === 1;
    const answer = await session?.request(
      "tools/call",
      { name: tool, arguments: args },
      { id, timeoutMs: HANG_MS, progressUpToMs: PROGRESS_MS },
    );
    this.#open -= 1;
    const outcome = outcomeOf(answer);
    const ms = Math.round(answer?.ms ?? 0);
    // When we have ended it ourselves, or several were open, it is not this call's doing.
    const isLost = outcome === "crashed" && (!isAlone || this.#isFlooded);
    recorder.event("called", { id, outcome: isLost ? "not-sent" : outcome, ms });
    if (outcome === "crashed") {
      if (this.#isFlooded) return "not-sent";
      await this.#restart(session);
      // Several were open: which one it was shows when each is made alone.
      if (isLost) return this.#alone(call);
      this.#spend(call);
    } else if (outcome === "hung") {
      this.#spend(call);
      this.withhold(tool, "it does not answer");
      if (!(await this.pulse(`call ${id} of ${tool}`))) await this.#restart(session);
    } else if (!isRepeat) this.#done.set(key, { id, outcome, ms });
    return outcome;
  }

  /** Spoiled arguments that end a server must not hide what it does with others. */
  #spend({ tool, probe }: Planned): void {
    this.#spent.add(probe === SPOILING ? `${tool} ${probe}` : tool);
  }

  #isFull(): boolean {
    if (this.#options.receivedBytes() > FLOOD_BYTES) this.#noteFlood();
    return this.#isFlooded;
  }

  #noteFlood(): void {
    if (this.#isFlooded) return;
    this.#isFlooded = true;
    this.#options.recorder.event("flood", { bytes: this.#options.receivedBytes(), limit: FLOOD_BYTES });
  }

  #queue: Promise<unknown> = Promise.resolve();

  /** One after another, with nothing else open. */
  #alone(call: Planned): Promise<CallOutcome> {
    const made = this.#queue.then(async () => {
      while (this.#open > 0) await new Promise((done) => setTimeout(done, 10));
      return this.call(call);
    });
    this.#queue = made;
    return made;
  }

  async #restart(ended: Session | undefined): Promise<void> {
    if (ended !== this.#session) return this.#restarting;
    this.#restarting ??= this.#startAgain().finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  async #startAgain(): Promise<void> {
    this.#restarts += 1;
    await this.#session?.close();
    this.#options.recorder.event("restart", { times: this.#restarts });
    if (this.#restarts <= MAX_RESTARTS)
      await this.open(this.#claims).catch((cause) => {
        if (!(cause instanceof OpeningFailed)) throw cause;
      });
  }
}

/** The server did not open; what it did instead stands in the session. */
export class OpeningFailed extends Error {
  readonly session: Session;

  constructor(session: Session) {
    super("the server did not open a session");
    this.session = session;
  }
}

const keyOf = ({ tool, args }: Pick<PlannedCall, "tool" | "args">): string =>
  `${tool}\n${canonicalJson(args)}`;
