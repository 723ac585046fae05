/** A server without a suite: the negative path of every tool, and the questions about the protocol. */

import type { SuiteReport, TestResult } from "../model.ts";
import type { Assessed } from "../negative/result.ts";
import { runNegative } from "../negative/run.ts";
import { type ProtocolPeer, runProtocol } from "../protocol/run.ts";
import { reportOf } from "./run.ts";
import { Servers, type TestedServer } from "./servers.ts";

export interface WholeOptions {
  readonly allowDestructive?: boolean;
  /** Which tools are asked; all unless told. */
  readonly filter?: (tool: string) => boolean;
  readonly onProgress?: (text: string) => void;
  readonly onResult?: (result: TestResult) => void;
}

/** Throws `NotOpened` when the server cannot be spoken to at all. */
export async function runWhole(
  server: TestedServer & ProtocolPeer,
  { allowDestructive = false, filter = () => true, onProgress, onResult }: WholeOptions = {},
): Promise<SuiteReport> {
  const servers = new Servers(() => server);
  const rows: Assessed[] = [];
  const tell = (row: Assessed): void => {
    rows.push(row);
    onResult?.(row.result);
  };
  const tools = await servers.tools(server.name);
  await servers.closeAll();
  for (const tool of tools.filter(({ name }) => filter(name))) {
    onProgress?.(`bad requests to ${tool.name}`);
    const test = { name: `${tool.name} rejects bad requests`, server: server.name, tags: [] };
    tell(await runNegative(servers.peer(server.name), test, tool, {}, { allowDestructive }));
  }
  await servers.closeAll();
  onProgress?.("the protocol");
  for (const row of await runProtocol(server, tools)) tell(row);
  const notes = tools.length === 0 ? [`${server.name} lists no tools`] : [];
  return reportOf(server.name, rows, notes);
}
