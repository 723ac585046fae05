/** The official Inspector as a client of the gateway, over both transports and in both eras. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { official } from "../grade/kit.ts";
import { peers, program, temporaryFolder } from "../kit/paths.ts";
import { type GatewayProgram, startProgram } from "./program.ts";

const node22 = join(peers, "node_modules/node22/bin/node");
const inspector = join(
  peers,
  "inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);
const [folder, home] = [temporaryFolder(), temporaryFolder()];
const sessions = join(folder.path, "mcp.json");
const config = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
  mcp_servers: { everything: { allowed_tools: ["echo", "get-sum"] } },
  servers: { everything: { command: process.execPath, args: [official("everything"), "stdio"] } },
};
let gateway: GatewayProgram;

before(async () => {
  gateway = await startProgram(folder.path, { ...config, listen: "http://127.0.0.1:0/mcp" });
  const file = join(folder.path, "stdio.yml");
  writeFileSync(file, JSON.stringify({ ...config, audit: { folder: "audit-stdio" } }));
  const stdio = { command: process.execPath, args: [program, "gateway", "--config", file] };
  const http = { type: "streamable-http", url: gateway.url.href };
  writeFileSync(sessions, JSON.stringify({ mcpServers: { stdio, http } }));
});
after(async () => {
  await gateway[Symbol.asyncDispose]();
  for (const each of [folder, home]) each[Symbol.dispose]();
});

/** What it prints, and the code it exits with. */
function inspect(server: string, era: string, ...words: readonly string[]): Promise<[number, string]> {
  const all = [inspector, "--cli", "--config", sessions, "--server", server, "--protocol-era", era];
  // What it keeps of its user is kept elsewhere.
  const env = { ...process.env, HOME: home.path };
  return new Promise((done) => {
    const how = { env, timeout: 30_000 };
    const child = execFile(node22, [...all, "--format", "json", "-q", ...words], how, (_, stdout, stderr) =>
      done([child.exitCode ?? -1, stdout + stderr]),
    );
  });
}

for (const server of ["stdio", "http"])
  for (const era of ["legacy", "modern"])
    test(`the Inspector over ${server}, ${era}`, { timeout: 90_000 }, async () => {
      const [listed, list] = await inspect(server, era, "--method", "tools/list");
      assert.equal(listed, 0, list);
      const { tools } = (JSON.parse(list) as { result: { tools: { name: string }[] } }).result;
      assert.deepEqual(
        tools.map(({ name }) => name),
        ["everything__echo", "everything__get-sum"],
      );
      const call = (name: string, ...more: string[]): Promise<[number, string]> =>
        inspect(server, era, "--method", "tools/call", "--tool-name", name, ...more);
      const [called, answer] = await call("everything__echo", "--tool-arg", "message=hello");
      assert.equal(called, 0, answer);
      assert.match(answer, /"text":"Echo: hello"/);
      assert.match(answer, /"touchstone\/trust":\{"trust":\{"level":"NONE"/);
      const [refused, why] = await call("everything__get-env");
      assert.deepEqual([refused, /tool_not_found/.test(why)], [5, true], why);
    });
