/** Grades servers for tests: in the sandbox, with a seed that is given or drawn. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type GradeResult, grade } from "../../src/grade/index.ts";
import type { MethodId } from "../../src/probes/index.ts";
import { makeCanaries, readAllowedHost, requireSandbox } from "../../src/sandbox/index.ts";
import { type RecordedEvent, readRecording } from "../../src/wire/index.ts";
import { peers, program, root } from "../kit/paths.ts";

export const examples = join(root, "examples/servers");
export const official = (name: string): string =>
  join(
    peers,
    "node_modules",
    name === "context7" ? "@upstash/context7-mcp" : `@modelcontextprotocol/server-${name}`,
    "dist/index.js",
  );

/** Words that start an example: a program of its own, or a file for `mock`. */
export const exampleWords = (name: string): string[] =>
  name === "honest-notes" || name === "hostile-weather"
    ? [join(examples, name, "server.mjs")]
    : [program, "mock", join(examples, name, "server.yml")];

export function gradeWords(
  label: string,
  args: readonly string[],
  {
    method = "touchstone-1",
    seed = randomBytes(8).toString("hex"),
    hosts = [],
  }: { method?: MethodId; seed?: string; hosts?: readonly string[] } = {},
): Promise<GradeResult> {
  return grade({
    target: {
      label,
      launch: { kind: "stdio", command: process.execPath, args },
      limits: {},
      secrets: [],
    },
    method,
    place: { backend: requireSandbox() },
    planted: makeCanaries({ form: method === "litmus-v5" ? "marked" : "plain", random: randomBytes }),
    allowed: hosts.map((host) => readAllowedHost(host, "operator")),
    identity: { name: "mcp-client", version: "1.0.0" },
    seed,
    allowsStateChanges: false,
    windowMs: 300,
  });
}

/** The lines of a recording, and what of it cannot be read. */
export async function readLines(bytes: Buffer): Promise<{ events: RecordedEvent[]; damage: string[] }> {
  const [events, damage]: [RecordedEvent[], string[]] = [[], []];
  const source = async function* (): AsyncGenerator<Buffer> {
    yield bytes;
  };
  for await (const reading of readRecording(source()))
    if (reading.kind === "event") events.push(reading.event);
    else damage.push(reading.reason);
  return { events, damage };
}
