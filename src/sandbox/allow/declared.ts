/** The hosts that the package of a program declares for itself. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Program } from "../../wire/index.ts";
import type { AllowedHost } from "./host.ts";
import { declaredHosts } from "./read.ts";

export interface Declared {
  readonly hosts: readonly AllowedHost[];
  /** What is declared in a way that does not count. */
  readonly faults: readonly string[];
  /** The package.json that says so. */
  readonly file?: string;
}

const MAX_BYTES = 1024 * 1024;
const NOTHING: Declared = { hosts: [], faults: [] };

/** The program is the first of its words that is a file in a package, as for `node PACKAGE/index.js`. */
export function hostsDeclaredFor({ file, args, cwd }: Pick<Program, "file" | "args" | "cwd">): Declared {
  for (const word of [...args, file]) {
    const path = resolve(cwd, word);
    if (word.startsWith("-") || !isFile(path)) continue;
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const manifest = join(folder, "package.json");
      if (isFile(manifest)) return readManifest(manifest);
    }
  }
  return NOTHING;
}

function readManifest(file: string): Declared {
  try {
    if (statSync(file).size > MAX_BYTES) return { ...NOTHING, faults: [`${file} is too large`], file };
    return { ...declaredHosts(JSON.parse(readFileSync(file, "utf8"))), file };
  } catch (cause) {
    return { ...NOTHING, faults: [`${file}: ${(cause as Error).message}`], file };
  }
}

/** A word may be anything: too long for a path, a loop of links, a place we may not look into. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
