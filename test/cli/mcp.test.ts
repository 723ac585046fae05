/** `touchstone mcp`: our commands as tools, over a real session. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { connect, list } from "../../src/wire/index.ts";
import { program, root } from "../kit/paths.ts";

const timeout = 60_000;
const open = () =>
  connect(
    { kind: "stdio", command: process.execPath, args: [program, "mcp"], cwd: root },
    { limits: { timeoutMs: 50_000 } },
  );
const example = (name: string): string => join(root, `examples/servers/${name}/server.mjs`);

async function call(name: string, args: object): Promise<{ text: string; isError: boolean; error?: string }> {
  await using session = await open();
  const outcome = await session.request("tools/call", { name, arguments: args });
  if (outcome.kind === "error") return { text: "", isError: true, error: outcome.error.message };
  const { content, isError } = (outcome as { result: { content: { text: string }[]; isError: boolean } })
    .result;
  return { text: content[0]?.text ?? "", isError };
}

test("three tools, all of which say what they take", { timeout }, async () => {
  await using session = await open();
  const { items } = await list(session, "tools/list");
  assert.deepEqual(
    items.map((tool) => (tool as { name: string }).name),
    ["scan_server", "grade_server", "regrade"],
  );
});

test("a hostile server is graded, with its reasons", { timeout }, async () => {
  const { text, isError } = await call("grade_server", { target: example("hostile-weather") });
  assert.equal(isError, false);
  assert.equal((JSON.parse(text) as { grade: string }).grade, "F");
});

test("a server is scanned", { timeout }, async () => {
  const { text } = await call("scan_server", { target: example("hostile-weather") });
  assert.match(text, /SCAN-01/);
});

test("no words of a command line, no unknown members, no options", { timeout }, async () => {
  assert.match((await call("grade_server", { target: "x", command: ["sh"] })).error ?? "", /do not fit/);
  assert.match((await call("grade_server", {})).error ?? "", /do not fit/);
  const option = await call("grade_server", { target: "--sandbox=none" });
  assert.equal(option.isError, true);
  assert.match((await call("no_such_tool", {})).error ?? "", /no tool/);
});
