/** `touchstone lock`: what each server shows, kept in a file; and whether it still shows that. */
import { dayOf, defined, type Finding, suppress, TrustError } from "../../core/index.ts";
import {
  LOCK_FILE,
  type LockRequest,
  type LockResult,
  launchKey,
  type Resolved,
  runLock,
} from "../../surface/index.ts";
import { redactor } from "../../wire/index.ts";
import { type Command, type Words, wholeNumber } from "../command.ts";
import { commandLine, consentError, mayStart, type Starter, startNotes } from "../consent.ts";
import { IGNORE_OPTION, ignoresFrom } from "../ignores.ts";
import { showLock } from "../lock-text.ts";
import type { Output } from "../output.ts";

export const lock: Command = {
  name: "lock",
  summary: "keep what each server shows in a file, and tell when that changes",
  usage: "[options] [NAME ...]",
  about: `Starts or reaches every server of this project (touchstone.yml, .mcp.json and other clients' project configs) twice:
as a client that can do nothing, and as one that can do everything. What each shows is written to ${LOCK_FILE} beside
the config; commit it. No tool is called. It asks before it starts anything.

The file is written once. After that only --accept NAME changes it, and \`lock\` alone compares, as --check does.
NAME is the name in the config, or CLIENT/NAME. The file holds no arguments, no queries, and no value of a variable or
header.

Exit code 1: a server shows something else than was locked, or is not locked. 4: a server was not compared, which is
not the same as unchanged. A server that no config has any more is a warning only.`,
  options: {
    check: { type: "boolean", help: "compare and never write; an error without a lock file" },
    accept: {
      type: "string",
      multiple: true,
      value: "NAME",
      help: "show what changed in this server and lock it as it is now, or drop it when it is gone",
    },
    user: { type: "boolean", help: "the servers of your own client configs, locked in your config folder" },
    yes: { type: "boolean", short: "y", help: "start the servers without asking" },
    timeout: { type: "string", value: "SECONDS", help: "time limit of one request, default 30" },
    config: { type: "string", value: "FILE", help: "configuration file, default touchstone.yml" },
    ...IGNORE_OPTION,
  },
  examples: [
    ["touchstone lock", "lock all servers of this project"],
    ["touchstone lock --check --yes", "in CI: fail when a server shows something new"],
    ["touchstone lock --accept notes", "see what changed in one server, and take it"],
    ["touchstone lock --user", "lock what your own clients start"],
  ],
  async run(words, out) {
    const now = new Date();
    const ignores = await ignoresFrom(words, now);
    const result = await runLock({
      ...readRequest(words),
      onProgress: (text) => out.progress(text),
      mayStart: (resolved) => consent(resolved, words.flag("yes"), out),
    });
    const suppression = suppress(result.findings, ignores, dayOf(now));
    const judged = { ...result, findings: suppression.kept, exit: exitAfter(result, suppression.kept) };
    showLock(judged, suppression, out);
    return judged.exit;
  },
};

/** A change that was set aside with a reason does not fail the run; what was not assessed still does. */
function exitAfter({ exit, standings }: LockResult, kept: readonly Finding[]): LockResult["exit"] {
  if (exit !== 1 || kept.some(({ rule }) => rule === "LOCK-01" || rule === "LOCK-02")) return exit;
  return standings.some(({ status }) => status === "not-assessed") ? 4 : 0;
}

function readRequest(words: Words): Omit<LockRequest, "mayStart" | "onProgress"> {
  const accepted = words.texts("accept");
  const isChecking = words.flag("check");
  if (words.rest !== undefined)
    throw new TrustError("CLI_BAD_VALUE", "lock takes names of servers in a config, not a command");
  if (accepted.length > 0 && isChecking)
    throw new TrustError("CLI_BAD_VALUE", "--check never writes, --accept does: give one of them");
  if (accepted.length > 0 && words.positionals.length > 0)
    throw new TrustError(
      "CLI_BAD_VALUE",
      `--accept is about the servers it names, not "${words.positionals[0]}"`,
      {
        hint: "write --accept before each name",
      },
    );
  if (words.flag("user") && words.text("config") !== undefined)
    throw new TrustError("CLI_BAD_VALUE", "--user reads no touchstone.yml: give --user or --config");
  const seconds = wholeNumber(words, "timeout");
  return {
    mode: accepted.length > 0 ? "accept" : isChecking ? "check" : "lock",
    names: accepted.length > 0 ? accepted : words.positionals,
    level: words.flag("user") ? "user" : "project",
    ...defined({
      configFile: words.text("config"),
      timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    }),
  };
}

/** Each command once, under all names it has. From here on the secrets of all of them are kept out of what is printed. */
async function consent(resolved: readonly Resolved[], yes: boolean, out: Output): Promise<boolean> {
  out.hide(redactor(resolved.flatMap(({ target }) => target.secrets)));
  const starters = new Map<string, Starter>();
  for (const { server, target } of resolved) {
    const key = launchKey(target);
    const same = starters.get(key);
    starters.set(key, {
      name: same ? `${same.name}, ${server.id}` : server.id,
      command: commandLine(target),
      where: same ? `${same.where}, ${server.where}` : server.where,
      notes: [
        ...startNotes(target.launch),
        ...target.notes.filter((note) => note.startsWith("it takes")),
      ],
    });
  }
  const all = [...starters.values()];
  const answer = await mayStart(all, { yes, out });
  if (answer === "no-terminal") throw consentError(all);
  return answer === "yes";
}
