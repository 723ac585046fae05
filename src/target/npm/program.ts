/** Which file of an installed package is the server. */
import { open, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { didYouMean, shown, TrustError } from "../../core/index.ts";
import { isRecord } from "../../wire/index.ts";

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/** The real file of the program, or why the package has none that Node can start. */
export async function programOf(
  folder: string,
  name: string,
  wanted: string | undefined,
): Promise<{ readonly file: string } | { readonly reason: string }> {
  const home = join(folder, "node_modules", name);
  const bins = binsOf(await manifestOf(home), name);
  const names = Object.keys(bins);
  if (names.length === 0) return { reason: "the package has no program (bin) to start" };
  const chosen = choose(names, name, wanted);
  // The path is the package's own word: it must not lead out of the package.
  const [root, file] = await Promise.all([
    realpath(home),
    realpath(join(home, bins[chosen] ?? "")).catch(() => undefined),
  ]);
  const where = shown(chosen, 80);
  if (file === undefined || !(await stat(file)).isFile())
    return { reason: `the file of its program ${where} is not there` };
  if (!file.startsWith(root + sep))
    return { reason: `the file of its program ${where} is outside the package` };
  if (!(await isForNode(file))) return { reason: `its program ${where} is not for Node` };
  return { file };
}

async function manifestOf(home: string): Promise<unknown> {
  try {
    const file = join(home, "package.json");
    if ((await stat(file)).size > MAX_MANIFEST_BYTES) return undefined;
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}

function binsOf(manifest: unknown, name: string): Readonly<Record<string, string>> {
  const bin = isRecord(manifest) ? manifest.bin : undefined;
  if (typeof bin === "string") return { [unscoped(name)]: bin };
  if (!isRecord(bin)) return {};
  return Object.fromEntries(
    Object.entries(bin).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

const unscoped = (name: string): string => name.split("/").at(-1) ?? name;

function choose(names: readonly string[], name: string, wanted: string | undefined): string {
  const listed = names.map((bin) => shown(bin, 80)).join(", ");
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted;
    throw new TrustError(
      "TGT_BAD_REFERENCE",
      `npm:${name} has no program "${wanted}"${didYouMean(wanted, names)}`,
      { hint: `its programs: ${listed}` },
    );
  }
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  if (names.includes(unscoped(name))) return unscoped(name);
  throw new TrustError("TGT_BAD_REFERENCE", `npm:${name} has ${names.length} programs: ${listed}`, {
    hint: `name the one that is the server: npm:${name}#PROGRAM`,
  });
}

/** By its ending, or by the program its first line names. */
async function isForNode(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(256), length: 256, position: 0 });
  const [first = ""] = buffer.subarray(0, bytesRead).toString("latin1").split("\n", 1);
  if (first.startsWith("#!")) return /\bnode(js)?\b/.test(first);
  return /\.[cm]?js$/i.test(file);
}
