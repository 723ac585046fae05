/** Sightings of one rule in one text, of which only the worst are told: a text full of trifles must neither hide what
 *  matters nor cost more than it is long. */
import type { RuleId, Severity } from "../core/index.ts";
import { type Hit, hit } from "./hit.ts";

export interface Sighting {
  /** UTF-16 indexes in the raw text. */
  readonly start: number;
  readonly end: number;
  readonly severity: Severity;
  readonly message: string;
  readonly evidence?: string;
  readonly views?: readonly string[];
}

const MAX_TOLD = 50;

export class Worst {
  readonly #rule: RuleId;
  readonly #raw: string;
  readonly #told: Record<Severity, Sighting[]> = { fail: [], warn: [], info: [] };
  readonly #counts: Record<Severity, number> = { fail: 0, warn: 0, info: 0 };

  constructor(rule: RuleId, raw: string) {
    this.#rule = rule;
    this.#raw = raw;
  }

  /** Whether one more of this severity would be told: what it is made of need not be made otherwise. */
  wants(severity: Severity): boolean {
    return this.#told[severity].length < MAX_TOLD;
  }

  add(sighting: Sighting): void {
    this.#counts[sighting.severity] += 1;
    if (this.wants(sighting.severity)) this.#told[sighting.severity].push(sighting);
  }

  /** The worst, in the order of the text; a last one counts the rest. */
  hits(): Hit[] {
    const { fail, warn, info } = this.#told;
    const told = [...fail, ...warn, ...info].slice(0, MAX_TOLD);
    const { fail: fails, warn: warns, info: infos } = this.#counts;
    const more = fails + warns + infos - told.length;
    const hits = [...told]
      .sort((a, b) => a.start - b.start)
      .map(({ start, end, message, ...rest }) => hit(this.#rule, this.#raw, start, end, message, rest));
    const [first] = told;
    if (more === 0 || !first) return hits;
    const words = `${more} more of this kind, of which only the worst are told`;
    return [
      ...hits,
      hit(this.#rule, this.#raw, first.start, first.end, words, {
        severity: fails > fail.length || told.length === fail.length ? first.severity : "warn",
      }),
    ];
  }
}
