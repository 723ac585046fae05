import assert from "node:assert/strict";
import { test } from "node:test";
import { endingOf, isWellTold, jsonOf, notTold, STEPS, type Step, type StepId, stepOf } from "./story.ts";

const told = (id: StepId, more: Partial<Step> = {}): Step => ({
  ...stepOf({ id, claims: [{ claim: "it is so", holds: true }], shows: [] }, 1),
  ...more,
});
const ids = Object.keys(STEPS) as StepId[];
const having = (changed: Step): Step[] => ids.map((id) => (id === changed.id ? changed : told(id)));
const all = ids.map((id) => told(id));
const unseen = { assessed: false, why: "no sandbox" };

const cases: readonly {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly hasSandbox: boolean;
  readonly ok: boolean;
  readonly ending: RegExp;
}[] = [
  {
    name: "all hold",
    steps: all,
    hasSandbox: true,
    ok: true,
    ending: /^all 7 steps did what they claim, 7 claims/,
  },
  {
    name: "one claim does not",
    steps: having(stepOf({ id: "flow", claims: [{ claim: "it is stopped", holds: false }], shows: [] }, 1)),
    hasSandbox: true,
    ok: false,
    ending: /^1 step did not hold.*flow: it is stopped/,
  },
  {
    name: "one claims nothing",
    steps: having(stepOf({ id: "flow", claims: [], shows: [] }, 1)),
    hasSandbox: true,
    ok: false,
    ending: /flow: nothing was shown/,
  },
  {
    name: "one did not come about",
    steps: having(notTold("audit", "no log")),
    hasSandbox: true,
    ok: false,
    ending: /audit: no log/,
  },
  {
    name: "one did not come about, without a sandbox",
    steps: having(notTold("audit", "no log")),
    hasSandbox: false,
    ok: false,
    ending: /audit: no log/,
  },
  {
    name: "a part was not assessed for want of a sandbox",
    steps: having(told("grade", unseen)),
    hasSandbox: false,
    ok: true,
    ending: /what was not assessed is named$/,
  },
  {
    name: "a part was not assessed although there is one",
    steps: having(told("grade", unseen)),
    hasSandbox: true,
    ok: false,
    ending: /^not all of it could be shown/,
  },
  { name: "a step is missing", steps: all.slice(1), hasSandbox: true, ok: false, ending: /^not all of it/ },
  { name: "nothing was told", steps: [], hasSandbox: false, ok: false, ending: /^not all of it/ },
];
for (const { name, steps, hasSandbox, ok, ending } of cases)
  test(`the whole story: ${name}`, () => {
    assert.equal(isWellTold(steps, hasSandbox), ok);
    assert.match(endingOf(steps, hasSandbox, 3), ending);
  });

test("a step as JSON has its lines as text, and the values behind them", () => {
  const step = stepOf(
    {
      id: "admit",
      claims: [{ claim: "it is so", holds: true }],
      shows: [{ word: "admitted", tone: "good", what: "notes", text: "with an A" }],
      unseen: "why",
      facts: { url: "x" },
    },
    1.5,
  );
  assert.deepEqual(jsonOf(step), {
    id: "admit",
    title: STEPS.admit,
    ok: true,
    assessed: false,
    why: "why",
    seconds: 1.5,
    shows: ["admitted notes: with an A"],
    claims: [{ claim: "it is so", holds: true }],
    url: "x",
  });
});
