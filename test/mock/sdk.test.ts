/** Both generations of the official SDK talk to the mock, over stdio and HTTP, in both eras. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { playHttp, readMock } from "../../src/mock/index.ts";
import { runClient } from "../interop/kit.ts";
import { program, temporaryFolder } from "../kit/paths.ts";

const MOCK = `
mock_server:
  name: scales
  tools:
    - name: echo
      input_schema: { type: object, properties: { text: { type: string } }, required: [text] }
      response: { content: [{ type: text, text: "\${args.text}" }] }
    - name: weigh
      output_schema: { type: object, properties: { grams: { type: number } }, required: [grams] }
      response: { content: [], structuredContent: { grams: 19.3 } }
    - name: route
      input_schema: { type: object, properties: { region: { type: string, x-mcp-header: Region } }, required: [region] }
      response: { content: [{ type: text, text: "\${args.region}" }] }
  resources: [{ uri: "scales://one", text: hello }]
  prompts: [{ name: greet, text: hello }]
`;

const clients = [
  { file: "sdk-v1-client.mjs", mode: [], era: "legacy" },
  { file: "sdk-v2-client.mjs", mode: ["legacy"], era: "legacy" },
  { file: "sdk-v2-client.mjs", mode: ["auto"], era: "modern" },
  { file: "sdk-v2-client.mjs", mode: ["modern"], era: "modern" },
];
type Report = Readonly<Record<string, { result?: Record<string, unknown>; error?: { code: number } }>> & {
  era: string;
};

// Side by side: each client waits some seconds in vain for the mock to announce a change.
test("the mock and the SDK clients", { timeout: 60_000, concurrency: 8 }, async (t) => {
  using folder = temporaryFolder();
  const path = join(folder.path, "mock.yml");
  writeFileSync(path, MOCK);
  await using server = await playHttp(await readMock(path), 0);
  const places = [
    ["stdio", process.execPath, program, "mock", path],
    ["http", server.url.href],
  ];
  const meet = async (
    { file, mode, era }: (typeof clients)[number],
    where: readonly string[],
  ): Promise<void> => {
    const report = (await runClient(file, ...mode, ...where)) as unknown as Report;
    assert.equal(report.connected?.error, undefined);
    assert.equal(report.era, era);
    assert.deepEqual(Object.keys(report.tools?.result ?? {}), ["0", "1", "2"]);
    assert.deepEqual(report.echo?.result?.content, [{ type: "text", text: "gold" }]);
    assert.deepEqual(report.weigh?.result?.structuredContent, { grams: 19.3 });
    assert.deepEqual(report.route?.result?.content, [{ type: "text", text: "Zürich" }]);
    assert.equal(report.unknown?.error?.code, -32602);
  };
  await Promise.all(
    clients.flatMap((client) =>
      places.map((where) =>
        t.test(`${[client.file, ...client.mode].join(" ")} over ${where[0]}: ${client.era}`, () =>
          meet(client, where),
        ),
      ),
    ),
  );
});
