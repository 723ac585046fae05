/** Installed packages on disk: one folder a version, complete or not there at all. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import type { ResolvedPackage } from "../target.ts";
import { compareVersions, isExactVersion, isRelease } from "../version.ts";

/** Written last, before a folder gets its name. */
const RECORD = "touchstone.json";

const recordSchema = v.object({
  name: v.string(),
  version: v.pipe(v.string(), v.check(isExactVersion)),
  integrity: v.pipe(v.string(), v.regex(/^sha\d+-[A-Za-z0-9+/=]+/)),
});

/** In `TOUCHSTONE_CACHE`, or in the user's cache folder. */
export function cacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
  part: "npm" | "audit" = "npm",
): string {
  if (environment.TOUCHSTONE_CACHE) return join(environment.TOUCHSTONE_CACHE, part);
  const xdg = environment.XDG_CACHE_HOME;
  const base = xdg && isAbsolute(xdg) ? xdg : join(environment.HOME || homedir(), ".cache");
  return join(base, "touchstone", part);
}

/** The name was read strictly: it holds one slash at most and no dots in front. */
const folderName = (name: string, version: string): string => `${name.replace("/", "+")}@${version}`;

export interface CachedPackage {
  readonly folder: string;
  readonly resolved: ResolvedPackage;
}

export async function cached(
  cache: string,
  name: string,
  version: string,
): Promise<CachedPackage | undefined> {
  const folder = join(cache, folderName(name, version));
  try {
    const resolved = v.parse(recordSchema, JSON.parse(await readFile(join(folder, RECORD), "utf8")));
    return resolved.name === name && resolved.version === version ? { folder, resolved } : undefined;
  } catch {
    return undefined;
  }
}

/** The newest version that is there; a release goes before a prerelease unless a tag was asked for. */
export async function newestCached(
  cache: string,
  name: string,
  takesPrereleases: boolean,
): Promise<CachedPackage | undefined> {
  const prefix = folderName(name, "");
  const found = await readdir(cache).catch(() => []);
  const versions = found
    .filter((folder) => folder.startsWith(prefix))
    .map((folder) => folder.slice(prefix.length))
    .filter(isExactVersion)
    .sort((a, b) => compareVersions(b, a));
  const ordered = takesPrereleases
    ? versions
    : [...versions.filter(isRelease), ...versions.filter((version) => !isRelease(version))];
  for (const version of ordered) {
    const hit = await cached(cache, name, version);
    if (hit) return hit;
  }
  return undefined;
}

/** Fills a temporary folder beside the others and names it when it is complete: half an install is never used. */
export async function fill(
  cache: string,
  name: string,
  version: string,
  install: (folder: string) => Promise<ResolvedPackage>,
): Promise<CachedPackage> {
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const temporary = await mkdtemp(join(cache, ".new-"));
  try {
    // Without a manifest of its own, npm would look for one in the folders above.
    await writeFile(join(temporary, "package.json"), '{"private":true}\n');
    const resolved = await install(temporary);
    await writeFile(join(temporary, RECORD), `${JSON.stringify(resolved)}\n`);
    const folder = join(cache, folderName(name, version));
    await place(temporary, folder, async () => (await cached(cache, name, version)) !== undefined);
    return { folder, resolved: (await cached(cache, name, version))?.resolved ?? resolved };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Gives a folder its name. A complete one that is there already stays; what is left of a broken one goes. */
async function place(temporary: string, folder: string, isComplete: () => Promise<boolean>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(temporary, folder);
    } catch (cause) {
      if (await isComplete()) return;
      if (attempt > 3) throw cause;
      const old = `${temporary}-old-${attempt}`;
      await rename(folder, old).catch(() => {});
      await rm(old, { recursive: true, force: true });
    }
  }
}

/** A folder for npm to stand in while it is asked something. */
export async function inScratch<T>(cache: string, use: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(cache, ".ask-"));
  try {
    await writeFile(join(folder, "package.json"), '{"private":true}\n');
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
