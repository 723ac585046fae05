/** A first suite from a live server: its tools are read, and those that claim to read only are called once. */
import type { Launch } from "../../wire/index.ts";
import { argumentsFor, type Draft, draftSuite, isReading } from "../draft.ts";
import { answerOf, unexpected } from "./answer.ts";
import { Servers, type TestedServer } from "./servers.ts";

const TIMEOUT_MS = 10_000;

/** Throws `NotOpened` when the server cannot be spoken to at all. */
export async function firstSuite(server: TestedServer, name: string, launch: Launch): Promise<Draft> {
  const servers = new Servers(() => server);
  try {
    const tools = await servers.tools(server.name);
    const worked = new Set<string>();
    for (const tool of tools.filter(isReading)) {
      const args = argumentsFor(tool);
      if (args === undefined) continue;
      const session = await servers.session(server.name);
      const params = { name: tool.name, arguments: args };
      const answer = answerOf(await session.request("tools/call", params, { timeoutMs: TIMEOUT_MS }));
      if (unexpected(answer, []) === undefined) worked.add(tool.name);
    }
    return await draftSuite(name, launch, tools, worked);
  } finally {
    await servers.closeAll();
  }
}
