/** Packages of the npm registry as targets: installed with scripts off into a cache, one exact version a folder.
 *  What was installed once is started again without the network. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { TrustError } from "../core/index.ts";
import { isRecord, type Launch } from "../wire/index.ts";
import { type CachedPackage, cached, cacheFolder, fill, inScratch, newestCached } from "./npm/cache.ts";
import type { NpmReference } from "./npm/name.ts";
import { programOf } from "./npm/program.ts";
import { runNpm } from "./npm/run.ts";
import { npmSpec } from "./pinning/npm.ts";
import { type NotStartable, notStartable, type ResolvedPackage } from "./target.ts";
import { isExactVersion } from "./version.ts";

export interface NpmOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (text: string) => void;
  readonly askTimeoutMs?: number;
  readonly installTimeoutMs?: number;
}

export interface NpmLaunch {
  readonly kind: "installed";
  readonly launch: Launch;
  readonly resolved: ResolvedPackage;
  readonly notes: readonly string[];
}

const ASK_TIMEOUT_MS = 20_000;
const INSTALL_TIMEOUT_MS = 300_000;

export async function npmLaunch(
  reference: NpmReference,
  args: readonly string[],
  options: NpmOptions,
): Promise<NpmLaunch | NotStartable> {
  const { found, notes } = await locate(reference, options).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown instanceof TrustError || thrown.code === undefined) throw thrown;
    const where = cacheFolder(options.environment);
    throw failed(`npm:${specOf(reference)}`, `the folder ${where} cannot be used (${thrown.code})`, thrown);
  });
  const { name, version } = found.resolved;
  const program = await programOf(found.folder, name, reference.bin);
  if ("reason" in program)
    return notStartable(`npm:${name}@${version}`, program.reason, npmSpec(specOf(reference)));
  const launch: Launch = { kind: "stdio", command: process.execPath, args: [program.file, ...args] };
  return { kind: "installed", launch, resolved: found.resolved, notes };
}

export const specOf = ({ name, wanted }: NpmReference): string =>
  wanted === undefined ? name : `${name}@${wanted}`;

async function locate(
  reference: NpmReference,
  options: NpmOptions,
): Promise<{ found: CachedPackage; notes: string[] }> {
  const { name, wanted } = reference;
  const cache = cacheFolder(options.environment);
  const exact = wanted !== undefined && isExactVersion(wanted) ? wanted : undefined;
  if (exact !== undefined) return { found: await obtain(cache, name, exact, options), notes: [] };
  const tag = wanted ?? "latest";
  options.onProgress?.(`asking which version of ${name} is ${tag}`);
  const answer = await ask(cache, name, tag, options);
  if (answer.kind === "version")
    return { found: await obtain(cache, name, answer.version, options), notes: [] };
  if (answer.kind === "absent")
    throw failed(`npm:${name}@${tag}`, `there is no such package or tag (${answer.code})`);
  const found = await newestCached(cache, name, tag !== "latest");
  if (!found)
    throw failed(`npm:${name}@${tag}`, `npm could not be asked which version that is (${answer.code})`);
  const note = `npm could not be asked what ${name}@${tag} is now (${answer.code}): ${found.resolved.version} is the newest that was installed before`;
  return { found, notes: [note] };
}

type Answer =
  | { readonly kind: "version"; readonly version: string }
  | { readonly kind: "absent"; readonly code: string }
  | { readonly kind: "unreachable"; readonly code: string };

async function ask(cache: string, name: string, tag: string, options: NpmOptions): Promise<Answer> {
  const timeoutMs = options.askTimeoutMs ?? ASK_TIMEOUT_MS;
  const run = await inScratch(cache, (folder) =>
    runNpm(
      [
        "view",
        `${name}@${tag}`,
        "version",
        "--json",
        "--fetch-retries=1",
        "--fetch-retry-mintimeout=500",
        // npm gives old answers from its cache without a word: what is latest is asked with an empty one.
        `--cache=${join(folder, "cache")}`,
      ],
      folder,
      options.environment,
      timeoutMs,
    ),
  );
  if (run.kind === "failed")
    return { kind: /^(E404|ETARGET)$/.test(run.code) ? "absent" : "unreachable", code: run.code };
  let version: unknown;
  try {
    version = JSON.parse(run.stdout);
  } catch {
    version = undefined;
  }
  if (typeof version === "string" && isExactVersion(version)) return { kind: "version", version };
  return { kind: "absent", code: "no version" };
}

async function obtain(
  cache: string,
  name: string,
  version: string,
  options: NpmOptions,
): Promise<CachedPackage> {
  const hit = await cached(cache, name, version);
  if (hit) return hit;
  options.onProgress?.(`installing ${name}@${version}`);
  return fill(cache, name, version, async (folder) => {
    const run = await runNpm(
      [
        "install",
        `${name}@${version}`,
        "--save-exact",
        "--package-lock=true",
        "--package-lock-only=false",
        "--omit=dev",
        "--install-strategy=hoisted",
      ],
      folder,
      options.environment,
      options.installTimeoutMs ?? INSTALL_TIMEOUT_MS,
    );
    if (run.kind === "failed") throw failed(`npm:${name}@${version}`, `npm install failed (${run.code})`);
    return lockedPackage(folder, name, version);
  });
}

/** What npm's lock file says of the package itself. */
async function lockedPackage(folder: string, name: string, version: string): Promise<ResolvedPackage> {
  let lock: unknown;
  try {
    lock = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8"));
  } catch {
    lock = undefined;
  }
  const packages = isRecord(lock) && isRecord(lock.packages) ? lock.packages : {};
  const entry = packages[`node_modules/${name}`];
  const integrity = isRecord(entry) ? entry.integrity : undefined;
  if (!isRecord(entry) || entry.version !== version || typeof integrity !== "string")
    throw failed(`npm:${name}@${version}`, "npm recorded no such version with its integrity");
  return { name, version, integrity };
}

function failed(what: string, reason: string, cause?: unknown): TrustError {
  return new TrustError("TGT_INSTALL_FAILED", `${what}: ${reason}`, { cause });
}
