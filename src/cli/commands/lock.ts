/** `touchstone lock`: what each server shows, kept in a file; and whether it still shows that. */
import { dirname, join } from "node:path";
import { count, defined, type ExitCode, type Finding, ruleTable, TrustError } from "../../core/index.ts";
import {
  type Configured,
  type ConfiguredServer,
  chosen,
  configuredServers,
  exitOf,
  type Failed,
  judgeServers,
  LOCK_FILE,
  LOCK_FORMAT,
  type Lock,
  launchKey,
  projectFolder,
  type Resolved,
  readLock,
  resolveServers,
  type Standing,
  shadowFindings,
  type Taken,
  takeServers,
  writeLock,
} from "../../surface/index.ts";
import { credentialFile } from "../../target/index.ts";
import { redactor } from "../../wire/index.ts";
import { type Command, type Words, wholeNumber } from "../command.ts";
import { commandLine, consentError, mayStart, type Starter } from "../consent.ts";
import { showLock } from "../lock-text.ts";
import type { Output } from "../output.ts";

export const lock: Command = {
  name: "lock",
  summary: "keep what each server shows in a file, and tell when that changes",
  usage: "[options] [NAME ...]",
  about: `Starts or reaches every server of this project (touchstone.yml, .mcp.json and other clients' project configs), twice:
once as a client that can do nothing, once as one that can do everything. What each shows is written to ${LOCK_FILE}
beside the config; commit it. No tool is called. It asks before it starts anything.

The file is written once. From then on only --accept NAME changes it: \`lock\` alone then compares, as --check does.
NAME limits it to some servers: the name in the config, or CLIENT/NAME. Values of variables, headers, arguments and
queries are not written to the file.

Exit code 1: a server shows something else than was locked, or is not locked. 4: a server could not be compared, which
is not the same as unchanged. A server that no config has any more is only a warning.`,
  options: {
    check: { type: "boolean", help: "compare only, never write; fails without a lock file" },
    accept: {
      type: "string",
      multiple: true,
      value: "NAME",
      help: "show what changed in this server and lock it as it is now; a server that is gone is dropped",
    },
    user: { type: "boolean", help: "the servers of this user's client configs instead of the project's" },
    yes: { type: "boolean", short: "y", help: "start the servers without asking" },
    timeout: { type: "string", value: "SECONDS", help: "time limit of one request, default 30" },
    config: { type: "string", value: "FILE", help: "configuration file, default touchstone.yml" },
  },
  examples: [
    ["touchstone lock", "lock all servers of this project"],
    ["touchstone lock --check --yes", "in CI: fail when a server shows something new"],
    ["touchstone lock --accept notes", "look at what changed in one server and take it"],
    ["touchstone lock --user", "lock what your own clients start, in your config folder"],
  ],
  async run(words, out) {
    const wanted = readWanted(words);
    const { file, configFile, accepted } = wanted;
    const old = await readLock(file);
    if (!old && (words.flag("check") || accepted.length > 0))
      throw new TrustError("LOCK_NOT_FOUND", `there is no ${file}`);
    const configured = await configuredServers(
      defined({ level: wanted.level, configFile }) as Parameters<typeof configuredServers>[0],
    );
    const selection = select(wanted, configured, old);
    const options = defined({
      configFile,
      timeoutMs: wanted.timeoutMs,
      onProgress: (text: string) => out.progress(text),
    });
    const { resolved, failed } = await resolveServers(selection.servers, options);
    out.hide(redactor(resolved.flatMap(({ target }) => target.secrets)));
    await consent(resolved, words.flag("yes"), out);
    const run = await takeServers(resolved, options);
    const isAllRead = configured.problems.length === 0;
    const standing = {
      taken: run.taken,
      failed: [...failed, ...run.failed],
      configured: new Set(configured.servers.map(({ id }) => id)),
      unreadable: configured.unreadable,
    };
    const part: Lock = { format: LOCK_FORMAT, servers: selection.locked };
    const { standings, findings } = judgeServers(part, standing);
    const next = nextLock(wanted, old, standings, accepted);
    if (next) await writeLock(file, next);
    const isWritten = next !== undefined;
    const code: ExitCode = isWritten ? writtenExit(standings, isAllRead) : exitOf(standings, isAllRead);
    showLock(
      {
        file,
        isWritten,
        isFirst: old === undefined,
        isAccepting: accepted.length > 0,
        standings,
        disabled: configured.disabled.map(({ id }) => id),
        findings: [
          ...configured.problems,
          ...findings,
          ...run.taken.flatMap((one) => one.findings.filter(({ rule }) => isWritten && rule === "SURF-01")),
          ...shadows(run.taken, resolved, old),
        ],
      },
      out,
    );
    return code;
  },
};
