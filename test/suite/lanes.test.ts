/** Tests of two servers run beside each other where the suite lets them, and one after another where order matters. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

/** Its tool waits for the other server's tool to be called, and says whether it was. */
const MEETING = `
import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [own, other, waitMs] = process.argv.slice(2);
const send = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
const tool = { name: "meet", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize")
    send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "m", version: "1" } });
  else if (method === "tools/list") send(id, { tools: [tool] });
  else if (method === "tools/call") {
    writeFileSync(own, "");
    for (let left = Number(waitMs); left > 0 && !existsSync(other); left -= 20) await new Promise((done) => setTimeout(done, 20));
    send(id, { content: [{ type: "text", text: existsSync(other) ? "met" : "alone" }] });
  } else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
}
`;

const cases = [
  { name: "auto: beside each other", options: "run_options: { parallel: auto }", said: ["met", "met"] },
  { name: "two at once: beside each other", options: "run_options: { parallel: 2 }", said: ["met", "met"] },
  { name: "one at a time", options: "run_options: { parallel: 1 }", said: ["alone", "met"] },
  { name: "nothing said: in order", options: "", said: ["alone", "met"] },
  {
    name: "a boundary: in order, whatever is asked for",
    options: "run_options: { parallel: auto }\nsecurity: { trust_boundary: {} }",
    said: ["alone", "met"],
  },
];
for (const { name, options, said } of cases)
  test(`tests of two servers, ${name}`, { timeout: 90_000 }, async () => {
    using folder = temporaryFolder();
    const [server, one, two] = ["server.mjs", "one", "two"].map((file) => join(folder.path, file));
    writeFileSync(server as string, MEETING);
    const waitMs = said[0] === "met" ? 30_000 : 300;
    const command = (own = "", other = ""): string =>
      JSON.stringify([process.execPath, server, own, other, String(waitMs)]);
    const suite = join(folder.path, "suite.yml");
    const tests = ["one", "two"].map(
      (which, at) =>
        `  - { name: ${which}, server: ${which}, tool: meet, args: {}, timeout_ms: 40000, expect: [{ target: "result.content[0].text", matcher: { exact: ${said[at]} } }] }`,
    );
    writeFileSync(
      suite,
      `servers:\n  one: { command: ${command(one, two)} }\n  two: { command: ${command(two, one)} }\n${options}\ntools:\n${tests.join("\n")}\n`,
    );
    const ran = await touchstone(["test", "--sandbox", "none", "--json", suite]);
    assert.notEqual(ran.stdout, "", ran.stderr);
    const { results } = JSON.parse(ran.stdout) as { results: { name: string; status: string }[] };
    assert.deepEqual(
      results
        .filter(({ name }) => name === "one" || name === "two")
        .map(({ name, status }) => `${name} ${status}`),
      ["one passed", "two passed"],
      ran.stdout,
    );
  });
