/** The questions about the protocol, asked of servers that know the answers and of ones that do not. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolFacts } from "../../src/suite/negative/tool.ts";
import { runProtocol } from "../../src/suite/protocol/run.ts";
import {
  connect,
  createRecorder,
  type EraChoice,
  isRecord,
  type Launch,
  list,
  type RecordedEvent,
} from "../../src/wire/index.ts";
import { peerProgram, startHttp } from "../interop/kit.ts";
import { root } from "../kit/paths.ts";

const timeout = 60_000;

/** One line a question: how it ended, and the findings. */
async function asked(launch: Launch, era: EraChoice = "legacy"): Promise<Record<string, string>> {
  const open = (options: { opens?: boolean; onEvent?: (event: RecordedEvent) => void } = {}) =>
    connect(launch, {
      era,
      ...(options.opens === undefined ? {} : { opens: options.opens }),
      ...(options.onEvent
        ? { recorder: createRecorder((line) => options.onEvent?.(JSON.parse(line) as RecordedEvent)) }
        : {}),
    });
  await using session = await open();
  const { items } = await list(session, "tools/list");
  const tools = items.filter(isRecord).map(
    ({ name, inputSchema, annotations }): ToolFacts => ({
      name: String(name),
      inputSchema,
      annotations,
      names: [],
    }),
  );
  const rows = await runProtocol({ name: "it", isLocal: true, connect: open }, tools);
  return Object.fromEntries(
    rows.map(({ result, findings }) => [
      result.cases?.[0]?.check ?? result.name,
      [result.status, ...findings.map(({ rule, severity }) => `${severity} ${rule}`)].join(", "),
    ]),
  );
}

const careless = (...args: string[]): Launch => ({
  kind: "stdio",
  command: process.execPath,
  args: [join(root, "test/fixtures/protocol/careless.mjs"), ...args],
});

test("a server that takes everything is told so, question by question", { timeout }, async () => {
  assert.deepEqual(await asked(careless()), {
    before_initialize: "passed, info PROTO-01",
    unknown_method: "passed, warn PROTO-02",
    bad_id: "passed, warn PROTO-03",
    malformed_json: "passed",
    "it: a body of another content type": "not_assessed",
    "it: headers that are missing or contradict the body": "not_assessed",
    "it: a session that was ended": "not_assessed",
    "it: requests that pages of others could make": "not_assessed",
    cancel_then_reply: "passed, info PROTO-09",
    lost_response_retry: "passed, warn PROTO-10",
  });
});

test("one that ends with a line that is not JSON fails", { timeout }, async () => {
  const { malformed_json } = await asked(careless("crash"));
  assert.equal(malformed_json, "failed, fail PROTO-04");
});

for (const [name, era] of [
  ["sdk-v1-server.mjs", "legacy"],
  ["sdk-v2-server.mjs", "modern"],
  ["own-server.mjs", "legacy"],
] as const) {
  const more = name === "own-server.mjs" ? ["dual"] : [];
  test(`${name} over stdio, ${era}: nothing fails`, { timeout }, async () => {
    const rows = await asked(peerProgram(name, "stdio", ...more), era);
    assert.deepEqual(
      Object.entries(rows).filter(([, how]) => how.startsWith("failed")),
      [],
    );
    assert.equal(rows.unknown_method, "passed");
    assert.equal(rows.malformed_json, "passed");
  });
  test(`${name} over HTTP, ${era}: headers, sessions and origins are asked about`, { timeout }, async () => {
    await using running = await startHttp(peerProgram(name, "http", ...more));
    const rows = await asked({ kind: "http", url: running.url }, era);
    assert.equal(rows.wrong_content_type, "passed", JSON.stringify(rows));
    assert.match(rows.foreign_host_origin ?? "", /^passed|^failed, fail PROTO-08$/);
    if (name === "own-server.mjs") assert.equal(rows.foreign_host_origin, "passed");
    if (era === "legacy") assert.equal(rows.terminated_session, "passed");
    else assert.equal(rows.missing_headers, "passed");
  });
}
