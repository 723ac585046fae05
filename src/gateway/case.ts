/** What is the same for all that is asked of one tool, resource or prompt while its server stands as it does. Of a tool it is found out once,
 *  not with each call. */
import type { Form } from "../audit/index.ts";
import {
  type Decision,
  decide,
  labelMixedResult,
  labelResource,
  labelSpeech,
  labelToolResult,
  type Rules,
  type Standing,
  type TrustLabel,
  type TrustLevel,
  type Wish,
} from "../policy/index.ts";
import { isRecord } from "../wire/index.ts";
import { type Facts, factsOf } from "./journal.ts";

type Definition = Readonly<Record<string, unknown>>;

export class Case {
  readonly isReadOnly: boolean;
  readonly facts: Facts;
  readonly #decisions = new Map<TrustLevel, Decision>();
  readonly #rules: Rules;
  readonly #standing: Standing;
  readonly #wish: Wish;

  constructor(rules: Rules, standing: Standing, wish: Wish) {
    const tool = wish.kind === "tool" ? standing.tools.get(wish.name) : undefined;
    this.isReadOnly = tool?.isReadOnly ?? false;
    this.facts = factsOf(rules, standing, wish);
    [this.#rules, this.#standing, this.#wish] = [rules, standing, wish];
  }

  /** Of what is answered; `isMixed` where a tool's answer holds resources. */
  label(source: string, isMixed: boolean): TrustLabel {
    if (this.#labels?.source !== source)
      this.#labels = { source, plain: this.#label(source, false), mixed: this.#label(source, true) };
    return isMixed ? this.#labels.mixed : this.#labels.plain;
  }
  #labels: { readonly source: string; readonly plain: TrustLabel; readonly mixed: TrustLabel } | undefined;

  #label(source: string, isMixed: boolean): TrustLabel {
    const [wish, { policy }] = [this.#wish, this.#standing];
    if (wish.kind === "resource") return labelResource(policy, source, wish.uri);
    if (wish.kind === "prompt") return labelSpeech(source);
    return isMixed ? labelMixedResult(policy, source, wish.name) : labelToolResult(policy, source, wish.name);
  }

  decide(trigger: TrustLevel): Decision {
    const known = this.#decisions.get(trigger);
    if (known) return known;
    const decision = decide(this.#rules, this.#standing, this.#wish, trigger);
    this.#decisions.set(trigger, decision);
    return decision;
  }

  /** The form of a decision of which the policy says all. */
  form(trigger: TrustLevel, make: () => Form): Form {
    const form = this.#forms.get(trigger) ?? make();
    this.#forms.set(trigger, form);
    return form;
  }
  readonly #forms = new Map<TrustLevel, Form>();
}

/** A standing that has changed is another one, and so are other rules. */
const cases = new WeakMap<Standing, { readonly rules: Rules; readonly byTool: Map<string, Case> }>();

/** Kept for tools that a server lists: there are no more of them than it has. Addresses of resources anybody may make up. */
export function caseOf(rules: Rules, standing: Standing, wish: Wish): Case {
  if (wish.kind !== "tool") return new Case(rules, standing, wish);
  let known = cases.get(standing);
  if (known?.rules !== rules) {
    known = { rules, byTool: new Map() };
    cases.set(standing, known);
  }
  const found = known.byTool.get(wish.name) ?? new Case(rules, standing, wish);
  known.byTool.set(wish.name, found);
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
