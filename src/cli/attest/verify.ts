/** `attest verify`, `inspect` and `explain`. */
import {
  clearanceAnchors,
  type Discovery,
  discover,
  explainCode,
  inspectSad,
  isEnvelope,
  isExemption,
  readExemption,
  readRoot,
  readSad,
  readStatement,
  SAD_PATH,
  STATEMENT_PATH,
  type StatementPolicy,
  sadDigest,
  type TrustRoot,
  verifyExemption,
  verifySad,
  verifyStatement,
} from "../../attest/index.ts";
import { defined, type ExitCode, TrustError } from "../../core/index.ts";
import { capture, fingerprint, surfaceDigest, toolDigest } from "../../surface/index.ts";
import { readReference, resolveTarget, startable } from "../../target/index.ts";
import { isRecord } from "../../wire/index.ts";
import { type Words, wholeNumber } from "../command.ts";
import { containment } from "../contain.ts";
import type { Output } from "../output.ts";
import { readBytes } from "./keys.ts";

const DAY_MS = 86_400_000;

/** What is said of one document. */
interface Verdict {
  readonly document: "statement" | "assertion" | "exemption";
  readonly admitted: boolean;
  readonly reason: string;
  readonly code: number | null;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export async function runVerify(words: Words, out: Output): Promise<ExitCode> {
  const [what, ...more] = words.positionals;
  if (what === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "verify needs one file or address");
  const now = momentFrom(words);
  const root = rootFrom(words, now);
  const isUrl = /^https?:\/\//.test(what);
  const verdicts = isUrl
    ? await published(new URL(what), words, root, now)
    : [await judged(readBytes(what), words, root, now, words.text("origin"))];
  const [first] = verdicts;
  const refused = verdicts.find(({ admitted }) => !admitted);
  const told = refused ?? (first as Verdict);
  out.json({ admitted: refused === undefined, reason: told.reason, code: told.code, documents: verdicts });
  for (const verdict of verdicts) show(verdict, out);
  return refused === undefined ? 0 : 1;
}

function show({ document, admitted, reason, code, message, details = {} }: Verdict, out: Output): void {
  const word = WORDS[document];
  const mark = admitted ? out.color.green(word) : out.color.red("refused");
  const number = code === null ? "" : ` (code ${code})`;
  out.line(`${mark}  ${document}: ${admitted ? message : `${reason}${number}: ${out.text(message, 300)}`}`);
  for (const [name, value] of Object.entries(details)) out.line(`  ${name}: ${out.text(value, 300)}`);
  if (!admitted && code !== null) out.line(`  touchstone attest explain ${code} says more`);
}

/** A statement is true or it is not; what it opens is for a gateway to say. */
const WORDS = { statement: "holds", assertion: "admitted", exemption: "exempted" } as const;

async function judged(
  bytes: Uint8Array,
  words: Words,
  root: TrustRoot,
  now: number,
  origin: string | undefined,
  sad?: Uint8Array,
): Promise<Verdict> {
  if (isExemption(bytes)) return exemptionVerdict(bytes, words, root, now, origin);
  return isEnvelope(bytes)
    ? statementVerdict(bytes, words, root, now, origin, sad)
    : assertionVerdict(bytes, words, root, now, origin);
}

async function statementVerdict(
  bytes: Uint8Array,
  words: Words,
  root: TrustRoot,
  now: number,
  origin: string | undefined,
  sad: Uint8Array | undefined,
): Promise<Verdict> {
  const days = wholeNumber(words, "max-age");
  const methods = words.texts("method");
  const file = words.text("sad");
  const bound = sad ?? (file === undefined ? undefined : readBytes(file));
  const policy: StatementPolicy = {
    nowMs: now,
    threshold: wholeNumber(words, "threshold") ?? 1,
    acceptedMethods: methods.length === 0 ? ["touchstone-1", "litmus-v5"] : methods,
    ...(words.text("min-grade") === undefined
      ? {}
      : { minGrade: words.text("min-grade") as "A" | "B" | "C" | "D" }),
    ...(days === undefined ? {} : { maxAgeMs: days * DAY_MS }),
    ...(origin === undefined ? {} : { origin }),
    ...(bound === undefined ? {} : { sadDigest: `sha256:${sadDigest(bound)}` }),
  };
  const live = await liveFrom(words);
  const verdict = verifyStatement(bytes, root, { ...policy, ...live.identity }, live.surface);
  if (verdict.status === "refused")
    return {
      document: "statement",
      admitted: false,
      reason: verdict.reason,
      code: verdict.code,
      message: verdict.message,
    };
  return {
    document: "statement",
    admitted: true,
    reason: "accepted",
    code: null,
    message: `${verdict.grades.map(({ grade, method }) => `${grade ?? "not graded"} by ${method}`).join(", ")}`,
    details: {
      digest: verdict.digest,
      signers: verdict.signers.join(", "),
      serial: verdict.serial,
      expires: new Date(verdict.expiresAtMs).toISOString(),
      compared: verdict.compared.join(", ") || "nothing: give --origin or --live",
    },
  };
}

async function exemptionVerdict(
  bytes: Uint8Array,
  words: Words,
  root: TrustRoot,
  nowMs: number,
  origin: string | undefined,
): Promise<Verdict> {
  const live = await liveFrom(words);
  const { command } = live.identity;
  const asked = { nowMs, ...defined({ origin, command, server: words.text("server") }) };
  const verdict = verifyExemption(bytes, root, asked, live.surface);
  const document = "exemption";
  if (verdict.status === "refused") {
    const { reason, code, message } = verdict;
    return { document, admitted: false, reason, code, message };
  }
  const { exemption, digest, signers, compared } = verdict;
  return {
    document,
    admitted: true,
    reason: "accepted",
    code: null,
    message: `no ${exemption.waives.join(" and no ")} is asked of ${exemption.server} until ${exemption.expiresAt}`,
    details: {
      reason: exemption.reason,
      digest,
      signers: signers.join(", "),
      compared: compared.join(", ") || "nothing: give --server, --origin or --live",
    },
  };
}

function assertionVerdict(
  bytes: Uint8Array,
  words: Words,
  root: TrustRoot,
  now: number,
  origin: string | undefined,
): Verdict {
  const required = words.text("require");
  if (required === undefined || origin === undefined)
    throw new TrustError(
      "CLI_MISSING_ARGUMENT",
      "an assertion is verified against --require LEVEL and --origin URL",
    );
  const verdict = verifySad(readSad(bytes), clearanceAnchors(root), {
    origin,
    requiredClearance: required,
    now: new Date(now),
  });
  if (verdict.status === "denied")
    return {
      document: "assertion",
      admitted: false,
      reason: verdict.reason,
      code: verdict.code,
      message: verdict.message,
    };
  return {
    document: "assertion",
    admitted: true,
    reason: "admitted",
    code: null,
    message: `${verdict.level}, signed by ${verdict.keyId}`,
  };
}

/** Both documents, as the server publishes them. */
async function published(url: URL, words: Words, root: TrustRoot, now: number): Promise<Verdict[]> {
  const options = {
    allowLoopback: words.flag("allow-loopback"),
    privateHosts: words.texts("private-host"),
  };
  const [assertion, statement] = await Promise.all([
    discover(url, SAD_PATH, options),
    discover(url, STATEMENT_PATH, options),
  ]);
  const verdicts: Verdict[] = [];
  if (assertion.status === "found")
    verdicts.push(assertionVerdict(assertion.bytes, words, root, now, url.origin));
  else if (words.text("require") !== undefined) verdicts.push(notFound("assertion", assertion));
  if (statement.status === "found") {
    const sad = assertion.status === "found" ? assertion.bytes : undefined;
    verdicts.push(await statementVerdict(statement.bytes, words, root, now, url.origin, sad));
  } else if (words.text("require") === undefined || statement.status !== "absent")
    verdicts.push(notFound("statement", statement));
  if (verdicts.every(({ code, admitted }) => !admitted && code === null))
    throw new TrustError(
      "WIRE_UNREACHABLE",
      `${url.origin}: ${verdicts[0]?.message ?? "nothing is published"}`,
    );
  return verdicts;
}

const notFound = (
  document: Verdict["document"],
  discovery: Exclude<Discovery, { status: "found" }>,
): Verdict => ({
  document,
  admitted: false,
  reason: document === "assertion" && discovery.status === "absent" ? "not_mcp_server" : discovery.status,
  code: document === "assertion" && discovery.status === "absent" ? 1 : null,
  message: discovery.reason,
});

interface Live {
  readonly surface: NonNullable<Parameters<typeof verifyStatement>[3]>;
  /** What it is: a package by its exact bytes, or the words of a command. */
  readonly identity: Pick<StatementPolicy, "package" | "command">;
}

/** What the server is and shows now, in the form that a statement speaks of. */
async function liveFrom(words: Words): Promise<Live> {
  const reference = words.text("live");
  const isCommand = reference === "--" || words.rest !== undefined;
  if (reference === undefined && !isCommand) return { surface: {}, identity: {} };
  const found = startable(
    await resolveTarget(readReference(reference === undefined ? [] : [reference], words.rest), {
      ...defined({ configFile: words.text("config") }),
    }),
  );
  const { target, launcher } = await (await containment(words))(found);
  const { surface } = await capture(target, launcher === undefined ? {} : { launcher });
  const print = fingerprint(surface.tools);
  const { launch, resolved } = found;
  return {
    surface: {
      toolDigests: surface.tools.flatMap((tool) =>
        isRecord(tool) && typeof tool.name === "string" ? [[tool.name, toolDigest(tool)] as const] : [],
      ),
      surfaceDigest: surfaceDigest(surface),
      fingerprint: print.kind === "value" ? print.value : null,
    },
    identity:
      resolved !== undefined
        ? { package: resolved }
        : launch.kind === "stdio"
          ? { command: [launch.command, ...launch.args] }
          : {},
  };
}

function momentFrom(words: Words): number {
  const text = words.text("now");
  const moment = text === undefined ? Date.now() : Date.parse(text);
  if (Number.isNaN(moment)) throw new TrustError("CLI_BAD_VALUE", `--now: ${text} is no time`);
  return moment;
}

export function rootFrom(words: Words, nowMs: number, allowExpired = false): TrustRoot {
  const file = words.text("root");
  if (file === undefined) throw new TrustError("CLI_MISSING_ARGUMENT", "a trust root is needed: --root FILE");
  const read = readRoot(readBytes(file), {
    nowMs,
    allowExpired,
    allowTestKeys: words.flag("allow-test-keys"),
  });
  if (read.status === "read") return read.root;
  throw unusable(file, read);
}

export const unusable = (
  file: string,
  { message, reason, code }: { readonly message: string; readonly reason: string; readonly code: number },
): TrustError => new TrustError("ATT_UNUSABLE", `${file}: ${message} (${reason}, code ${code})`);

export async function runInspect(words: Words, output: Output): Promise<ExitCode> {
  const [file, ...more] = words.positionals;
  if (file === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "inspect needs one file");
  const bytes = readBytes(file);
  if (isEnvelope(bytes)) {
    const read = isExemption(bytes) ? readExemption(bytes) : readStatement(bytes);
    const held =
      read.status === "read"
        ? {
            ...("exemption" in read ? { exemption: read.exemption } : { statement: read.statement }),
            signedBy: read.keyids,
            digest: read.digest,
          }
        : { fault: read.message };
    output.json(held);
    output.line(JSON.stringify(held, null, 2));
    return read.status === "read" ? 0 : 1;
  }
  const inspection = inspectSad(bytes);
  output.json(inspection);
  output.line(JSON.stringify(inspection, null, 2));
  return inspection.fault === undefined ? 0 : 1;
}

export async function runExplain(words: Words, output: Output): Promise<ExitCode> {
  const [word, ...more] = words.positionals;
  if (word === undefined) throw new TrustError("CLI_MISSING_ARGUMENT", "explain needs a code");
  if (more.length > 0)
    throw new TrustError("CLI_BAD_VALUE", `one code at a time, not also "${more.join(" ")}"`);
  const code = Number(word);
  const row = Number.isInteger(code) ? explainCode(code) : undefined;
  if (row === undefined)
    throw new TrustError("CLI_BAD_VALUE", `no code ${word}; codes are numbers, as verify prints them`);
  output.json({ code, ...row });
  output.line(`${code} ${row.reason}: ${row.title}`);
  output.line(`  ${row.hint}`);
  return 0;
}
