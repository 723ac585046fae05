/** How the words of a command line divide into options and the rest. One rule set a program. */
import { shown } from "../../core/index.ts";

export interface Pinning {
  /** `pinned`: an exact version or digest. `floating`: a range, tag or branch. `unpinned`: nothing says which.
   *  `local`: files of this machine. `unknown`: the words do not tell. */
  readonly status: "pinned" | "floating" | "unpinned" | "local" | "unknown";
  readonly why: string;
}

/** The words come from config files of others: what is said about them is fit to print. */
export const pinning = (status: Pinning["status"], why: string): Pinning => ({
  status,
  why: shown(why, 300),
});

export interface Grammar {
  /** Options without a value. */
  readonly flags?: ReadonlySet<string>;
  /** Options with a value. */
  readonly values?: ReadonlySet<string>;
  /** What an option that stands in neither list does with a next word that is no option. */
  readonly unknown: "takes-value" | "is-flag";
  /** Whether `-it` is `-i -t` and `-eX` is `-e X`. */
  readonly clusters?: boolean;
}

export interface Divided {
  readonly options: readonly (readonly [name: string, value: string])[];
  /** From the first word that is no option, or after `--`. */
  readonly rest: readonly string[];
}

/** Divides at the first positional: what follows belongs to the program that is started. */
export function divide(args: readonly string[], grammar: Grammar): Divided {
  const options: [string, string][] = [];
  let index = 0;
  while (index < args.length) {
    const word = args[index] ?? "";
    if (word === "--") return { options, rest: args.slice(index + 1) };
    if (!word.startsWith("-") || word === "-") break;
    const [name, value, isNextTaken] = readOption(word, args[index + 1], grammar);
    options.push([name, value]);
    index += isNextTaken ? 2 : 1;
  }
  return { options, rest: args.slice(index) };
}

function readOption(
  word: string,
  next: string | undefined,
  grammar: Grammar,
): [name: string, value: string, isNextTaken: boolean] {
  const equals = word.indexOf("=");
  if (word.startsWith("--") || !grammar.clusters) {
    if (equals > 0) return [word.slice(0, equals), word.slice(equals + 1), false];
    return takesNext(word, next, grammar) ? [word, next ?? "", true] : [word, "", false];
  }
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at]}`;
    if (grammar.flags?.has(name)) continue;
    const attached = word.slice(at + 1).replace(/^=/, "");
    if (attached !== "") return [name, attached, false];
    return takesNext(name, next, grammar) ? [name, next ?? "", true] : [name, "", false];
  }
  return [word, "", false];
}

function takesNext(name: string, next: string | undefined, { flags, values, unknown }: Grammar): boolean {
  if (flags?.has(name)) return false;
  if (values?.has(name)) return true;
  return unknown === "takes-value" && next !== undefined && !next.startsWith("-");
}

/** The values of an option under any of its names. */
export function valuesOf(divided: Divided, ...names: readonly string[]): string[] {
  return divided.options.filter(([name]) => names.includes(name)).map(([, value]) => value);
}

const WORST: readonly Pinning["status"][] = ["unknown", "unpinned", "floating", "local", "pinned"];

/** Several parts are as exact as the least exact of them. */
export function leastExact(parts: readonly Pinning[]): Pinning | undefined {
  return [...parts].sort((a, b) => WORST.indexOf(a.status) - WORST.indexOf(b.status))[0];
}

const FULL_COMMIT = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i;

/** A git reference: only a whole commit id cannot be moved. */
export function gitPinning(where: string, ref: string | undefined): Pinning {
  if (!ref) return pinning("unpinned", `${where}: the default branch of a git repository`);
  if (FULL_COMMIT.test(ref)) return pinning("pinned", `${where}: a whole commit id`);
  return pinning("floating", `${where}: "${ref}" is a branch, tag or short id, which can be moved`);
}
