/** A value made for a place, with how it came about: what a variation starts from. */
import type { Reading } from "./readings.ts";
import type { Node, Wish } from "./work.ts";

/** A value not yet checked. */
export interface Draft {
  readonly value: unknown;
  readonly members: ReadonlyMap<string | number, Built>;
  /** Whether no optional member is missing, here or below. */
  readonly isComplete: boolean;
}

export interface Built extends Draft {
  /** False where nobody can tell whether the value is valid. */
  readonly isSure: boolean;
  readonly node: Node;
  readonly reading: Reading;
  readonly wish: Wish;
}

export type Make = (node: Node, wish: Wish) => Built | undefined;
