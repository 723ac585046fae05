/** Secrets that leave a few characters an answer: for each place in the answers of a tool, what changes there is read one answer
 *  after another. */
import type { Run } from "./run/model.ts";

/** What one place said, call after call. */
export interface Stream {
  readonly tool: string;
  readonly values: readonly string[];
}

const MAX_TEXTS = 32;
const MAX_TEXT_CHARS = 4096;
const MAX_PARTS = 64;
/** Longer parts are looked at as they stand. */
const MAX_VALUE_CHARS = 64;
const MAX_STREAMS = 300;
const MAX_VALUES = 1000;
/** Fewer pieces that differ make no secret that its pieces do not show. */
const MIN_DISTINCT = 4;

export function streamsOf({ exchanges }: Run): Stream[] {
  const streams = new Map<string, { readonly tool: string; readonly values: string[] }>();
  for (const { tool, texts } of exchanges)
    for (const [index, text] of texts.slice(0, MAX_TEXTS).entries())
      for (const [place, value] of partsOf(text)) {
        const key = JSON.stringify([tool, index, place]);
        const stream = streams.get(key);
        if (stream && stream.values.length < MAX_VALUES) stream.values.push(value);
        else if (!stream && streams.size < MAX_STREAMS) streams.set(key, { tool, values: [value] });
      }
  return [...streams.values()].flatMap(({ tool, values }) => {
    const distinct = [...new Set(values)];
    return distinct.length < MIN_DISTINCT ? [] : [{ tool, values: changing(values, distinct) }];
  });
}

/** The values of a JSON text by their paths, else its lines by their labels. */
function partsOf(text: string): (readonly [place: string, value: string])[] {
  if (text.length > MAX_TEXT_CHARS) return [];
  const leaves = jsonLeaves(text) ?? lines(text);
  return leaves.filter(([, value]) => value !== "" && value.length <= MAX_VALUE_CHARS).slice(0, MAX_PARTS);
}

function jsonLeaves(text: string): (readonly [string, string])[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const found: (readonly [string, string])[] = [];
  const walk = (value: unknown, path: string): void => {
    if (found.length >= MAX_PARTS) return;
    if (typeof value === "string" || typeof value === "number") found.push([path, String(value)]);
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, `${path}.${key}`);
  };
  try {
    // A text of this length nests no deeper than the stack.
    walk(JSON.parse(text), "");
    return found;
  } catch {
    return undefined;
  }
}

/** `ref: 3f2b`: what stands before the sign is the place. */
function lines(text: string): (readonly [string, string])[] {
  return text.split("\n").map((line, index) => {
    const [, label, value] = /^([^:=#]{1,40}[:=#]) ?(.*)$/.exec(line) ?? [];
    return label === undefined ? [`line ${index}`, line] : [label, value ?? ""];
  });
}

/** Without what all of them begin and end with. */
function changing(values: readonly string[], distinct: readonly string[]): string[] {
  const [first = ""] = distinct;
  const most = Math.min(...distinct.map(({ length }) => length));
  let head = 0;
  while (head < most && distinct.every((value) => value[head] === first[head])) head++;
  let tail = 0;
  while (tail < most - head && distinct.every((value) => value.at(-1 - tail) === first.at(-1 - tail))) tail++;
  return values.map((value) => value.slice(head, value.length - tail));
}
