/** A policy out of what was seen: the log of a gateway that watched and let through. It allows what was called and nothing else, believes
 *  nobody, tells what it leaves out, and what it would have said to the calls it was made from. Pure. Implements spec/gateway.md, GTW-34. */
import type { Entry } from "../audit/index.ts";
import { byUnits, count } from "../core/index.ts";
import { type Decision, decide, nameIn, type Rules } from "../policy/index.ts";
import { DEFAULT_MODES } from "./config.ts";
import { isServerName } from "./config-words.ts";
import { type Crossing, withCrossing } from "./decision.ts";
import { MAX_FLOWS } from "./journal.ts";
import { type Denied, keyOf, notedIn, nothing, type Seen, seenIn, serverIn, type Tally } from "./seen.ts";
import { madeOf } from "./why.ts";

export interface SuggestedServer {
  readonly name: string;
  readonly label: string | null;
  /** Called, and let through. */
  readonly tools: readonly (Tally & { readonly name: string })[];
  /** What else there is to know of it. */
  readonly notes: readonly string[];
}

export interface SeenFlow extends Tally {
  readonly from: string;
  readonly to: string;
  readonly values: number;
  readonly kinds: readonly string[];
  /** Which tool's answer went into which tool. */
  readonly ways: readonly (readonly [from: string, into: string])[];
}

/** What the suggested policy says to calls that were let through. */
export interface Tried {
  readonly kind: Decision["kind"] | "unknown";
  readonly rule: string;
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  readonly example: string;
}

export interface Suggestion {
  /** All calls of tools that were let through. */
  readonly seen: Tally;
  /** So many were decided while a control could be in the way: what was stopped is not in here. */
  readonly guarded: number;
  readonly admission: "warn" | "enforce";
  readonly flow: "ask" | "strict";
  /** Servers that were called and have no grade: with `admission: enforce` nothing of them could be called. */
  readonly ungraded: readonly string[];
  readonly servers: readonly SuggestedServer[];
  readonly flows: readonly SeenFlow[];
  readonly flowsLeftOut: readonly (SeenFlow & { readonly why: string })[];
  readonly tried: readonly Tried[];
  /** With how often it was seen, where it was. */
  readonly leftOut: readonly (Denied & { readonly seen?: Tally })[];
  /** Kept from the file. */
  readonly sanitizers: readonly string[];
  readonly triggerFrom: string;
  /** Those of the other controls that are not as they are by default. */
  readonly modes: Readonly<Record<string, string>>;
}

/** What the file says today. */
export interface Today {
  readonly servers: ReadonlyMap<string, TodaysServer>;
  readonly allowedFlows: readonly { readonly from: string; readonly to: string }[];
  readonly sanitizers: readonly string[];
  readonly modes: Readonly<Record<string, string>>;
}

export interface TodaysServer {
  readonly label: string | null;
  /** More than NONE. */
  readonly isBelieved: boolean;
  /** Those of `allowed_tools` and of the lock file. */
  readonly tools: readonly string[];
}

/** A name that was cut when it was written is not the name. */
const MAX_NAME_CHARS = 512;

/** `today` is what the file says, where there is one: then only its servers are spoken of. */
export function suggest(entries: Iterable<Entry>, today?: Today): Suggestion {
  const seen = seenIn(entries);
  for (const name of today?.servers.keys() ?? []) serverIn(seen, name);
  const isKnown = (name: string): boolean => isServerName(name) && (today?.servers.has(name) ?? true);
  const names = sorted(seen.servers.keys()).filter(isKnown);
  const servers = names.map((name) => serverOf(seen, name, today?.servers.get(name)));
  const ungraded = servers
    .filter(({ name, tools }) => tools.length > 0 && !serverIn(seen, name).isGraded)
    .map(({ name }) => name);
  // Nothing becomes weaker than it is.
  const admission = ungraded.length > 0 && today?.modes.admission !== "enforce" ? "warn" : "enforce";
  const flow = today?.modes.flow === "strict" ? "strict" : "ask";
  const sanitizers = today?.sanitizers ?? [];
  const { flows, flowsLeftOut } = flowsOf(seen, isKnown, today);
  return {
    seen: { ...seen.tally },
    guarded: seen.guarded,
    admission,
    flow,
    ungraded,
    servers,
    flows,
    flowsLeftOut,
    tried: triedOn(seen, servers, flows, { admission, flow }, sanitizers.length > 0),
    leftOut: leftOutOf(seen, isKnown, today),
    sanitizers,
    triggerFrom: today?.modes.trigger_from ?? DEFAULT_MODES.trigger_from,
    modes: keptModes(today?.modes ?? {}),
  };
}

/** Said by the suggestion itself. */
const OWN_MODES: readonly string[] = ["admission", "drift", "description", "trigger", "flow", "trigger_from"];

/** Other controls stay as they are, but none that only watched goes on watching. */
function keptModes(modes: Today["modes"]): Suggestion["modes"] {
  const usual: Today["modes"] = DEFAULT_MODES;
  const kept = Object.entries(modes).filter(
    ([control, mode]) => !OWN_MODES.includes(control) && mode !== usual[control],
  );
  return Object.fromEntries(
    kept.map(([control, mode]) => [control, mode === "observe" ? (usual[control] ?? mode) : mode]),
  );
}

function serverOf(seen: Seen, name: string, today: TodaysServer | undefined): SuggestedServer {
  const { tools, listed, resources, prompts } = serverIn(seen, name);
  const called = sorted(tools.keys()).flatMap((tool) => {
    const known = tools.get(tool);
    const isIn = known && known.tally.calls > 0 && !known.hasDrifted && !known.isTwice && isWhole(tool);
    return isIn ? [{ name: tool, ...known.tally }] : [];
  });
  const notes = [
    called.length === 0 ? "no call of a tool of it was let through" : "",
    listed > called.length ? `it showed ${count(listed, "tool")}, the list has ${called.length}` : "",
    resources > 0 ? `its resources were read ${times(resources)}: no list limits them` : "",
    prompts > 0 ? `its prompts were fetched ${times(prompts)}: no list limits them` : "",
    today?.isBelieved
      ? "today it is believed more than this: raise it by hand, where evidence vouches for it"
      : "",
  ];
  const label = today?.label ?? null;
  return { name, label, tools: called, notes: notes.filter((note) => note !== "") };
}

const times = (n: number): string => (n === 1 ? "once" : `${n} times`);
const isWhole = (name: string): boolean => name !== "" && name.length <= MAX_NAME_CHARS;
const sorted = (names: Iterable<string>): string[] => [...names].sort(byUnits);

function flowsOf(
  seen: Seen,
  isKnown: (name: string) => boolean,
  today: Today | undefined,
): Pick<Suggestion, "flows" | "flowsLeftOut"> {
  const flows: SeenFlow[] = [];
  const flowsLeftOut: (SeenFlow & { readonly why: string })[] = [];
  for (const key of sorted(seen.pairs.keys())) {
    const pair = seen.pairs.get(key);
    if (!pair) continue;
    const { from, to, tally, values, kinds, ways } = pair;
    const inOrder = [...ways].sort(([one], [other]) => byUnits(one, other)).map(([, way]) => way);
    const flow = { from, to, values, kinds: sorted(kinds), ways: inOrder, ...tally };
    const why = isKnown(from) && isKnown(to) ? whyNot(kinds) : "one of them is no server of the file";
    if (why === undefined) flows.push(flow);
    else flowsLeftOut.push({ ...flow, why });
  }
  for (const { from, to } of today?.allowedFlows ?? [])
    if (!seen.pairs.has(keyOf(from, to)))
      flowsLeftOut.push({
        from,
        to,
        values: 0,
        kinds: [],
        ways: [],
        ...nothing(),
        why: "allowed today, and never seen",
      });
  return { flows, flowsLeftOut };
}

/** Who encodes a value does not want it to be seen; and what is let through anyway needs no wider opening. */
function whyNot(kinds: ReadonlySet<string>): string | undefined {
  if (kinds.has("encoded")) return "a value came over encoded: look at it before you allow this";
  if ([...kinds].every((kind) => kind === "partial"))
    return "only parts of values came over, which flow: ask tells of and lets through";
  return undefined;
}

function leftOutOf(
  seen: Seen,
  isKnown: (name: string) => boolean,
  today: Today | undefined,
): Suggestion["leftOut"] {
  const left: (Denied & { readonly seen?: Tally })[] = [];
  const add = (server: string, tool: string | null, why: string, tally: Tally): void =>
    void left.push({ server, tool, why, ...(tally.calls > 0 ? { seen: { ...tally } } : {}) });
  for (const server of sorted(seen.servers.keys())) {
    const { tools, tally } = serverIn(seen, server);
    if (!isKnown(server)) {
      add(server, null, today ? "it is not in the file" : "no server can be called so", tally);
      continue;
    }
    for (const tool of sorted(tools.keys())) {
      const { hasDrifted = false, isTwice = false, tally: calls = nothing() } = tools.get(tool) ?? {};
      if (isTwice) add(server, tool, "its server lists it more than once", calls);
      else if (hasDrifted) add(server, tool, "it is not the tool that was attested or locked", calls);
      else if (!isWhole(tool)) add(server, tool, "the log does not hold its whole name", calls);
    }
    for (const tool of sorted(new Set(today?.servers.get(server)?.tools)))
      if (!tools.has(tool)) add(server, tool, "listed or locked, and never called", nothing());
  }
  for (const key of sorted(seen.denied.keys())) {
    const denied = seen.denied.get(key);
    if (denied) left.push({ ...denied.of, seen: { ...denied.tally } });
  }
  return left;
}

/** Each call that was let through, decided again by what is suggested. */
function triedOn(
  { alike }: Seen,
  servers: readonly SuggestedServer[],
  flows: readonly SeenFlow[],
  { admission, flow }: Pick<Suggestion, "admission" | "flow">,
  hasSanitizers: boolean,
): Tried[] {
  const rules: Rules = {
    mode: "strict",
    modes: { admission, drift: "enforce", description: "enforce", trigger: "enforce" },
  };
  const tools = new Set(servers.flatMap(({ name, tools }) => tools.map((tool) => keyOf(name, tool.name))));
  // Where there are sanitizers a pair alone opens nothing.
  const open = hasSanitizers ? undefined : new Set(flows.map(({ from, to }) => keyOf(from, to)));
  const tried = new Map<string, Tried>();
  for (const { entry, calls } of [...alike.values()].sort((one, other) => byTime(one.entry, other.entry))) {
    const { kind, rule } = triedOnce(entry, rules, flow, tools, open);
    const [server, tool] = [entry.server ?? "", entry.tool ?? ""];
    const key = JSON.stringify([kind, rule, server, tool]);
    const before = tried.get(key)?.calls ?? 0;
    tried.set(key, { kind, rule, server, tool, calls: before + calls, example: entry.id });
  }
  return sorted(tried.keys()).flatMap((key) => tried.get(key) ?? []);
}

/** Of several logs each has numbers of its own. */
const byTime = (one: Entry, other: Entry): number => byUnits(one.at, other.at) || one.n - other.n;

function triedOnce(
  entry: Entry,
  rules: Rules,
  flow: Suggestion["flow"],
  tools: ReadonlySet<string>,
  open: ReadonlySet<string> | undefined,
): Pick<Tried, "kind" | "rule"> {
  const made = madeOf(entry);
  if (!made) return { kind: "unknown", rule: "" };
  const { standing, wish, trigger } = made;
  const tool = nameIn(wish);
  const allowedTools = tools.has(keyOf(standing.name, tool)) ? [tool] : [];
  const suggested = { ...standing, policy: { ...standing.policy, allowedTools } };
  const policy = decide(rules, suggested, wish, trigger);
  const crossing = open ? crossingIn(entry, made.crossing, standing.name, open) : made.crossing;
  return withCrossing(policy, crossing, "", flow);
}

/** What still comes over. Where an entry may not hold all of it, as much as before. */
function crossingIn(entry: Entry, before: Crossing, to: string, open: ReadonlySet<string>): Crossing {
  const { flows } = entry.data;
  if (Array.isArray(flows) && flows.length >= MAX_FLOWS) return before;
  const closed = notedIn(flows, to).filter(({ from }) => !open.has(keyOf(from, to)));
  if (closed.length === 0) return "none";
  return closed.every(({ kind }) => kind === "partial") ? "part" : "whole";
}
