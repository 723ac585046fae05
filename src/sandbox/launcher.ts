/** The sandbox as a way to start servers that the wire speaks to. */
import { type EventFields, exitThroughShell, type Launcher } from "../wire/index.ts";
import type { Backend, Sandboxed, SandboxOptions } from "./backend.ts";
import type { SandboxEvent } from "./events.ts";

const KILL_MS = 5_000;

export interface SandboxLauncher extends Launcher {
  /** From now on requests of the server started last that nobody answers for are reset. */
  cut(): Promise<void>;
}

/** What the sandbox sees goes into the recording, beside the frames. */
export function sandboxLauncher(backend: Backend, options: SandboxOptions = {}): SandboxLauncher {
  let newest: Sandboxed | undefined;
  return {
    containment: "sandbox",
    cut: async () => newest?.cut(),
    launch(program) {
      const listeners: ((kind: string, fields: EventFields) => void)[] = [];
      const early: SandboxEvent[] = [];
      const onEvent = (event: SandboxEvent): void => {
        options.onEvent?.(event);
        if (listeners.length === 0) early.push(event);
        for (const listener of listeners) listener(...recorded(event));
      };
      const sandboxed = backend.start(program, { ...options, onEvent });
      newest = sandboxed;
      void sandboxed.started.then(({ failure }) => {
        if (failure !== undefined)
          onEvent({ kind: "gap", at: Date.now(), reason: `the sandbox failed: ${failure}` });
      });
      return {
        process: sandboxed.process,
        terminate: () => sandboxed.signal("SIGTERM"),
        kill: () => sandboxed.stop(),
        killMs: KILL_MS,
        exitOf: exitThroughShell,
        observe(listener) {
          listeners.push(listener);
          for (const event of early.splice(0)) listener(...recorded(event));
        },
      };
    },
  };
}

const recorded = ({ kind, ...fields }: SandboxEvent): [string, EventFields] => [`sandbox-${kind}`, fields];
