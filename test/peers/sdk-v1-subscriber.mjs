/** A client made with SDK v1 that wants to hear of a resource: `sdk-v1-subscriber.mjs URL RESOURCE TOOL`. Calls the tool that changes it, with and
 *  without being subscribed, and prints what it heard as one JSON document. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { gate, report, watchedFetch } from "./exercise.mjs";
import { pause } from "./shared.mjs";

const [url, uri, tool] = process.argv.slice(2);

await report(async () => {
  const standing = gate("standing stream");
  const heard = [];
  let wake = () => {};
  const client = new Client({ name: "sdk-v1-subscriber", version: "1.0.0" });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params);
    wake();
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: watchedFetch(standing) }));
  await standing.opened;
  const { resources } = client.getServerCapabilities();
  await client.subscribeResource({ uri });
  const update = new Promise((done) => {
    wake = done;
  });
  await client.callTool({ name: tool });
  await update;
  await client.unsubscribeResource({ uri });
  // What it was asked to stop is on its way.
  await pause(100);
  const before = heard.length;
  await client.callTool({ name: tool });
  await pause(150);
  await client.close();
  return { resources, heard, after: heard.length - before };
});
