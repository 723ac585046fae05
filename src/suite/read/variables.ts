/** The variables of a suite, and texts with them filled in. Only what the file declares can be named: the environment is
 *  reached through `from_env` alone, where a reader sees it. */
import { defined, didYouMean, type TrustError } from "../../core/index.ts";
import type { Place } from "../model.ts";
import { keptFor } from "./captures.ts";
import { shapeOf } from "./shape.ts";
import { fault, type Spot, wrong } from "./source.ts";
import { joined, type Piece, piecesOf, VARIABLE_NAME } from "./template.ts";
import { nameOf, textOf, WANT_TEXT } from "./values.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Variable {
  readonly place: Place;
  /** Undefined: the environment does not have it. */
  readonly value?: string | number | boolean;
  readonly fromEnv?: string;
}
export type Variables = ReadonlyMap<string, Variable>;

/** Fills in one text of the suite. */
export type Fill = (text: string, spot: Spot) => string | number | boolean;

const MAX_VARIABLES = 1_000;

export function readVariables(spot: Spot, env: Environment): Variables {
  if (spot.kind !== "map") throw wrong(spot, "want a map");
  const members = [...spot.members()];
  if (members.length > MAX_VARIABLES)
    throw wrong(spot, `${members.length} variables, limit ${MAX_VARIABLES}`);
  return new Map(
    members.map(([name, { keyPlace, spot: given }]) => {
      if (!VARIABLE_NAME.test(name))
        throw fault("CFG_BAD_VALUE", keyPlace, `${given.path}: a name has letters, digits, "_" and "-"`);
      return [name, readVariable(given, env)] as const;
    }),
  );
}

function readVariable(spot: Spot, env: Environment): Variable {
  const { value, from_env, default: otherwise } = shapeOf(spot, "variable");
  if ((value === undefined) === (from_env === undefined))
    throw wrong(spot, "want exactly one of value and from_env");
  if (value !== undefined) {
    if (otherwise !== undefined) throw wrong(otherwise, "a default goes with from_env");
    const found = value.value;
    if (typeof found !== "string" && typeof found !== "number" && typeof found !== "boolean")
      throw wrong(value, "want text, a number, true or false");
    if (typeof found === "number" && !Number.isFinite(found))
      throw wrong(value, "want a number that JSON has");
    return { place: spot.place, value: found };
  }
  const name = from_env === undefined ? "" : nameOf(from_env);
  const found = fromEnvironment(env, name) ?? (otherwise === undefined ? undefined : textOf(otherwise));
  return { place: spot.place, fromEnv: name, ...defined({ value: found }) };
}

/** An own member: no name reaches into the language. */
export const fromEnvironment = (env: Environment, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined;

/** For texts that are settled when the suite is read. */
export function fillWith(variables: Variables): Fill {
  return (text, spot) => {
    const filled = joined(readPieces(text, spot), (name) => lookUp(name, variables, spot));
    return filled as string | number | boolean;
  };
}

/** For arguments of a step: names of captures stay, and `withCaptures` fills them in. */
export function fillForStep(variables: Variables, captures: ReadonlySet<string>): Fill {
  return (text, spot) => {
    const pieces = readPieces(text, spot);
    const isKept = (piece: Piece): boolean => "name" in piece && captures.has(piece.name);
    const [first] = pieces;
    if (pieces.length === 1 && first !== undefined && "name" in first && !isKept(first)) {
      const value = lookUp(first.name, variables, spot, CAPTURE_TOO);
      if (typeof value !== "string") return value;
    }
    const kept = keptFor(pieces, (name) =>
      captures.has(name) ? undefined : String(lookUp(name, variables, spot, CAPTURE_TOO)),
    );
    if (kept === undefined) throw wrong(spot, 'a "$" cannot stand right before a captured name');
    return kept;
  };
}

/** Text with its variables; numbers among them become words. */
export function filledText(spot: Spot, fill: Fill): string {
  if (typeof spot.value !== "string") throw wrong(spot, WANT_TEXT);
  const text = String(fill(spot.value, spot));
  if (text.includes("\0")) throw wrong(spot, "the text holds a zero character");
  return text;
}

function readPieces(text: string, spot: Spot): readonly Piece[] {
  const pieces = piecesOf(text);
  if ("fault" in pieces) throw wrong(spot, pieces.fault);
  return pieces;
}

const CAPTURE_TOO = "variable, nor a capture of an earlier step,";

function lookUp(
  name: string,
  variables: Variables,
  spot: Spot,
  kind = "variable",
): string | number | boolean {
  const variable = variables.get(name);
  if (variable === undefined)
    throw wrong(spot, `there is no ${kind} "${name}"${didYouMean(name, [...variables.keys()])}`);
  if (variable.value === undefined) throw missingEnv(spot, variable.fromEnv ?? "");
  return variable.value;
}

/** Names what is missing, never a value. */
export function missingEnv(spot: Spot, name: string): TrustError {
  const message = `needs the environment variable ${name}, which is not set`;
  return fault("TGT_MISSING_ENV", spot.place, `${spot.path}: ${message}`);
}
