/** Makes the calls of a plan and leaves a recording. Judges nothing. */
import { canonicalJson, defined, shown } from "../core/index.ts";
import {
  type CallOutcome,
  type Exchange,
  type MethodId,
  type PlannedCall,
  PROBES,
  type RunTerms,
  readRun,
  type ScriptKit,
} from "../probes/index.ts";
import { type ClaimSet, claimsOf } from "../surface/index.ts";
import type { Target } from "../target/index.ts";
import {
  connect,
  isRecord,
  type Launcher,
  type ListMethod,
  list,
  type RecordedEvent,
  type Recorder,
  type Session,
} from "../wire/index.ts";
import { answerFor, outcomeOf, promptArguments } from "./client.ts";
import type { Fixtures } from "./kit.ts";
import { wordsToTry } from "./learn.ts";
import { type PlanTerms, planFor, type ToolPlan } from "./plan.ts";

export interface DriveOptions {
  readonly terms: RunTerms;
  readonly methods: readonly MethodId[];
  readonly kit: ScriptKit;
  readonly plan: PlanTerms;
  readonly recorder: Recorder;
  /** What was recorded so far, to make chained calls of. */
  readonly recorded: () => readonly RecordedEvent[];
  readonly fixtures: Fixtures;
  readonly launcher?: Launcher;
  readonly onProgress?: (text: string) => void;
  /** How long the server is watched after the last call. */
  readonly windowMs: number;
  /** How often one tool is called in all. */
  readonly longCalls: number;
}

const HANG_MS = 15_000;
const PROGRESS_MS = 120_000;
const PULSE_MS = 4_000;
const AT_ONCE = 4;
/** All calls of one tool together; a single one may take longer. */
const TOOL_BUDGET_MS = 7_000;
/** A call that is known to take long is not begun when little of that is left. */
const SLOW_MS = 500;
const MAX_RESTARTS = 6;
const MAX_READS = 40;
const LISTS: readonly ListMethod[] = [
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
];

export async function drive(target: Target, options: DriveOptions): Promise<void> {
  const { recorder, terms, onProgress = () => {} } = options;
  recorder.event("run", { ...terms });
  const driver = new Driver(target, options);
  onProgress("reading what it advertises");
  await driver.open("none");
  await driver.sight("first");
  await driver.close();
  await driver.open("everything");
  const tools = await driver.sight("first");
  const plans = planFor(tools, options.kit, options.plan);
  for (const { tool, withheld } of plans)
    if (withheld !== undefined) recorder.event("withheld", { tool: tool.name, reason: withheld });
  await driver.readOthers();
  await driver.callAll(plans);
  await driver.learn(plans);
  await driver.chain(plans);
  await driver.callLong(plans);
  await driver.pulse("the last call");
  await driver.sight("again");
  if (options.windowMs > 0) {
    onProgress("watching what comes late");
    await new Promise((done) => setTimeout(done, options.windowMs));
  }
  await driver.close();
}

export async function planOnly(target: Target, options: DriveOptions): Promise<readonly ToolPlan[]> {
  const driver = new Driver(target, options);
  await driver.open("everything");
  const tools = await driver.sight("first");
  await driver.close();
  return planFor(tools, options.kit, options.plan);
}

type Planned = ToolPlan["calls"][number];

class Driver {
  readonly #target: Target;
  readonly #options: DriveOptions;
  readonly #done = new Map<
    string,
    { readonly id: string; readonly outcome: CallOutcome; readonly ms: number }
  >();
  /** Tools that hang or crash are not called again. */
  readonly #spent = new Set<string>();
  #session: Session | undefined;
  #claims: ClaimSet = "none";
  #peers = 0;
  #calls = 0;
  #open = 0;
  #restarts = 0;
  #restarting: Promise<void> | undefined;

  constructor(target: Target, options: DriveOptions) {
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
      clientInfo: terms.identity,
      claims: claimsOf(claims),
      recorder,
      answer: answerFor,
      peer: this.#peer,
      limits: { ...this.#target.limits, timeoutMs: HANG_MS },
      ...defined({ era: this.#target.era, launcher }),
    });
    if (!this.#session.isOpen) throw new OpeningFailed(this.#session);
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }

  /** Reads all lists; gives the tools. */
  async sight(round: "first" | "again"): Promise<readonly unknown[]> {
    const { recorder } = this.#options;
    const session = this.#session;
    if (!session?.isOpen) return [];
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

  /** The texts of prompts and resources, as far as they can be had without knowing more. */
  async readOthers(): Promise<void> {
    const session = this.#session;
    if (!session?.isOpen) return;
    const [prompts, resources] = await Promise.all([
      list(session, "prompts/list"),
      list(session, "resources/list"),
    ]);
    const named = (items: readonly unknown[], key: "name" | "uri"): [string, Record<string, unknown>][] =>
      items.flatMap((item) => (isRecord(item) && typeof item[key] === "string" ? [[item[key], item]] : []));
    const wanted = [
      ...named(prompts.items, "name").map(([name, prompt]) => ({
        what: `prompt "${shown(name, 80)}"`,
        method: "prompts/get",
        params: { name, arguments: promptArguments(prompt) },
      })),
      ...named(resources.items, "uri").map(([uri]) => ({
        what: `resource ${shown(uri, 120)}`,
        method: "resources/read",
        params: { uri },
      })),
    ];
    for (const [index, { what, method, params }] of wanted.slice(0, MAX_READS).entries()) {
      const id = `r${index + 1}`;
      this.#options.recorder.event("read", { peer: this.#peer, id, what });
      await session.request(method, params, { id, timeoutMs: PULSE_MS });
    }
  }

  async callAll(plans: readonly ToolPlan[]): Promise<void> {
    const waiting = plans.filter(({ calls }) => calls.length > 0);
    let done = 0;
    await atOnce(async () => {
      for (let plan = waiting.shift(); plan; plan = waiting.shift()) {
        this.#options.onProgress?.(`calling tools, ${done} of ${plans.length} done, now ${plan.tool.name}`);
        await this.#callTool(plan);
        done += 1;
      }
    });
  }

  async #callTool({ tool, calls }: ToolPlan): Promise<void> {
    const began = performance.now();
    let isSlow = false;
    for (const [index, call] of calls.entries()) {
      const used = performance.now() - began;
      if (used > TOOL_BUDGET_MS || (used > TOOL_BUDGET_MS / 2 && isSlow && call.isOpenEnded)) {
        const reason = `its time was used up after ${index} of ${calls.length} calls`;
        this.#options.recorder.event("withheld", { tool: tool.name, reason });
        return;
      }
      await this.#call(call);
      isSlow ||= performance.now() - began - used > SLOW_MS;
    }
  }

  /** Tools that have not succeeded are tried again with words that answers have named. */
  async learn(plans: readonly ToolPlan[]): Promise<void> {
    const { exchanges } = readRun(this.#options.recorded());
    for (const { tool, calls } of plans) {
      const hasSucceeded = calls.some((call) => this.#done.get(keyOf(call))?.outcome === "done");
      if (hasSucceeded || calls.length === 0) continue;
      for (const word of wordsToTry(tool.name, exchanges, this.#options.fixtures)) {
        const args = this.#options.kit.withText(tool, word);
        if (!args) break;
        const call = { tool: tool.name, args, probe: "1.2", note: "a word from an answer" };
        await this.#call(call);
        if (this.#done.get(keyOf(call))?.outcome === "done") break;
      }
    }
  }

  async chain(plans: readonly ToolPlan[]): Promise<void> {
    const callable = plans.filter(({ withheld }) => withheld === undefined).map(({ tool }) => tool);
    const answered: readonly Exchange[] = readRun(this.#options.recorded()).exchanges;
    for (const probe of PROBES)
      for (const call of probe.chain?.(answered, callable, this.#options.kit) ?? [])
        await this.#call({ ...call, probe: probe.id });
  }

  /** The quickest tool that answers is called so often that what waits for a number of calls may show. */
  async callLong(plans: readonly ToolPlan[]): Promise<void> {
    const quickest = plans
      .flatMap(({ tool, calls }) => {
        const done = calls
          .flatMap((call) => this.#done.get(keyOf(call)) ?? [])
          .filter(({ outcome }) => outcome === "done");
        const [first] = calls.filter((call) => this.#done.get(keyOf(call))?.outcome === "done");
        return first && !this.#spent.has(tool.name)
          ? [{ first, ms: Math.max(...done.map(({ ms }) => ms)) }]
          : [];
      })
      .sort((a, b) => a.ms - b.ms)[0];
    if (!quickest) return;
    this.#options.onProgress?.(`calling ${quickest.first.tool} ${this.#options.longCalls} times`);
    let times = 0;
    await atOnce(async () => {
      while (times < this.#options.longCalls && !this.#spent.has(quickest.first.tool))
        await this.#call({ ...quickest.first, probe: "1.2", note: `again ${++times}` }, true);
    });
  }

  async pulse(after: string): Promise<boolean> {
    const outcome = await this.#session?.request("tools/list", {}, { timeoutMs: PULSE_MS });
    const isAlive = outcome?.kind === "result" || outcome?.kind === "error";
    this.#options.recorder.event("pulse", { peer: this.#peer, isAlive, after });
    return isAlive;
  }

  async #call(call: Planned, isRepeat = false): Promise<void> {
    await this.#restarting;
    if (this.#spent.has(call.tool)) return;
    const { recorder } = this.#options;
    const key = keyOf(call);
    const known = isRepeat ? undefined : this.#done.get(key);
    if (known) {
      recorder.event("reused", { id: known.id, probe: call.probe, note: call.note });
      return;
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
    const isLost = outcome === "crashed" && !isAlone;
    recorder.event("called", { id, outcome: isLost ? "not-sent" : outcome, ms });
    if (outcome === "crashed") {
      await this.#restart(session);
      // Several were open: which one it was shows when each is made alone.
      if (isLost) return this.#alone(call);
      this.#spent.add(tool);
      return;
    }
    if (outcome === "hung") {
      this.#spent.add(tool);
      recorder.event("withheld", { tool, reason: "it does not answer" });
      if (!(await this.pulse(`call ${id} of ${tool}`))) await this.#restart(session);
      return;
    }
    if (!isRepeat) this.#done.set(key, { id, outcome, ms });
  }

  #queue: Promise<void> = Promise.resolve();

  /** One after another, with nothing else open. */
  #alone(call: Planned): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      while (this.#open > 0) await new Promise((done) => setTimeout(done, 10));
      await this.#call(call);
    });
    return this.#queue;
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
      await this.open("everything").catch((cause) => {
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

const atOnce = (worker: () => Promise<void>): Promise<unknown> =>
  Promise.all(Array.from({ length: AT_ONCE }, worker));

const keyOf = ({ tool, args }: Pick<PlannedCall, "tool" | "args">): string =>
  `${tool}\n${canonicalJson(args)}`;
