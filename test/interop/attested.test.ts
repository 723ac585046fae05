/** A server that publishes its documents is the same server to clients that know nothing of them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { program, temporaryFolder } from "../kit/paths.ts";
import { LIMIT, peerProgram, type Report, runClient, startHttp } from "./kit.ts";

const seenBy = (report: Report): unknown =>
  JSON.parse(
    JSON.stringify(report, (key, value: unknown) => (/(?:At|Ms|id|url)$/i.test(key) ? undefined : value)),
  );

for (const client of [
  ["sdk-v1-client.mjs"],
  ["sdk-v2-client.mjs", "legacy"],
  ["sdk-v2-client.mjs", "modern"],
])
  test(`${client.join(" ")} sees no difference`, LIMIT, async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "attestation.json"), '{"v":"1.0"}\n');
    await using running = await startHttp(peerProgram("own-server.mjs", "http", "dual"));
    const words = [program, "attest", "serve", folder.path, "--upstream", running.url.href];
    const front = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    let origin = "";
    for await (const line of createInterface(front.stdout)) {
      origin = new URL(line).origin;
      break;
    }
    try {
      const [file = "", ...mode] = client;
      const direct = await runClient(file, ...mode, "http", running.url.href);
      const through = await runClient(file, ...mode, "http", `${origin}${running.url.pathname}`);
      assert.deepEqual(seenBy(through), seenBy(direct));
      const published = await fetch(`${origin}/.well-known/mcp-attestation`);
      assert.deepEqual([published.status, await published.text()], [200, '{"v":"1.0"}\n']);
    } finally {
      front.kill();
    }
  });
