/** A server without a suite: what ended it with many tools is not tried with all the others. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runWhole } from "../../src/suite/index.ts";
import { connect } from "../../src/wire/index.ts";
import { temporaryFolder } from "../kit/paths.ts";

/** Twelve tools, and it ends by a long line. */
const SERVER = `
import { createInterface } from "node:readline";
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const inputSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false };
const tools = Array.from({ length: 12 }, (_, at) => ({ name: "t" + at, inputSchema, annotations: { readOnlyHint: true } }));
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.length > 50_000) process.exit(1);
  let message;
  try { message = JSON.parse(line); } catch { return; }
  const { id, method, params } = message;
  if (typeof id !== "string" && typeof id !== "number") return;
  if (method === "initialize")
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
  else if (method === "tools/list") say({ id, result: { tools } });
  else if (method === "tools/call") say({ id, error: { code: -32602, message: "Invalid params" } });
  else say({ id, error: { code: -32601, message: "Method not found" } });
});
`;

test("requests that ended the server with eight tools are not sent to the others, and that is said", {
  timeout: 120_000,
}, async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "server.mjs");
  writeFileSync(file, SERVER);
  const report = await runWhole({
    name: "s",
    isLocal: true,
    connect: ({ opens } = {}) =>
      connect(
        { kind: "stdio", command: process.execPath, args: [file] },
        { era: "legacy", ...(opens === undefined ? {} : { opens }) },
      ),
  });
  const rows = report.results.filter(({ kind }) => kind === "negative_path");
  assert.deepEqual(
    rows.map(({ status }) => status),
    [...Array(8).fill("failed"), ...Array(4).fill("passed")],
  );
  assert.match(rows[7]?.reason ?? "", /oversized: \d of \d+ bad requests not met/);
  assert.match(
    rows[8]?.reason ?? "",
    /^3 requests not sent: such requests to 8 other tools had ended or silenced the server/,
  );
  assert.equal(
    rows[8]?.checksSkipped?.oversized,
    "such requests to 8 other tools had ended or silenced the server",
  );
});
