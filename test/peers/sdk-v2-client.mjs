/** A client made with SDK v2: `sdk-v2-client.mjs legacy | auto | modern  http URL | stdio COMMAND [ARGUMENT …]`.
 *  `modern` is pinned to 2026-07-28. Prints what it saw as one JSON document. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { answerer, exercise, gate, outcome, report, watchedFetch } from "./exercise.mjs";

const [wanted, kind, target, ...args] = process.argv.slice(2);

await report(async () => {
  const [standing, change] = [gate("standing stream"), gate("list_changed")];
  const [questions, logs] = [[], []];
  const client = new Client(
    { name: "sdk-v2-client", version: "2.0.0" },
    {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: wanted === "modern" ? { pin: "2026-07-28" } : wanted },
    },
  );
  client.setRequestHandler("elicitation/create", answerer(questions));
  client.setNotificationHandler("notifications/tools/list_changed", (note) => change.open(note));
  client.setNotificationHandler("notifications/message", ({ params }) => void logs.push(params));
  const transport =
    kind === "http"
      ? new StreamableHTTPClientTransport(new URL(target), { fetch: watchedFetch(standing) })
      : new StdioClientTransport({ command: target, args });

  const connected = await outcome(() => client.connect(transport, { timeout: 5_000 }));
  if (connected.error) return { connected };
  const era = client.getProtocolEra();
  const face = {
    era,
    version: client.getNegotiatedProtocolVersion(),
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
  };
  let subscription;
  const ready = async () => {
    if (era === "modern") subscription = await client.listen({ toolsListChanged: true });
    else if (kind === "http") await standing.opened;
    return subscription?.honoredFilter;
  };
  const seen = await exercise(client, {
    call: (params, options) => client.callTool(params, options),
    ready,
    changed: change.opened,
  });
  await subscription?.close();
  const unsubscribed = await subscription?.closed;
  const ended = await outcome(async () => void (await transport.terminateSession?.()));
  await client.close();
  return { connected, ...face, ...seen, unsubscribed, ended, questions, logs };
});
