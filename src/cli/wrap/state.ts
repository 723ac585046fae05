/** What `wrap` keeps of a config, so that `unwrap` can give it back: the original bytes, and what was put in their place. */
import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { TrustError } from "../../core/index.ts";
import { type ClientId, isClientId } from "../../target/index.ts";
import { sha256, writeDurably } from "./durable.ts";

export const STATE_FILE = "wrapped.json";
const FORMAT = "touchstone-wrapped/1";

const text = v.pipe(v.string(), v.nonEmpty());
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const stateSchema = v.strictObject({
  format: v.literal(FORMAT),
  status: v.picklist(["wrapped", "unwrapped"]),
  file: text,
  client: v.pipe(v.custom<ClientId>((id) => typeof id === "string" && isClientId(id))),
  /** The path of the group that holds the servers. */
  root: v.array(text),
  /** The gateway's own entry. */
  entry: v.strictObject({ name: text, value: v.record(v.string(), v.unknown()) }),
  servers: v.array(
    v.strictObject({
      name: v.string(),
      /** Its name behind the gateway. */
      as: text,
      /** Names of variables that it takes from the client's environment. */
      reads: v.array(text),
    }),
  ),
  original: v.strictObject({
    file: v.pipe(v.string(), v.regex(/^original-[0-9a-f]{12}$/)),
    sha256: digest,
  }),
  /** The digest of the config as it was written. */
  written: digest,
  at: text,
});

export type State = v.InferOutput<typeof stateSchema>;

const unusable = (why: string, cause?: unknown): TrustError => new TrustError("WRP_UNUSABLE", why, { cause });

/** Undefined where nothing was ever wrapped from there. */
export async function readState(folder: string, config: string): Promise<State | undefined> {
  const file = join(folder, STATE_FILE);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(`${file}: cannot be read`, cause);
  }
  const parsed = v.safeParse(stateSchema, value);
  if (!parsed.success) throw unusable(`${file}: not as touchstone wrote it`);
  if (parsed.output.file !== config) throw unusable(`${folder} belongs to ${parsed.output.file}`);
  return parsed.output;
}

export async function writeState(folder: string, state: Omit<State, "format">): Promise<void> {
  const whole: State = { format: FORMAT, ...state };
  await writeDurably(join(folder, STATE_FILE), `${JSON.stringify(whole, null, 2)}\n`);
}

/** Named by its digest: one that is kept is never written over. */
export async function keepOriginal(folder: string, original: string): Promise<State["original"]> {
  const whole = sha256(original);
  const file = `original-${whole.slice(0, 12)}`;
  await writeDurably(join(folder, file), original);
  return { file, sha256: whole };
}

export async function readOriginal(folder: string, { original }: State): Promise<string> {
  const file = join(folder, original.file);
  const bytes = await readFile(file).catch((cause) => {
    throw unusable(`${file}: the original text of the config cannot be read`, cause);
  });
  if (sha256(bytes) !== original.sha256) throw unusable(`${file}: it is not the text that was kept`);
  return bytes.toString("utf8");
}

/** What wrap and its gateway write, and nothing that somebody else put there. */
const OURS =
  /^(?:wrapped\.json|original-[0-9a-f]{12}|touchstone\.(?:yml|lock)|touchstone-log\.key|audit(?:-\d+)?)$/;

export async function forget(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (OURS.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  await rmdir(folder).catch(() => {});
}
