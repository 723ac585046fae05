/** Tests of one call: of a tool, a resource or a prompt. */
import { defined, didYouMean, shown } from "../../core/index.ts";
import {
  type Assertion,
  type AssertSet,
  type Fuzz,
  NEGATIVE_CHECKS,
  type NegativePath,
  type Place,
  type SuiteTest,
} from "../model.ts";
import { readAssertions, readExpectation } from "./expect.ts";
import { type Shaped, shapeOf } from "./shape.ts";
import { type Spot, wrong } from "./source.ts";
import { flagOf, itemsOf, msOf, nameOf, namesOf, oneOf, recordOf, wholeOf } from "./values.ts";
import { type Fill, filledText, type Variables } from "./variables.ts";

/** What all tests of a suite share. */
export interface TestReading {
  readonly fill: Fill;
  readonly variables: Variables;
  readonly servers: readonly string[];
  /** What every test expects. */
  readonly defaults: readonly (Assertion | AssertSet)[];
  readonly defaultTimeoutMs: number | undefined;
  readonly isCi: boolean;
}

export interface ReadTest {
  readonly test: SuiteTest;
  readonly namePlace: Place;
  /** Where it says that only it is to run. */
  readonly only?: Place;
}

type Reader = (spot: Spot, reading: TestReading) => ReadTest;

const FUZZ_DEFAULTS = { seed: 0, cases: 64, maxCallMs: 2_000 };
const MAX_FUZZ_CASES = 10_000;

export const readToolTest: Reader = (spot, reading) => {
  const shape = shapeOf(spot, "toolTest");
  const { tool, args, expect, negative_path, fuzz } = shape;
  const { fill, defaults } = reading;
  const test: SuiteTest = {
    kind: "tool",
    ...common(spot, shape, reading),
    server: serverOf(shape.server, reading),
    tool: filledName(tool, fill),
    args: args === undefined ? {} : recordOf(args, fill),
    expect: readExpectation(expect, fill, defaults),
    ...defined({
      negativePath: negative_path === undefined ? undefined : readNegativePath(negative_path, fill),
      fuzz: fuzz === undefined ? undefined : readFuzz(fuzz, fill),
    }),
  };
  return { test, namePlace: shape.name.place, ...onlyOf(shape.only, reading) };
};

export const readResourceTest: Reader = (spot, reading) => {
  const shape = shapeOf(spot, "resourceTest");
  const { fill, defaults } = reading;
  const test: SuiteTest = {
    kind: "resource",
    ...common(spot, shape, reading),
    server: serverOf(shape.server, reading),
    uri: filledName(shape.uri, fill),
    expect: readExpectation(shape.expect, fill, defaults),
  };
  return { test, namePlace: shape.name.place, ...onlyOf(shape.only, reading) };
};

export const readPromptTest: Reader = (spot, reading) => {
  const shape = shapeOf(spot, "promptTest");
  const { fill, defaults } = reading;
  const test: SuiteTest = {
    kind: "prompt",
    ...common(spot, shape, reading),
    server: serverOf(shape.server, reading),
    prompt: filledName(shape.prompt, fill),
    args: shape.args === undefined ? {} : recordOf(shape.args, fill),
    expect: readExpectation(shape.expect, fill, defaults),
  };
  return { test, namePlace: shape.name.place, ...onlyOf(shape.only, reading) };
};

type Common = Pick<Shaped<"stepsTest">, "name" | "skip" | "only" | "tags" | "timeout_ms">;

/** What a test has whatever it calls. */
export function common({ place }: Spot, shape: Common, reading: TestReading) {
  const { name, skip, tags, timeout_ms } = shape;
  return {
    name: nameOf(name),
    place,
    tags: tags === undefined ? [] : namesOf(tags, nameOf),
    ...defined({
      skip: skip === undefined ? undefined : nameOf(skip),
      timeoutMs: timeout_ms === undefined ? reading.defaultTimeoutMs : msOf(timeout_ms),
    }),
  };
}

/** A forgotten `only` would let a build pass with one test: where a build runs, it is refused. */
export function onlyOf(spot: Spot | undefined, { isCi }: TestReading): { only?: Place } {
  if (spot === undefined || !flagOf(spot)) return {};
  if (isCi) throw wrong(spot, "the other tests would be left out in CI; take it out, or use tags");
  return { only: spot.place };
}

export function serverOf(spot: Spot, { servers }: Pick<TestReading, "servers">): string {
  const name = nameOf(spot);
  if (servers.includes(name)) return name;
  const near = didYouMean(name, servers) || `, declared: ${shown(servers.join(", "), 200) || "none"}`;
  throw wrong(spot, `no server "${shown(name, 100)}"${near}`);
}

export function filledName(spot: Spot, fill: Fill): string {
  const text = filledText(spot, fill);
  if (text === "") throw wrong(spot, "must not be empty");
  return text;
}

function readNegativePath(spot: Spot, fill: Fill): NegativePath {
  const { checks, expect, max_call_ms } = shapeOf(spot, "negativePath");
  if (checks !== undefined) itemsOf(checks, NEGATIVE_CHECKS.length, 1);
  return {
    checks: checks === undefined ? NEGATIVE_CHECKS : namesOf(checks, (item) => oneOf(item, NEGATIVE_CHECKS)),
    expect: expect === undefined ? [] : readAssertions(expect, fill, "negative_path"),
    ...defined({ maxCallMs: max_call_ms === undefined ? undefined : msOf(max_call_ms) }),
  };
}

function readFuzz(spot: Spot, fill: Fill): Fuzz {
  const { seed, cases, max_call_ms, expect } = shapeOf(spot, "fuzz");
  return {
    seed: seed === undefined ? FUZZ_DEFAULTS.seed : wholeOf(seed, 0, Number.MAX_SAFE_INTEGER),
    cases: cases === undefined ? FUZZ_DEFAULTS.cases : wholeOf(cases, 1, MAX_FUZZ_CASES),
    maxCallMs: max_call_ms === undefined ? FUZZ_DEFAULTS.maxCallMs : msOf(max_call_ms),
    expect: expect === undefined ? [] : readAssertions(expect, fill, "fuzz"),
  };
}
