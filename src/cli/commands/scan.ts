/** `touchstone scan`: what is installed on this machine, or the servers named, and what is wrong with it. */
import { count } from "../../core/index.ts";
import { GATES, type Gate } from "../../report/index.ts";
import { CONFIG_FILE } from "../../target/index.ts";
import { type Redactor, redactor } from "../../wire/index.ts";
import type { Command, Words } from "../command.ts";
import { mayStart } from "../consent.ts";
import { IGNORE_OPTION, ignoresFrom } from "../ignores.ts";
import type { Output } from "../output.ts";
import { scanGroups } from "../scan/capture.ts";
import { conclude, type Seen } from "../scan/conclude.ts";
import { deliver, deliveryFrom, REPORT_OPTIONS } from "../scan/deliver.ts";
import { hideIn } from "../scan/hide.ts";
import { installedServers, thisMachine } from "../scan/installed.ts";
import { groups, type Known, labels, withoutTarget } from "../scan/known.ts";
import { namedServers, refuseTargetOptions, withTimeout } from "../scan/named.ts";
import { TARGET_HELP, TARGET_OPTIONS } from "../target-options.ts";
import { version } from "../version.ts";

export const scan: Command = {
  name: "scan",
  summary: "what is installed on this machine, or these servers, and what is wrong with it",
  usage: "[options] [TARGET ...] | -- COMMAND [ARGS]",
  about: `Without a target: reads the config files of every MCP client of this user and in this folder, and touchstone.yml;
reports names that collide, versions that float, secrets in plain text and broken files; then asks before it starts
anything. Each server is then read twice, for a client that claims nothing and one that claims everything, and all it
advertises is scanned: names, descriptions, schemas, instructions. No tool is called. Without a terminal nothing is
started unless --yes is given. With targets: these servers alone, without asking.

Findings that were looked at are set aside in touchstone.ignore.yml, each with a reason and a last day; the report
still shows them. "Nothing found" means that nothing was found in what was scanned; it does not mean safe.

exit code  0  no finding at or above the gate (--fail-on fail, warn, never; default fail)
           1  findings at or above the gate
           2  the command line or a file is wrong
           3  a named target wants authentication, and nothing is above the gate
           4  a named target could not be scanned, and nothing is above the gate

${TARGET_HELP}`,
  options: {
    ...TARGET_OPTIONS,
    yes: { type: "boolean", short: "y", help: "start what the config files name without asking" },
    ...REPORT_OPTIONS,
    "fail-on": {
      type: "string",
      value: "LEVEL",
      choices: GATES,
      help: "exit 1 for findings from this level up, default fail",
    },
    ...IGNORE_OPTION,
  },
  examples: [
    ["touchstone scan", "everything installed here; asks before it starts anything"],
    ["touchstone scan --yes --fail-on warn --format sarif --output scan.sarif", "the same for CI"],
    ["touchstone scan npm:@scope/name@1.2.3 https://example.com/mcp", "two servers, nothing else"],
    ["touchstone scan -- node server.js", "a server under development"],
  ],
  async run(words, out) {
    const now = new Date();
    const gate = (words.text("fail-on") ?? "fail") as Gate;
    const delivery = await deliveryFrom(words, out);
    const ignores = await ignoresFrom(words, now);
    const isNamed = words.positionals.length > 0 || words.rest !== undefined;
    const { hider, ...subject } = isNamed ? await fromWords(words, out) : await fromMachine(words, out);
    const labelOf = labels(subject.known);
    const all = groups(subject.known, labelOf);
    const result = await scanGroups(all, out, hider);
    const seen: Seen = { ...subject, labels: labelOf, groups: all, result, isNamed };
    const terms = { ignores, gate, now, version: await version(), folder: process.cwd() };
    const report = conclude(seen, terms);
    await deliver(report, delivery, out, hider && hideIn(hider));
    return report.exit;
  },
};

type Start = Pick<Seen, "known" | "findings" | "notes" | "title"> & {
  readonly hider: Redactor | undefined;
};

async function fromWords(words: Words, out: Output): Promise<Start> {
  const { known, secrets, notes } = await namedServers(words, out);
  const hider = redactor(secrets);
  out.hide(hider);
  return {
    known,
    notes,
    findings: [],
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
  const hider = redactor(found.secrets);
  out.hide(hider);
  const { known, note } = await withConsent(
    found.known.map((one) => ready(one, words)),
    words,
    out,
  );
  const none = "no client config of this user or in this folder names a server";
  return {
    known,
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
): Promise<{ known: readonly Known[]; note?: string }> {
  const waiting = groups(known, labels(known));
  if (waiting.length === 0) return { known };
  const starters = waiting.map(({ label, members: [first] }) => ({
    name: label,
    command: first?.details[0] ?? "",
    ...(first?.place ? { where: `${first.place.file}:${first.place.line}:${first.place.column}` } : {}),
  }));
  const isYes = words.flag("yes");
  // Where nobody can answer, nothing is asked: the report lists what would have been started.
  const answer = isYes || process.stdin.isTTY ? await mayStart(starters, { yes: isYes, out }) : "no-terminal";
  if (answer === "yes") return { known };
  const reason = answer === "no" ? "you said no" : "no terminal to ask on, and no --yes";
  return {
    known: known.map((one) => (one.target ? withoutTarget(one, reason) : one)),
    note: `nothing was started, only config files were read; ${answer === "no" ? "answer y" : "give --yes"} to scan what the servers say`,
  };
}
