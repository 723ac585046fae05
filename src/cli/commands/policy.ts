/** `touchstone policy VERB`: what the gateway's file comes to. Words only: the work is loaded when it runs. */
import type { Command, Option } from "../command.ts";

const CONFIG: Option = {
  type: "string",
  value: "FILE",
  help: "the gateway's configuration file, default touchstone.yml",
};

const check: Command = {
  name: "policy check",
  summary: "read the file as the gateway does, and say who would be admitted",
  usage: "[--config FILE]",
  about: `Starts nothing. The first fault of the file is told with line and column; then each server: whether it would be admitted and by
what, how far its answers are believed, and which of its tools can be called. Tokens whose variable is not set here are warned of:
the gateway does not start without them. So are names in allowed_tools that were neither attested nor locked.

exit code  0  the file can be used           2  it cannot`,
  options: { config: CONFIG },
  examples: [["touchstone policy check", "before the gateway is started, or in CI"]],
  takesNothing: true,
  run: async (words, out) => (await import("../policy.ts")).runCheck(words, out),
};

const explain: Command = {
  name: "policy explain",
  summary: "what would be said to calls of one server",
  usage: "SERVER [--config FILE]",
  about: `For each tool that is allowed, attested or locked: what a call comes to when the tool is as it was looked at and nothing that a
server said led to the call. \`touchstone why ID\` explains a decision that was made.

exit code  0  told           2  there is no such server, or the file cannot be used`,
  options: { config: CONFIG },
  examples: [["touchstone policy explain notes", "what may be done with notes"]],
  run: async (words, out) => (await import("../policy.ts")).runExplain(words, out),
};

const suggest: Command = {
  name: "policy suggest",
  summary: "write a policy from what the log of a gateway has seen",
  usage: "[--config FILE | --log FOLDER] [options]",
  about: `For a gateway that ran with its controls in observe. Prints YAML for touchstone.yml: the tools of each server that were called and
let through, flows between servers that were seen, controls set to enforce; in comments how often and when, an entry to look at
with \`touchstone why\`, what the new policy would have said to the same calls, and what it leaves out: denied calls, tools that
drifted, were listed and never called, servers that are not in the file. A call whose answer was kept back is a denied one.
Nobody is believed, and no control becomes weaker than it is in the file. Read it before you use it.

All logs of the file are read. Each is verified first, and only what is in a signed checkpoint counts. A key from elsewhere
proves more than the folder's own.

exit code  0  written           1  a log is not whole
           2  there is no log, no call in it, a file exists already, or a file or word is wrong`,
  options: {
    config: CONFIG,
    log: {
      type: "string",
      value: "FOLDER",
      help: "the folder of one log, read alone; without --config no file is read then",
    },
    since: {
      type: "string",
      value: "TIME",
      help: "entries from then on: 2026-11-15, 2026-11-15T10:00:00Z, or 2h, 7d ago",
    },
    key: {
      type: "string",
      value: "KEY|FILE",
      help: "the public key of the log, as a file or as NAME+ID+BASE64; else the folder's own",
    },
    unverified: {
      type: "boolean",
      help: "take a log that is not whole or not signed; it says so in the policy",
    },
    out: { type: "string", value: "FILE", help: "a new file to write to, default stdout" },
  },
  examples: [
    ["touchstone policy suggest", "from the log of ./touchstone.yml"],
    ["touchstone policy suggest --since 7d --out suggested.yml", "from the last week, into a file"],
  ],
  takesNothing: true,
  run: async (words, out) => (await import("../suggest.ts")).runSuggest(words, out),
};

export const POLICY_VERBS = { check, explain, suggest } as const;
