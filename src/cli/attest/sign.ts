/** `attest sign` and `attest cosign`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  buildStatement,
  cosign,
  readStatement,
  sadDigest,
  signSad,
  signStatement,
} from "../../attest/index.ts";
import { type ExitCode, TrustError } from "../../core/index.ts";
import { type Bundle, judge } from "../../grade/index.ts";
import { readRun } from "../../probes/index.ts";
import { toolDigest } from "../../surface/index.ts";
import { isRecord, type RecordedEvent } from "../../wire/index.ts";
import { type Words, wholeNumber } from "../command.ts";
import { readEvidence } from "../evidence.ts";
import type { Output } from "../output.ts";
import { keysFrom, putFile, readBytes } from "./keys.ts";

const DAY_MS = 86_400_000;

export async function runSign(words: Words, out: Output): Promise<ExitCode> {
  const folder = words.text("evidence");
  if (folder === undefined) return (await import("./clear.ts")).runClear(words, out);
  const wrong = ["server", "lock"].find((option) => words.text(option) !== undefined);
  if (wrong !== undefined)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `--${wrong}: is for a server without a grade, not beside --evidence`,
    );
  const keys = keysFrom(words);
  const { files, bundle } = await signFolder(folder, words.text("out") ?? folder, words, keys);
  out.json({ files, grade: bundle.grade, signers: keys.map(({ id }) => id) });
  out.line(
    `${files.join(", ")}: grade ${bundle.grade ?? "none"}, signed by ${keys.map(({ id }) => id).join(", ")}`,
  );
  return 0;
}

/** Signs the evidence of a folder, once it was judged again. */
export async function signFolder(
  folder: string,
  to: string,
  words: Words,
  keys: ReturnType<typeof keysFrom>,
): Promise<{ readonly files: readonly string[]; readonly bundle: Bundle }> {
  const { regraded, events } = await readEvidence(folder);
  if (regraded.status !== "same")
    throw new TrustError(
      "ATT_UNUSABLE",
      `${folder}: the recording does not give this bundle: ${regraded.differences[0] ?? ""}`,
      {
        hint: "touchstone regrade says what differs; nothing is signed that does not follow from its evidence",
      },
    );
  const { bundle } = regraded;
  const run = readRun(events);
  const seen = run.sights.find(({ surface, round }) => round === "first" && surface.claims === "none");
  const nowMs = Date.now();
  const sad = assertionFrom(words, bundle, keys[0] as (typeof keys)[number]);
  const uri = words.text("evidence-uri");
  let payload: Uint8Array;
  try {
    payload = buildStatement({
      bundle,
      litmusCategories: judge(run, "litmus-v5").categories,
      tools: (seen?.surface.tools ?? []).flatMap((tool) =>
        isRecord(tool) && typeof tool.name === "string" ? [[tool.name, toolDigest(tool)] as const] : [],
      ),
      origins: words.texts("origin"),
      serial: wholeNumber(words, "serial") ?? Math.floor(nowMs / 1000),
      issuedAtMs: nowMs,
      lifeMs: (wholeNumber(words, "days") ?? 30) * DAY_MS,
      ...(uri === undefined ? {} : { evidenceUri: uri }),
      // A package is named by its bytes; where it was installed says nothing elsewhere.
      ...(bundle.target.kind === "stdio" && bundle.target.resolved === undefined
        ? { command: commandIn(events) }
        : {}),
      ...(sad ? { clearance: { level: sad.level, sad: `sha256:${sadDigest(sad.bytes)}` } } : {}),
    });
  } catch (cause) {
    throw new TrustError("ATT_UNUSABLE", (cause as Error).message, {
      cause,
      hint: "a statement names a place or a package: give --origin, or grade an npm: target",
    });
  }
  const statement = join(to, "statement.json");
  putFile(statement, signStatement(payload, keys));
  if (sad) putFile(join(to, "attestation.json"), sad.bytes);
  return { files: [statement, ...(sad ? [join(to, "attestation.json")] : [])], bundle };
}

/** The words that the server was started with, as they were recorded. */
function commandIn(events: readonly RecordedEvent[]): readonly string[] {
  const argv = events.find(({ ev }) => ev === "spawn")?.argv;
  return Array.isArray(argv) ? argv.map(String) : [];
}

/** How many days ago the statement of a folder was issued; undefined when there is none that still holds. */
export function ageOfStatement(folder: string, nowMs: number): number | undefined {
  const file = join(folder, "statement.json");
  if (!existsSync(file)) return undefined;
  const read = readStatement(readBytes(file));
  if (read.status !== "read") return undefined;
  const { issuedAt, expiresAt } = read.statement.predicate;
  return Date.parse(expiresAt) > nowMs ? (nowMs - Date.parse(issuedAt)) / DAY_MS : undefined;
}

function assertionFrom(
  words: Words,
  { target }: Bundle,
  key: ReturnType<typeof keysFrom>[number],
): { readonly bytes: Uint8Array; readonly level: string } | undefined {
  const level = words.text("clearance");
  if (level === undefined) return undefined;
  const origins = words.texts("origin");
  const signed = signSad(
    {
      v: "1.0",
      id: words.text("id") ?? target.resolved?.name ?? target.label,
      publisher: words.text("publisher") ?? "unknown",
      version: target.resolved?.version ?? "0",
      clearance: level,
      capabilities: ["mcp-server"],
      verification: "tested",
      ...(origins.length === 0 ? {} : { netAllowedHosts: origins }),
    },
    key.privateKey,
    key.id,
  );
  if ("fault" in signed)
    throw new TrustError("ATT_UNUSABLE", `no assertion can say this: ${signed.fault.message}`);
  return { bytes: signed.bytes, level };
}

export async function runCosign(words: Words, out: Output): Promise<ExitCode> {
  const [file, ...more] = words.positionals;
  if (file === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "cosign needs one file");
  let bytes: Uint8Array = readBytes(file);
  for (const key of keysFrom(words)) {
    const signed = cosign(bytes, key);
    if (typeof signed === "string") throw new TrustError("ATT_UNUSABLE", `${file}: ${signed}`);
    bytes = signed;
  }
  const to = words.text("out") ?? file;
  putFile(to, bytes);
  out.json({ file: to });
  out.line(`${to}: signed`);
  return 0;
}
