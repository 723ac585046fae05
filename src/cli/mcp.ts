/** Our own commands as tools of an MCP server. Safe by the same rules, and stricter: an agent may name a target, and what it names
 *  is started in the sandbox or not at all. */
import type { ExitCode } from "../core/index.ts";
import { asTrustError, TrustError } from "../core/index.ts";
import { validate } from "../schema/index.ts";
import { isRecord, RpcFailure, type ServerDefinition, serveStdio } from "../wire/index.ts";
import { type Command, readWords } from "./command.ts";
import { grade } from "./commands/grade.ts";
import { regrade } from "./commands/regrade.ts";
import { scan } from "./commands/scan.ts";
import { createOutput, type Output } from "./output.ts";
import { version } from "./version.ts";

interface Tool {
  readonly description: string;
  readonly command: Command;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  words(args: Readonly<Record<string, unknown>>): string[];
}

const TARGET = {
  type: "string",
  minLength: 1,
  maxLength: 500,
  description: "npm:NAME[@VERSION], an https URL, config:[CLIENT/]NAME, a name of touchstone.yml, or a file",
};
const IN_SANDBOX = ["--sandbox", "required"];

const TOOLS: Readonly<Record<string, Tool>> = {
  scan_server: {
    description:
      "Reads everything an MCP server advertises and scans it for poisoned descriptions, hidden text and misleading links. Calls no tool of it. Local servers run in a sandbox.",
    command: scan,
    properties: { target: TARGET },
    required: ["target"],
    words: ({ target }) => [...IN_SANDBOX, String(target)],
  },
  grade_server: {
    description:
      "Exercises an MCP server in a sandbox and grades what it does, A to F, with reasons, findings and coverage. Takes seconds to a minute.",
    command: grade,
    properties: {
      target: TARGET,
      method: { type: "string", enum: ["touchstone-1", "litmus-v5"] },
    },
    required: ["target"],
    words: ({ target, method }) => [
      ...IN_SANDBOX,
      ...(method === undefined ? [] : ["--method", String(method)]),
      String(target),
    ],
  },
  regrade: {
    description:
      "Judges the evidence of a grade again from its recording, without the server, and says whether it is the same.",
    command: regrade,
    properties: {
      folder: {
        type: "string",
        minLength: 1,
        maxLength: 1000,
        description: "a folder with bundle.json and recording.jsonl",
      },
    },
    required: ["folder"],
    words: ({ folder }) => [String(folder)],
  },
};

const schemaOf = ({ properties, required }: Tool): object => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

export async function runMcp(_out: Output): Promise<ExitCode> {
  const definition: ServerDefinition = {
    info: { name: "touchstone", version: await version() },
    capabilities: { tools: {} },
    handlers: {
      "tools/list": () => ({
        tools: Object.entries(TOOLS).map(([name, tool]) => ({
          name,
          description: tool.description,
          inputSchema: schemaOf(tool),
          annotations: { readOnlyHint: true, openWorldHint: name !== "regrade" },
        })),
      }),
      "tools/call": ({ name, arguments: args }) => called(String(name), args),
    },
  };
  await serveStdio(definition).closed;
  return 0;
}

async function called(name: string, args: unknown): Promise<object> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!tool) throw new RpcFailure(-32602, `no tool ${name}`);
  const given = isRecord(args) ? args : {};
  const { verdict } = validate(schemaOf(tool), given);
  if (verdict !== "valid") throw new RpcFailure(-32602, `${name}: the arguments do not fit its schema`);
  try {
    const { text, exit } = await ran(tool.command, tool.words(given));
    return { content: [{ type: "text", text }], isError: exit >= 2 };
  } catch (thrown) {
    const { code, message, hint } = asTrustError(thrown);
    return {
      content: [{ type: "text", text: `${code}: ${message}${hint ? `\n${hint}` : ""}` }],
      isError: true,
    };
  }
}

/** What a command prints with `--json`. */
async function ran(command: Command, words: readonly string[]): Promise<{ text: string; exit: ExitCode }> {
  if (words.some((word) => word.startsWith("-") && !command.options[word.slice(2)]))
    throw new TrustError("CLI_BAD_VALUE", "a target does not begin with a hyphen");
  const parts: string[] = [];
  const out = createOutput(true, {
    stdout: { write: (text: string) => parts.push(text) },
    stderr: { write: () => true },
    env: {},
  });
  const exit = await command.run(readWords(command, words), out);
  return { text: parts.join(""), exit };
}
