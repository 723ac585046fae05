/** Targets: which part of an answer an assertion is about. `result.content[0].text`, `error.code`, `duration_ms`.
 *  Read strictly when the suite is read; looked up by own members only, so that no name reaches into the language. */
import { count, didYouMean, shown } from "../../core/index.ts";

/** Where an assertion stands, and thereby what it can look at. */
export type TargetPlace = "call" | "negative_path" | "fuzz";

/** What the assertions of a call can look at. Numbers of a block stand under the name of the block. */
export interface Scope {
  readonly result?: unknown;
  readonly error?: unknown;
  readonly duration_ms?: number;
  readonly negative_path?: Readonly<Record<string, number>>;
  readonly fuzz?: Readonly<Record<string, number>>;
}

export type Hop =
  | { readonly kind: "key"; readonly name: string }
  /** Counted from the end when negative. */
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "all" };

export interface Target {
  readonly root: keyof Scope;
  readonly hops: readonly Hop[];
}

export type Found =
  | { readonly isFound: true; readonly value: unknown }
  | { readonly isFound: false; readonly reason: string };

/** The numbers that the two blocks give. */
export const BLOCK_TARGETS = {
  negative_path: ["checks_run", "checks_skipped", "failures", "gate_passed", "cases_run", "case_failures"],
  fuzz: ["cases_run", "crashes", "hangs", "protocol_violations", "leaks", "gate_passed"],
} as const;

const ROOTS: Readonly<Record<TargetPlace, readonly (keyof Scope)[]>> = {
  call: ["result", "error", "duration_ms"],
  negative_path: ["negative_path"],
  fuzz: ["fuzz"],
};

const MAX_CHARS = 500;
const MAX_HOPS = 50;

const NAME = /[A-Za-z_$@][\w$@-]*/y;
const INDEX = /\[(?:(\*)|(-?\d{1,9}))\]/y;
const QUOTED = /\[(?:'((?:[^'\\]|\\['\\])*)'|"((?:[^"\\]|\\["\\])*)")\]/y;

/** A target, or what is wrong with its text. Never throws. */
export function readTarget(text: string, place: TargetPlace = "call"): Target | { readonly fault: string } {
  if (text.length > MAX_CHARS) return { fault: `a target of ${text.length} characters, limit ${MAX_CHARS}` };
  const word = at(NAME, text, 0)?.[0] ?? "";
  const root = ROOTS[place].find((name) => name === word);
  if (root === undefined) return { fault: wrongRoot(word, place) };
  const hops = readHops(text, word.length);
  if ("fault" in hops) return hops;
  const fault = place === "call" ? callFault(root, hops) : blockFault(place, hops);
  return fault === undefined ? { root, hops } : { fault };
}

function readHops(text: string, start: number): readonly Hop[] | { readonly fault: string } {
  const hops: Hop[] = [];
  for (let index = start; index < text.length; ) {
    const hop = readHop(text, index);
    if ("fault" in hop) return hop;
    hops.push(hop.hop);
    if (hops.length > MAX_HOPS) return { fault: `a target of more than ${MAX_HOPS} parts` };
    index = hop.end;
  }
  return hops;
}

function readHop(text: string, index: number): { hop: Hop; end: number } | { fault: string } {
  const where = `at character ${index + 1}`;
  if (text[index] === ".") {
    const name = at(NAME, text, index + 1)?.[0];
    if (name !== undefined) return { hop: { kind: "key", name }, end: index + 1 + name.length };
    return { fault: `${where}: want a name after the dot; other keys are written ['like this']` };
  }
  const counted = at(INDEX, text, index);
  if (counted !== undefined) {
    const [whole, all, digits] = counted;
    const hop: Hop = all === undefined ? { kind: "index", index: Number(digits) } : { kind: "all" };
    return { hop, end: index + whole.length };
  }
  const quoted = at(QUOTED, text, index);
  if (quoted !== undefined) {
    const name = (quoted[1] ?? quoted[2] ?? "").replace(/\\(.)/gs, "$1");
    return { hop: { kind: "key", name }, end: index + quoted[0].length };
  }
  if (text[index] === "[") return { fault: `${where}: want [0], [-1], [*] or ['key']` };
  return { fault: `${where}: want .name, [0] or ['key'], not "${shown(text.slice(index, index + 12))}"` };
}

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

function wrongRoot(word: string, place: TargetPlace): string {
  if (word === "negative_path" || word === "fuzz") return `${word} is known in ${word}.expect alone`;
  const known = ROOTS[place];
  const want = known.length === 1 ? known[0] : `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  return `a target begins with ${want}${didYouMean(word, known)}`;
}

const ERROR_MEMBERS = ["code", "message", "data"];

function callFault(root: keyof Scope, [first]: readonly Hop[]): string | undefined {
  if (root === "duration_ms" && first !== undefined) return "duration_ms is a number and has no parts";
  if (root !== "error" || first === undefined) return undefined;
  if (first.kind === "key" && ERROR_MEMBERS.includes(first.name)) return undefined;
  const near = first.kind === "key" ? didYouMean(first.name, ERROR_MEMBERS) : "";
  return `an error has code, message and data${near}`;
}

function blockFault(place: "negative_path" | "fuzz", hops: readonly Hop[]): string | undefined {
  const known: readonly string[] = BLOCK_TARGETS[place];
  const [first] = hops;
  if (hops.length === 1 && first?.kind === "key" && known.includes(first.name)) return undefined;
  const near = first?.kind === "key" ? didYouMean(first.name, known) : "";
  return near === ""
    ? `want one of ${known.map((name) => `${place}.${name}`).join(", ")}`
    : `no such number${near}`;
}

/** What a target leads to. With `[*]` in it: the list of all that are there. */
export function lookUp({ root, hops }: Target, scope: Scope): Found {
  if (!Object.hasOwn(scope, root) || scope[root] === undefined)
    return { isFound: false, reason: `there is no ${root}` };
  let values: unknown[] = [scope[root]];
  let isMany = false;
  let path: string = root;
  for (const hop of hops) {
    const next = values.flatMap((value) => step(value, hop));
    // A server leaves the flag out when nothing went wrong: the protocol says it is false then.
    if (next.length === 0 && path === "result" && isRecord(values[0]) && isNamed(hop, "isError"))
      next.push(false);
    if (next.length === 0 && !isMany && !isEmptyList(values[0], hop))
      return { isFound: false, reason: missing(path, hop, values[0]) };
    isMany ||= hop.kind === "all";
    path += spelt(hop);
    values = next;
  }
  return { isFound: true, value: isMany ? values : values[0] };
}

function step(value: unknown, hop: Hop): readonly unknown[] {
  if (hop.kind === "key") {
    if (!isRecord(value) || !Object.hasOwn(value, hop.name)) return [];
    return value[hop.name] === undefined ? [] : [value[hop.name]];
  }
  if (!Array.isArray(value)) return [];
  if (hop.kind === "all") return value;
  const index = hop.index < 0 ? value.length + hop.index : hop.index;
  return index >= 0 && index < value.length ? [value[index]] : [];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNamed = (hop: Hop, name: string): boolean => hop.kind === "key" && hop.name === name;
const isEmptyList = (value: unknown, hop: Hop): boolean => hop.kind === "all" && Array.isArray(value);

function missing(path: string, hop: Hop, value: unknown): string {
  if (hop.kind === "key") {
    const known = isRecord(value) ? didYouMean(hop.name, Object.keys(value).slice(0, 100)) : "";
    return isRecord(value) ? `${path} has no ${quoted(hop.name)}${shown(known)}` : `${path} is no map`;
  }
  if (!Array.isArray(value)) return `${path} is no list`;
  return `${path} has ${count(value.length, "item")}`;
}

const quoted = (name: string): string => `"${shown(name, 60)}"`;

function spelt(hop: Hop): string {
  if (hop.kind === "all") return "[*]";
  if (hop.kind === "index") return `[${hop.index}]`;
  return /^[A-Za-z_]\w*$/.test(hop.name) ? `.${hop.name}` : `['${shown(hop.name, 60)}']`;
}
