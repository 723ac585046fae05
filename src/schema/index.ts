/** Judges values by the JSON Schemas that servers send: interpreted, bounded, nothing fetched, nothing thrown.
 *  Three answers, since a schema can be beyond what we can decide: valid, invalid with reasons, unknown with one. */
export type { Dialect } from "./dialect.ts";
export { type FormatName, isFormat, matchesFormat } from "./formats.ts";
export type { Candidates, Place, Sample } from "./generate/place.ts";
export { put } from "./generate/put.ts";
export { type SampleOptions, sampleArguments } from "./generate/sample.ts";
export { type TextOptions, textPlaces, type WithTextOptions, withText } from "./generate/text-places.ts";
export { compilePattern } from "./pattern/compile.ts";
export type { SchemaError } from "./run.ts";
export type { UnknownReason } from "./truth.ts";
export { type ValidateOptions, type Validation, validate } from "./validate.ts";
export { type ArgumentPlace, argumentPlaces } from "./violate/argument-places.ts";
export { MISSHAPEN } from "./violate/texts.ts";
export type { Violation } from "./violate/violation.ts";
export { MAX_VIOLATIONS, type ViolationOptions, type Violations, violations } from "./violate/violations.ts";
