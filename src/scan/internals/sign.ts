/** The shape of the tables that say what a trace looks like: one entry a runtime, one sign a kind of line. */

export interface Runtime {
  readonly name: string;
  /** A text that does not match it holds nothing of this runtime. Cheap, so that honest texts are left soon. */
  readonly gate: RegExp;
  readonly signs: readonly Sign[];
}

/** `whole`: a crash by itself. `header`: opens or closes a trace. `frame`: one line of it. `weak`: a line that only counts
 *  beside others. `line`: worth a warning and never more. */
export type Role = "whole" | "header" | "frame" | "weak" | "line";

export interface Sign {
  readonly role: Role;
  /** Global, with bounded quantifiers whose neighbours share no character, so that it cannot backtrack far. */
  readonly pattern: RegExp;
  /** Only where nothing but indentation, a quote mark or a log prefix stands before it on its line. */
  readonly opensLine?: true;
  /** The pattern begins in the middle of a path: the sighting reaches back to where that word starts. */
  readonly reachesBack?: true;
  /** What its line must hold before it; without that the role is `weak`. */
  readonly after?: RegExp;
  /** A header that is worth a warning where no frame follows. */
  readonly warns?: true;
}

type More = Omit<Sign, "role" | "pattern">;

export const whole = (pattern: RegExp, more: More = {}): Sign => ({ role: "whole", pattern, ...more });
export const header = (pattern: RegExp, more: More = {}): Sign => ({ role: "header", pattern, ...more });
export const frame = (pattern: RegExp, more: More = {}): Sign => ({ role: "frame", pattern, ...more });
export const weak = (pattern: RegExp, more: More = {}): Sign => ({ role: "weak", pattern, ...more });
export const line = (pattern: RegExp, more: More = {}): Sign => ({ role: "line", pattern, ...more });
