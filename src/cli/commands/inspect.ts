/** `touchstone inspect`: everything a server says, as it says it. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";
import { IGNORE_OPTION } from "../ignores.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";
import { TARGET_HELP, TARGET_OPTIONS } from "../target-words.ts";

export const inspect: Command = {
  name: "inspect",
  summary: "everything a server says, unfiltered; can record it",
  usage: "[options] TARGET | -- COMMAND [ARGS]",
  about: `Starts or reaches a server, opens a session and reads all its lists. Nothing is left out: members a client
would drop, frames nobody asked for and text on the wrong stream are shown. No tool is called.
It observes; it does not judge.

exit code  0  it answered      2  a word, a file or the target is wrong      3  it wants a login
           4  it cannot be reached, or a list that it declares cannot be read

${TARGET_HELP}`,
  options: {
    ...TARGET_OPTIONS,
    ...SANDBOX_OPTIONS,
    record: { type: "string", value: "FILE", help: "write every frame to a new recording" },
    ...IGNORE_OPTION,
  },
  examples: [
    ["touchstone inspect -- node server.js", "start a server and list what it says"],
    ["touchstone inspect https://example.com/mcp --bearer-env TOKEN --json", "a remote server, as JSON"],
    [
      "touchstone inspect notes --era auto --record notes.jsonl",
      "a server of touchstone.yml, with every byte kept",
    ],
  ],
  run: async (words, out) => (await import("../inspect.ts")).runInspect(words, out),
};
