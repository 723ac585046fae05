/** A client made with SDK v2 that only listens: `sdk-v2-listener.mjs URL FILTER`. Prints each thing it learns as one line of
 *  JSON: what the server agreed to send, each change it sends, and how the subscription ended. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, filter] = process.argv.slice(2);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

const client = new Client(
  { name: "sdk-v2-listener", version: "2.0.0" },
  { versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
const CHANGES = [
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
];
for (const method of CHANGES)
  client.setNotificationHandler(method, ({ params: { uri } = {} }) => say({ heard: method, uri }));

await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const subscription = await client.listen(JSON.parse(filter));
say({ honoured: subscription.honoredFilter });
say({ ended: await subscription.closed });
process.exit(0);
