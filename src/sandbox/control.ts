/** What the parent and the program inside the namespaces say to each other, one JSON object a line, over one socket. */
import type { AllowedHost } from "./allow/host.ts";
import type { SandboxEvent } from "./events.ts";
import type { CannedReply } from "./upstream.ts";

export interface PlantedFile {
  /** Relative to the home or working folder. */
  readonly path: string;
  readonly content: string;
  readonly mode: number;
}

export interface SandboxLimits {
  readonly memoryMiB: number;
  readonly processes: number;
  readonly openFiles: number;
  /** Of each private folder. */
  readonly folderMiB: number;
  /** How long it may run; unlimited when absent. */
  readonly timeMs?: number;
}

export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  memoryMiB: 2048,
  processes: 256,
  openFiles: 4096,
  folderMiB: 64,
};

/** The first line, from the parent. Secrets of the operator go this way: what stands in a command line everybody can read. */
export interface Orders {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly cwd: string;
  /** What the process sees of this machine, read-only, at its own place: folders, each through the layer of its number, and
   *  files. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Below those, what is shown as empty. */
  readonly masked: readonly { readonly path: string; readonly isFolder: boolean }[];
  readonly homeFiles: readonly PlantedFile[];
  readonly workFiles: readonly PlantedFile[];
  readonly allowed: readonly AllowedHost[];
  readonly replies: readonly CannedReply[];
  /** Where the parent takes connections to pass on; absent when nothing is passed on. */
  readonly forwardSocket?: string;
  /** How much of what is sent is kept, per connection. */
  readonly keepBytes: number;
  /** A connection is ended after so long a silence. */
  readonly idleMs: number;
  readonly limits: SandboxLimits;
  /** Where destinations are read from: the kernel's table of connections, or the sets of the filter. The first where it can be
   *  read, unless it is said. */
  readonly origins?: OriginSource;
}

export type OriginSource = "table" | "sets";

/** Later lines, from the parent. */
export type Order =
  | { readonly signal: NodeJS.Signals }
  | { readonly stop: true }
  /** From now on requests that nobody answers for are reset, and no longer told that the service is unavailable. */
  | { readonly cut: true };

/** Lines from inside. */
export type Report =
  | { readonly kind: "started"; readonly at: number }
  | { readonly kind: "failed"; readonly stage: string; readonly reason: string }
  | { readonly kind: "cut" }
  | { readonly kind: "exit"; readonly at: number; readonly code: number; readonly peakMiB: number }
  | SandboxEvent;

/** Asked of the parent at the start of a connection to pass on. */
export interface ForwardRequest {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Splits a stream into lines; a line longer than `maxChars` ends it. */
export function lineSplitter(maxChars: number, take: (line: string) => void): (chunk: Buffer) => boolean {
  let held: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      if (size + end > maxChars) return false;
      const line = Buffer.concat([...held, rest.subarray(0, end)]).toString("utf8");
      held = [];
      size = 0;
      rest = rest.subarray(end + 1);
      take(line);
    }
    if (rest.length > 0) held.push(rest);
    size += rest.length;
    return size <= maxChars;
  };
}
