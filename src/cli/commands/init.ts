/** `touchstone init`: a first suite from a live server. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";
import { TARGET_HELP, TARGET_OPTIONS } from "../target-words.ts";

export const init: Command = {
  name: "init",
  summary: "write a first suite from what a server advertises",
  usage: "[options] TARGET | -- COMMAND [ARGS]",
  about: `Starts a server, reads its tools, calls those that claim to read only with arguments made from their schemas, and
writes a suite: a test a tool, with an expectation where it answered. Edit it, then run \`touchstone test\`.

exit code  0  written      2  the file exists already      4  the server cannot be reached

${TARGET_HELP}`,
  options: {
    ...TARGET_OPTIONS,
    ...SANDBOX_OPTIONS,
    output: { type: "string", value: "FILE", help: "default touchstone.test.yml; - prints it" },
    name: { type: "string", value: "NAME", help: "what the server is called in the suite" },
  },
  examples: [
    ["touchstone init -- node server.js", "writes touchstone.test.yml"],
    ["touchstone init --output - npm:@scope/name@1.2.3", "prints it"],
  ],
  run: async (words, out) => (await import("../test/init.ts")).runInit(words, out),
};
