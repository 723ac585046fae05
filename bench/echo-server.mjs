// The smallest server there can be: one parse and one stringify a call. All clients of the bench talk to it.
let held = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  held += chunk;
  for (let end = held.indexOf("\n"); end >= 0; end = held.indexOf("\n")) {
    const { id, method, params } = JSON.parse(held.slice(0, end));
    held = held.slice(end + 1);
    if (id === undefined) continue;
    const result =
      method === "initialize"
        ? {
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "echo", version: "1" },
          }
        : { content: [{ type: "text", text: JSON.stringify(params.arguments) }] };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  }
});
