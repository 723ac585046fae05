/** How much of a server was exercised. A tool counts as succeeded when one call of it ended in a result that is no error, and not
 *  only while it was told that its service is unavailable. */
import { count, shown } from "../core/index.ts";
import type { Run } from "../probes/index.ts";
import { placeOf } from "../sandbox/index.ts";
import { isRecord } from "../wire/index.ts";
import { successesOf } from "./proven.ts";

export interface ToolCoverage {
  readonly name: string;
  readonly called: number;
  readonly succeeded: number;
  /** Why it was not called, or not again. */
  readonly reason?: string;
}

export interface Coverage {
  readonly advertised: number;
  readonly called: number;
  readonly succeeded: number;
  readonly calls: number;
  readonly tools: readonly ToolCoverage[];
  /** What the run cannot say anything about. */
  readonly residual: readonly string[];
}

/** Services that the server asked and that were not there. */
function missed({ sandbox }: Run): string[] {
  const places = sandbox.flatMap((event) =>
    event.kind === "egress" && event.verdict === "permitted" && MISSING.has(event.ending)
      ? [shown(placeOf(event), 120)]
      : [],
  );
  return [...new Set(places)]
    .sort()
    .slice(0, MAX_MISSED)
    .map((place) => `${place} was asked and not reached: what tools do with its answers was not seen`);
}
const MISSING: ReadonlySet<string> = new Set(["reset", "unavailable"]);
const MAX_MISSED = 20;
const UNPROVEN = "it answered only while its service was said to be unavailable";

export function coverageOf(run: Run): Coverage {
  const names = new Set(
    run.sights.flatMap(({ surface }) =>
      surface.tools.flatMap((tool) => (isRecord(tool) && typeof tool.name === "string" ? [tool.name] : [])),
    ),
  );
  const successes = new Map(successesOf(run).map((of) => [of.tool, of]));
  const tools = [...names].sort().map((name): ToolCoverage => {
    const own = run.exchanges.filter(({ tool, outcome }) => tool === name && outcome !== "not-sent");
    const done = successes.get(name);
    const reason =
      run.withheld.find(({ tool }) => tool === name)?.reason ??
      (done?.isProven === false ? UNPROVEN : undefined);
    return {
      name: shown(name, 120),
      called: own.length,
      succeeded: done?.isProven ? done.calls.length : 0,
      ...(reason === undefined ? {} : { reason }),
    };
  });
  const most = Math.max(0, ...tools.map(({ called }) => called));
  return {
    advertised: tools.length,
    called: tools.filter(({ called }) => called > 0).length,
    succeeded: tools.filter(({ succeeded }) => succeeded > 0).length,
    calls: tools.reduce((sum, { called }) => sum + called, 0),
    tools,
    residual: [
      `behaviour that begins after more than ${count(most, "call")} of one tool, or later than this run, was not seen`,
      "a server that recognises the test may behave differently in it",
      ...(run.terms.sandbox.status === "used"
        ? ["what a server keeps in files from one start to the next is gone here at each start"]
        : []),
      ...missed(run),
      ...(run.floods.length > 0 ? ["the server said so much that not all calls were made"] : []),
      ...(run.terms.target.kind === "http" ? ["what a remote server does elsewhere cannot be observed"] : []),
    ],
  };
}
