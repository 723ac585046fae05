/** Values that cross from one server to another. Implements spec/flow.md. */

/** One call as an observer sees it, in the order in which calls are made. */
export interface FlowCall {
  readonly id: string;
  readonly server: string;
  /** The tool, the URI of a resource, or the name of a prompt. */
  readonly tool: string;
  /** A tool unless told. */
  readonly kind?: "tool" | "resource" | "prompt";
  readonly arguments: unknown;
  /** The whole result, or the error object; absent while it is open. */
  readonly result?: unknown;
  /** Of what is called: what it offers as values is no secret of another server. */
  readonly inputSchema?: unknown;
}

/** How a value came over, the strongest first. The first three are unmodified; of the last one it is not known whether there is any. */
export const FLOW_KINDS = [
  "structural-equal",
  "verbatim",
  "contained",
  "normalized",
  "encoded",
  "partial",
  "unseen",
] as const;
export type FlowKind = (typeof FLOW_KINDS)[number];

/** Kinds that carry a value as it is. */
export const UNMODIFIED: ReadonlySet<FlowKind> = new Set(["structural-equal", "verbatim", "contained"]);

/** Values that are no flow although they are the same on both sides. */
export const EXEMPTIONS = ["user", "schema", "home", "common"] as const;
export type Exemption = (typeof EXEMPTIONS)[number];

export interface FlowOptions {
  /** Shorter values are no flow; 16 unless told. Tokens that nobody writes by chance count from 8 characters on, numbers
   *  from 12 digits on. */
  readonly minChars?: number;
  /** All of them unless told. */
  readonly exempt?: readonly Exemption[];
  /** Kinds that fail instead of warn. */
  readonly raise?: readonly FlowKind[];
  /** What the user said: it may go anywhere. */
  readonly userTexts?: readonly string[];
  /** How many characters of results are kept; the oldest of whoever said most go first, and that is told. */
  readonly maxChars?: number;
  /** How many of one result are looked at; all unless told. */
  readonly maxCallChars?: number;
}

export interface FlowEnd {
  readonly call: string;
  readonly server: string;
  readonly tool: string;
  /** Where in the result or in the arguments: `content[0].text`, `query`. */
  readonly path: string;
  /** Where in that text it begins; absent for whole values and for what had to be decoded. */
  readonly offset?: number;
}

export interface Hop {
  readonly call: string;
  readonly server: string;
  readonly tool: string;
}

export interface Flow {
  readonly producer: FlowEnd;
  readonly consumer: FlowEnd;
  readonly kind: FlowKind;
  /** How it was read, for values that are not as they were: `base64`, `percent, rot13`. Of what was not seen, what was too much. */
  readonly reading?: string;
  readonly chars: number;
  /** The way the value took: where it was first said, calls that passed it on, and the one it goes into. */
  readonly chain: readonly Hop[];
  /** The beginning of the value, as the consumer gets it. */
  readonly excerpt: string;
  /** A call of the chain gave back what it was given, as it was. */
  readonly isUnchanged: boolean;
}

export const DEFAULT_MIN_CHARS = 16;
export const DEFAULT_MAX_CHARS = 32 * 1024 * 1024;

/** A run that is neither all of the one side nor of the other counts from here on. */
export const partialChars = (minChars: number): number => Math.max(32, minChars * 2);
