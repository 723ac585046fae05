/** `touchstone grade`: a server exercised, judged, and the evidence. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";
import { TARGET_HELP, TARGET_OPTIONS } from "../target-words.ts";

export const grade: Command = {
  name: "grade",
  summary: "exercise a server in the sandbox and grade what it does, A to F, with evidence",
  usage: "[options] TARGET | -- COMMAND [ARGS]",
  about: `Starts a server in the sandbox with planted secrets, reads all it advertises, calls every tool with arguments made from
its schema, with baits, spoiled arguments, jailbreak texts and secrets, and watches what it answers, says unasked, reads
and tries to reach. The recording is judged under two methods: litmus-v5, and touchstone-1, which looks at more and whose
letter counts. \`touchstone regrade\` judges the recording again, without the server.

A  nothing found, every tool succeeded        B  nothing found, what it reaches was not assessed
C  nothing found, but not every tool could be exercised, or something worth knowing
D  reaches beyond what it says, breaks, or reads keys of others     F  speaks to the agent, or lets data out
Not graded: no call succeeded. A grade is an observation; it does not say that a server is safe.

Without a sandbox only tools that claim to read only are called, unless --allow-state-changing is given; a command is
started on this machine only with --sandbox none.

exit code  0  graded, and not below --min-grade      1  below it, or not graded
           4  the server could not be started or reached

${TARGET_HELP}`,
  options: {
    ...TARGET_OPTIONS,
    ...SANDBOX_OPTIONS,
    method: {
      type: "string",
      value: "METHOD",
      choices: ["touchstone-1", "litmus-v5"],
      help: "whose forms to use and whose letter counts, default touchstone-1",
    },
    "min-grade": {
      type: "string",
      value: "LETTER",
      choices: ["A", "B", "C", "D"],
      help: "exit 1 for a lower letter",
    },
    out: {
      type: "string",
      value: "DIR",
      help: "write evidence and reports there: HTML, SARIF, JUnit, badge",
    },
    sign: {
      type: "string",
      value: "KEY",
      help: "sign the grade with this key, into statement.json of --out",
    },
    "if-older": { type: "string", value: "14d", help: "do nothing while the statement there is younger" },
    origin: {
      type: "string",
      multiple: true,
      value: "URL",
      help: "where the server is reached, for the statement",
    },
    "passphrase-file": { type: "string", value: "FILE", help: "opens the key; else TOUCHSTONE_PASSPHRASE" },
    plain: { type: "boolean", help: "the key file is not encrypted" },
    upstream: { type: "string", value: "FILE", help: "answer declared hosts with the replies of this file" },
    "forward-declared": { type: "boolean", help: "pass connections to declared hosts on to them" },
    "allow-state-changing": {
      type: "boolean",
      help: "call tools that may change things, also without a sandbox",
    },
    "dry-run": { type: "boolean", help: "show what would be called, and call nothing" },
    window: { type: "string", value: "SECONDS", help: "watch so long after the last call, default 1" },
    seed: { type: "string", value: "TEXT", help: "makes markers and secrets in arguments repeat" },
    client: {
      type: "string",
      value: "NAME[/VERSION]",
      help: "who we say we are; two with a comma are told in turn, default claude-ai/0.1.0,mcp-client/1.0.0",
    },
  },
  examples: [
    ["touchstone grade npm:@scope/name@1.2.3", "a package, in the sandbox"],
    ["touchstone grade --out evidence --min-grade B -- node server.js", "in CI, with evidence to keep"],
    ["touchstone grade https://example.com/mcp --bearer-env TOKEN", "a remote server: read-only tools only"],
  ],
  run: async (words, out) => (await import("../grade.ts")).runGrade(words, out),
};
