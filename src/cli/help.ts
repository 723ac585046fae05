/** Help pages, made from the command definitions. */
import { COMMON, type Command, type Option } from "./command.ts";

export function overviewHelp(commands: readonly (readonly [name: string, summary: string])[]): string {
  return `touchstone: may my agent trust this MCP server? Answered with evidence.

usage: touchstone COMMAND [options]

${columns(commands)}

touchstone COMMAND --help explains a command; --version prints the version
start with: touchstone demo

exit codes: 0 ok, 1 findings over the gate, 2 usage or config, 3 authentication needed,
            4 target unreachable, 5 a fault in touchstone itself
`;
}

/** The verbs of a family. */
export function familyHelp(name: string, summary: string, verbs: readonly Command[]): string {
  return `touchstone ${name}: ${summary}

${columns(verbs.map((verb) => [verb.name, verb.summary]))}

touchstone ${name} VERB --help explains one
`;
}

export function commandHelp(command: Command): string {
  const rows = Object.entries({ ...command.options, ...COMMON }).map(
    ([name, option]) => [optionName(name, option), optionHelp(option)] as const,
  );
  const examples = command.examples.map(([line, purpose]) => `  ${line}\n      ${purpose}`);
  return `${`usage: touchstone ${command.name} ${command.usage}`.trimEnd()}

${command.about.trim()}

options:
${columns(rows)}

examples:
${examples.join("\n")}
`;
}

function optionName(name: string, { short, type, value }: Option): string {
  return `${short ? `-${short}, ` : ""}--${name}${type === "string" ? ` ${value ?? "VALUE"}` : ""}`;
}

function optionHelp({ help, multiple, choices }: Option): string {
  return `${help}${choices ? ` (${choices.join(", ")})` : ""}${multiple ? "; may be repeated" : ""}`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
