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
  const fatal = new Map<string, number>();
  const leavesOut = (check: string): string | undefined =>
    (fatal.get(check) ?? 0) < MAX_FATAL
      ? undefined
      : `such requests to ${MAX_FATAL} other tools had ended or silenced the server`;
  for (const tool of tools.filter(({ name }) => filter(name))) {
    onProgress?.(`bad requests to ${tool.name}`);
    const test = { name: `${tool.name} rejects bad requests`, server: server.name, tags: [] };
    const row = await runNegative(servers.peer(server.name), test, tool, {}, { allowDestructive, leavesOut });
    for (const check of fatalIn(row)) fatal.set(check, (fatal.get(check) ?? 0) + 1);
    tell(row);
  }
  await servers.closeAll();
  onProgress?.("the protocol");
  for (const row of await runProtocol(server, tools)) tell(row);
  const notes = tools.length === 0 ? [`${server.name} lists no tools`] : [];
  return reportOf(server.name, rows, notes);
}

/** A server that ends or hangs by the same requests to so many tools does so by those to the next one too, and each takes its time. */
const MAX_FATAL = 8;

const fatalIn = ({ result }: Assessed): ReadonlySet<string> =>
  new Set(
    (result.cases ?? []).flatMap(({ check, outcome }) =>
      outcome === "hung" || outcome === "crashed" ? [check] : [],
    ),
  );
