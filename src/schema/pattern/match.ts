/** Patterns within a validation: compiled once, and charged for what they can cost. */
import { doubt, type Frame } from "../run.ts";
import type { Truth } from "../truth.ts";
import { type Compiled, compile } from "./compile.ts";

// Measured: some microseconds to compile an instruction, some nanoseconds to run one on a character.
const COMPILE_STEPS = 300;
const CHARACTER_STEPS = 4;
const PROPERTY_STEPS = 2000;
const INSTRUCTION_STEPS = 10;
const PRODUCTS_PER_STEP = 32;

/** Whether a pattern matches. A doubt when RE2 cannot express it or the budget cannot pay for it. */
export function matches(source: string, text: string, frame: Frame, keyword: string): Truth {
  const pattern = compiledIn(frame, source);
  if (pattern === undefined) return doubt(frame, frame.run.spend(0) ? "pattern" : "budget", keyword);
  if (!frame.run.spend(1 + Math.ceil((text.length * pattern.size) / PRODUCTS_PER_STEP)))
    return doubt(frame, "budget", keyword);
  return pattern.test(text);
}

function compiledIn(frame: Frame, source: string): Compiled | undefined {
  const { sets, spend } = frame.run;
  if (sets.has(source)) return sets.get(source) as Compiled | undefined;
  // Nothing is compiled once the budget is gone; what is not compiled is not remembered.
  const properties = source.split(/\\[pP]/).length - 1;
  if (!spend(COMPILE_STEPS + source.length * CHARACTER_STEPS + properties * PROPERTY_STEPS)) return undefined;
  const pattern = compile(source);
  spend((pattern?.size ?? 0) * INSTRUCTION_STEPS);
  sets.set(source, pattern);
  return pattern;
}
