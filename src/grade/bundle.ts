/** The evidence of a grade: what was found, on what, by which method, and the digests that hold it together. */
import { createHash } from "node:crypto";
import { canonicalJson, type Finding, shown } from "../core/index.ts";
import { type MethodId, PROBES, type Run, readRun } from "../probes/index.ts";
import { placeOf } from "../sandbox/index.ts";
import { fingerprint, surfaceDigest } from "../surface/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import { type Judgement, judge, withoutCall } from "./judge.ts";

export const EVIDENCE_FORMAT = "touchstone/evidence/1";

export const DISCLAIMER =
  "A dated, versioned, reproducible observation of what this server did when it was exercised. It does not say that the server is safe.";

const METHODS: readonly MethodId[] = ["litmus-v5", "touchstone-1"];

/** Of the names that were looked up, so many are listed. */
const MAX_NAMES = 100;

export type Bundle = ReturnType<typeof bundleOf>;

/** All of it follows from the recording: its lines, and the digest of its bytes. */
export function bundleOf(events: readonly RecordedEvent[], recordingSha256: string) {
  const run = readRun(events);
  const { method } = run.terms;
  const judgements = METHODS.map((each) => judge(run, each));
  const main = judgements.find((judgement) => judgement.method === method) as Judgement;
  const first = run.sights.find(
    ({ surface, round }) => round === "first" && surface.claims === "none",
  )?.surface;
  const identified = {
    fingerprint: first ? fingerprintOf(first.tools) : null,
    surfaceDigest: first ? surfaceDigest(first) : null,
  };
  const evidence = {
    schema: EVIDENCE_FORMAT,
    methodologyVersion: method,
    grade: main.grade,
    status: main.status,
    rationale: main.rationale,
    grades: Object.fromEntries(
      judgements.map((each) => [
        each.method,
        {
          grade: each.grade,
          status: each.status,
          rationale: each.rationale,
          notAsked: PROBES.filter(({ methods }) => !methods.includes(each.method)).map(
            ({ id, title }) => `${id} ${title}`,
          ),
        },
      ]),
    ),
    ranAt: String(events[0]?.started ?? ""),
    ...identified,
    categories: main.categories,
    coverage: main.coverage,
    egress: egressOf(run),
    batteries: run.terms.batteries,
    target: run.terms.target,
    environment: {
      ...run.terms.environment,
      sandbox: run.terms.sandbox,
      identity: run.terms.identity,
      identities: {
        none: run.terms.bareIdentity ?? run.terms.identity,
        everything: run.terms.identity,
      },
      seed: run.terms.seed,
    },
    recording: { sha256: recordingSha256, events: events.length },
    disclaimer: DISCLAIMER,
  };
  const evidenceDigest = sha256(canonicalJson(repeatable(judgements, run, identified)));
  const whole = { ...evidence, evidenceDigest };
  return { ...whole, bundleDigest: sha256(canonicalJson(whole)) };
}

/** As it stands in the file: any other bytes are another file. */
export const bundleText = (bundle: Bundle): string => `${JSON.stringify(bundle, null, 2)}\n`;

function fingerprintOf(tools: readonly unknown[]): string | null {
  const found = fingerprint(tools);
  return found.kind === "value" ? found.value : null;
}

function egressOf(run: Run) {
  const hosts = (by: string): string[] =>
    run.terms.allowed.filter((one) => one.by === by).map(({ host, port }) => `${host}:${port}`);
  return {
    declared: hosts("package"),
    baseline: hosts("operator"),
    attempts: run.sandbox.flatMap((event) =>
      event.kind === "egress"
        ? [
            {
              place: placeOf(event),
              verdict: event.verdict,
              ending: event.ending,
              bytes: event.bytes,
              ...(event.reason === undefined ? {} : { reason: event.reason }),
            },
          ]
        : [],
    ),
    names: [
      ...new Set(run.sandbox.flatMap((event) => (event.kind === "dns" ? [shown(event.name, 120)] : []))),
    ]
      .sort()
      .slice(0, MAX_NAMES),
  };
}

/** What another run of the same server has to give again: nothing drawn, timed or counted by chance. */
function repeatable(judgements: readonly Judgement[], run: Run, identified: object): object {
  return {
    ...identified,
    target: run.terms.target.label,
    batteries: run.terms.batteries,
    methods: judgements.map(({ method, grade, status, categories, coverage }) => ({
      method,
      grade,
      status,
      categories: categories.map(({ id, status: how, probes }) => ({
        id,
        status: how,
        probes: probes.map((probe) => ({
          id: probe.id,
          status: probe.status,
          findings: [...new Set(probe.findings.map((found) => canonicalJson(stable(found))))].sort(),
        })),
      })),
      coverage: coverage.tools.map(({ name, called, succeeded }) => ({
        name,
        isCalled: called > 0,
        isSucceeded: succeeded > 0,
      })),
    })),
  };
}

/** Calls are numbered as they come, and secrets by the calls they were made for. */
const stable = ({ rule, severity, where, message }: Finding): object => ({
  rule,
  severity,
  where: shown(withoutCall(where), 300),
  message: shown(message.replace(/arguments:\d+:/g, "arguments:").replace(/call c\d+/g, "call"), 300),
});

export const sha256 = (text: string | Buffer): string =>
  `sha256:${createHash("sha256").update(text).digest("hex")}`;
