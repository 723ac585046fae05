/** Arguments that are very large: a text, else a list, else the arguments as a whole. */
import { type ArgumentPlace, argumentPlaces, put, type Violation, validate } from "../../schema/index.ts";
import type { Args } from "./base.ts";
import { pathText } from "./evidence.ts";
import { type ToolFacts, verdictOf } from "./tool.ts";

export interface Oversized {
  readonly what: string;
  readonly value: unknown;
  readonly note?: string;
}

export const OVERSIZED_BYTES: readonly number[] = [64 * 1024, 1024 * 1024, 8 * 1024 * 1024];
/** A list of more would measure our own memory. */
const MAX_LIST_BYTES = 1024 * 1024;
/** So many broken arguments are tried as a base where the call must not be valid. */
const MAX_BROKEN = 8;

export function oversizedArguments(
  tool: ToolFacts,
  base: Args,
  broken: readonly Violation[],
  { mustBeInvalid, sizes }: { readonly mustBeInvalid: boolean; readonly sizes: readonly number[] },
): readonly Oversized[] {
  const places = argumentPlaces(tool.inputSchema, base);
  const made = [
    ...places.filter(isText).map((place) => large(place, (bytes) => "a".repeat(bytes))),
    ...places.flatMap((place) => {
      const items: unknown = place.value;
      return Array.isArray(items) && items.length > 0
        ? [large(place, (bytes) => listOf(items[0], bytes))]
        : [];
    }),
  ];
  for (const { what, grown } of made) {
    const start = startFor(tool, base, broken, mustBeInvalid, (args) => grown(args, sizes[0] ?? 0));
    if (start === undefined) continue;
    const found = sizes.flatMap((bytes): Oversized[] => {
      const value = grown(start.args, bytes);
      if (value === undefined) return [];
      const note = start.note ?? refusal(tool, value);
      return [{ what: `${what}: ${sizeText(bytes)}`, value, ...(note === undefined ? {} : { note }) }];
    });
    if (found.length > 0) return found;
  }
  return sizes
    .map((bytes) => ({ what: `arguments: one text of ${sizeText(bytes)}`, value: "a".repeat(bytes) }))
    .filter(({ value }) => verdictOf(tool, value) === "invalid");
}

const isText = ({ types, isChoice, path }: ArgumentPlace): boolean =>
  types[0] === "string" && !isChoice && !path.some((step) => typeof step === "number");

interface Large {
  readonly what: string;
  /** These arguments with the large value in its place. */
  readonly grown: (args: unknown, bytes: number) => unknown;
}

const large = ({ path }: ArgumentPlace, make: (bytes: number) => unknown): Large => ({
  what: pathText(path),
  grown: (args, bytes) => {
    const value = make(bytes);
    return value === undefined ? undefined : put(args, path, value);
  },
});

function listOf(item: unknown, bytes: number): readonly unknown[] | undefined {
  if (bytes > MAX_LIST_BYTES) return undefined;
  const size = (JSON.stringify(item)?.length ?? 0) + 1;
  return Array.from({ length: Math.ceil(bytes / size) }, () => item);
}

interface Start {
  readonly args: unknown;
  readonly note?: string;
}

/** The base, or where the call must not be valid and still would be, arguments that are broken in another place as well. */
function startFor(
  tool: ToolFacts,
  base: Args,
  broken: readonly Violation[],
  mustBeInvalid: boolean,
  grown: (args: unknown) => unknown,
): Start | undefined {
  const isRefused = (args: unknown): boolean => args !== undefined && verdictOf(tool, args) === "invalid";
  if (!mustBeInvalid || isRefused(grown(base))) return { args: base };
  const other = broken.slice(0, MAX_BROKEN).find(({ value }) => isRefused(grown(value)));
  if (other === undefined) return undefined;
  const note = `broken besides, so that it is no valid call: ${other.path || "arguments"}: ${other.what}`;
  return { args: other.value, note };
}

/** That the schema forbids such a size, where it does. */
function refusal({ inputSchema }: ToolFacts, value: unknown): string | undefined {
  const judged = validate(inputSchema, value, { maxSteps: 400_000 });
  const [first] = judged.verdict === "invalid" ? judged.errors : [];
  return first === undefined ? undefined : `the schema forbids it: ${first.path} ${first.message}`;
}

const sizeText = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`;
