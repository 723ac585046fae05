/** `touchstone why`: a decision of the gateway, explained. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";

export const why: Command = {
  name: "why",
  summary: "why the gateway decided as it did, made again from the log",
  usage: "ID [--config FILE | --log FOLDER]",
  about: `Finds a decision by its id, tells by which rule it was made, what led to it and from which results that came, and makes
it again from what its entry holds. \`touchstone audit verify\` tells whether the log itself is whole.

exit code  0  it was found           2  there is no such entry, or no log`,
  options: {
    config: {
      type: "string",
      value: "FILE",
      help: "the gateway's configuration file, default touchstone.yml",
    },
    log: { type: "string", value: "FOLDER", help: "the folder of the log, in place of the file" },
  },
  examples: [["touchstone why d-9f3a1c2b4d5e-000k", "as a denial names it"]],
  run: async (words, out) => (await import("../why.ts")).runWhy(words, out),
};
