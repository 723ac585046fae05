/** A suite and the files it imports, in the order in which they count: what is imported stands before what imports it. */
import { dirname, join, normalize } from "node:path";
import { asTrustError } from "../../core/index.ts";
import { type Shaped, shapeOf } from "./shape.ts";
import { fault, readSource, type Spot, wrong } from "./source.ts";
import { itemsOf, nameOf } from "./values.ts";

export interface Part {
  readonly file: string;
  readonly root: Shaped<"suite">;
  /** All files that this one is built on. */
  readonly imports: ReadonlySet<string>;
}

/** Gives the text of a file, or raises a coded error: bounded, regular files only. */
export type ReadText = (file: string) => Promise<string>;

const MAX_FILES = 50;
const MAX_DEPTH = 10;
const MAX_IMPORTS = 50;

/** Reads a suite and all it imports. A file that two others import is taken once. */
export async function loadParts(file: string, readText: ReadText): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const main = normalize(file);
  const seen = new Set<string>([main]);

  async function load(current: string, text: string, chain: readonly string[]): Promise<ReadonlySet<string>> {
    const root = shapeOf(await readSource(text, current), "suite");
    const built = new Set<string>();
    for (const spot of root.imports === undefined ? [] : itemsOf(root.imports, MAX_IMPORTS)) {
      const next = join(dirname(current), pathOf(spot));
      if (chain.includes(next))
        throw wrong(spot, `a circle: ${[...chain.slice(chain.indexOf(next)), next].join(" -> ")}`);
      built.add(next);
      const known = parts.find((part) => part.file === next);
      for (const below of known?.imports ?? (await loadNew(next, spot, chain))) built.add(below);
    }
    parts.push({ file: current, root, imports: built });
    return built;
  }

  async function loadNew(next: string, spot: Spot, chain: readonly string[]): Promise<ReadonlySet<string>> {
    seen.add(next);
    if (seen.size > MAX_FILES) throw wrong(spot, `more than ${MAX_FILES} files`);
    if (chain.length >= MAX_DEPTH)
      throw wrong(spot, `imports in one another deeper than ${MAX_DEPTH} levels`);
    const text = await readText(next).catch((cause: unknown) => {
      const { code, message } = asTrustError(cause);
      throw fault(code, spot.place, `${spot.path}: ${message}`);
    });
    return load(next, text, [...chain, next]);
  }

  await load(main, await readText(main), [main]);
  return parts;
}

/** A plain path beside the file: one sees what is read. */
function pathOf(spot: Spot): string {
  const path = nameOf(spot);
  if (/[*?[\]{}$]/.test(path)) throw wrong(spot, "want the path of one file, without wildcards or variables");
  if (/^[/~]|[\\:\0]/.test(path))
    throw wrong(spot, "want a path that is relative to this file, with / between folders");
  return path;
}
