/** What a way to contain a process has to offer. One exists, made of namespaces; containers would be another. */
import type { ChildProcess } from "node:child_process";
import type { Program } from "../wire/index.ts";
import type { AllowedHost } from "./allow/host.ts";
import type { OriginSource, PlantedFile, SandboxLimits } from "./control.ts";
import type { SandboxEvent } from "./events.ts";
import type { Dial } from "./namespaces/forwarder.ts";
import type { CannedReply } from "./upstream.ts";

export interface SandboxOptions {
  /** Hosts that connections may go to. */
  readonly allowed?: readonly AllowedHost[];
  /** Answers for allowed hosts. */
  readonly replies?: readonly CannedReply[];
  /** Whether connections to allowed hosts are passed on to them. */
  readonly forwards?: boolean;
  /** How such a host is reached; directly, and never in a private network, unless said. */
  readonly dial?: Dial;
  /** Planted beside what the server is given. */
  readonly env?: Readonly<Record<string, string>>;
  readonly homeFiles?: readonly PlantedFile[];
  readonly workFiles?: readonly PlantedFile[];
  /** More paths of this machine that the server may read. */
  readonly exposed?: readonly string[];
  readonly limits?: Partial<SandboxLimits>;
  /** How much of what is sent is kept, per connection. */
  readonly keepBytes?: number;
  /** A connection is ended after so long a silence. */
  readonly idleMs?: number;
  readonly origins?: OriginSource;
  readonly onEvent?: (event: SandboxEvent) => void;
}

export interface Sandboxed {
  /** Its standard streams are pipes to us, and never descriptors of ours: a file behind one could be opened again for
   *  writing. */
  readonly process: ChildProcess;
  /** Resolves when the server runs; `failure` when the sandbox itself could not be made. */
  readonly started: Promise<{ readonly failure?: string }>;
  signal(name: NodeJS.Signals): void;
  /** From now on requests that nobody answers for are reset; resolves when it is so. */
  cut(): Promise<void>;
  /** Ends everything inside, and still tells what was seen. */
  stop(): void;
  /** The end of everything inside: the server's exit code, 128 and its number for a signal. */
  readonly exited: Promise<{ readonly code: number; readonly peakMiB?: number }>;
}

export interface Backend {
  readonly name: string;
  /** Programs and their versions, for the evidence. */
  readonly versions: Readonly<Record<string, string>>;
  start(program: Program, options: SandboxOptions): Sandboxed;
}
