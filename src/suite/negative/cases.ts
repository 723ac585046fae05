/** The bad requests of each check, made from what a tool says of itself. Pure: nothing is sent here. */
import { asText } from "../../core/index.ts";
import { type Violation, validate, violations } from "../../schema/index.ts";
import { isRecord } from "../../wire/index.ts";
import { NEGATIVE_CHECKS, type NegativeCheck } from "../model.ts";
import { type Args, baseFor } from "./base.ts";
import type { BadCall } from "./drive.ts";
import { OVERSIZED_BYTES, oversizedArguments } from "./oversized.ts";
import { type Danger, dangerOf, isExtra, isSafe, type ToolFacts, verdictOf } from "./tool.ts";
import { unknownNames } from "./unknown-names.ts";

export interface NegativeCase extends BadCall {
  readonly check: NegativeCheck;
  readonly what: string;
  readonly keyword?: string;
  /** Any answer will do. */
  readonly mayBeTaken: boolean;
  readonly note?: string;
}

export interface NegativePlan {
  /** In the order of the checks as they were asked for. */
  readonly cases: readonly NegativeCase[];
  /** Checks that have nothing to send, and why. */
  readonly skipped: Readonly<Partial<Record<NegativeCheck, string>>>;
  /** Ordinary arguments, where there are some. */
  readonly base?: Args;
  /** The schema can be broken in more ways than are tried. */
  readonly isCut: boolean;
}

export interface NegativeOptions {
  /** The operator says that destructive tools may really be called. */
  readonly allowDestructive?: boolean;
  readonly oversizedBytes?: readonly number[];
  readonly maxViolations?: number;
}

type Made = readonly NegativeCase[] | { readonly reason: string };

/** What all checks of a tool start from. */
interface Ground {
  readonly tool: ToolFacts;
  readonly danger: Danger;
  readonly base: Args | undefined;
  /** Why there is no base. */
  readonly reason: string;
  readonly broken: readonly Violation[];
  readonly isCut: boolean;
  readonly options: NegativeOptions;
}

export function negativeCases(
  tool: ToolFacts,
  args: Args,
  checks: readonly NegativeCheck[] = NEGATIVE_CHECKS,
  options: NegativeOptions = {},
): NegativePlan {
  const ground = groundOf(tool, args, options);
  const cases: NegativeCase[] = [];
  const skipped: Partial<Record<NegativeCheck, string>> = {};
  for (const check of new Set(checks)) {
    const made = MAKERS[check](ground);
    if ("reason" in made) skipped[check] = made.reason;
    else cases.push(...made);
  }
  const { base, isCut } = ground;
  return { cases, skipped, isCut, ...(base === undefined ? {} : { base }) };
}

function groundOf(tool: ToolFacts, args: Args, options: NegativeOptions): Ground {
  const danger = options.allowDestructive === true ? "harmless" : dangerOf(tool);
  const found = baseFor(tool, args);
  const base = "args" in found ? found.args : undefined;
  const more = options.maxViolations === undefined ? {} : { maxViolations: options.maxViolations };
  const broken = base === undefined ? undefined : violations(tool.inputSchema, base, more);
  return {
    tool,
    danger,
    base,
    reason: "reason" in found ? found.reason : "",
    broken: broken?.found.filter((one) => isSafe(danger, one)) ?? [],
    isCut: broken?.isCut ?? false,
    options,
  };
}

const isMissing = (keyword: string): boolean =>
  keyword === "required" || keyword === "dependentRequired" || keyword === "dependencies";

const MAKERS: Readonly<Record<NegativeCheck, (ground: Ground) => Made>> = {
  unknown_tool: unknownTool,
  missing_required: (ground) =>
    broken(ground, "missing_required", isMissing, "the schema requires no member"),
  wrong_type: (ground) =>
    broken(
      ground,
      "wrong_type",
      (keyword) => !isMissing(keyword) && !isExtra(keyword),
      "the schema asks nothing that a value could break",
    ),
  extra_field: (ground) => broken(ground, "extra_field", isExtra, extraReason(ground)),
  oversized,
};

function unknownTool({ tool, danger, base, broken }: Ground): Made {
  // Some servers have one tool and never look at the name: then what is sent must be no valid call either.
  const hard = broken.find(({ keyword, value }) => isMissing(keyword) && isRecord(value)) ?? broken[0];
  const isHarmless = danger === "harmless";
  const args = isHarmless ? (base ?? {}) : (hard?.value ?? {});
  const isSafeNear = isHarmless || hard !== undefined;
  return unknownNames(tool.name, tool.names)
    .filter(({ isNear }) => !isNear || isSafeNear)
    .map(({ name, what }) => ({
      check: "unknown_tool",
      what,
      request: { name, arguments: args },
      mayBeTaken: false,
      mayBeSlow: false,
    }));
}

function broken(
  { tool, base, reason, broken }: Ground,
  check: NegativeCheck,
  isWanted: (keyword: string) => boolean,
  none: string,
): Made {
  if (base === undefined) return { reason };
  const found = broken.filter(({ keyword }) => isWanted(keyword));
  if (found.length === 0) return { reason: unreadable(tool, base) ?? none };
  return found.map(({ keyword, path, what, value, isFormatOnly }) => ({
    check,
    keyword,
    what: `${path || "arguments"}: ${what}`,
    request: { name: tool.name, arguments: value },
    // Without a word to the contrary, `format` is a remark: a server may take what does not keep to it.
    mayBeTaken: isFormatOnly,
    mayBeSlow: isFormatOnly,
    ...(isFormatOnly
      ? { note: "format is an annotation in JSON Schema: acceptance is recorded, not judged" }
      : {}),
  }));
}

function unreadable({ inputSchema }: ToolFacts, base: Args): string | undefined {
  const judged = validate(inputSchema, base);
  return judged.verdict === "unknown" ? `the schema cannot be judged: ${judged.reason}` : undefined;
}

function extraReason({ tool, danger }: Ground): string {
  const isSaid = danger === "said";
  return isSaid && mentionsClosed(tool.inputSchema)
    ? "the tool says that it destroys, and a server that ignores unknown members would carry the call out"
    : "additional properties are allowed";
}

/** Whether any part of a schema closes an object; a quick look, for a message only. */
const mentionsClosed = (schema: unknown): boolean =>
  /"(?:additional|unevaluated)Properties":false/.test(asText(schema));

function oversized({ tool, danger, base, reason, broken, options }: Ground): Made {
  if (base === undefined) return { reason };
  const sizes = options.oversizedBytes ?? OVERSIZED_BYTES;
  const mustBeInvalid = danger !== "harmless";
  const hard = broken.filter(
    ({ keyword, value }) => isRecord(value) && (isMissing(keyword) || keyword === "type"),
  );
  const found = oversizedArguments(tool, base, hard, { mustBeInvalid, sizes });
  if (found.length === 0)
    return {
      reason: mustBeInvalid
        ? "the tool may be destructive, and its schema takes arguments of any size"
        : "nothing in the arguments can be made large",
    };
  return found.map(({ what, value, note }) => ({
    check: "oversized",
    what,
    request: { name: tool.name, arguments: value },
    mayBeTaken: true,
    mayBeSlow: verdictOf(tool, value) !== "invalid",
    ...(note === undefined ? {} : { note }),
  }));
}
