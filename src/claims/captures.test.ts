/** Recorded traffic of real peers: the honest ones are silent, the hand-made errors are told one by one. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { root } from "../../test/kit/paths.ts";
import { type RecordedEvent, readRecording } from "../wire/index.ts";
import { claimEvents, type Frame, judgeClaims } from "./index.ts";

const folder = join(root, "test/fixtures/wire-captures");
const FRAMES = ["msg", "http-request", "http-body", "sse-frame"];

/** A line of a recording as a frame: all that a caller of this room has to know about recordings. */
function frameOf(event: RecordedEvent): Frame[] {
  const { ev, dir, raw, msg, body, peer, headers, x: exchange, seq: place } = event;
  if (!FRAMES.includes(ev)) return [];
  const message = msg ?? body;
  const direction = dir ?? (ev === "http-request" ? "client->server" : "server->client");
  return [
    { dir: direction, text: raw, message, peer, headers: headers as Frame["headers"], exchange, place },
  ];
}

async function eventsOf(name: string): Promise<ReturnType<typeof claimEvents>> {
  const frames: Frame[] = [];
  for await (const reading of readRecording(join(folder, `${name}.jsonl`)))
    if (reading.kind === "event") frames.push(...frameOf(reading.event));
  return claimEvents(frames);
}

describe("honest captures", () => {
  const captures = [
    { name: "bridge-legacy-client-to-modern-server.http", status: "pass", compared: 7 },
    { name: "bridge-modern-client-to-legacy-server.http", status: "pass", compared: 8 },
    { name: "demo-http-auto", status: "pass", compared: 16 },
    { name: "demo-stdio-auto", status: "pass", compared: 17 },
    { name: "demo-stdio-pin", status: "pass", compared: 17 },
    { name: "bridge-legacy-client-to-modern-server.stdio", status: "not-assessed", compared: 0 },
    { name: "demo-http-legacy", status: "not-assessed", compared: 0 },
    { name: "demo-stdio-legacy", status: "not-assessed", compared: 0 },
    { name: "everything-http-auto", status: "not-assessed", compared: 0 },
    { name: "everything-http-legacy", status: "not-assessed", compared: 0 },
    { name: "everything-stdio-auto", status: "not-assessed", compared: 0 },
    { name: "everything-stdio-legacy", status: "not-assessed", compared: 0 },
  ];
  for (const { name, status, compared } of captures)
    test(`${name} shows nothing [CLM-26]`, async () => {
      const verdict = judgeClaims(await eventsOf(name), { target: "2026-07-28" });
      assert.deepEqual(verdict.findings, []);
      assert.equal(verdict.status, status);
      assert.equal(verdict.requestsCompared, compared);
    });

  test("an honest client is too much where less was declared [CLM-12]", async () => {
    const events = await eventsOf("demo-http-auto");
    const verdict = judgeClaims(events, { target: "2026-07-28", negotiated: ["tools"] });
    assert.equal(verdict.status, "fail");
    assert.deepEqual(
      verdict.findings.map(({ message }) => message),
      ["claims elicitation, elicitation.form beyond what was declared (tools) (and 16 more times)"],
    );
  });
});

describe("hand-made errors", () => {
  const told = [
    "warn event 17: names 2025-11-25 in its header and 2026-07-28 in its body",
    "info event 79: the server asks the client to claim elicitation, elicitation.form beyond what was agreed (tools, ",
    "fail event 82: claims elicitation, elicitation.form beyond what was claimed by the first request (tools, ",
    "fail event 92: claims warp, warp.drive, elicitation, elicitation.form beyond what was claimed by the first request",
    "warn event 122: opens a session of 2025-11-25 after the stateless revision was in use",
    "warn event 127: falls back to 2025-11-25 after 2026-07-28 was in use",
    "warn event 132: falls back to 2025-03-26 after 2026-07-28 was in use",
  ];
  for (const name of ["demo-http-errors-dual", "demo-http-errors-modern-only"])
    test(`${name} is told one by one [CLM-12, CLM-16, CLM-17, CLM-18]`, async () => {
      const { findings } = judgeClaims(await eventsOf(name), { target: "2026-07-28" });
      const lines = findings.map(
        ({ severity, where, message }) => `${severity} ${where.replace(/^.*, /, "")}: ${message}`,
      );
      assert.equal(lines.length, told.length, lines.join("\n"));
      for (const [index, start] of told.entries()) assert.ok(lines[index]?.startsWith(start), lines[index]);
    });
});
