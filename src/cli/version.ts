/** The version of this package, read when asked for. */
import { readFile } from "node:fs/promises";
import { ownFile } from "../core/index.ts";

export async function version(): Promise<string> {
  const text = await readFile(ownFile("package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
