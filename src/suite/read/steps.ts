/** Stepwise tests: calls in order, where a later one may use what an earlier one gave. */

import { readTarget } from "../match/target.ts";
import type { Step } from "../model.ts";
import { readExpectation } from "./expect.ts";
import { shapeOf } from "./shape.ts";
import { fault, type Spot, wrong } from "./source.ts";
import { VARIABLE_NAME } from "./template.ts";
import { common, filledName, onlyOf, type ReadTest, serverOf, type TestReading } from "./tests.ts";
import { itemsOf, nameOf, recordOf } from "./values.ts";
import { fillForStep } from "./variables.ts";

const MAX_STEPS = 200;
const MAX_CAPTURES = 100;

export function readStepsTest(spot: Spot, reading: TestReading): ReadTest {
  const shape = shapeOf(spot, "stepsTest");
  const otherwise = shape.default_server === undefined ? undefined : serverOf(shape.default_server, reading);
  const captured = new Set<string>();
  const steps: Step[] = [];
  for (const item of itemsOf(shape.steps, MAX_STEPS, 1)) {
    const step = readStep(item, otherwise, captured, reading);
    for (const name of Object.keys(step.capture)) captured.add(name);
    steps.push(step);
  }
  const test = { kind: "steps" as const, ...common(spot, shape, reading), steps };
  return { test, namePlace: shape.name.place, ...onlyOf(shape.only, reading) };
}

function readStep(
  spot: Spot,
  otherwise: string | undefined,
  captured: ReadonlySet<string>,
  reading: TestReading,
): Step {
  const { server, call, capture, expect } = shapeOf(spot, "step");
  const name = server === undefined ? otherwise : serverOf(server, reading);
  if (name === undefined) throw wrong(spot, "no server: give it one, or give the test a default_server");
  const { tool, args } = shapeOf(call, "call");
  return {
    place: spot.place,
    server: name,
    tool: filledName(tool, reading.fill),
    args: args === undefined ? {} : recordOf(args, fillForStep(reading.variables, captured)),
    capture: capture === undefined ? {} : readCapture(capture, captured, reading),
    expect: readExpectation(expect, reading.fill, reading.defaults),
  };
}

function readCapture(
  spot: Spot,
  captured: ReadonlySet<string>,
  { variables }: TestReading,
): Readonly<Record<string, string>> {
  if (spot.kind !== "map") throw wrong(spot, "want a map of names to targets");
  const members = [...spot.members()];
  if (members.length > MAX_CAPTURES) throw wrong(spot, `${members.length} captures, limit ${MAX_CAPTURES}`);
  return Object.fromEntries(
    members.map(([name, member]) => {
      const refuse = (why: string) => fault("CFG_BAD_VALUE", member.keyPlace, `${member.spot.path}: ${why}`);
      if (!VARIABLE_NAME.test(name)) throw refuse('a name has letters, digits, "_" and "-"');
      if (variables.has(name)) throw refuse("a variable has this name already");
      if (captured.has(name)) throw refuse("an earlier step has captured this name already");
      const target = nameOf(member.spot);
      const read = readTarget(target);
      if ("fault" in read) throw wrong(member.spot, read.fault);
      return [name, target];
    }),
  );
}
