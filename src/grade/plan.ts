/** Which calls a run would make: all of it known before the first one, but for what answers lead to. */
import { type MethodId, type PlannedCall, PROBES, type ScriptKit, type ToolSight } from "../probes/index.ts";
import { isRecord } from "../wire/index.ts";

export interface ToolPlan {
  readonly tool: ToolSight;
  readonly calls: readonly (PlannedCall & {
    readonly probe: string;
    /** The tool could be told how long to take, and is not. */
    readonly isOpenEnded?: boolean;
  })[];
  /** Why it is not called. */
  readonly withheld?: string;
}

export interface PlanTerms {
  readonly methods: readonly MethodId[];
  /** Whether anything a tool does stays in the sandbox. */
  readonly isContained: boolean;
  readonly allowsStateChanges: boolean;
}

export function planFor(tools: readonly unknown[], kit: ScriptKit, terms: PlanTerms): ToolPlan[] {
  const seen = new Set<string>();
  return tools.flatMap((raw) => {
    if (!isRecord(raw) || typeof raw.name !== "string" || seen.has(raw.name)) return [];
    seen.add(raw.name);
    const tool: ToolSight = { name: raw.name, inputSchema: raw.inputSchema ?? {}, raw };
    const withheld = whyWithheld(raw, terms);
    if (withheld !== undefined) return [{ tool, calls: [], withheld }];
    const calls = PROBES.filter(({ methods }) =>
      methods.some((method) => terms.methods.includes(method)),
    ).flatMap((probe) =>
      [...(probe.script?.(tool, kit) ?? [])].map((call) => ({ ...call, probe: probe.id })),
    );
    return [{ tool, calls: quickFirst(tool.inputSchema, byTurns(calls)) }];
  });
}

/** One call of each probe, then the second of each: a tool that takes long has been asked everything once when its time is up. */
function byTurns<Call extends { readonly probe: string }>(calls: readonly Call[]): Call[] {
  const counts = new Map<string, number>();
  const turns = calls.map((call) => {
    const turn = counts.get(call.probe) ?? 0;
    counts.set(call.probe, turn + 1);
    return { call, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ call }) => call);
}

/** Where a tool can be told how long to take, calls that leave it to the tool come last: its time may be used up by then. */
function quickFirst<Call extends { readonly args: unknown }>(
  schema: unknown,
  calls: readonly Call[],
): Call[] {
  const properties = isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : [];
  const timed = properties.filter((name) => TIME.test(name));
  const isOpen = ({ args }: Call): boolean =>
    timed.some((name) => !isRecord(args) || !Object.hasOwn(args, name));
  if (timed.length === 0) return [...calls];
  const open = calls.filter(isOpen).map((call) => ({ ...call, isOpenEnded: true }));
  return [...calls.filter((call) => !isOpen(call)), ...open];
}

export const TIME = /time|duration|delay|wait|sleep|seconds|interval|ttl|ms$/i;

/** A tool without a hint may destroy things: that is the default of the protocol. */
function whyWithheld(
  tool: Record<string, unknown>,
  { isContained, allowsStateChanges }: PlanTerms,
): string | undefined {
  if (isContained || allowsStateChanges) return undefined;
  const annotations = isRecord(tool.annotations) ? tool.annotations : {};
  if (annotations.readOnlyHint === true && annotations.destructiveHint !== true) return undefined;
  return "it may change things, and nothing contains them; --allow-state-changing calls it";
}
