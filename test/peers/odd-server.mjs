/** A legacy stdio server without any SDK, whose tool list no SDK accepts: wrong types, unknown members, an item that is no tool. */
import { createInterface } from "node:readline";

const tools = [
  { name: "plain", inputSchema: { type: "object" } },
  { name: "no-type", inputSchema: { $schema: "http://json-schema.org/draft-07/schema#" } },
  { name: "no-description", description: null, inputSchema: { type: "object" } },
  {
    name: "more-than-known",
    inputSchema: { type: "object", "x-inside": [1, { deep: true }] },
    annotations: { readOnlyHint: true, category: "unknown to everybody" },
    execution: { taskSupport: "sometimes" },
    "x-note": "Members nobody defined are where things hide.",
  },
  "not even an object",
];

const results = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {}, "x-capability": { level: 9 } },
    serverInfo: { name: "odd", version: "1.0.0", "x-mood": "odd" },
  },
  "tools/list": { tools, "x-page": 1 },
};

createInterface(process.stdin).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
