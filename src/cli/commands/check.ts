/** `touchstone check`: recorded runs, judged. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";
import { TEST_FORMATS } from "./test.ts";

export const check: Command = {
  name: "check",
  summary: "look for flows between servers, widened claims and hostile texts in recordings",
  usage: "[options] RECORDING …",
  about: `Reads recordings (of \`touchstone record\`, \`inspect --record\`, \`test --record\`, or plain captures) and judges what
they hold, as one run in the order of time: values that one server said and another was given (SEC-060), requests that
claim more than was agreed (SEC-061), and texts of servers that speak to the agent. Several files are several servers.

What may flow is declared in the security block of a suite, given with --suite, or with --allow-flow and --sanitizer.
Without any of them every unmodified flow between servers is a finding; --no-boundary leaves flows out.

exit code  0  nothing failed, and something was assessed     1  something failed, or nothing could be assessed
           2  a file cannot be read as a recording`,
  options: {
    suite: { type: "string", value: "FILE", help: "take the security block of this suite" },
    "allow-flow": {
      type: "string",
      multiple: true,
      value: "FROM:TO",
      help: "a pair of servers that was reviewed",
    },
    sanitizer: {
      type: "string",
      multiple: true,
      value: "NAME",
      help: "a tool, server.tool or server that bounds flows",
    },
    "no-boundary": { type: "boolean", help: "do not assess flows" },
    negotiated: {
      type: "string",
      multiple: true,
      value: "CAPABILITY",
      help: "what was agreed, instead of what the recording's first request claims",
    },
    user: { type: "string", multiple: true, value: "TEXT", help: "what the user said: it may go anywhere" },
    format: { type: "string", value: "FORMAT", choices: TEST_FORMATS, help: "of the report, default text" },
    output: { type: "string", value: "FILE", help: "write the report there, and text to stdout" },
  },
  examples: [
    ["touchstone check recordings/*.jsonl", "what crossed between servers"],
    ["touchstone check --suite suite.yml run.jsonl --format sarif --output check.sarif", "for CI"],
  ],
  run: async (words, out) => (await import("../test/check.ts")).runCheck(words, out),
};
