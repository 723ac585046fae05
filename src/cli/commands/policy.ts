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
  about: `Starts nothing. Every fault of the file is told with line and column; then each server: whether it would be admitted and by
what, how far its answers are believed, and which tools are allowed, attested or locked.

exit code  0  the file can be used           2  it cannot`,
  options: { config: CONFIG },
  examples: [["touchstone policy check", "before the gateway is started, or in CI"]],
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

export const POLICY_VERBS = { check, explain } as const;
