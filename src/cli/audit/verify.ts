/** `audit verify`. */
import { type LogVerdict, PROBLEMS, verifyLog, verifyProof } from "../../audit/index.ts";
import { count, type ExitCode, TrustError } from "../../core/index.ts";
import { readBytes } from "../attest/keys.ts";
import type { Words } from "../command.ts";
import type { Output } from "../output.ts";
import { folderFrom, keyFor } from "./folder.ts";

export async function runVerify(words: Words, out: Output): Promise<ExitCode> {
  const proof = words.text("proof");
  if (proof !== undefined) return proofVerdict(proof, words, out);
  const { folder, files, more } = folderFrom(words, "verify");
  if (more.length > 0) throw new TrustError("CLI_BAD_VALUE", `audit verify: what is ${more[0]}?`);
  const { key, isOwn } = keyFor(words, folder);
  const anchors = words.texts("anchor").map((file) => readBytes(file).toString("utf8"));
  out.progress(`reading ${folder}`);
  const look = (): LogVerdict => verifyLog(files, { key, anchors, chainOnly: words.flag("chain-only") });
  const first = unhurried(look);
  // A writer may have pruned after we read what is signed, and before we read what is there.
  const isPruned = first.status === "problem" && first.problem === "prune-unannounced";
  const found = isPruned ? unhurried(look) : first;
  const verdict = withNames(found, words.texts("anchor"));
  out.json({ ...verdict, key: key.text, isKeyOfFolder: isOwn, ...explained(verdict) });
  show(verdict, out);
  if (isOwn && verdict.status === "whole")
    out.line(
      out.color.yellow(
        "the key is the folder's own: this shows that the log agrees with itself, not whose it is",
      ),
    );
  return verdict.status === "whole" ? 0 : 1;
}

/** A writer may drop an old segment while we read. */
export function unhurried<T>(work: () => T): T {
  for (let tries = 3; ; tries--)
    try {
      return work();
    } catch (cause) {
      if (tries === 0 || (cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    }
}

/** Anchors by the names of their files. */
function withNames(verdict: LogVerdict, anchors: readonly string[]): LogVerdict {
  if (verdict.status !== "problem") return verdict;
  const [, index] = /^anchor (\d+)$/.exec(verdict.file) ?? [];
  return index === undefined ? verdict : { ...verdict, file: anchors[Number(index)] ?? verdict.file };
}

const explained = (verdict: LogVerdict): { message?: string } =>
  verdict.status === "problem" ? { message: PROBLEMS[verdict.problem] } : {};

function show(verdict: LogVerdict, out: Output): void {
  if (verdict.status === "problem") {
    const { problem, file, line, n } = verdict;
    const place = [
      file,
      line > 0 ? `line ${line}` : "",
      problem.startsWith("checkpoint-") ? `note ${n + 1}` : `entry ${n}`,
    ]
      .filter((part) => part !== "")
      .join(", ");
    out.line(`${out.color.red("not whole")}  ${problem}: ${PROBLEMS[problem]}`);
    out.line(`  ${out.text(place, 200)}`);
    return;
  }
  const { entries, signed, pruned, torn, checkpoints } = verdict;
  out.line(
    `${out.color.green("whole")}  ${count(entries, "entry", "entries")}, ${signed} of them signed (${count(checkpoints, "checkpoint")})`,
  );
  if (signed === 0) out.line("  nothing of it is signed");
  else if (entries > signed)
    out.line(`  ${entries - signed} behind the last checkpoint: chained, not signed`);
  if (pruned > 0) out.line(`  ${pruned} pruned: known by their hashes`);
  if (torn > 0) out.line(`  ${count(torn, "crash", "crashes")} recovered`);
}

function proofVerdict(file: string, words: Words, out: Output): ExitCode {
  if (words.positionals.length > 0)
    throw new TrustError("CLI_BAD_VALUE", "a proof is checked without a log: leave out the folder");
  const { key } = keyFor(words, undefined);
  const verdict = verifyProof(readBytes(file).toString("utf8"), key);
  const { status } = verdict;
  if (status === "refused") {
    out.json({ status, reason: verdict.reason });
    out.line(`${out.color.red("refused")}  ${verdict.reason}`);
    return 1;
  }
  const { size, time, origin } = verdict.checkpoint;
  if ("entry" in verdict) {
    out.json({ status, entry: verdict.entry, checkpoint: { origin, size, time } });
    out.line(
      `${out.color.green("holds")}  entry ${verdict.entry.n} of ${origin}, signed with ${size} entries at ${time}`,
    );
    out.line(`  ${out.text(JSON.stringify(verdict.entry), 1500)}`);
    return 0;
  }
  out.json({ status, from: verdict.old.size, to: size, time });
  out.line(
    `${out.color.green("holds")}  ${origin} grew from ${count(verdict.old.size, "entry", "entries")} to ${size}, and nothing else`,
  );
  return 0;
}
