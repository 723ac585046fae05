/** A client made with SDK v1: `sdk-v1-client.mjs http URL | stdio COMMAND [ARGUMENT …]`. Prints what it saw as one JSON document. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { answerer, exercise, gate, outcome, report, watchedFetch } from "./exercise.mjs";

const [kind, target, ...args] = process.argv.slice(2);

await report(async () => {
  const [standing, change] = [gate("standing stream"), gate("list_changed")];
  const [questions, logs] = [[], []];
  const client = new Client(
    { name: "sdk-v1-client", version: "1.0.0" },
    { capabilities: { elicitation: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, answerer(questions));
  client.setNotificationHandler(ToolListChangedNotificationSchema, (note) => change.open(note));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));
  const transport =
    kind === "http"
      ? new StreamableHTTPClientTransport(new URL(target), { fetch: watchedFetch(standing) })
      : new StdioClientTransport({ command: target, args });
  // The client tells only its transport which version was agreed on, and a pipe does not keep it.
  let version;
  if (kind === "stdio")
    transport.setProtocolVersion = (agreed) => {
      version = agreed;
    };

  const connected = await outcome(() => client.connect(transport, { timeout: 5_000 }));
  if (connected.error) return { connected };
  const face = {
    era: "legacy",
    version: transport.protocolVersion ?? version,
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
  };
  const seen = await exercise(client, {
    call: (params, options) => client.callTool(params, undefined, options),
    ready: async () => void (kind === "http" && (await standing.opened)),
    changed: change.opened,
  });
  const ping = await outcome(() => client.ping());
  const ended = await outcome(async () => void (await transport.terminateSession?.()));
  await client.close();
  return { connected, ...face, ...seen, ping, ended, questions, logs };
});
