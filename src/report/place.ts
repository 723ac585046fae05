/** Places as people and viewers read them. */
import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Place } from "./report.ts";

/** The path of a file from the folder when it lies inside; otherwise undefined. */
function inside(file: string, folder: string): string | undefined {
  const path = relative(folder, file);
  return path === "" || path.startsWith("..") || isAbsolute(path) ? undefined : path;
}

/** `.mcp.json:3:5`, or the whole path for a file elsewhere. */
export function placeText({ file, line, column }: Place, folder: string): string {
  return `${inside(file, folder) ?? file}:${line}:${column}`;
}

/** A reference from the folder for a file inside it, a file: URL for one elsewhere. */
export function placeUri({ file }: Place, folder: string): { uri: string; isInside: boolean } {
  const path = inside(file, folder);
  if (path === undefined) return { uri: pathToFileURL(file).href, isInside: false };
  return { uri: path.split(sep).map(encodeURIComponent).join("/"), isInside: true };
}
