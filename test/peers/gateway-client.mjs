/** A client of either SDK that lists tools and makes calls: `gateway-client.mjs v1 | legacy | auto | modern  CALLS  http URL | stdio COMMAND …`.
 *  CALLS is a JSON list of [name, arguments], or has it under `calls` and beside it the `answer` to every question
 *  and `completions`, each the params of one, and the `level` of log messages it wants to hear. Prints what it saw as one JSON document. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const [wanted, given, kind, target, ...args] = process.argv.slice(2);
const isV1 = wanted === "v1";
const info = { name: "gateway-client", version: "1.0.0" };
const read = JSON.parse(given);
const { calls = [], answer, completions = [], level } = Array.isArray(read) ? { calls: read } : read;
const capabilities = answer ? { elicitation: {} } : {};
const client = isV1
  ? new ClientV1(info, { capabilities })
  : new ClientV2(info, {
      capabilities,
      versionNegotiation: { mode: wanted === "modern" ? { pin: "2026-07-28" } : wanted },
    });
const questions = [];
if (answer)
  client.setRequestHandler(isV1 ? ElicitRequestSchema : "elicitation/create", ({ params }) => {
    questions.push(params);
    return answer;
  });
const logs = [];
client.setNotificationHandler(
  isV1 ? LoggingMessageNotificationSchema : "notifications/message",
  ({ params }) => {
    logs.push(params);
  },
);
const [Http, Stdio] = isV1 ? [HttpV1, StdioV1] : [HttpV2, StdioV2];
const token = process.env.TOKEN;
const transport =
  kind === "http"
    ? new Http(
        new URL(target),
        token ? { requestInit: { headers: { authorization: `Bearer ${token}` } } } : {},
      )
    : new Stdio({ command: target, args });
await client.connect(transport);
const { tools } = await client.listTools();
const isModern = wanted === "modern";
if (level && !isModern) await client.setLoggingLevel(level);
const meta = level && isModern ? { _meta: { "io.modelcontextprotocol/logLevel": level } } : {};
const results = [];
for (const [name, given] of calls)
  try {
    results.push(await client.callTool({ name, arguments: given, ...meta }));
  } catch (fault) {
    results.push({ fault: fault.message });
  }
const completed = [];
for (const wanted of completions)
  completed.push(await client.complete(wanted).catch((fault) => ({ fault: fault.message })));
await client.close();
const names = tools.map(({ name }) => name).sort();
process.stdout.write(JSON.stringify({ tools: names, results, questions, completed, logs }));
