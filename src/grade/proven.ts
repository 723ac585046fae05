/** Which calls show that a tool works. Where a service is not there the sandbox says so, and a tool that does not look at the
 *  status takes that for an answer: such a call counts only when the tool has also succeeded without being told. */
import type { Exchange, Run } from "../probes/index.ts";

/** The clocks of two processes, and an answer on its way. */
const SLACK_MS = 20;
/** After this nothing that was told before falls into a call. */
export const QUIET_MS = 2 * SLACK_MS;

export interface Successes {
  readonly tool: string;
  /** All of its calls that ended in a result that is no error. */
  readonly calls: readonly Exchange[];
  /** Whether one of them was made while no service was said to be unavailable. */
  readonly isProven: boolean;
}

export function successesOf({ exchanges, sandbox }: Pick<Run, "exchanges" | "sandbox">): Successes[] {
  const told = sandbox.flatMap((event) =>
    event.kind === "egress" && event.ending === "unavailable" ? [event.at] : [],
  );
  const wasTold = ({ startedAt, endedAt }: Exchange): boolean =>
    told.some((at) => startedAt - SLACK_MS <= at && at <= endedAt + SLACK_MS);
  const byTool = new Map<string, Exchange[]>();
  for (const call of exchanges) {
    if (call.outcome !== "done") continue;
    const own = byTool.get(call.tool);
    if (own) own.push(call);
    else byTool.set(call.tool, [call]);
  }
  return [...byTool].map(([tool, calls]) => ({
    tool,
    calls,
    isProven: calls.some((call) => !wasTold(call)),
  }));
}
