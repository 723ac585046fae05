/** Patterns of JSON Schema run by RE2: time in proportion to the text, whatever the pattern. */
import { RE2JS } from "re2js";
import { translate } from "./translate.ts";

export interface Compiled {
  readonly test: (text: string) => boolean;
  /** Instructions of the program: what a character can cost. */
  readonly size: number;
}

/** A matcher for an ECMAScript pattern, unanchored; `undefined` when RE2 cannot express it. */
export function compilePattern(source: string): ((text: string) => boolean) | undefined {
  return compile(source)?.test;
}

export function compile(source: string): Compiled | undefined {
  const translated = translate(source);
  if (translated === undefined) return undefined;
  try {
    const program = RE2JS.compile(translated);
    return { test: (text) => program.test(text), size: program.programSize() };
  } catch {
    // RE2 has limits of its own; beyond them there is no answer.
    return undefined;
  }
}
