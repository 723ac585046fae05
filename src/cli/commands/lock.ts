/** `touchstone lock`: what each server shows, kept in a file; and whether it still shows that. Words only: the work is loaded
 *  when it runs. */
import type { Command } from "../command.ts";
import { IGNORE_OPTION } from "../ignores.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";

export const lock: Command = {
  name: "lock",
  summary: "keep what each server shows in a file, and tell when that changes",
  usage: "[options] [NAME ...]",
  about: `Starts or reaches every server of this project (touchstone.yml, .mcp.json and other clients' project configs) twice:
as a client that can do nothing, and as one that can do everything. What each shows is written to touchstone.lock beside
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
    ...SANDBOX_OPTIONS,
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
  run: async (words, out) => (await import("../lock.ts")).runLockCommand(words, out),
};
