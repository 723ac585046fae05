/** How much is done about one call. What is not done any more is told: nobody knows then what is in the rest. Implements spec/flow.md,
 *  FLW-24. */

export interface Budget {
  /** Characters of all texts that the arguments can be read as. */
  readonly readChars: number;
  /** Characters of numbers that are compared one by one: tables of numbers that are nearly alike take many. */
  readonly steps: number;
  /** Characters of texts that are compared one by one: texts that repeat themselves take many. */
  readonly compared: number;
}

const MEBI = 1024 * 1024;
const BUDGET: Budget = { readChars: 8 * MEBI, steps: 32 * MEBI, compared: 64 * MEBI };

/** After so many characters whoever looks may let others have a turn. */
const STEP_CHARS = 32 * 1024;

/** Does all steps of something at once. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Something was too much to be looked through: what, and where in the arguments. */
export interface Left {
  readonly path: string;
  readonly what: string;
}

export class Work {
  readChars: number;
  steps: number;
  compared: number;
  /** Where in the arguments it is. */
  path = "";
  #sinceStep = 0;
  /** The first of what is left. */
  left: Left | undefined;

  constructor(budget: Partial<Budget> = {}) {
    const { readChars, steps, compared } = { ...BUDGET, ...budget };
    this.readChars = readChars;
    this.steps = steps;
    this.compared = compared;
  }

  /** So many characters were looked at: whether that ends a step. */
  isStep(chars: number): boolean {
    this.#sinceStep += chars;
    if (this.#sinceStep < STEP_CHARS) return false;
    this.#sinceStep = 0;
    return true;
  }

  leave(what: string, path = this.path): void {
    this.left ??= { path, what };
  }
}
