/** A first suite for a server, made of what it advertises. Every tool gets the two checks that hold for any server; a tool that
 *  claims to read only is also called. */
import { sampleArguments } from "../schema/index.ts";
import type { Launch } from "../wire/index.ts";
import { dangerOf, type ToolFacts } from "./negative/tool.ts";

const SCHEMA_LINE = "# yaml-language-server: $schema=./node_modules/touchstone/spec/suite.schema.json";

export interface Draft {
  readonly text: string;
  readonly tests: number;
  /** Tools that no arguments could be made for. */
  readonly left: readonly string[];
}

/** `worked` says which tools answered these arguments without an error: only they get a test that expects it. */
export async function draftSuite(
  server: string,
  launch: Launch,
  tools: readonly ToolFacts[],
  worked: ReadonlySet<string>,
): Promise<Draft> {
  const { stringify } = await import("yaml");
  const tests = tools.map((tool) => testFor(server, tool, worked));
  const left = tools.filter((tool) => argumentsFor(tool) === undefined).map(({ name }) => name);
  const body = stringify(
    { servers: { [server]: serverOf(launch) }, tools: tests },
    { lineWidth: 110, defaultStringType: "PLAIN", flowCollectionPadding: true },
  );
  const head = [
    SCHEMA_LINE,
    "# A first suite. Say what each tool should answer under `expect`; run it with `touchstone test`.",
    "# negative_path sends bad requests, which must be rejected; it never makes a valid call of a tool that may change things.",
  ];
  return { text: `${head.join("\n")}\n${body}`, tests: tests.length, left };
}

function serverOf(launch: Launch): object {
  if (launch.kind === "http") return { url: launch.url.href };
  const names = Object.keys(launch.env ?? {});
  // Values stay where they are: a suite is shared.
  const env = Object.fromEntries(names.map((name) => [name, `\${${name}}`]));
  return { command: [launch.command, ...launch.args], ...(names.length === 0 ? {} : { env }) };
}

function testFor(server: string, tool: ToolFacts, worked: ReadonlySet<string>): object {
  const args = argumentsFor(tool);
  const isCalled = worked.has(tool.name);
  return {
    name: isCalled ? `${tool.name} answers` : `${tool.name} rejects bad requests`,
    server,
    tool: tool.name,
    ...(args === undefined || Object.keys(args).length === 0 ? {} : { args }),
    ...(isCalled ? { expect: [{ target: "result.content", matcher: { schema: { type: "array" } } }] } : {}),
    negative_path: { checks: ["unknown_tool", "missing_required"] },
  };
}

/** Whether a draft may call it: only what claims to read. */
export const isReading = (tool: ToolFacts): boolean =>
  dangerOf(tool) === "harmless" && (tool.annotations as { readOnlyHint?: unknown }).readOnlyHint === true;

export function argumentsFor({ inputSchema }: ToolFacts): Readonly<Record<string, unknown>> | undefined {
  const [sample] = sampleArguments(inputSchema, { maxSamples: 1 });
  return sample?.value as Readonly<Record<string, unknown>> | undefined;
}
