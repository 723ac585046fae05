/** What is the same for every call of a tool while its server stands as it does: it is found out once, not with each call. */
import { Repeated } from "../audit/index.ts";
import {
  type Decision,
  decide,
  labelMixedResult,
  labelToolResult,
  type Rules,
  type Standing,
  type TrustLabel,
  type TrustLevel,
} from "../policy/index.ts";
import { isRecord } from "../wire/index.ts";
import { type Facts, factsOf } from "./journal.ts";

type Definition = Readonly<Record<string, unknown>>;

export class ToolCase {
  readonly isReadOnly: boolean;
  readonly facts: Facts;
  /** For its entries. */
  readonly noted: Repeated;
  readonly #decisions = new Map<TrustLevel, Decision>();
  readonly #decide: (trigger: TrustLevel) => Decision;
  readonly #policy: Standing["policy"];
  readonly #tool: string;

  constructor(rules: Rules, standing: Standing, tool: string) {
    this.isReadOnly = standing.tools.get(tool)?.isReadOnly ?? false;
    this.facts = factsOf(rules, standing, tool);
    this.noted = new Repeated({ ...this.facts });
    this.#policy = standing.policy;
    this.#tool = tool;
    this.#decide = (trigger) => decide(rules, standing, { kind: "tool", name: tool }, trigger);
  }

  /** Of what it answers; `isMixed` where that holds resources. */
  label(source: string, isMixed: boolean): TrustLabel {
    if (this.#labels?.source !== source)
      this.#labels = {
        source,
        plain: labelToolResult(this.#policy, source, this.#tool),
        mixed: labelMixedResult(this.#policy, source, this.#tool),
      };
    return isMixed ? this.#labels.mixed : this.#labels.plain;
  }
  #labels: { readonly source: string; readonly plain: TrustLabel; readonly mixed: TrustLabel } | undefined;

  decide(trigger: TrustLevel): Decision {
    const known = this.#decisions.get(trigger);
    if (known) return known;
    const decision = this.#decide(trigger);
    this.#decisions.set(trigger, decision);
    return decision;
  }
}

/** A standing that has changed is another one, and so are other rules. */
const cases = new WeakMap<Standing, { readonly rules: Rules; readonly byTool: Map<string, ToolCase> }>();

/** Of a tool that the server lists: there are no more of them than it has tools. */
export function caseOf(rules: Rules, standing: Standing, tool: string): ToolCase {
  let known = cases.get(standing);
  if (known?.rules !== rules) {
    known = { rules, byTool: new Map() };
    cases.set(standing, known);
  }
  const found = known.byTool.get(tool) ?? new ToolCase(rules, standing, tool);
  known.byTool.set(tool, found);
  return found;
}

const definitions = new WeakMap<readonly unknown[], ReadonlyMap<unknown, Definition>>();

/** A tool as the server shows it now; where it shows several of one name, the first. */
export function definitionIn(tools: readonly unknown[], name: string): Definition | undefined {
  let byName = definitions.get(tools);
  if (!byName) {
    byName = new Map(
      tools
        .filter(isRecord)
        .map((tool) => [tool.name, tool] as const)
        .reverse(),
    );
    definitions.set(tools, byName);
  }
  return byName.get(name);
}
