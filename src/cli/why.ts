/** One run of `why`: an entry found, its decision made again, told in words. */
import { existsSync } from "node:fs";
import { type Entry, logFiles, query } from "../audit/index.ts";
import { type ExitCode, TrustError } from "../core/index.ts";
import { type Explained, explain, logFolders, waiverIn, wishIn } from "../gateway/index.ts";
import { nameIn, serverNamed } from "../policy/index.ts";
import { CONFIG_FILE } from "../target/index.ts";
import { isRecord } from "../wire/index.ts";
import { indexesFor } from "./audit/folder.ts";
import type { Words } from "./command.ts";
import { exemptionLines } from "./exempted.ts";
import type { Output } from "./output.ts";

export async function runWhy(words: Words, out: Output): Promise<ExitCode> {
  const [id, ...more] = words.positionals;
  if (id === undefined || more.length > 0)
    throw new TrustError("CLI_MISSING_ARGUMENT", "why needs the id of one decision", {
      hint: "it stands in the denial, in _meta of a result, and in `touchstone audit show`",
    });
  const log = words.text("log");
  const folders = log === undefined ? await logFolders(words.text("config") ?? CONFIG_FILE) : [log];
  const absent = folders.find((folder) => !existsSync(folder));
  if (absent !== undefined)
    throw new TrustError("CFG_NOT_FOUND", `${absent}: there is no log`, {
      hint: "give the gateway's file with --config, or the folder with --log; `touchstone audit show FOLDER` reads one",
    });
  const found = folders.map((folder) => ({ folder, entry: entryIn(folder, id) })).find(({ entry }) => entry);
  if (!found?.entry)
    throw new TrustError("CLI_BAD_VALUE", `${folders.join(", ")}: no entry ${out.text(id, 80)}`, {
      hint: `\`touchstone audit show ${folders[0] ?? "FOLDER"} --type decision\` has the ids there are`,
    });
  const { entry, folder } = found;
  const labels = new Map<unknown, Entry>();
  for (const { entry: label } of query(logFiles(folder), { types: ["label"] }, indexesFor(folder)))
    labels.set(label.data.decision, label);
  const explained = explain(
    entry,
    (wanted) => entryIn(folder, wanted),
    (decision) => labels.get(decision),
  );
  out.json(explained);
  print(explained, out);
  return 0;
}

function entryIn(folder: string, id: string): Entry | undefined {
  for (const { entry } of query(logFiles(folder), { id }, indexesFor(folder))) return entry;
  return undefined;
}

function print(
  { entry, label: called, replayed, isSame, steps, answer }: ReturnType<typeof explain>,
  out: Output,
): void {
  const text = (value: unknown): string => out.text(value, 300);
  const { data } = entry;
  const wish = wishIn(entry);
  const of = entry.server === null ? [] : [text(serverNamed(entry.server, called))];
  const what = [...of, wish ? text(nameIn(wish)) : entry.type].join(": ");
  out.line(`${entry.id}  ${entry.at}`);
  const outcome = answer?.isKept
    ? `${entry.outcome}, and ${answer.isUnsent ? "not sent" : "its answer denied"}`
    : entry.outcome;
  out.line(`${what}, asked by ${text(entry.actor ?? "nobody named")}: ${outcome}`);
  for (const line of admissionIn(entry, text)) out.line(`  ${line}`);
  if (data.rule)
    out.line(`  by ${text(data.rule)}${data.reason === undefined ? "" : `: ${text(data.reason)}`}`);
  for (const { rule, reason } of besideIn(data)) out.line(`  and by ${text(rule)}: ${text(reason)}`);
  if (data.approved) out.line(`  approved by ${text(data.approved)}`);
  if (data.approval && entry.outcome === "deferred")
    out.line(`  waits for a word under ${text(data.approval)}`);
  else if (data.approval)
    out.line(`  waited for a word under ${text(data.approval)}, as ${text(data.deferred)} says`);
  else if (data.deferred) out.line(`  waited for a word through its client, as ${text(data.deferred)} says`);
  if (data.trigger) out.line(`  trigger: ${text(data.trigger)}, the least trusted of what led to it`);
  for (const { id, at, server, label, tool, level, how } of steps)
    out.line(
      `  from ${text(serverNamed(server, label))}: ${text(tool)} (${text(level)}, ${text(at)}, ${text(id)}): ${text(how)}`,
    );
  for (const line of answerLines(answer, text)) out.line(`  ${line}`);
  if (entry.type !== "decision") {
    const first = data.decision ?? data.call;
    if (typeof first === "string") out.line(`  it belongs to a decision: touchstone why ${text(first)}`);
    return;
  }
  if (replayed === undefined)
    out.line("  made again: not possible, the entry does not hold what it was made of");
  else
    out.line(
      isSame
        ? `  made again from the entry: the same`
        : `  made again from the entry: ${replayed.kind} by ${replayed.rule || "nothing"}, which is NOT the same`,
    );
}

/** What came of the answer: whether anybody got it, what was found in it, how far it is believed. */
function answerLines(answer: Explained["answer"], text: (value: unknown) => string): string[] {
  if (!answer) return [];
  const { entry, isKept, isUnsent, rule, reason, mode, seen } = answer;
  const by = rule === undefined ? "" : ` by ${text(rule)}${reason === undefined ? "" : `: ${text(reason)}`}`;
  return [
    ...(isUnsent
      ? [`it was not sent,${by}`]
      : isKept
        ? [`its answer was kept back${by}`]
        : by === ""
          ? []
          : [`its answer was warned of${by}`]),
    ...seen.map(
      (found) =>
        `found in its answer (modes.output: ${text(mode)}): ${text(found.rule)} ${text(found.message)}`,
    ),
    ...(entry.data.label === undefined
      ? []
      : [`its result was labelled ${text(JSON.stringify(entry.data.label))}`]),
  ];
}

/** What else was found, and did not decide it. */
const besideIn = ({ beside }: Entry["data"]): readonly Readonly<Record<string, unknown>>[] =>
  (Array.isArray(beside) ? beside : []).filter(isRecord);

/** How a server was let in, where the entry is of that; and by whom, where it lacked what is asked of it. */
function admissionIn({ type, data }: Entry, text: (value: unknown) => string): string[] {
  const { facts } = data;
  if (type === "admission") {
    const { status, reason } = data;
    if (status === "exempted") return exemptionLines(waiverIn(data), text);
    return [`${text(status)}${reason === undefined ? "" : `: ${text(reason)}`}`];
  }
  return isRecord(facts) && facts.admission === "exempted"
    ? exemptionLines(waiverIn(facts.exemption), text)
    : [];
}
