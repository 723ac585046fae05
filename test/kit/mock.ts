/** Plays a mock written in a test, as the program would. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ConnectOptions,
  connect,
  type Launch,
  type Outcome,
  type Session,
} from "../../src/wire/index.ts";
import { program, temporaryFolder } from "./paths.ts";

export interface Play extends AsyncDisposable {
  readonly session: Session;
  readonly folder: string;
  call(tool?: string, args?: object): Promise<Outcome>;
}

/** Starts `touchstone mock` on the text and opens a session; both go away with the scope. */
export async function play(
  yaml: string,
  options: ConnectOptions & { env?: Record<string, string> } = {},
): Promise<Play> {
  const folder = temporaryFolder();
  const file = join(folder.path, "mock.yml");
  writeFileSync(file, yaml);
  const { env = {}, ...rest } = options;
  const launch: Launch = {
    kind: "stdio",
    command: process.execPath,
    args: [program, "mock", file],
    cwd: folder.path,
    env,
  };
  const session = await connect(launch, {
    ...rest,
    limits: { timeoutMs: 1_000, stopStepMs: 300, ...rest.limits },
  });
  return {
    session,
    folder: folder.path,
    call: (tool = "look_up", args = { word: "apple" }) =>
      session.request("tools/call", { name: tool, arguments: args }),
    async [Symbol.asyncDispose]() {
      await session.close();
      folder[Symbol.dispose]();
    },
  };
}

/** The text of the first content block of a result. */
export function textOf(outcome: Outcome): string {
  if (outcome.kind !== "result") return `(${outcome.kind})`;
  const { content } = outcome.result as { content?: { text?: string }[] };
  return content?.[0]?.text ?? "";
}
