/** What runs of bad and of odd requests have in common: how they are driven, and the result of one request and of all of them. */
import type { Finding } from "../../core/index.ts";
import type { CaseResult, TestResult, ToolTest } from "../model.ts";
import type { Args } from "./base.ts";
import type { BadCall, DriveOptions, Sent } from "./drive.ts";
import { excerpt } from "./evidence.ts";
import type { Verdict } from "./outcome.ts";
import { dangerOf, type ToolFacts } from "./tool.ts";

/** What the result is called. */
export type Titled = Pick<ToolTest, "name" | "server" | "tags"> & Partial<Pick<ToolTest, "place">>;

export interface Assessed {
  readonly result: TestResult;
  readonly findings: readonly Finding[];
}

/** How long all of it may take, and the ordinary call that a tool is compared with where that call may be made. */
export function boundsOf(
  tool: ToolFacts,
  base: Args | undefined,
  options: { readonly allowDestructive?: boolean; readonly maxMs?: number },
): Pick<DriveOptions<BadCall>, "maxMs" | "ordinary"> {
  const mayCall = options.allowDestructive === true || dangerOf(tool) === "harmless";
  return {
    ...(options.maxMs === undefined ? {} : { maxMs: options.maxMs }),
    ...(mayCall && base !== undefined ? { ordinary: { name: tool.name, arguments: base } } : {}),
  };
}

export function caseOf(
  { call, seen }: Sent<BadCall & Pick<CaseResult, "what" | "keyword">>,
  { outcome, response, code }: Verdict,
  { isMet, note }: { readonly isMet: boolean; readonly note: string | undefined },
): CaseResult {
  return {
    check: call.check,
    what: call.what,
    ...(call.keyword === undefined ? {} : { keyword: call.keyword }),
    outcome,
    isMet,
    ms: Math.round(seen.outcome.ms),
    request: excerpt(call.request),
    ...(response === undefined ? {} : { response }),
    ...(code === undefined ? {} : { code }),
    ...(note === undefined ? {} : { note }),
  };
}

/** The time it took is the caller's to say. */
export function resultOf(
  { name, server, tags, place }: Titled,
  tool: ToolFacts,
  {
    kind,
    isPassed,
    reason,
    cases,
    ...more
  }: Pick<TestResult, "kind" | "targets" | "checksSkipped"> & {
    readonly isPassed: boolean;
    readonly reason: string | undefined;
    readonly cases: readonly CaseResult[];
  },
): TestResult {
  return {
    name,
    kind,
    status: cases.length === 0 ? "not_assessed" : isPassed ? "passed" : "failed",
    ...(reason === undefined ? {} : { reason }),
    server,
    tool: tool.name,
    tags,
    ...(place === undefined ? {} : { place }),
    ms: 0,
    assertions: [],
    cases,
    ...more,
  };
}
