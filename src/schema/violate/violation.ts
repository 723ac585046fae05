/** What a violation is, and a change that may become one. */
import type { Path } from "../generate/place.ts";

/** Arguments that a schema refuses, and why. */
export interface Violation {
  /** The keyword that they break: `required`, `type`, `enum`, … */
  readonly keyword: string;
  /** JSON Pointer to the place that was changed; for a missing member, to that member. */
  readonly path: string;
  /** What is wrong there, in our words; foreign text in it is bounded and safe to print. */
  readonly what: string;
  /** The whole arguments. They may share parts with the schema and with the valid ones: read, do not change. */
  readonly value: unknown;
  /** Refused only by those who read `format` as a demand; JSON Schema makes it a remark unless told otherwise. */
  readonly isFormatOnly: boolean;
  /** Null for an optional member, or for the arguments: many servers read it as nothing at all. */
  readonly isNullForNothing: boolean;
}

/** A change of one place that should break one keyword. */
export interface Change {
  readonly keyword: string;
  readonly path: Path;
  readonly what: string;
  /** Tried in order: the first that is refused is taken. */
  readonly values: readonly unknown[];
  /** Where the blame lies, if not at the place that is changed. */
  readonly blamed?: Path;
}
