/** What a log tells of the calls that were made: tools, flows between servers, denials, counted by their names. Every name in it was chosen
 *  by a server or a caller. Pure. */
import type { Entry } from "../audit/index.ts";
import { isRecord } from "../wire/index.ts";
import { hostileReason } from "./output.ts";

/** How often, from when to when, and one entry to look at. */
export interface Tally {
  readonly calls: number;
  readonly first: string;
  readonly last: string;
  /** The id of the last of them. */
  readonly example: string;
}
type Counted = { -readonly [member in keyof Tally]: Tally[member] };

/** What was denied, and to whom it belongs; null for names that no server has. */
export interface Denied {
  readonly server: string | null;
  readonly tool: string | null;
  readonly why: string;
}

interface Tool {
  /** Calls that were let through. */
  readonly tally: Counted;
  /** As it was last seen. */
  hasDrifted: boolean;
  isTwice: boolean;
}

interface Server {
  readonly tools: Map<string, Tool>;
  readonly tally: Counted;
  /** It was admitted with a grade that opens something, or needed none, at its last call. */
  isGraded: boolean;
  /** How many tools it showed. */
  listed: number;
  resources: number;
  prompts: number;
}

interface Pair {
  readonly from: string;
  readonly to: string;
  readonly tally: Counted;
  values: number;
  readonly kinds: Set<string>;
  /** Which tool's answer went into which tool. */
  readonly ways: Map<string, readonly [from: string, into: string]>;
}

/** Calls that are alike in all that a decision is made of; the newest stands for them. */
interface Alike {
  readonly entry: Entry;
  readonly calls: number;
}

export interface Seen {
  readonly tally: Counted;
  /** So many were decided while a control could be in the way. */
  guarded: number;
  readonly servers: Map<string, Server>;
  readonly pairs: Map<string, Pair>;
  readonly alike: Map<string, Alike>;
  readonly denied: Map<string, { readonly of: Denied; readonly tally: Counted }>;
}

/** Of names that only callers have chosen no more are told apart. */
const MAX_UNKNOWN = 1000;
/** Grades that admit by themselves. */
const GOOD: readonly unknown[] = ["A", "B", "C"];

export function seenIn(entries: Iterable<Entry>): Seen {
  const seen: Seen = {
    tally: nothing(),
    guarded: 0,
    servers: new Map(),
    pairs: new Map(),
    alike: new Map(),
    denied: new Map(),
  };
  /** Let through, and what came back is still to be read. */
  const unanswered = new Map<unknown, Entry>();
  for (const entry of entries) {
    const { type, server, tool, outcome, data } = entry;
    // What a server asks is no call of a tool, and what a person is asked about comes again.
    if (type === "decision" && data.question === undefined && outcome !== "deferred")
      takeDecision(seen, entry, unanswered);
    else if (type === "label") takeAnswer(seen, entry, unanswered);
    else if (type === "drift" && server !== null && tool !== null)
      toolIn(serverIn(seen, server), tool).hasDrifted = true;
    else if (type === "finding" && data.rule === "listed-twice" && server !== null && tool !== null)
      toolIn(serverIn(seen, server), tool).isTwice = true;
    else if (type === "admission" && server !== null && typeof data.tools === "number")
      serverIn(seen, server).listed = data.tools;
  }
  for (const entry of unanswered.values()) takeAllowed(seen, entry);
  return seen;
}

function takeDecision(seen: Seen, entry: Entry, unanswered: Map<unknown, Entry>): void {
  const { id, server, tool, outcome, data } = entry;
  const { facts, flow_mode: flowMode } = data;
  if (outcome === "allowed") unanswered.set(id, entry);
  else takeDenial(seen, entry, { rule: data.rule });
  if (server === null) return;
  const of = serverIn(seen, server);
  const known = tool === null ? undefined : toolIn(of, tool);
  if (!known || !isRecord(facts)) return;
  known.hasDrifted = facts.hasDrifted === true;
  known.isTwice = facts.isTwice === true;
  of.isGraded = isGraded(facts);
  if (isGuarded(facts.modes, flowMode)) seen.guarded += 1;
}

/** Whether it would be admitted with `admission: enforce`. */
function isGraded({ admission, grade, clearance }: Readonly<Record<string, unknown>>): boolean {
  if (admission === "exempted" || admission === "locked") return true;
  const isCleared = grade === null && clearance !== undefined;
  return admission === "admitted" && (GOOD.includes(grade) || isCleared);
}

/** A call whose answer nobody got was not let through, whatever was decided before it was made. */
function takeAnswer(seen: Seen, { outcome, data }: Entry, unanswered: Map<unknown, Entry>): void {
  const call = unanswered.get(data.decision);
  if (!call) return;
  unanswered.delete(data.decision);
  if (outcome === "denied") takeDenial(seen, call, keptBy(data));
  else takeAllowed(seen, call);
}

/** Why an answer was kept back, as `deliver.ts` has said it to the client. */
function keptBy({ rule, reason, limit, seen }: Entry["data"]): Cause {
  if (rule !== undefined) return { rule, reason };
  if (isRecord(limit) && limit.fail === "closed") return { rule: "limits", reason: limit.reason };
  const hostile = (Array.isArray(seen) ? seen : []).filter(isRecord).filter((one) => one.severity === "fail");
  return { rule: "output", reason: hostileReason(hostile.map((one) => String(one.rule))) };
}

function takeAllowed(seen: Seen, entry: Entry): void {
  const { server, tool, data } = entry;
  if (server === null) return;
  const of = serverIn(seen, server);
  if (tool !== null) return takeCall(seen, of, entry, server, tool);
  add(of.tally, entry);
  of[data.resource === undefined ? "prompts" : "resources"] += 1;
}

function takeCall(seen: Seen, of: Server, entry: Entry, server: string, tool: string): void {
  const { facts, trigger, crossing, flows } = entry.data;
  for (const tally of [toolIn(of, tool).tally, of.tally, seen.tally]) add(tally, entry);
  takeFlows(seen, entry, server, tool);
  const came = notedIn(flows, server).map(({ from, kind }) => [from, kind]);
  const key = JSON.stringify([server, tool, facts, trigger, crossing, came]);
  const { entry: before = entry, calls = 0 } = seen.alike.get(key) ?? {};
  seen.alike.set(key, { entry: before.at > entry.at ? before : entry, calls: calls + 1 });
}

const isGuarded = (modes: unknown, flowMode: unknown): boolean =>
  flowMode !== "observe" || !isRecord(modes) || Object.values(modes).includes("enforce");

/** As an entry has it. */
interface Cause {
  readonly rule: unknown;
  readonly reason?: unknown;
}

function takeDenial(seen: Seen, entry: Entry, { rule, reason }: Cause): void {
  const { server, data } = entry;
  const names = [entry.tool, data.tool, data.prompt, data.resource];
  const tool = names.find((name): name is string => typeof name === "string") ?? null;
  const by = `denied${typeof rule === "string" ? ` by ${rule}` : ""}`;
  const why = typeof reason === "string" ? `${by}: ${reason}` : by;
  const isOneTooMany = server === null && seen.denied.size >= MAX_UNKNOWN;
  const of = isOneTooMany ? { server, tool: null, why: "denied" } : { server, tool, why };
  // Sizes and times are others each time: the last one is told.
  const key = JSON.stringify([of.server, of.tool, isOneTooMany ? of.why : by, reason !== undefined]);
  const { tally } = seen.denied.get(key) ?? { tally: nothing() };
  seen.denied.set(key, { of, tally });
  add(tally, entry);
}

function takeFlows(seen: Seen, entry: Entry, to: string, into: string): void {
  const counted = new Set<Pair>();
  for (const { from, tool, kind } of notedIn(entry.data.flows, to)) {
    const pair = pairIn(seen, from, to);
    pair.values += 1;
    pair.kinds.add(kind);
    pair.ways.set(keyOf(tool, into), [tool, into]);
    if (!counted.has(pair)) add(pair.tally, entry);
    counted.add(pair);
  }
}

export interface NotedFlow {
  readonly from: string;
  readonly tool: string;
  readonly kind: string;
}

/** What came from other servers, as the entry has it. */
export function notedIn(flows: unknown, to: string): NotedFlow[] {
  const noted = (Array.isArray(flows) ? flows : []).filter(isRecord);
  return noted.flatMap(({ server, tool, kind }) =>
    typeof server === "string" && typeof tool === "string" && typeof kind === "string" && server !== to
      ? [{ from: server, tool, kind }]
      : [],
  );
}

export function serverIn({ servers }: Seen, name: string): Server {
  const known = servers.get(name);
  if (known) return known;
  const made = {
    tools: new Map(),
    tally: nothing(),
    isGraded: false,
    listed: 0,
    resources: 0,
    prompts: 0,
  };
  servers.set(name, made);
  return made;
}

function toolIn({ tools }: Server, name: string): Tool {
  const known = tools.get(name);
  if (known) return known;
  const made = { tally: nothing(), hasDrifted: false, isTwice: false };
  tools.set(name, made);
  return made;
}

function pairIn({ pairs }: Seen, from: string, to: string): Pair {
  const key = keyOf(from, to);
  const known = pairs.get(key);
  if (known) return known;
  const made: Pair = { from, to, tally: nothing(), values: 0, kinds: new Set(), ways: new Map() };
  pairs.set(key, made);
  return made;
}

/** Two names as one. */
export const keyOf = (one: string, other: string): string => JSON.stringify([one, other]);

export const nothing = (): Counted => ({ calls: 0, first: "", last: "", example: "" });

/** Answers do not come in the order of the calls. */
function add(tally: Counted, { at, id }: Entry): void {
  if (tally.calls === 0 || at < tally.first) tally.first = at;
  tally.calls += 1;
  if (at < tally.last) return;
  tally.last = at;
  tally.example = id;
}
