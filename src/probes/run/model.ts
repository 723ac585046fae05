/** A run as its recording tells it: all that a judge may look at. */
import type { SandboxEvent } from "../../sandbox/index.ts";
import type { Surface } from "../../surface/index.ts";
import type { PeerInfo } from "../../wire/index.ts";

export const RUN_FORMAT = "touchstone/run/1";

/** What was set before the first frame, as one event of the recording. */
export interface RunTerms {
  readonly format: typeof RUN_FORMAT;
  /** The forms that were used: `litmus-v5` plants marked canaries, `touchstone-1` unmarked ones. */
  readonly method: MethodId;
  readonly seed: string;
  /** Who we said we were, with every claim of a client. */
  readonly identity: PeerInfo;
  /** Who we said we were in the session that claims nothing; the same where it is absent. */
  readonly bareIdentity?: PeerInfo;
  readonly target: {
    readonly label: string;
    readonly kind: "stdio" | "http";
    /** The package that was run, by its exact bytes. */
    readonly resolved?: { readonly name: string; readonly version: string; readonly integrity: string };
  };
  /** With what it was run: versions of the tool, of Node, of the sandbox's programs. */
  readonly environment: Readonly<Record<string, unknown>>;
  readonly sandbox:
    | { readonly status: "used" }
    | { readonly status: "skipped"; readonly reason: string; readonly detail?: string };
  readonly canaries: readonly PlantedSecret[];
  readonly allowed: readonly { readonly host: string; readonly port: number; readonly by: string }[];
  /** Digests of the texts that were sent, by battery. */
  readonly batteries: Readonly<Record<string, string>>;
}

export type MethodId = "litmus-v5" | "touchstone-1";

export interface PlantedSecret {
  readonly id: string;
  readonly value: string;
  /** `environment`, `working-folder`, `home`; arguments have their own with each call. */
  readonly place: string;
}

/** One call of a tool and its answer. */
export interface Exchange {
  readonly id: string;
  readonly tool: string;
  /** Sessions are numbered: a server that was started again knows nothing of before. */
  readonly session: string;
  readonly args: unknown;
  /** Which probes look at it, and what for: `bait 3`, `malformed: nulls`. */
  readonly purposes: readonly Purpose[];
  /** Secrets that stand in its arguments and nowhere else. */
  readonly canaries: readonly { readonly id: string; readonly value: string }[];
  /** Texts that were sent in it, each with its marker: an echo of one is no speech of the server's. */
  readonly sent: readonly { readonly text: string; readonly marker: string }[];
  readonly outcome: CallOutcome;
  readonly ms: number;
  /** Everything the answer says, one text a string of it; decoded where it is a blob. */
  readonly texts: readonly string[];
  /** When it was sent and ended, by the clock of the machine. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface Purpose {
  readonly probe: string;
  readonly note: string;
}

/** `done` is a result that is no error; `refused` one with `isError`; `error` an answer on the level of the protocol. */
export type CallOutcome = "done" | "refused" | "error" | "hung" | "crashed" | "malformed" | "not-sent";

/** What a server says beside answers: notifications, and requests to the client. */
export interface Aside {
  readonly kind: "notification" | "request";
  readonly method: string;
  readonly at: number;
  readonly texts: readonly string[];
  readonly params: unknown;
  /** Between calls of the same session: which ones were open. */
  readonly during: readonly string[];
}

export interface Sight {
  readonly surface: Surface;
  /** `first`, `again` after the calls, `changed` when the server said so. */
  readonly round: "first" | "again" | "changed";
  readonly at: number;
  readonly unread: readonly string[];
}

/** Tools that were listed while nobody compared lists: one page, between calls. */
export interface Glance {
  readonly claims: Surface["claims"];
  readonly at: number;
  readonly tools: readonly unknown[];
}

/** A prompt or resource that was read, and what it says. */
export interface Read {
  readonly what: string;
  readonly session: string;
  readonly texts: readonly string[];
}

export interface Run {
  readonly terms: RunTerms;
  readonly sights: readonly Sight[];
  readonly glances: readonly Glance[];
  readonly exchanges: readonly Exchange[];
  readonly asides: readonly Aside[];
  readonly reads: readonly Read[];
  readonly sandbox: readonly SandboxEvent[];
  /** Tools that were not called, and why. */
  readonly withheld: readonly { readonly tool: string; readonly reason: string }[];
  /** Whether the server still answered when it was asked, each time. */
  readonly pulses: readonly { readonly at: number; readonly isAlive: boolean; readonly after: string }[];
  readonly stderr: readonly string[];
  /** How much the server had said when the calls were stopped for it, in bytes. */
  readonly floods: readonly number[];
}
