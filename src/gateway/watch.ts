/** Tells when files are others than before. Editors replace files, and some file systems tell nobody: so they are looked at. */
import { statSync } from "node:fs";

const LOOK_MS = 1_000;

/** One call at a time; what changes meanwhile is told afterwards. A file that is written right now is told once it rests. `since`: how they
 *  were before they were read. */
export function watchFiles(
  files: readonly string[],
  since: string,
  onChange: () => Promise<void>,
  lookMs = LOOK_MS,
): { close(): void } {
  let known = since;
  let seen = known;
  let isBusy = false;
  const timer = setInterval(() => {
    const state = stateOf(files);
    const isResting = state === seen;
    seen = state;
    if (!isResting || state === known || isBusy) return;
    known = state;
    isBusy = true;
    void onChange().finally(() => {
      isBusy = false;
    });
  }, lookMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Another text where one of them is another file, or was written since. */
export const stateOf = (files: readonly string[]): string =>
  files
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : "none";
    })
    .join("\n");
