/** `touchstone wrap` and `unwrap`: the gateway in front of all servers of a client, and away again. Words only: the work is loaded
 *  when it runs. */
import type { Command, Option } from "../command.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";

const WHICH: Readonly<Record<string, Option>> = {
  folder: {
    type: "string",
    value: "DIR",
    help: "where all is kept, default a folder per config under ~/.config/touchstone/wrapped",
  },
  client: {
    type: "string",
    value: "CLIENT",
    help: "read FILE as this client does, where its place does not tell",
  },
};

const CLIENT_HELP = `CLIENT is claude-desktop, claude-code, cursor, vscode, codex, gemini, windsurf or opencode, and means your own config of it;
FILE is any config, also a project's.`;

export const wrap: Command = {
  name: "wrap",
  summary: "put the gateway in front of all servers of a client",
  usage: "[options] CLIENT|FILE",
  about: `Starts or reaches each server of the config once, as \`lock\` does, and pins the tools it shows. Then one entry, touchstone,
stands in the config in the place of theirs, and starts \`touchstone gateway\` with all of them behind it: they work as before,
a tool that changes is set aside, and what would go from one server to another is asked about. It asks before it starts
anything. Nothing of the config changes but these entries, and \`touchstone unwrap\` gives the original bytes back.

What cannot be looked at stays in the config as it is. Run it again after servers were added: those are taken in, and what
was pinned before stays pinned.

${CLIENT_HELP}

exit code  0  all of it is behind the gateway           1  something stays that should be           2  nothing was changed`,
  options: {
    "dry-run": { type: "boolean", help: "show what would be done; start nothing, change nothing" },
    yes: { type: "boolean", short: "y", help: "start the servers without asking" },
    ...WHICH,
    ...SANDBOX_OPTIONS,
    timeout: {
      type: "string",
      value: "SECONDS",
      help: "time limit of one request while looking, default 30",
    },
  },
  examples: [
    ["touchstone wrap cursor --dry-run", "see what would be done"],
    ["touchstone wrap cursor", "do it"],
    ["touchstone wrap ./.mcp.json", "the servers of a project"],
  ],
  run: async (words, out) => (await import("../wrap/run.ts")).runWrap(words, out),
};

export const unwrap: Command = {
  name: "unwrap",
  summary: "take the gateway away again: the config as it was",
  usage: "[options] CLIENT|FILE",
  about: `Where the config is as \`wrap\` left it, its original bytes come back. Where it was changed since, the entry of the gateway is
taken out and the original entries are put back, word for word; all else that was changed stays. What cannot be done exactly
is refused, and it says where the original text lies.

${CLIENT_HELP}

exit code  0  done, or it was taken back before           2  it was never wrapped, or refused: nothing was changed`,
  options: {
    "dry-run": { type: "boolean", help: "say what would be done, and change nothing" },
    forget: { type: "boolean", help: "also remove the lock, the policy and the log that were kept" },
    ...WHICH,
  },
  examples: [
    ["touchstone unwrap cursor", "as it was"],
    ["touchstone unwrap cursor --forget", "and leave nothing behind"],
  ],
  run: async (words, out) => (await import("../wrap/unwrap.ts")).runUnwrap(words, out),
};
