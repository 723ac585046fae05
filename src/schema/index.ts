/** Judges values by the JSON Schemas that servers send: interpreted, bounded, nothing fetched, nothing thrown.
 *  Three answers, since a schema can be beyond what we can decide: valid, invalid with reasons, unknown with one. */
export type { Dialect } from "./dialect.ts";
export { type FormatName, isFormat, matchesFormat } from "./formats.ts";
export { compilePattern } from "./pattern/compile.ts";
export type { SchemaError } from "./run.ts";
export type { UnknownReason } from "./truth.ts";
export { type ValidateOptions, type Validation, validate } from "./validate.ts";
