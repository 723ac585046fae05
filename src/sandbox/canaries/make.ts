/** Canaries: secrets that nobody has a use for, planted where a thief looks. Each place has values of its own, so that one that
 *  comes back tells where it was read. */
import { TrustError } from "../../core/index.ts";
import type { PlantedFile } from "../control.ts";
import { type FilePlace, HOME_FILES, type Planting, VARIABLES, WORK_FILES } from "./places.ts";
import type { Random } from "./random.ts";
import { mark, person, type Secret, type Shape } from "./shapes.ts";

export interface PlantedCanary {
  /** `home:.aws/credentials:key-id`: its place, where it is there, and what it is. */
  readonly id: string;
  readonly value: string;
  readonly place: "environment" | "working-folder" | "home";
  /** The name of the variable, or the path relative to its folder. */
  readonly where: string;
}

export interface CanarySet {
  readonly canaries: readonly PlantedCanary[];
  readonly env: Readonly<Record<string, string>>;
  readonly homeFiles: readonly PlantedFile[];
  readonly workFiles: readonly PlantedFile[];
}

export interface CanaryOptions {
  /** `plain`: like real secrets. `marked`: a value that says it is planted, in the same places. */
  readonly form: "plain" | "marked";
  readonly random: Random;
}

/** With a good source one or two are enough. */
const MAX_ATTEMPTS = 100;

/** Chance may write such a word into a value. A server that looks for it would know that it is watched. */
const TELLING =
  /canary|polygraph|touchstone|litmus|honey|planted|decoy|bait|trap|test|fake|mock|dummy|example|sample|sandbox/i;

export function makeCanaries(options: CanaryOptions): CanarySet {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const set = draft(options);
    const { env, homeFiles, workFiles } = set;
    if (options.form === "marked" || !TELLING.test(JSON.stringify([env, homeFiles, workFiles]))) return set;
  }
  throw notRandom();
}

function draft({ form, random }: CanaryOptions): CanarySet {
  const canaries: PlantedCanary[] = [];
  const used = new Set<string>();
  const owner = person(random);
  const planting = (place: PlantedCanary["place"], where: string): Planting => ({
    owner,
    random,
    plant(kind, shape) {
      const { value, written } = fresh(form === "marked" ? mark : shape, random, used);
      used.add(value);
      canaries.push({ id: `${place}:${where}:${kind}`, value, place, where });
      return written;
    },
  });
  const planted = (place: PlantedCanary["place"], files: readonly FilePlace[]): PlantedFile[] =>
    files.map(({ where, mode, content }) => ({
      path: where,
      content: content(planting(place, where)),
      mode,
    }));
  const env = Object.fromEntries(
    VARIABLES.map(({ where, content }) => [where, content(planting("environment", where))]),
  );
  const workFiles = planted("working-folder", WORK_FILES);
  const homeFiles = planted("home", HOME_FILES);
  return { canaries, env, homeFiles, workFiles };
}

/** A value unlike all others that is still known when half of it comes back. */
function fresh(shape: Shape, random: Random, used: ReadonlySet<string>): Secret {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const secret = shape(random);
    if (!used.has(secret.value) && unguessable(secret.value) >= MIN_UNGUESSABLE) return secret;
  }
  throw notRandom();
}

const MIN_UNGUESSABLE = 20;

/** How many characters stand in words that hold a digit. The others may be words that anybody writes. */
function unguessable(value: string): number {
  const words = value.match(/[A-Za-z0-9]{4,}/g) ?? [];
  return words.filter((each) => /\d/.test(each)).join("").length;
}

const notRandom = (): TrustError =>
  new TrustError(
    "INTERNAL",
    `the source of random bytes repeats itself: no canary after ${MAX_ATTEMPTS} attempts`,
  );
