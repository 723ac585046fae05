/** What scripts are made with: arguments from schemas, markers and secrets that follow from the seed. */
import { createHash } from "node:crypto";
import type { ScriptKit, ToolSight } from "../probes/index.ts";
import { type Candidates, type Place, sampleArguments, textPlaces, withText } from "../schema/index.ts";
import { isRecord } from "../wire/index.ts";
import { examplesIn } from "./examples.ts";
import { pairsOf } from "./pairs.ts";
import { TIME } from "./plan.ts";

/** Things that are really there for a tool to read. */
export interface Fixtures {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Planted files that hold secrets. */
  readonly secretFiles: readonly string[];
}

const MAX_SAMPLES = 12;
/** Longer texts are cut to what a place takes. */
const CUT = { mayCut: true } as const;

/** `marked` secrets have the form of litmus-v5; others are shaped like real ones. */
export function createKit(seed: string, form: "plain" | "marked", fixtures: Fixtures): ScriptKit {
  const samples = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  const candidates = candidatesFrom(fixtures);
  let drawn = 0;
  const draw = (what: string): string => digest(`${seed} ${what} ${drawn++}`);
  const samplesOf = (tool: ToolSight): readonly Readonly<Record<string, unknown>>[] => {
    // A server may show the same tool in two ways.
    const key = `${tool.name}\n${JSON.stringify(tool.inputSchema)}`;
    const before = samples.get(key);
    if (before) return before;
    const made = quickFirst(
      sampleArguments(tool.inputSchema, { candidates, maxSamples: MAX_SAMPLES }).map(({ value }) => value),
    );
    const known = new Set(made.map((value) => JSON.stringify(value)));
    const pairs = made[0] === undefined ? [] : pairsOf(tool.inputSchema, made[0]);
    const all = [...made, ...pairs.filter((value) => !known.has(JSON.stringify(value)))];
    samples.set(key, all);
    return all;
  };
  return {
    samples: samplesOf,
    withText(tool, text) {
      const [place] = textPlaces(tool.inputSchema);
      const base = samplesOf(tool)[0] ?? {};
      return place && withText(tool.inputSchema, base, place, text, CUT);
    },
    withPath(tool, path) {
      const place = textPlaces(tool.inputSchema).find(isPath);
      const base = samplesOf(tool)[0] ?? {};
      return place && withText(tool.inputSchema, base, place, path);
    },
    secretFiles: () => fixtures.secretFiles,
    // A word of letters: digits and signs would not be taken everywhere.
    marker: () =>
      [...draw("marker").slice(0, 14)].map((digit) => LETTERS[Number.parseInt(digit, 16)]).join(""),
    secrets() {
      const number = drawn;
      const values =
        form === "marked"
          ? ["api-key", "pii", "token"].map((kind) => [kind, `POLYGRAPH-CANARY-${uuid(draw(kind))}`] as const)
          : ([
              ["api-key", `sk-proj-${mixed(draw("api-key"), draw("api-key"), 40)}`],
              ["pii", `${NAMES[number % NAMES.length]}.${draw("pii").slice(0, 20)}@mail.example`],
              ["token", `ghs_${mixed(draw("token"), draw("token"), 36)}`],
            ] as const);
      return values.map(([kind, value]) => ({ id: `arguments:${number}:${kind}`, value }));
    },
  };
}

/** Where a tool can be told to take little time, arguments that leave that to the tool come last. */
function quickFirst<T extends Readonly<Record<string, unknown>>>(samples: readonly T[]): T[] {
  const isTimed = (sample: T): boolean => Object.keys(sample).some((name) => TIME.test(name));
  return samples.some(isTimed)
    ? [...samples].sort((a, b) => Number(isTimed(b)) - Number(isTimed(a)))
    : [...samples];
}

const LETTERS = "bcdfghklmnprstvz";
const NAMES = ["mara", "jonas", "ines", "tomas", "lena", "pavel"];

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

/** Letters and digits as tokens have them. */
function mixed(a: string, b: string, length: number): string {
  const bytes = Buffer.from(`${a}${b}`, "hex");
  return Array.from({ length }, (_, index) => TOKEN[(bytes[index] ?? 0) % TOKEN.length]).join("");
}
const TOKEN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A source or target of something else, a time zone or a language, is none. */
const isPath = ({ name }: Pick<Place, "name">): boolean =>
  /path|file|document|(?:source|destination|target)s?$/i.test(name);

/** Paths that lead somewhere: a reading tool should read. */
function candidatesFrom({ files, folders }: Fixtures): Candidates {
  return ({ name, schema }: Place) => {
    if (/dest|output|^to$|new/i.test(name))
      return folders.map((folder) => `${folder}/new-${name.toLowerCase()}.txt`);
    const described = JSON.stringify(schema ?? "").toLowerCase();
    if (/dir|folder|cwd|root/i.test(name)) return folders;
    if (isPath({ name }) || described.includes("file path")) return [...files, ...folders];
    return isRecord(schema) && typeof schema.description === "string" ? examplesIn(schema.description) : [];
  };
}
