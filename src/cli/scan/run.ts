/** One run of `scan`: what is there, a yes, what each server says, a report. */
import { count, type ExitCode } from "../../core/index.ts";
import type { Gate } from "../../report/index.ts";
import { CONFIG_FILE } from "../../target/index.ts";
import type { Redactor } from "../../wire/index.ts";
import type { Words } from "../command.ts";
import { mayStart, startNotes } from "../consent.ts";
import { containment } from "../contain.ts";
import { ignoresFrom } from "../ignores.ts";
import type { Output } from "../output.ts";
import { plainRedactor } from "../redact.ts";
import { version } from "../version.ts";
import { scanGroups } from "./capture.ts";
import { conclude, type Seen } from "./conclude.ts";
import { deliver, deliveryFrom } from "./deliver.ts";
import { hideIn } from "./hide.ts";
import { installedServers, thisMachine } from "./installed.ts";
import { groups, type Known, labels, withoutTarget } from "./known.ts";
import { namedServers, refuseTargetOptions, withTimeout } from "./named.ts";

export async function runScan(words: Words, out: Output): Promise<ExitCode> {
  const now = new Date();
  const gate = (words.text("fail-on") ?? "fail") as Gate;
  const delivery = await deliveryFrom(words, out);
  const ignores = await ignoresFrom(words, now);
  const contain = await containment(words, (text) => out.progress(text));
  const isNamed = words.positionals.length > 0 || words.rest !== undefined;
  const { hider, ...subject } = isNamed ? await fromWords(words, out) : await fromMachine(words, out);
  const labelOf = labels(subject.known);
  const all = groups(subject.known, labelOf);
  const result = await scanGroups(all, out, hider, contain);
  const seen: Seen = { ...subject, labels: labelOf, groups: all, result, isNamed };
  const terms = { ignores, gate, now, version: await version(), folder: process.cwd() };
  const report = conclude(seen, terms);
  await deliver(report, delivery, out, hideIn(hider));
  return report.exit;
}

type Start = Pick<Seen, "known" | "findings" | "notes" | "title" | "isAllowed" | "unreadable"> & {
  readonly hider: Redactor | undefined;
};

async function fromWords(words: Words, out: Output): Promise<Start> {
  const { known, secrets, notes } = await namedServers(words, out);
  const hider = plainRedactor(secrets);
  out.hide(hider);
  return {
    known,
    notes,
    findings: [],
    isAllowed: true,
    unreadable: 0,
    title: `scan of ${count(known.length, "target")}`,
    hider,
  };
}

async function fromMachine(words: Words, out: Output): Promise<Start> {
  refuseTargetOptions(words);
  out.progress("reading client configs");
  const file = words.text("config");
  const found = await installedServers(thisMachine(), {
    file: file ?? CONFIG_FILE,
    isNamed: file !== undefined,
  });
  const hider = plainRedactor(found.secrets);
  out.hide(hider);
  const { known, isAllowed, note } = await withConsent(
    found.known.map((one) => ready(one, words)),
    words,
    out,
  );
  const { unreadable } = found;
  const none =
    unreadable === 0
      ? "no client config of this user or in this folder names a server"
      : `${count(unreadable, "config file")} could not be read, and no other names a server: nothing was scanned`;
  return {
    known,
    isAllowed,
    unreadable,
    findings: found.findings,
    notes: [...(known.length === 0 ? [none] : []), ...(note === undefined ? [] : [note])],
    title: `scan of this machine: ${count(known.length, "entry", "entries")} in ${count(found.files, "config file")}`,
    hider,
  };
}

/** The options of the command line that go for every server. */
function ready(one: Known, words: Words): Known {
  if (!one.target) return one;
  const era = words.text("era");
  const target = withTimeout(words, one.target);
  return {
    ...one,
    target: era === undefined ? target : { ...target, era: era as "legacy" | "modern" | "auto" },
  };
}

/** Asks once for everything that would be started or reached; without a yes all of it stays as it is listed. */
async function withConsent(
  known: readonly Known[],
  words: Words,
  out: Output,
): Promise<{ known: readonly Known[]; isAllowed: boolean; note?: string }> {
  const waiting = groups(known, labels(known));
  const isYes = words.flag("yes");
  if (waiting.length === 0) return { known, isAllowed: isYes };
  const starters = waiting.map(({ label, target, members: [first] }) => ({
    name: label,
    command: first?.details[0] ?? "",
    notes: startNotes(target.launch, first?.takes),
    ...(first?.place ? { where: `${first.place.file}:${first.place.line}:${first.place.column}` } : {}),
  }));
  // Where nobody can answer, nothing is asked: the report lists what would have been started.
  const answer = isYes || process.stdin.isTTY ? await mayStart(starters, { yes: isYes, out }) : "no-terminal";
  if (answer === "yes") return { known, isAllowed: true };
  const reason = answer === "no" ? "you said no" : "no terminal to ask on, and no --yes";
  return {
    known: known.map((one) => (one.target ? withoutTarget(one, reason) : one)),
    isAllowed: false,
    note: `nothing was started, only config files were read; ${answer === "no" ? "answer y" : "give --yes"} to scan what the servers say`,
  };
}
