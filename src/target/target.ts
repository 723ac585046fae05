/** What a reference turns out to be: something that can be started or reached, or why it cannot. */
import { shown, TrustError } from "../core/index.ts";
import type { EraChoice, Launch, Limits } from "../wire/index.ts";
import type { ClientId } from "./clients/table.ts";
import type { Pinning } from "./pinning.ts";

/** What a session needs. */
export interface Target {
  /** How people name it: the server's name, its URL without query, its file, or its command. */
  readonly label: string;
  readonly launch: Launch;
  readonly era?: EraChoice;
  readonly limits: Partial<Limits>;
  /** Values of the operator that must never be printed or recorded. */
  readonly secrets: readonly string[];
}

/** Who says that this is what to start. What stands in a project file was written by whoever wrote the project. */
export type Origin =
  | { readonly kind: "command-line" }
  | { readonly kind: "touchstone.yml"; readonly file: string }
  | {
      readonly kind: "client-config";
      readonly client: ClientId;
      readonly level: "user" | "project";
      readonly file: string;
      readonly line: number;
      readonly column: number;
    };

/** A package as it was installed: what the registry's record says of exactly these bytes. */
export interface ResolvedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** A target together with where it came from and how exactly it is named. */
export interface ResolvedTarget extends Target {
  readonly kind: "target";
  readonly origin: Origin;
  readonly resolved?: ResolvedPackage;
  readonly pinning: Pinning;
  /** What the operator should know about how this was resolved. No values of variables. */
  readonly notes: readonly string[];
}

/** Recognised, but nothing that can be started here: not assessed, which is not passed. */
export interface NotStartable {
  readonly kind: "not-startable";
  readonly what: string;
  readonly reason: string;
  readonly pinning: Pinning;
}

export type Resolution = ResolvedTarget | NotStartable;

export function notStartable(what: string, reason: string, pinning: Pinning): NotStartable {
  return { kind: "not-startable", what, reason, pinning };
}

/** For commands that need a server: what cannot be started is an error. */
export function startable(resolution: Resolution): ResolvedTarget {
  if (resolution.kind === "target") return resolution;
  const { what, reason } = resolution;
  throw new TrustError("TGT_NOT_STARTABLE", `${shown(what)} is not assessed: ${shown(reason)}`);
}
