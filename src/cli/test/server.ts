/** Servers of a run: from a suite or the command line to something that can be opened again and again. */
import { closeSync, openSync, writeSync } from "node:fs";
import { isIP } from "node:net";
import { dirname, resolve } from "node:path";
import { defined, ownFile, TrustError } from "../../core/index.ts";
import {
  listening,
  Observed,
  type ProtocolPeer,
  type SuiteServer,
  type TestedServer,
} from "../../suite/index.ts";
import type { Target } from "../../target/index.ts";
import {
  connect,
  createRecorder,
  type EraChoice,
  type RecordedEvent,
  type Recorder,
} from "../../wire/index.ts";
import type { Contain } from "../contain.ts";

/** Everything that is said in a run, kept for its checks and, where it is asked for, in a file. */
export interface Tape {
  readonly observed: Observed;
  readonly recorder: Recorder;
  close(): Promise<void>;
}

export function startTape(file: string | undefined, secrets: readonly string[], title: string): Tape {
  const observed = new Observed();
  const fd = file === undefined ? undefined : newFile(file);
  const recorder = createRecorder(
    (line) => {
      observed.take(JSON.parse(line) as RecordedEvent);
      if (fd !== undefined) writeSync(fd, line);
    },
    { secrets, about: { target: title } },
  );
  return {
    observed,
    recorder,
    async close() {
      await recorder.close();
      if (fd !== undefined) closeSync(fd);
    },
  };
}

function newFile(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (cause) {
    throw new TrustError("CLI_BAD_VALUE", `--record: ${(cause as Error).message}`, {
      cause,
      hint: "give a new file; recordings are never overwritten",
    });
  }
}

/** A server of a suite as a target. Its command runs in the folder of the suite. */
export function targetOf(name: string, server: SuiteServer): Target {
  if (server.kind === "url")
    return {
      label: name,
      launch: { kind: "http", url: new URL(server.url), headers: server.headers },
      limits: defined({ timeoutMs: server.readyWithinMs }),
      secrets: Object.values(server.headers),
    };
  const [command = "", ...args] = ownCommand(server.command);
  const cwd = dirname(resolve(server.place.file));
  return {
    label: name,
    launch: { kind: "stdio", command, args, cwd, env: server.env },
    limits: {},
    secrets: Object.values(server.env),
  };
}

const PROGRAM = ownFile("dist/cli/main.js");

/** `mcptest mock --tools-from FILE` and `touchstone mock FILE` are played by this program, whatever is installed. */
function ownCommand(command: readonly string[]): readonly string[] {
  const [program, verb, ...rest] = command;
  if (verb !== "mock" || (program !== "touchstone" && program !== "mcptest")) return command;
  const words = rest.filter((word) => word !== "--tools-from");
  return [process.execPath, PROGRAM, "mock", ...words];
}

export async function testedServer(
  name: string,
  given: Target,
  { contain, tape, era }: { contain: Contain; tape: Tape; era: EraChoice | undefined },
): Promise<{
  readonly server: TestedServer & ProtocolPeer;
  readonly notes: readonly string[];
  readonly isContained: boolean;
}> {
  const { target, launcher, use, notes } = await contain(given);
  const wanted = given.era ?? era;
  const server = {
    name,
    isLocal: target.launch.kind === "http" && isLocalHost(target.launch.url.hostname),
    connect: ({ opens, onEvent }: Parameters<ProtocolPeer["connect"]>[0] = {}) =>
      connect(target.launch, {
        limits: target.limits,
        peer: name,
        recorder: onEvent ? listening(onEvent) : tape.recorder,
        // There is nobody to ask: questions of a server are declined, and it can go on.
        answer: () => undefined,
        ...defined({ era: wanted, launcher, opens }),
      }),
  };
  return { server, notes: notes.map((note) => `${name}: ${note}`), isContained: use?.status === "used" };
}

/** What the reader has to know when a server behaves otherwise than at home. */
export const CONTAINED_NOTE =
  "commands ran in the sandbox: no network, and changes to files are not kept; --sandbox none starts them as they are";

function isLocalHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  if (bare === "localhost" || bare.endsWith(".localhost")) return true;
  return isIP(bare) !== 0 && /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd])/i.test(bare);
}
