/** What a suite is once it has been read, and what a run of it says. */
import type { Finding } from "../core/index.ts";

/** Where something stands in a file, for messages and reports. Counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Suite {
  readonly file: string;
  readonly servers: Readonly<Record<string, SuiteServer>>;
  /** In the order of the file; those of imports stand before. */
  readonly tests: readonly SuiteTest[];
  readonly security: SuiteSecurity;
  readonly runOptions: RunOptions;
}

export interface RunOptions {
  /** When servers are started anew. */
  readonly restartPolicy: "per_run" | "per_file" | "per_test";
  readonly parallel: false | number | "auto";
}

export type SuiteServer =
  | {
      readonly kind: "command";
      readonly command: readonly string[];
      readonly env: Env;
      readonly place: Place;
    }
  | {
      readonly kind: "url";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly place: Place;
      /** How long to wait for the first answer. */
      readonly readyWithinMs?: number;
    };
type Env = Readonly<Record<string, string>>;

export interface SuiteSecurity {
  /** Undefined: the file says nothing of it, so it is not assessed. */
  readonly trustBoundary?: {
    readonly allowedFlows: readonly { readonly from: string; readonly to: string }[];
    readonly requiredSanitizers: readonly string[];
    /** Ours: what counts as a flow. */
    readonly minChars?: number;
    readonly exempt?: readonly string[];
    readonly raise?: readonly string[];
  };
  readonly capabilityNegotiation?: { readonly target: string; readonly negotiated?: readonly string[] };
  readonly scan: boolean;
}

interface AnyTest {
  readonly name: string;
  readonly place: Place;
  /** Why it is not run. */
  readonly skip?: string;
  readonly tags: readonly string[];
  readonly timeoutMs?: number;
}

export interface ToolTest extends AnyTest {
  readonly kind: "tool";
  readonly server: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
  readonly negativePath?: NegativePath;
  readonly fuzz?: Fuzz;
}

export interface ResourceTest extends AnyTest {
  readonly kind: "resource";
  readonly server: string;
  readonly uri: string;
  readonly expect: Expectation;
}

export interface PromptTest extends AnyTest {
  readonly kind: "prompt";
  readonly server: string;
  readonly prompt: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}

/** Calls in order, each of which may use what the ones before gave. */
export interface StepsTest extends AnyTest {
  readonly kind: "steps";
  readonly steps: readonly Step[];
}

export interface Step {
  readonly place: Place;
  readonly server: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Names for later steps, each with the target it is read from. */
  readonly capture: Readonly<Record<string, string>>;
  readonly expect: Expectation;
}

export type SuiteTest = ToolTest | ResourceTest | PromptTest | StepsTest;

export interface Expectation {
  readonly assertions: readonly (Assertion | AssertSet)[];
  readonly maxDurationMs?: number;
}

export interface Assertion {
  readonly kind: "assertion";
  readonly target: string;
  readonly matcher: Matcher;
  readonly message?: string;
  readonly place: Place;
}

/** Holds when this part of its assertions does. */
export interface AssertSet {
  readonly kind: "set";
  readonly name?: string;
  readonly threshold: number;
  readonly assertions: readonly Assertion[];
  readonly place: Place;
}

export type Matcher =
  | { readonly is: "exact" | "contains" | "subset"; readonly value: unknown }
  | { readonly is: "regex" | "icontains" | "starts-with"; readonly value: string }
  | { readonly is: "schema"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly is: "contains-all" | "contains-any"; readonly value: readonly unknown[] }
  | { readonly is: "is-json" | "is-valid-tools-call"; readonly schema?: Readonly<Record<string, unknown>> }
  | { readonly is: "is-xml"; readonly root?: string }
  | { readonly is: "is-sql" }
  | { readonly is: "levenshtein"; readonly value: string; readonly max: number }
  | { readonly is: "snapshot"; readonly name?: string; readonly update: boolean }
  | { readonly is: "not"; readonly matcher: Matcher }
  | { readonly is: "oneOf" | "anyOf" | "allOf"; readonly matchers: readonly Matcher[] };

export const NEGATIVE_CHECKS = [
  "unknown_tool",
  "missing_required",
  "wrong_type",
  "extra_field",
  "oversized",
] as const;
export type NegativeCheck = (typeof NEGATIVE_CHECKS)[number];

export interface NegativePath {
  readonly checks: readonly NegativeCheck[];
  /** Replaces the default gate when there is one. */
  readonly expect: readonly (Assertion | AssertSet)[];
  /** Ours: how long a bad request may take. */
  readonly maxCallMs?: number;
}

export interface Fuzz {
  readonly seed: number;
  readonly cases: number;
  readonly maxCallMs: number;
  readonly expect: readonly (Assertion | AssertSet)[];
}

export type TestStatus = "passed" | "failed" | "skipped" | "not_assessed";

export type ResultKind =
  | SuiteTest["kind"]
  | "negative_path"
  | "fuzz"
  | "protocol"
  | "trust_boundary"
  | "capability_negotiation"
  | "scan";

export interface TestResult {
  readonly name: string;
  readonly kind: ResultKind;
  readonly status: TestStatus;
  /** One line: what did not hold, why it was skipped or could not be assessed. */
  readonly reason?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly tags: readonly string[];
  readonly place?: Place;
  readonly ms: number;
  readonly assertions: readonly AssertionResult[];
  /** The numbers of `negative_path.*` and `fuzz.*`. */
  readonly targets?: Readonly<Record<string, number>>;
  /** Every bad request and what became of it. */
  readonly cases?: readonly CaseResult[];
  /** Checks that had nothing to send, and why. */
  readonly checksSkipped?: Readonly<Record<string, string>>;
}

export interface AssertionResult {
  readonly target: string;
  readonly matcher: string;
  readonly isMet: boolean;
  /** What was expected and what came, bounded. */
  readonly message: string;
  readonly place?: Place;
}

/** How a server took a request that it should not have taken. */
export type CaseOutcome =
  | "rejected-protocol"
  | "rejected-tool"
  | "in-band-error"
  | "accepted-silently"
  | "malformed"
  | "crashed"
  | "hung"
  | "transport-lost"
  | "polluted"
  | "leaked";

export interface CaseResult {
  /** `wrong_type`, or the number of a fuzz case. */
  readonly check: string;
  /** What was spoiled: `/query: a number instead of a string`. */
  readonly what: string;
  /** The keyword of the schema that was broken, where one was: `required`, `enum`, … */
  readonly keyword?: string;
  readonly outcome: CaseOutcome;
  readonly isMet: boolean;
  readonly ms: number;
  readonly request: unknown;
  /** As it came, bounded; undefined when nothing did. */
  readonly response?: unknown;
  /** Recorded, never judged. */
  readonly code?: number;
  readonly note?: string;
}

export interface SuiteSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly not_assessed: number;
}

/** A finding, with the test that brought it where it stands in a file. */
export interface SuiteFinding extends Finding {
  readonly place?: Place;
}

export interface SuiteReport {
  readonly title: string;
  readonly summary: SuiteSummary;
  readonly results: readonly TestResult[];
  readonly findings: readonly SuiteFinding[];
  /** What the reader should know of how it was run. */
  readonly notes: readonly string[];
}
