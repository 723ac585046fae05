/** `touchstone approve`: a person's word for a call that waits. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";

export const approve: Command = {
  name: "approve",
  summary: "see which calls wait at the gateway for a person, and let one through",
  usage: "[ID] [--show | --deny] [--config FILE]",
  about: `Without ID: what waits, with both sides of it. With ID: this one call goes through, as it is and once; --deny sends it
back, and --show only shows it, with all of its arguments (up to 16384 characters). A call waits five minutes at most.
Clients that can ask their user themselves do that instead.

exit code  0  done           2  nothing waits under that id           4  no gateway runs from that file`,
  options: {
    deny: { type: "boolean", help: "do not let it through" },
    show: { type: "boolean", help: "only show it, with all of its arguments" },
    config: {
      type: "string",
      value: "FILE",
      help: "the gateway's configuration file, default touchstone.yml",
    },
  },
  examples: [
    ["touchstone approve", "what waits"],
    ["touchstone approve a-1f9c02aa", "this one, once"],
  ],
  run: async (words, out) => (await import("../approve.ts")).runApprove(words, out),
};
