/** Matchers of a suite. What cannot work is refused here, with its place, instead of failing a test later. */
import { defined } from "../../core/index.ts";
import { compilePattern, validate } from "../../schema/index.ts";
import { MAX_DISTANCE, MAX_DISTANCE_CHARS } from "../match/distance.ts";
import type { Matcher } from "../model.ts";
import { type KeyOf, shapeOf } from "./shape.ts";
import { type Spot, wrong } from "./source.ts";
import { flagOf, itemsOf, jsonOf, nameOf, recordOf, wholeOf } from "./values.ts";
import { type Fill, filledText } from "./variables.ts";

const MAX_PATTERN_CHARS = 1_000;
const MAX_ALTERNATIVES = 100;
const MAX_NESTING = 10;

type Is = KeyOf<"matcher">;

export function readMatcher(spot: Spot, fill: Fill, depth = 0): Matcher {
  if (depth > MAX_NESTING) throw wrong(spot, `matchers in one another more than ${MAX_NESTING} levels`);
  const given = Object.entries(shapeOf(spot, "matcher"));
  const [only] = given;
  if (only === undefined || given.length > 1)
    throw wrong(spot, `want exactly one matcher, not ${given.length === 0 ? "none" : given.length}`);
  return read(only[0] as Is, only[1], fill, depth);
}

function read(is: Is, spot: Spot, fill: Fill, depth: number): Matcher {
  switch (is) {
    case "exact":
    case "contains":
    case "subset":
      return { is, value: jsonOf(spot, fill) };
    case "contains-all":
    case "contains-any":
      return { is, value: itemsOf(spot, MAX_ALTERNATIVES, 1).map((item) => jsonOf(item, fill)) };
    case "icontains":
    case "starts-with":
      return { is, value: filledText(spot, fill) };
    case "regex":
      return { is, value: readPattern(spot, fill) };
    case "schema":
      return { is, value: readSchema(spot, fill) };
    case "is-json":
    case "is-valid-tools-call": {
      const { schema } = orEmpty(spot, "withSchema");
      return { is, ...defined({ schema: schema === undefined ? undefined : readSchema(schema, fill) }) };
    }
    case "is-xml": {
      const { root } = orEmpty(spot, "isXml");
      return { is, ...defined({ root: root === undefined ? undefined : nameOf(root) }) };
    }
    case "is-sql":
      if (spot.kind !== "scalar" || spot.value !== null)
        throw wrong(spot, "is-sql takes nothing: write is-sql: null");
      return { is };
    case "levenshtein":
      return readLevenshtein(spot, fill);
    case "snapshot":
      return readSnapshot(spot);
    case "not":
      return { is, matcher: readMatcher(spot, fill, depth + 1) };
    case "oneOf":
    case "anyOf":
    case "allOf":
      return {
        is,
        matchers: itemsOf(spot, MAX_ALTERNATIVES, 1).map((item) => readMatcher(item, fill, depth + 1)),
      };
  }
}

/** `is-json:` and `is-json: {}` say the same. */
function orEmpty<Name extends "withSchema" | "isXml">(
  spot: Spot,
  name: Name,
): Partial<ReturnType<typeof shapeOf<Name>>> {
  return spot.kind === "scalar" && spot.value === null ? {} : shapeOf(spot, name);
}

function readPattern(spot: Spot, fill: Fill): string {
  const pattern = filledText(spot, fill);
  if (pattern.length > MAX_PATTERN_CHARS)
    throw wrong(spot, `a pattern of ${pattern.length} characters, limit ${MAX_PATTERN_CHARS}`);
  if (compilePattern(pattern) === undefined)
    throw wrong(
      spot,
      "a pattern that cannot be run in linear time: no look-around, back references or inline flags",
    );
  return pattern;
}

/** One value of each kind, so that a schema that nothing can be judged by is found before any server is called. */
const PROBES = [null, true, 0, "", [], {}];

function readSchema(spot: Spot, fill: Fill): Readonly<Record<string, unknown>> {
  const schema = recordOf(spot, fill);
  for (const probe of PROBES) {
    const validation = validate(schema, probe);
    if (validation.verdict === "unknown")
      throw wrong(spot, `a schema that cannot be judged by: ${validation.reason} at "${validation.where}"`);
  }
  return schema;
}

function readLevenshtein(spot: Spot, fill: Fill): Matcher {
  const { value, max } = shapeOf(spot, "levenshtein");
  const text = filledText(value, fill);
  if (text.length > MAX_DISTANCE_CHARS)
    throw wrong(value, `${text.length} characters, limit ${MAX_DISTANCE_CHARS}`);
  return { is: "levenshtein", value: text, max: wholeOf(max, 0, MAX_DISTANCE) };
}

/** A name becomes a part of a stored file, perhaps of its path. */
const SNAPSHOT_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,99}$/u;

function readSnapshot(spot: Spot): Matcher {
  if (spot.kind !== "map") return { is: "snapshot", name: snapshotName(spot), update: false };
  const { name, update } = shapeOf(spot, "snapshot");
  return {
    is: "snapshot",
    update: update === undefined ? false : flagOf(update),
    ...defined({ name: name === undefined ? undefined : snapshotName(name) }),
  };
}

function snapshotName(spot: Spot): string {
  const name = nameOf(spot);
  if (!SNAPSHOT_NAME.test(name))
    throw wrong(spot, 'want letters, digits, spaces, "_", "-" and ".", at most 100');
  return name;
}
