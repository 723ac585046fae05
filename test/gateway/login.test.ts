/** A server that somebody has logged in to, and whose token ends while the gateway runs. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { credentialFile, credentialStore } from "../../src/target/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { call, LIMIT, startGateway, textOf } from "./kit.ts";
import { until } from "./program.ts";

const TOOL = { name: "say", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };

/** It answers whoever has this token. */
async function guarded() {
  let [token, refused] = ["", 0];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.headers.authorization !== `Bearer ${token}`) {
      refused += 1;
      return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    }
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    if (id === undefined) return void response.writeHead(202).end();
    const { protocolVersion } = params ?? {};
    const result = {
      initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "g", version: "1" } },
      "tools/list": { tools: [TOOL] },
      "tools/call": { content: [{ type: "text", text: "said" }] },
    }[String(method)];
    const answer = result ? { result } : { error: { code: -32601, message: "no" } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    ends: (next: string) => {
      token = next;
    },
    get refused() {
      return refused;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test(
  "a token that ends is replaced by the newer one of the login, and neither is shown [GTW-100]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    await using server = await guarded();
    const environment = { TOUCHSTONE_CONFIG: folder.path };
    const store = credentialStore(credentialFile(environment));
    const log = (token: string) => store.write(server.url, { tokens: { access_token: token } });
    const [first, second] = ["first-token-0123456789", "second-token-0123456789"];
    server.ends(first);
    await log(first);
    const servers = { web: { url: server.url.href, era: "legacy" } };
    await using gateway = await startGateway(folder.path, { servers, policy: "spec" }, environment);
    await using client = await gateway.connect();
    assert.equal(textOf(await call(client, "web__say")), "said");
    // Nobody has logged in again: it is left alone.
    server.ends(second);
    await call(client, "web__say");
    assert.equal(gateway.assembled.gateway.servers.get("web")?.upstream.starts, 1);
    await log(second);
    await until(async () => textOf(await call(client, "web__say")) === "said", 20_000);
    assert.equal(gateway.assembled.gateway.servers.get("web")?.upstream.starts, 2);
    await gateway.assembled.close();
    const written = readFileSync(join(folder.path, "audit/00000000000000000000.jsonl"), "utf8");
    for (const text of [written, gateway.told.join("\n")])
      for (const token of [first, second]) assert.equal(text.includes(token), false);
  },
);

test(
  "a server that waits for a login is up after it, without a new start of the gateway [GTW-100]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    await using server = await guarded();
    const environment = { TOUCHSTONE_CONFIG: folder.path };
    const token = "only-token-0123456789";
    server.ends(token);
    const servers = { web: { url: server.url.href, era: "legacy" } };
    await using gateway = await startGateway(folder.path, { servers, policy: "spec" }, environment);
    await using client = await gateway.connect();
    assert.match(textOf(await call(client, "web__say")), /web is down/);
    await credentialStore(credentialFile(environment)).write(server.url, { tokens: { access_token: token } });
    await until(async () => textOf(await call(client, "web__say")) === "said", 20_000);
  },
);
