/** Notices what is made, changed and removed in a folder of the server's, by looking at it again and again. Links are not
 *  followed: they may lead to files of this machine. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Reporter } from "./reporter.ts";

const MAX_ENTRIES = 500;
const MAX_DEPTH = 4;
const MAX_TOLD = 200;

/** `folder` is where it really is, `shown` where the server sees it; `ignored` are paths in it that others watch. */
export function watchFolder(
  folder: string,
  shown: string,
  ignored: ReadonlySet<string>,
  reporter: Reporter,
): { look(): void } {
  let before = entriesOf(folder, ignored);
  let told = 0;
  const tell = (path: string, how: "made" | "changed" | "removed", at: number): void => {
    told += 1;
    if (told <= MAX_TOLD)
      reporter.event({ kind: "file-change", at: Math.round(at), path: join(shown, path), how });
    else reporter.gap(`more than ${MAX_TOLD} changes of files: the rest is not told`);
  };
  return {
    look() {
      const now = entriesOf(folder, ignored);
      for (const [path, changedMs] of now) {
        const known = before.get(path);
        if (known === undefined) tell(path, "made", changedMs);
        else if (known !== changedMs) tell(path, "changed", changedMs);
      }
      for (const path of before.keys()) if (!now.has(path)) tell(path, "removed", Date.now());
      before = now;
    },
  };
}

function entriesOf(folder: string, ignored: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  const walk = (path: string, depth: number): void => {
    let names: string[];
    try {
      names = readdirSync(join(folder, path));
    } catch {
      return;
    }
    for (const name of names) {
      if (found.size >= MAX_ENTRIES) return;
      const inner = join(path, name);
      if (ignored.has(inner)) continue;
      try {
        const info = lstatSync(join(folder, inner));
        if (info.isDirectory()) {
          if (depth < MAX_DEPTH) walk(inner, depth + 1);
        } else found.set(inner, info.ctimeMs);
      } catch {
        // Gone while we looked.
      }
    }
  };
  walk("", 0);
  return found;
}
