/** `touchstone scan`: what is installed on this machine, or the servers named, and what is wrong with it. Words only: the work
 *  is loaded when it runs. */
import type { Command } from "../command.ts";
import { IGNORE_OPTION } from "../ignores.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";
import { TARGET_HELP, TARGET_OPTIONS } from "../target-words.ts";

/** As the reports have them, which are not loaded for a page of help. */
const SCAN_GATES = ["fail", "warn", "never"];
const SCAN_FORMATS = ["text", "json", "sarif", "markdown"];

export const scan: Command = {
  name: "scan",
  summary: "what is installed on this machine, or these servers, and what is wrong with it",
  usage: "[options] [TARGET ...] | -- COMMAND [ARGS]",
  about: `Without a target: reads the config files of every MCP client of this user and in this folder, and touchstone.yml;
reports names that collide, versions that float, secrets in plain text and broken files; then asks before it starts
anything. Each server is then read twice, for a client that claims nothing and one that claims everything, and all it
advertises is scanned: names, descriptions, schemas, instructions. No tool is called. Commands run in the sandbox where this
machine allows it, with no way out, and what they try there is reported. Without a terminal nothing is
started unless --yes is given. With targets: these servers alone, without asking.

Findings that were looked at are set aside in touchstone.ignore.yml, each with a reason and a last day; the report
still shows them. "Nothing found" means that nothing was found in what was scanned; it does not mean safe.

exit code  0  no finding at or above the gate (--fail-on fail, warn, never; default fail)
           1  findings at or above the gate
           2  the command line or a file is wrong
           3  a named target wants authentication, and nothing is above the gate
           4  a named target could not be scanned, or nothing at all although something is there: every server that
              was started failed, or every config file is unreadable; and nothing is above the gate

${TARGET_HELP}`,
  options: {
    ...TARGET_OPTIONS,
    ...SANDBOX_OPTIONS,
    yes: { type: "boolean", short: "y", help: "start what the config files name without asking" },
    format: { type: "string", value: "FORMAT", choices: SCAN_FORMATS, help: "of the report, default text" },
    output: { type: "string", value: "FILE", help: "write the report there, and text to stdout" },
    "fail-on": {
      type: "string",
      value: "LEVEL",
      choices: SCAN_GATES,
      help: "exit 1 for findings from this level up, default fail",
    },
    ...IGNORE_OPTION,
  },
  examples: [
    ["touchstone scan", "everything installed here; asks before it starts anything"],
    ["touchstone scan --yes --fail-on warn --format sarif --output scan.sarif", "the same for CI"],
    ["touchstone scan npm:@scope/name@1.2.3 https://example.com/mcp", "two servers, nothing else"],
    ["touchstone scan -- node server.js", "a server under development"],
  ],
  run: async (words, out) => (await import("../scan/run.ts")).runScan(words, out),
};
