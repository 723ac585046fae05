/** The words shared with callers: a place in the arguments, what they know about it, and the arguments made. */

export type Path = readonly (string | number)[];

/** A place in the arguments of a tool. */
export interface Place {
  readonly path: Path;
  /** The last name on the path; empty for an item of an array. */
  readonly name: string;
  /** What the server says about this place, its `$ref` followed. Foreign. */
  readonly schema: unknown;
  /** Whether no valid arguments go without it: it and all above it are required. */
  readonly isRequired: boolean;
}

/** What the caller knows about a place: these values are tried first, in order, and taken only if they are valid. */
export type Candidates = (place: Place) => readonly unknown[];

/** Arguments for a tool. They may share parts with the schema (a default, a constant): read, do not change. */
export interface Sample {
  readonly value: Record<string, unknown>;
  /** What is special about them, in our words; foreign text in it is bounded and safe to print. */
  readonly why: string;
  /** False where `validate` cannot tell whether they are valid. */
  readonly isCertain: boolean;
}
