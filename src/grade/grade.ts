/** One run: the server started where it can do no harm, exercised, recorded, and judged from the recording. */
import { createHash } from "node:crypto";
import { defined } from "../core/index.ts";
import { batteryDigests, type MethodId, RUN_FORMAT, type RunTerms } from "../probes/index.ts";
import {
  type AllowedHost,
  type Backend,
  type CanarySet,
  type CannedReply,
  SANDBOX_HOME,
  SANDBOX_WORK,
  sandboxLauncher,
} from "../sandbox/index.ts";
import { prepareScan } from "../scan/index.ts";
import type { ResolvedPackage, Target } from "../target/index.ts";
import { createRecorder, type PeerInfo, type RecordedEvent } from "../wire/index.ts";
import { type Bundle, bundleOf, sha256 } from "./bundle.ts";
import { type DriveOptions, drive, planOnly } from "./drive.ts";
import { createKit } from "./kit.ts";
import type { ToolPlan } from "./plan.ts";

export interface GradeRequest {
  readonly target: Target;
  /** The forms the run uses; it is judged under both methods. */
  readonly method: MethodId;
  /** Where the server runs; why not in the sandbox. */
  readonly place: { readonly backend: Backend } | { readonly reason: string; readonly detail?: string };
  readonly planted: CanarySet;
  readonly allowed: readonly AllowedHost[];
  /** Answers for allowed hosts, so that servers that need their service can be exercised. */
  readonly replies?: readonly CannedReply[];
  /** Whether connections to allowed hosts are passed on to them. */
  readonly forwards?: boolean;
  readonly identity: PeerInfo;
  /** Whom the session without claims presents; a well-known client unless told. */
  readonly bareIdentity?: PeerInfo;
  readonly resolved?: ResolvedPackage;
  /** Versions, for the evidence. */
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly seed: string;
  readonly allowsStateChanges: boolean;
  readonly windowMs: number;
  readonly onProgress?: (text: string) => void;
}

export interface GradeResult {
  readonly bundle: Bundle;
  /** The lines of the recording, as they are hashed. */
  readonly recording: string;
}

/** Files that a reading tool can really read. */
const FIXTURE_FILES = {
  "notes.txt": "Buy bread and milk.\nCall the library about the two books.\n",
  "data.csv": "id,name,value\n1,alpha,10\n2,beta,20\n3,gamma,30\n",
  "docs/readme.md": "# Project\n\nA small example with notes and a table.\n",
} as const;

/** Servers may look at who asks: one of the sessions is that of a client that many people have. */
const ORDINARY_CLIENT: PeerInfo = { name: "claude-ai", version: "0.1.0" };

const [FEWEST_CALLS, MORE_CALLS] = [64, 65];

export async function grade(request: GradeRequest): Promise<GradeResult> {
  const lines: string[] = [];
  const events: RecordedEvent[] = [];
  let receivedBytes = 0;
  const recorder = createRecorder(
    (line) => {
      lines.push(line);
      const event = JSON.parse(line) as RecordedEvent;
      events.push(event);
      if (event.dir === "server->client" || event.dir === "server-stderr") receivedBytes += line.length;
    },
    { secrets: request.target.secrets, about: { target: request.target.label } },
  );
  const driven = drive(request.target, {
    ...prepared(request),
    recorder,
    recorded: () => events,
    receivedBytes: () => receivedBytes,
  });
  // While the server starts there is nothing else to do.
  setImmediate(prepareScan);
  await driven;
  await recorder.close();
  const recording = lines.join("");
  return { bundle: bundleOf(events, sha256(recording)), recording };
}

/** What would be called, without calling it: the server is started and its lists are read. */
export function planOf(request: GradeRequest): Promise<readonly ToolPlan[]> {
  return planOnly(request.target, {
    ...prepared(request),
    recorder: createRecorder(() => {}),
    recorded: () => [],
    receivedBytes: () => 0,
  });
}

function prepared(request: GradeRequest): Omit<DriveOptions, "recorder" | "recorded" | "receivedBytes"> {
  const { target, method, place, planted, allowed, identity, seed, allowsStateChanges, windowMs } = request;
  const isContained = "backend" in place;
  const terms: RunTerms = {
    format: RUN_FORMAT,
    method,
    seed,
    identity,
    bareIdentity: request.bareIdentity ?? ORDINARY_CLIENT,
    target: {
      label: target.label,
      kind: target.launch.kind,
      ...defined({ resolved: request.resolved }),
    },
    environment: {
      ...request.environment,
      ...(isContained ? { backend: place.backend.name, versions: place.backend.versions } : {}),
    },
    sandbox: isContained ? { status: "used" } : { status: "skipped", ...place },
    canaries: isContained
      ? planted.canaries.map(({ id, value, place: where }) => ({ id, value, place: where }))
      : [],
    allowed: allowed.map(({ host, port, by }) => ({ host, port, by })),
    batteries: batteryDigests(),
  };
  const files = Object.entries(FIXTURE_FILES).map(([path, content]) => ({ path, content, mode: 0o644 }));
  const launcher =
    isContained && target.launch.kind === "stdio"
      ? sandboxLauncher(place.backend, {
          allowed,
          ...defined({ replies: request.replies, forwards: request.forwards }),
          env: planted.env,
          homeFiles: planted.homeFiles,
          workFiles: [...planted.workFiles, ...files],
        })
      : undefined;
  const fixtures = {
    files: isContained ? Object.keys(FIXTURE_FILES).map((path) => `${SANDBOX_WORK}/${path}`) : [],
    folders: isContained ? [SANDBOX_WORK] : [],
    secretFiles: isContained ? [".env", `${SANDBOX_WORK}/.env`, `${SANDBOX_HOME}/.ssh/id_ed25519`] : [],
  };
  const methods: readonly MethodId[] = ["litmus-v5", "touchstone-1"];
  return {
    terms,
    methods,
    kit: createKit(seed, method === "litmus-v5" ? "marked" : "plain", fixtures),
    fixtures,
    plan: { methods, isContained, allowsStateChanges },
    windowMs,
    longCalls: FEWEST_CALLS + ((createHash("sha256").update(seed).digest()[0] ?? 0) % MORE_CALLS),
    ...defined({ launcher, cutOff: launcher?.cut, onProgress: request.onProgress }),
  };
}
