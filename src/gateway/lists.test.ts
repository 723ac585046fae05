/** Lists that are too long, in time or in number. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../wire/index.ts";
import { readLists } from "./lists.ts";

/** A server with so many tools on two pages, and with prompts whose pages never end where that is said. */
const script = (tools: number, hasEndlessPrompts: boolean): string => `
  const some = (count) => Array.from({ length: count }, (_, at) => ({ name: "n" + at }));
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    const capabilities = { tools: {}, prompts: {} };
    if (method === "initialize")
      answer({ protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "n", version: "1" } });
    if (method === "tools/list")
      answer(params?.cursor ? { tools: some(${tools} - 1) } : { tools: some(1), nextCursor: "2" });
    if (method === "prompts/list")
      setTimeout(() => answer({ prompts: some(1), nextCursor: ${hasEndlessPrompts} ? String(id) : "" }), 100);
  });`;

const cases = [
  { name: "a list of 10000 is taken", tools: 10_000, isEndless: false, counts: [10_000, 1] },
  { name: "of a longer one nothing is", tools: 10_001, isEndless: false, counts: [0, 1] },
  {
    name: "of one that does not end in time nothing is, others are",
    tools: 2,
    isEndless: true,
    counts: [2, 0],
  },
];
for (const { name, tools, isEndless, counts } of cases)
  test(`${name} [GTW-22] [GTW-95]`, { timeout: 20_000 }, async () => {
    const args = ["-e", script(tools, isEndless)];
    const session = await connect({ kind: "stdio", command: process.execPath, args }, { era: "legacy" });
    try {
      const { lists } = await readLists(session, () => false, isEndless ? 500 : undefined);
      assert.deepEqual([lists.tools.length, lists.prompts.length], counts);
    } finally {
      await session.close();
    }
  });
