/** Labels of live traffic are those of the library and of the vectors, whatever a server calls its tools. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DEFAULT_MCP_POLICY,
  labelResource,
  labelSpeech,
  labelToolResult,
  sourceName,
} from "../../src/policy/index.ts";
import { isRecord, type Outcome } from "../../src/wire/index.ts";
import { bodyOf, listen } from "../kit/http.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { policyCases } from "../kit/policy-cases.ts";
import { call, gatewayOf, LIMIT, namesIn, reads, startGateway } from "./kit.ts";

const OPEN = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe", description: "observe" },
} as const;
/** As if it were a tool of `mail`; as if it were escaped. */
const NAMES = ["search", "mail:list", "//mail.example/mcp:list", "mail%3Alist"];

function labelOf(outcome: Outcome): unknown {
  const result = outcome.kind === "result" && isRecord(outcome.result) ? outcome.result : {};
  const label = isRecord(result._meta) ? result._meta["touchstone/trust"] : undefined;
  return isRecord(label) ? { trust: label.trust, metadata: label.metadata } : outcome;
}

test(
  "the label of a server that we start is that of the library and the vectors [POL-8]",
  LIMIT,
  async () => {
    const resources = [{ uri: "note://a:b", name: "note", answer: "a note" }];
    const prompts = [{ name: "greet", answer: "hello" }];
    const tools = NAMES.map((name) => reads(name, "a note"));
    await using gateway = await gatewayOf({ files: { tools, resources, prompts } }, OPEN);
    await using session = await gateway.connect();
    const found: unknown[] = [];
    for (const name of await namesIn(session)) found.push(labelOf(await call(session, name)));
    const wanted = NAMES.map((name) => labelToolResult(DEFAULT_MCP_POLICY, "stdio:files", name));
    const sorted = (labels: readonly unknown[]): string[] =>
      labels.map((each) => JSON.stringify(each)).sort();
    assert.deepEqual(sorted(found), sorted(wanted));
    const { source, metadata } = policyCases["c6-by-name"]?.expect ?? {};
    assert.deepEqual(labelOf(await call(session, "files__search")), {
      trust: { level: "NONE", source },
      metadata,
    });
    assert.deepEqual(
      labelOf(await session.request("resources/read", { uri: "note://a:b" })),
      labelResource(DEFAULT_MCP_POLICY, "stdio:files", "note://a:b"),
    );
    assert.deepEqual(
      labelOf(await session.request("prompts/get", { name: "files__greet" })),
      labelSpeech("stdio:files"),
    );
    const sources = gateway
      .entries("label")
      .map(({ data }) => isRecord(data) && isRecord(data.label) && data.label.source);
    assert.equal(new Set(sources).size, NAMES.length + 2, "each has its own in the log");
  },
);

test(
  "the label of a server with a URL is that of the library, without the query [POL-8]",
  LIMIT,
  async () => {
    await using server = await listen(async (request, response) => {
      const { id } = JSON.parse((await bodyOf(request)) || "{}");
      const face = {
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        tools: [reads("a:b", "x")],
      };
      const result = { resultType: "complete", content: [{ type: "text", text: "a note" }], ...face };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    using folder = temporaryFolder();
    const url = new URL("/one:two?key=a-secret-of-the-operator", server.url).href;
    await using gateway = await startGateway(folder.path, { ...OPEN, servers: { web: { url } } });
    await using session = await gateway.connect({ era: "modern" });
    const [name = ""] = await namesIn(session);
    const label = labelOf(await call(session, name));
    assert.deepEqual(label, labelToolResult(DEFAULT_MCP_POLICY, sourceName({ name: "web", url }), "a:b"));
    assert.deepEqual(isRecord(label) && label.trust, {
      level: "NONE",
      source: `mcp:${server.url.origin}/one%3Atwo:a%3Ab`,
    });
  },
);
