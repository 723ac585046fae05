/** What a step of the demo says and whether it holds. Pure: a step is made from what was seen, never from what was hoped for. */
import { count } from "../../core/index.ts";
import type { Exhibit, StoryLine } from "../../report/index.ts";

/** In the order in which they are told. */
export const STEPS = {
  grade: "three servers, exercised and graded by what they do",
  sign: "every letter signed, with the digest of every tool",
  admit: "a gateway that lets in by signed grade",
  flow: "what one server said, on its way to another",
  "rug-pull": "a tool that changes while it is used",
  audit: "a log of all of it that nobody can quietly change",
  report: "one page to look at and pass on",
} as const;
export type StepId = keyof typeof STEPS;

/** One thing that a step says is so. */
export interface Claim {
  readonly claim: string;
  readonly holds: boolean;
}

/** What was seen in a step, before anybody says whether that is good. */
export interface Scene {
  readonly id: StepId;
  readonly claims: readonly Claim[];
  readonly shows: readonly StoryLine[];
  /** Why a part of it could not be looked at here; undefined when all of it was. */
  readonly unseen?: string;
  readonly exhibits?: readonly Exhibit[];
  /** For `--json`. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export interface Step extends Scene {
  readonly title: string;
  /** Every claim holds, and there was one. */
  readonly ok: boolean;
  readonly assessed: boolean;
  readonly why?: string;
  readonly seconds: number;
}

export const stepOf = (scene: Scene, seconds: number): Step => ({
  ...scene,
  title: STEPS[scene.id],
  ok: scene.claims.length > 0 && scene.claims.every(({ holds }) => holds),
  assessed: scene.unseen === undefined,
  ...(scene.unseen === undefined ? {} : { why: scene.unseen }),
  seconds,
});

/** A step that did not come about. What was not looked at did not hold. */
export const notTold = (id: StepId, why: string, seconds = 0): Step => ({
  id,
  title: STEPS[id],
  claims: [],
  shows: [],
  ok: false,
  assessed: false,
  why,
  seconds,
});

/** Without a sandbox a part may stay unseen, as long as it is told; with one nothing may. */
export function isWellTold(steps: readonly Step[], hasSandbox: boolean): boolean {
  const isWhole = Object.keys(STEPS).every((id) => steps.some((step) => step.id === id));
  return isWhole && steps.every(({ ok, assessed }) => ok && (assessed || !hasSandbox));
}

/** What the whole comes to, in one line. */
export function endingOf(steps: readonly Step[], hasSandbox: boolean, seconds: number): string {
  const time = `${seconds.toFixed(1)} s`;
  const broken = steps.flatMap(({ id, ok, claims, why }) =>
    ok ? [] : [`${id}: ${claims.find(({ holds }) => !holds)?.claim ?? why ?? "nothing was shown"}`],
  );
  if (broken.length > 0) return `${count(broken.length, "step")} did not hold, in ${time}: ${broken[0]}`;
  if (!isWellTold(steps, hasSandbox)) return `not all of it could be shown, in ${time}`;
  const claims = steps.reduce((sum, step) => sum + step.claims.length, 0);
  const unseen = steps.some(({ assessed }) => !assessed) ? "; what was not assessed is named" : "";
  return `all ${steps.length} steps did what they claim, ${count(claims, "claim")} looked at, in ${time}${unseen}`;
}

/** A step for `--json`: what it showed as lines, and the values behind them. */
export const jsonOf = ({
  id,
  title,
  ok,
  assessed,
  why,
  seconds,
  claims,
  shows,
  facts = {},
}: Step): object => ({
  id,
  title,
  ok,
  assessed,
  ...(why === undefined ? {} : { why }),
  seconds,
  shows: shows.map(({ word, what, text }) => `${word} ${what}: ${text}`),
  claims,
  ...facts,
});
