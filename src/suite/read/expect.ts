/** What a test expects: assertions in a list, or a map that has a time limit too. */
import { defined } from "../../core/index.ts";
import { readTarget, type TargetPlace } from "../match/target.ts";
import type { Assertion, AssertSet, Expectation } from "../model.ts";
import { readMatcher } from "./matcher.ts";
import { shapeOf } from "./shape.ts";
import { type Spot, wrong } from "./source.ts";
import { fractionOf, itemsOf, msOf, nameOf, textOf } from "./values.ts";
import type { Fill } from "./variables.ts";

const MAX_ASSERTIONS = 1_000;

/** Both forms. What every test expects stands before. */
export function readExpectation(
  spot: Spot | undefined,
  fill: Fill,
  before: readonly (Assertion | AssertSet)[],
): Expectation {
  if (spot === undefined) return { assertions: before };
  if (spot.kind === "list") return { assertions: [...before, ...readAssertions(spot, fill)] };
  if (spot.kind !== "map") throw wrong(spot, "want a list of assertions, or a map with assertions");
  const { assertions, max_duration_ms } = shapeOf(spot, "expectation");
  const own = assertions === undefined ? [] : readAssertions(assertions, fill);
  return {
    assertions: [...before, ...own],
    ...defined({ maxDurationMs: max_duration_ms === undefined ? undefined : msOf(max_duration_ms) }),
  };
}

export function readAssertions(
  spot: Spot,
  fill: Fill,
  place: TargetPlace = "call",
): readonly (Assertion | AssertSet)[] {
  return itemsOf(spot, MAX_ASSERTIONS).map((item) =>
    item.kind === "map" && item.members().has("assert-set")
      ? readSet(item, fill, place)
      : readAssertion(item, fill, place),
  );
}

function readAssertion(spot: Spot, fill: Fill, place: TargetPlace): Assertion {
  const { target, matcher, message } = shapeOf(spot, "assertion");
  const text = nameOf(target);
  const read = readTarget(text, place);
  if ("fault" in read) throw wrong(target, read.fault);
  return {
    kind: "assertion",
    target: text,
    matcher: readMatcher(matcher, fill),
    place: spot.place,
    ...defined({ message: message === undefined ? undefined : textOf(message) }),
  };
}

function readSet(spot: Spot, fill: Fill, place: TargetPlace): AssertSet {
  const inner = shapeOf(spot, "assertSetItem")["assert-set"];
  const { name, threshold, assertions } = shapeOf(inner, "assertSet");
  return {
    kind: "set",
    threshold: fractionOf(threshold),
    assertions: itemsOf(assertions, MAX_ASSERTIONS, 1).map((item) => readAssertion(item, fill, place)),
    place: spot.place,
    ...defined({ name: name === undefined ? undefined : nameOf(name) }),
  };
}
