/** `touchstone test`: suites, and what any server has to withstand. Words only: the work is loaded when it runs. */
import type { Command } from "../command.ts";
import { SANDBOX_OPTIONS } from "../sandbox-words.ts";
import { TARGET_HELP, TARGET_OPTIONS } from "../target-words.ts";

export const TEST_FORMATS = ["text", "json", "junit", "sarif", "github"] as const;

export const test: Command = {
  name: "test",
  summary: "run suites, or send a server bad requests and see whether it rejects them",
  usage: "[options] [SUITE.yml …] | TARGET | -- COMMAND [ARGS]",
  about: `Runs suites in mcptest's YAML: calls with expectations, steps that pass one result into another call, negative paths,
fuzzing, and what may flow between servers. Without a name it takes touchstone.test.yml, mcptest.yaml or mcptest.yml of
this folder; \`touchstone init\` writes a first one.

Given a TARGET instead of a suite it sends bad requests to every tool of the server (unknown tool, missing and wrong
arguments, fields that are not allowed, very large ones) and asks ten questions about the protocol. It never makes a
valid call of a tool that may change things, unless --allow-state-changing is given.

Nothing assessed is nothing passed: tests that had nothing to look at are counted by themselves.

exit code  0  all that was run passed, and something was      1  a test failed, or nothing could be assessed
           2  a suite is wrong: file, line and column say where      4  the server of TARGET cannot be reached

${TARGET_HELP}`,
  options: {
    ...TARGET_OPTIONS,
    ...SANDBOX_OPTIONS,
    filter: {
      type: "string",
      multiple: true,
      value: "TEXT",
      help: "only tests whose name has this text; tag:NAME, server:NAME by tag or server",
    },
    bail: { type: "boolean", help: "end with the first test that fails" },
    format: { type: "string", value: "FORMAT", choices: TEST_FORMATS, help: "of the report, default text" },
    output: { type: "string", value: "FILE", help: "write the report there, and text to stdout" },
    record: { type: "string", value: "FILE", help: "record all that was said, for touchstone check" },
    "update-snapshots": { type: "boolean", help: "store what came as what is expected from now on" },
    "allow-state-changing": { type: "boolean", help: "let checks really call tools that may change things" },
  },
  examples: [
    ["touchstone test", "the suite of this folder"],
    ["touchstone test suite.yml --filter tag:smoke --format junit --output junit.xml", "some of it, in CI"],
    ["touchstone test -- node server.js", "what any server has to withstand"],
  ],
  run: async (words, out) => (await import("../test/run.ts")).runTest(words, out),
};
