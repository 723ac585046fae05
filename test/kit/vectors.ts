/** Reads the cases of a folder in spec/vectors, one a file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.ts";

/** Each case with the name of its file. The texts are parsed by nothing but JSON.parse. */
export function vectors<Case>(folder: string): (Case & { readonly file: string; readonly about: string })[] {
  const path = join(root, "spec/vectors", folder);
  return readdirSync(path)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({ file, ...JSON.parse(readFileSync(join(path, file), "utf8")) }));
}
