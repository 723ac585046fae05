/** Where arguments take free text, and arguments with a text put there. */
import { isDoubt } from "../truth.ts";
import { isObject } from "../values.ts";
import { requiredNames } from "./depend.ts";
import { type Expansion, expand, type Part } from "./expand.ts";
import { makeValue } from "./make.ts";
import { itemNode, limit, memberNode, operands } from "./members.ts";
import type { Path, Place } from "./place.ts";
import { at, put } from "./put.ts";
import { isActive, readings } from "./readings.ts";
import { wishFor } from "./sample.ts";
import { hasNamed, schemaAt, typesOf } from "./types.ts";
import {
  type Active,
  budget,
  DEFAULT_STEPS,
  type Force,
  judge,
  type Node,
  openWork,
  unlessTooDeep,
  type Work,
} from "./work.ts";

export interface TextOptions {
  readonly maxSteps?: number;
}

export interface WithTextOptions extends TextOptions {
  /** The text may be cut to the length that the place allows. */
  readonly mayCut?: boolean;
}

const MAX_PLACES = 500;
const MAX_DEPTH = 20;
/** The name of a member that stands for all the undeclared ones. */
const ANY_NAME = "example";

interface Stop {
  readonly node: Node;
  readonly path: Path;
  readonly isRequired: boolean;
  readonly active: Active;
}

interface Found {
  readonly place: Place;
  readonly isFree: boolean;
}

/** Every place that takes text of the caller's choice: required ones first, those bound to a pattern or format last. */
export function textPlaces(
  schema: unknown,
  { maxSteps = DEFAULT_STEPS }: TextOptions = {},
): readonly Place[] {
  const work = openWork(schema, {}, budget(maxSteps), false);
  const found = new Map<string, Found>();
  unlessTooDeep(() => walk(work, found));
  const rank = ({ place, isFree }: Found): number => (place.isRequired ? 0 : 2) + (isFree ? 0 : 1);
  return [...found.values()].sort((a, b) => rank(a) - rank(b)).map(({ place }) => place);
}

/** Outer places first: a list that grows while it is walked. */
function walk(work: Work, found: Map<string, Found>): void {
  const seen = new Set<string>();
  const stops: Stop[] = [{ node: work.root, path: [], isRequired: true, active: undefined }];
  for (const stop of stops) {
    if (!work.spend(20 + stop.path.length) || found.size >= MAX_PLACES) break;
    const open = expand(work, stop.node);
    const visit = `${JSON.stringify(stop.path)} ${open?.key}`;
    if (open === undefined || seen.has(visit) || isActive(stop.active, open.key)) continue;
    seen.add(visit);
    for (const { parts } of sides(work, open, stop.active)) {
      look(stop, parts, found);
      if (stop.path.length < MAX_DEPTH) stops.push(...below(work, stop, parts, open.key));
    }
  }
}

/** What a node may be: for each branch the first reading that takes it. A sum, where all readings would be a product. */
function* sides(work: Work, open: Expansion, active: Active): Generator<Expansion> {
  const pins = open.forks.flatMap(({ keyword, operand, options }) =>
    keyword === "not" ? [] : options.map((_, index) => ({ operand, at: index })),
  );
  for (const pin of pins.length === 0 ? [undefined] : pins) {
    for (const reading of readings(work, open, active, pin)) {
      yield reading;
      break;
    }
  }
}

function look({ node, path, isRequired }: Stop, parts: readonly Part[], found: Map<string, Found>): void {
  const key = JSON.stringify(path);
  if (path.length === 0 || found.has(key) || typesOf(parts)[0] !== "string" || hasNamed(parts)) return;
  const last = path.at(-1);
  const name = typeof last === "string" ? last : "";
  const isFree = [...operands(parts, "pattern"), ...operands(parts, "format")].length === 0;
  found.set(key, { place: { path, name, schema: schemaAt(parts, node[0]?.schema), isRequired }, isFree });
}

function below(work: Work, stop: Stop, parts: readonly Part[], key: string): readonly Stop[] {
  const types = typesOf(parts);
  const active: Active = { key, outer: stop.active };
  const next = (step: string | number, node: Node, isRequired: boolean): Stop => ({
    node,
    path: [...stop.path, step],
    isRequired: stop.isRequired && isRequired,
    active,
  });
  const stops: Stop[] = [];
  if (types.includes("object")) {
    const required = new Set(requiredNames(parts));
    for (const name of namesBelow(parts))
      stops.push(next(name, memberNode(work, parts, name), required.has(name)));
  }
  const item = itemNode(parts, 0);
  if (types.includes("array") && item.length > 0 && limit(parts, "maxItems", Math.min) !== 0)
    stops.push(next(0, item, true));
  return stops;
}

/** The declared members, and one for those that are not declared but described. */
function namesBelow(parts: readonly Part[]): ReadonlySet<string> {
  const declared = [...operands(parts, "properties")].flatMap((map) =>
    isObject(map) ? Object.keys(map) : [],
  );
  const hasRest = [...operands(parts, "additionalProperties")].some(
    (rest) => isObject(rest) && Object.keys(rest).length > 0,
  );
  return new Set([...declared.slice(0, MAX_PLACES * 4), ...(hasRest ? [ANY_NAME] : [])]);
}

/** These arguments with a text at a place, its parents made where they are missing; `undefined` if that is not valid.
 *  Other members give way only where the text cannot stand beside them. */
export function withText(
  schema: unknown,
  base: Record<string, unknown>,
  place: Place,
  text: string,
  { mayCut = false, maxSteps = DEFAULT_STEPS }: WithTextOptions = {},
): Record<string, unknown> | undefined {
  const work = openWork(schema, {}, budget(maxSteps), false);
  return unlessTooDeep(() => placed(work, base, { path: place.path, values: [text], mayCut }));
}

function placed(
  work: Work,
  base: Record<string, unknown>,
  force: Force,
): Record<string, unknown> | undefined {
  // Where nobody can judge the base, nobody can judge what is made of it.
  const isJudged = !isDoubt(judge(work, work.root, base));
  const valid = (value: unknown): value is Record<string, unknown> => {
    const truth = isObject(value) && judge(work, work.root, value);
    return truth === true || (isDoubt(truth) && !isJudged && work.spend(0));
  };
  const plain = put(base, force.path, force.values[0]);
  if (valid(plain)) return plain;
  // Parents may need members of their own, or the text less of itself: the way there is made, then joined with the base.
  const made = makeValue(work, work.root, { ...wishFor("required"), force })?.value;
  if (!isObject(made)) return undefined;
  const start = force.path.slice(0, 1);
  const tries = [
    put(base, force.path, at(made, force.path)),
    put(base, start, at(made, start)),
    { ...base, ...made },
    made,
  ];
  return tries.find(valid);
}
