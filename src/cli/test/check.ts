/** One run of `check`. */
import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { defined, type ExitCode, TrustError } from "../../core/index.ts";
import { type CheckTerms, checkRecordings, type Recorded, readSuite } from "../../suite/index.ts";
import { MODERN_VERSION, type RecordedEvent, readRecording } from "../../wire/index.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { checkDelivery, deliver } from "./deliver.ts";
import { readSuiteText } from "./run.ts";

export async function runCheck(words: Words, out: Output): Promise<ExitCode> {
  checkDelivery(words, out);
  if (words.positionals.length === 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "check needs one or more recordings", {
      hint: WRITES,
    });
  const terms = await termsFrom(words);
  const recorded: Recorded[] = [];
  for (const file of words.positionals) {
    out.progress(`reading ${file}`);
    recorded.push(await read(file));
  }
  return deliver(checkRecordings(recorded, terms), "check", words, out);
}

const WRITES = "`touchstone record -- COMMAND` writes one";

async function read(file: string): Promise<Recorded> {
  const info = statSync(file, { throwIfNoEntry: false });
  if (!info?.isFile()) throw new TrustError("CFG_NOT_FOUND", `${file}: no such file`, { hint: WRITES });
  const events: RecordedEvent[] = [];
  const damage: string[] = [];
  for await (const reading of readRecording(createReadStream(file)))
    if (reading.kind === "event") events.push(reading.event);
    else damage.push(`line ${reading.line}: ${reading.reason}`);
  if (events.length === 0)
    throw new TrustError("CFG_UNREADABLE", `${file}: not a recording (${damage[0] ?? "it is empty"})`, {
      hint: WRITES,
    });
  return { name: basename(file).replace(/\.jsonl?$/, ""), events, damage };
}

async function termsFrom(words: Words): Promise<CheckTerms> {
  const file = words.text("suite");
  const suite =
    file === undefined ? undefined : await readSuite(file, { env: process.env, readText: readSuiteText });
  const allowedFlows = words.texts("allow-flow").map(pairOf);
  const requiredSanitizers = words.texts("sanitizer");
  const own = { allowedFlows, requiredSanitizers };
  const isDeclared = allowedFlows.length > 0 || requiredSanitizers.length > 0;
  const negotiated = words.texts("negotiated");
  return defined({
    // Nothing declared is the strictest declaration; leaving flows out has to be said.
    trustBoundary: words.flag("no-boundary")
      ? undefined
      : isDeclared
        ? own
        : suite
          ? suite.security.trustBoundary
          : own,
    capabilityNegotiation:
      negotiated.length > 0 || suite === undefined
        ? { target: MODERN_VERSION, ...(negotiated.length > 0 ? { negotiated } : {}) }
        : suite.security.capabilityNegotiation,
    userTexts: words.texts("user"),
  });
}

function pairOf(text: string): { from: string; to: string } {
  const [from, to, ...more] = text.split(":");
  if (!from || !to || more.length > 0)
    throw new TrustError("CLI_BAD_VALUE", `--allow-flow: want FROM:TO, two servers, not ${text}`);
  return { from, to };
}
