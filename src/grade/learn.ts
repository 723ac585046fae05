/** What to try next for a tool that has not succeeded: words that its own errors name, and what other tools have answered. */
import type { Exchange, ToolSight } from "../probes/index.ts";
import { type Place, textPlaces, withText } from "../schema/index.ts";
import { isRecord } from "../wire/index.ts";
import { choicesIn, examplesIn, isShort } from "./examples.ts";
import type { Fixtures } from "./kit.ts";

const MAX_TRIES = 16;
const MAX_WORDS = 12;
const MAX_PLACES = 3;
const MAX_TEXT = 16_384;
const MAX_VALUES = 200;

type Arguments = Readonly<Record<string, unknown>>;

/** Valid arguments, the likeliest first: each place for text filled with words that may belong there. */
export function argumentsToTry(
  tool: ToolSight,
  base: Arguments,
  exchanges: readonly Exchange[],
  fixtures: Fixtures,
): Arguments[] {
  const all = textPlaces(tool.inputSchema);
  const required = all.filter(({ isRequired }) => isRequired);
  const places = (required.length > 0 ? required : all).slice(0, MAX_PLACES);
  const words = places.map((place) => wordsFor(place, tool, exchanges, fixtures));
  const sent = new Set(
    exchanges.filter((one) => one.tool === tool.name).map(({ args }) => JSON.stringify(args)),
  );
  const tries = new Map<string, Arguments>();
  for (const choice of choicesOf(words.map(({ length }) => length))) {
    let args: Arguments | undefined = base;
    for (const [index, place] of places.entries()) {
      const word: string | undefined = words[index]?.[choice[index] ?? 0];
      if (word !== undefined) args = args && withText(tool.inputSchema, args, place, word);
    }
    const key = JSON.stringify(args);
    if (args && !sent.has(key)) tries.set(key, args);
    if (tries.size >= MAX_TRIES) break;
  }
  return [...tries.values()];
}

/** Indexes into lists of these lengths, small ones first: 0 0, 0 1, 1 0, 0 2 … */
function* choicesOf(lengths: readonly number[]): Generator<readonly number[]> {
  if (lengths.every((length) => length === 0)) return;
  const most = lengths.reduce((sum, length) => sum + Math.max(0, length - 1), 0);
  for (let sum = 0; sum <= most; sum++) yield* adding(sum, lengths);
}

function* adding(sum: number, [length, ...rest]: readonly number[]): Generator<readonly number[]> {
  if (length === undefined) {
    if (sum === 0) yield [];
    return;
  }
  for (let index = 0; index <= Math.min(sum, Math.max(0, length - 1)); index++)
    for (const others of adding(sum - index, rest)) yield [index, ...others];
}

/** Short texts for one place, the likeliest first. */
export function wordsFor(
  place: Pick<Place, "name" | "schema">,
  tool: Pick<ToolSight, "name">,
  exchanges: readonly Exchange[],
  { files, folders }: Fixtures,
): string[] {
  const own = exchanges.filter((exchange) => exchange.tool === tool.name && exchange.outcome !== "done");
  const others = exchanges.filter((exchange) => exchange.tool !== tool.name && exchange.outcome === "done");
  const errors = own.flatMap(({ texts }) => texts);
  const joined = errors.join("\n");
  const described = isRecord(place.schema) ? String(place.schema.description ?? "") : "";
  // A description often says where its values come from: "an id from list_invoices".
  const named = others.filter(
    (exchange) => described.includes(exchange.tool) || joined.includes(exchange.tool),
  );
  const answered = [...named, ...others.filter((one) => !named.includes(one))].flatMap(({ texts }) => texts);
  const values = answered.flatMap(valuesIn);
  const words = [
    ...(/ENOTDIR|not a directory|is not a folder/i.test(joined) ? folders : []),
    ...(/EISDIR|is a directory|ENOENT|no such file/i.test(joined) ? files : []),
    ...errors.flatMap(choicesIn),
    ...errors.flatMap(examplesIn),
    ...values.filter(([key]) => isFor(key, place.name)).map(([, value]) => value),
    ...values.filter(([key]) => key === "").map(([, value]) => value),
    ...answered.flatMap(lines),
    ...examplesIn(described),
    ...errors.flatMap(quoted),
  ];
  return [...new Set(words)].filter(isShort).slice(0, MAX_WORDS);
}

/** Whether a value under this key belongs to a parameter: `id` and `invoice_id`, `name` and `tableName`. */
function isFor(key: string, name: string): boolean {
  const [one, other] = [key, name].map((word) => word.toLowerCase().replace(/[^a-z0-9]/g, ""));
  if (!one || !other) return false;
  return one === other || one.endsWith(other) || other.endsWith(one) || one === `${other}s`;
}

/** Scalars of an answer that is JSON, each with the key it stands under; items of a list have none. */
function valuesIn(text: string): [key: string, value: string][] {
  if (text.length > MAX_TEXT || !/^\s*[[{]/.test(text)) return [];
  const found: [string, string][] = [];
  const walk = (value: unknown, key: string, depth: number): void => {
    if (found.length >= MAX_VALUES || depth > 6) return;
    if (typeof value === "string" || typeof value === "number") found.push([key, String(value)]);
    else if (Array.isArray(value)) for (const item of value) walk(item, key, depth + 1);
    else if (isRecord(value)) for (const [name, item] of Object.entries(value)) walk(item, name, depth + 1);
  };
  try {
    walk(JSON.parse(text), "", 0);
  } catch {
    // It only looked like JSON.
  }
  return found;
}

const quoted = (text: string): string[] =>
  [...text.slice(0, 4096).matchAll(/["'`]([^"'`\n]{1,120})["'`]/g)].map(([, word = ""]) => word);

/** Each line of an answer, what stands before its first sign, and its first word. */
function lines(text: string): string[] {
  if (text.length > MAX_TEXT || /^\s*[[{]/.test(text)) return [];
  return text.split("\n").flatMap((line) => {
    const plain = line.replace(/^[\s\-*\d.)]+(?=\D)/, "").trim();
    // A time is one word: its colon has no space behind it.
    const [name = ""] = plain.split(/:\s|:$|\(| - /);
    const [first = ""] = line.trim().split(/\s/);
    return [plain, name.trim(), first];
  });
}
