/** Plants files and notices when they are read: a read moves the time of last access, which is set back so that the next one
 *  shows too. Whoever sets it back himself changes another time, which he cannot choose. The files are held open: what stands
 *  at their paths later is the server's choice, and may be a link to a file of this machine. */
import { fstatSync, futimesSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PlantedFile } from "../control.ts";
import type { Reporter } from "./reporter.ts";

/** Long before any read: the kernel moves the time of access only when it is older than that of the last change. */
const LONG_AGO = new Date("2000-01-01T00:00:00Z");
const MARGIN_MS = 1000;

interface Watched {
  readonly fd: number;
  /** As the process sees it. */
  readonly path: string;
  changedMs: number;
  isGone: boolean;
}

export interface Watch {
  look(): void;
}

/** `folder` is where the files really are, `shown` where the process sees them. */
export function plant(
  places: readonly {
    readonly folder: string;
    readonly shown: string;
    readonly files: readonly PlantedFile[];
  }[],
  reporter: Reporter,
): Watch {
  const watched = places.flatMap(({ folder, shown, files }) =>
    files.map(({ path, content, mode }): Watched => {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, content, { mode });
      return armed({ fd: openSync(file, "r"), path: join(shown, path), changedMs: 0, isGone: false });
    }),
  );
  return {
    look() {
      for (const one of watched) lookAt(one, reporter);
    },
  };
}

function armed(watched: Watched): Watched {
  futimesSync(watched.fd, LONG_AGO, new Date());
  watched.changedMs = fstatSync(watched.fd).ctimeMs;
  return watched;
}

function lookAt(watched: Watched, reporter: Reporter): void {
  const tell = (how: "read" | "changed" | "removed", at: number): void =>
    reporter.event({ kind: "canary-read", at: Math.round(at), path: watched.path, how });
  const { atimeMs, ctimeMs, nlink } = fstatSync(watched.fd);
  const isRead = atimeMs > LONG_AGO.getTime() + MARGIN_MS;
  if (!isRead && ctimeMs === watched.changedMs) return;
  if (isRead) tell("read", atimeMs);
  // A read alone leaves this time as it was.
  if (ctimeMs !== watched.changedMs && nlink > 0) tell("changed", ctimeMs);
  if (nlink === 0 && !watched.isGone) {
    watched.isGone = true;
    tell("removed", ctimeMs);
  }
  armed(watched);
}
