/** A hostile stream must cost memory in proportion to its bytes, not to how finely it is cut. Each case runs in a process with
 *  a small heap, which does not survive one object a byte. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { connect, createRecorder } from "../../src/wire/index.ts";
import { root } from "../kit/paths.ts";

const HEAP_MEGABYTES = 128;

function runInSmallHeap(program: string): { stdout: string; stderr: string } {
  const run = spawnSync(
    process.execPath,
    [`--max-old-space-size=${HEAP_MEGABYTES}`, "--import", "tsx", "--input-type=module", "-e", program],
    { cwd: root, encoding: "utf8", timeout: 60_000 },
  );
  return { stdout: run.stdout, stderr: run.stderr.slice(0, 2_000) };
}

/** Asks a server that sends these bytes, and tells the outcome. */
const asking = (type: string, bytes: string): string => `
  import { createServer } from "node:net";
  import { connect } from "./src/wire/index.ts";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\\r\\nContent-Type: ${type}\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n");
      socket.end(${bytes});
    });
  });
  server.listen(0, "127.0.0.1", async () => {
    const url = new URL(\`http://127.0.0.1:\${server.address().port}/\`);
    const session = await connect({ kind: "http", url, transport: "http" }, { era: "modern" });
    console.log(session.opening.kind);
    process.exit();
  });`;

describe("memory is bounded by bytes [WIR-9]", () => {
  const cases = [
    {
      name: "an event of eight million short lines",
      program: `
        import { SseReader } from "./src/wire/index.ts";
        const reader = new SseReader(64 << 20, () => {}, () => {});
        const chunk = Buffer.alloc(65_536, "a\\n");
        for (let sent = 0; sent < 16 << 20; sent += chunk.length) reader.push(chunk);
        console.log(reader.end().length);`,
      want: String(16 << 20),
    },
    {
      name: "an event of three million empty data lines",
      program: `
        import { SseReader } from "./src/wire/index.ts";
        const reader = new SseReader(64 << 20, (event) => console.log(event.data.length), () => {});
        const chunk = Buffer.alloc(65_535, "data\\n");
        for (let lines = 0; lines < 3_276_750; lines += 13_107) reader.push(chunk);
        reader.push(Buffer.from("\\n"));`,
      want: String(3_276_750 - 1),
    },
    {
      name: "a body in a million chunks of one byte",
      program: asking(
        "application/json",
        'Buffer.concat([Buffer.alloc(6_000_000, "1\\r\\n \\r\\n"), Buffer.from("0\\r\\n\\r\\n")])',
      ),
      want: "malformed",
    },
    {
      name: "an event line in a million chunks of one byte",
      program: asking(
        "text/event-stream",
        'Buffer.concat([Buffer.alloc(6_000_000, "1\\r\\nx\\r\\n"), Buffer.from("0\\r\\n\\r\\n")])',
      ),
      want: "closed",
    },
  ];
  for (const c of cases)
    test(c.name, { timeout: 90_000 }, () => {
      const { stdout, stderr } = runInSmallHeap(c.program);
      assert.equal(stdout.trim(), c.want, stderr);
    });
});

describe("a recording is bounded by bytes [WIR-9]", () => {
  const BYTES = 100_000;
  const streams = [
    { name: "blank lines", body: "\n".repeat(BYTES) },
    { name: "empty comments", body: ":\n\n".repeat(BYTES / 3) },
    { name: "events of no data", body: "data\n\n".repeat(BYTES / 6) },
  ];
  for (const c of streams)
    test(`a stream of ${c.name} does not fill the disk`, { timeout: 30_000 }, async () => {
      const server = createServer((request, response) => {
        request.resume();
        response.writeHead(200, { "content-type": "text/event-stream" }).end(c.body);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      let recorded = 0;
      const recorder = createRecorder((line) => {
        recorded += line.length;
      });
      const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const limits = { maxMessages: 1_000 };
      const session = await connect(
        { kind: "http", url, transport: "http" },
        { era: "modern", recorder, limits },
      );
      await session.close();
      server.close();
      assert.ok(recorded <= 20 * BYTES, `${recorded} bytes recorded of ${c.body.length} sent`);
    });
});
