/** The terms of a run, read from a recording that anyone may have written. */
import { TrustError } from "../../core/index.ts";
import { isRecord } from "../../wire/index.ts";
import { type MethodId, RUN_FORMAT, type RunTerms } from "./model.ts";

const METHODS: readonly MethodId[] = ["litmus-v5", "touchstone-1"];

/** Throws a coded error that names the member that is not as it has to be. */
export function readTerms(event: Readonly<Record<string, unknown>>): RunTerms {
  const wrong = Object.entries(SHAPE).find(([name, fits]) => !fits(event[name]))?.[0];
  if (wrong !== undefined)
    throw new TrustError("EVD_NOT_A_RUN", `the terms of the run cannot be judged by: ${wrong}`);
  return event as unknown as RunTerms;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isPeer = (value: unknown): boolean => isRecord(value) && isText(value.name) && isText(value.version);
const isListOf = (value: unknown, fits: (item: Record<string, unknown>) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => isRecord(item) && fits(item));

const SHAPE: Readonly<Record<keyof RunTerms, (value: unknown) => boolean>> = {
  format: (value) => value === RUN_FORMAT,
  method: (value) => METHODS.some((method) => method === value),
  seed: isText,
  identity: isPeer,
  bareIdentity: (value) => value === undefined || isPeer(value),
  target: (value) =>
    isRecord(value) && isText(value.label) && (value.kind === "stdio" || value.kind === "http"),
  environment: isRecord,
  sandbox: (value) =>
    isRecord(value) && (value.status === "used" || (value.status === "skipped" && isText(value.reason))),
  canaries: (value) => isListOf(value, ({ id, value: secret, place }) => [id, secret, place].every(isText)),
  allowed: (value) =>
    isListOf(value, ({ host, port, by }) => isText(host) && typeof port === "number" && isText(by)),
  batteries: (value) => isRecord(value) && Object.values(value).every(isText),
};
