/** One run: the server started where it can do no harm, exercised, recorded, and judged from the recording. */
import { createHash } from "node:crypto";
import { defined } from "../core/index.ts";
import { batteryDigests, type MethodId, RUN_FORMAT, type RunTerms } from "../probes/index.ts";
import {
  type AllowedHost,
  type Backend,
  type CanarySet,
  SANDBOX_HOME,
  SANDBOX_WORK,
  sandboxLauncher,
} from "../sandbox/index.ts";
import type { Target } from "../target/index.ts";
import { createRecorder, type PeerInfo, type RecordedEvent } from "../wire/index.ts";
import { type Bundle, bundleOf, sha256 } from "./bundle.ts";
import { drive } from "./drive.ts";
import { createKit } from "./kit.ts";

export interface GradeRequest {
  readonly target: Target;
  /** The forms the run uses; it is judged under both methods. */
  readonly method: MethodId;
  /** Where the server runs; why not in the sandbox. */
  readonly place: { readonly backend: Backend } | { readonly reason: string; readonly detail?: string };
  readonly planted: CanarySet;
  readonly allowed: readonly AllowedHost[];
  readonly identity: PeerInfo;
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

const [FEWEST_CALLS, MORE_CALLS] = [64, 65];

export async function grade(request: GradeRequest): Promise<GradeResult> {
  const { target, method, place, planted, allowed, identity, seed } = request;
  const isContained = "backend" in place;
  const lines: string[] = [];
  const events: RecordedEvent[] = [];
  const recorder = createRecorder(
    (line) => {
      lines.push(line);
      events.push(JSON.parse(line) as RecordedEvent);
    },
    { secrets: target.secrets, about: { target: target.label } },
  );
  const terms: RunTerms = {
    format: RUN_FORMAT,
    method,
    seed,
    identity,
    target: { label: target.label, kind: target.launch.kind },
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
          env: planted.env,
          homeFiles: planted.homeFiles,
          workFiles: [...planted.workFiles, ...files],
        })
      : undefined;
  const kit = createKit(seed, method === "litmus-v5" ? "marked" : "plain", {
    files: isContained ? Object.keys(FIXTURE_FILES).map((path) => `${SANDBOX_WORK}/${path}`) : [],
    folders: isContained ? [SANDBOX_WORK] : [],
    secretFiles: isContained ? [".env", `${SANDBOX_WORK}/.env`, `${SANDBOX_HOME}/.ssh/id_ed25519`] : [],
  });
  await drive(target, {
    terms,
    methods: ["litmus-v5", "touchstone-1"],
    kit,
    plan: {
      methods: ["litmus-v5", "touchstone-1"],
      isContained,
      allowsStateChanges: request.allowsStateChanges,
    },
    recorder,
    recorded: () => events,
    windowMs: request.windowMs,
    longCalls: FEWEST_CALLS + ((createHash("sha256").update(seed).digest()[0] ?? 0) % MORE_CALLS),
    ...defined({ launcher, onProgress: request.onProgress }),
  });
  await recorder.close();
  const recording = lines.join("");
  return { bundle: bundleOf(events, sha256(recording)), recording };
}
