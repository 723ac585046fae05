/** Calls names that look like an allowed tool; says how many were denied, and what reached the server. */
import type { Outcome } from "../../src/wire/index.ts";
import { mutationsOf, vectorNames } from "../kit/evasive-names.ts";
import { call, gatewayOf, reads, textOf } from "./kit.ts";

const ALLOWED = "read_file";

export async function evade(
  count: number,
): Promise<{ asked: number; denied: number; logged: number; reached: string[] }> {
  const vectors = vectorNames();
  const mutations = mutationsOf(ALLOWED, Math.max(0, count - vectors.length));
  const hostile = [...new Set([...vectors, ...mutations])].filter((name) => name !== ALLOWED);
  // The server has tools of those names as well: they are there, and not allowed.
  const tools = [ALLOWED, ...hostile.slice(0, 200)].map((name) => reads(name, "the file"));
  await using gateway = await gatewayOf(
    { files: { tools } },
    {
      policy: "spec",
      modes: { admission: "observe", drift: "observe", trigger: "observe", flow: "observe" },
      mcp_servers: { files: { allowed_tools: [ALLOWED] } },
    },
  );
  await using session = await gateway.connect();
  if (textOf(await call(session, `files__${ALLOWED}`)) !== "the file")
    throw new Error("the allowed tool is not called");
  const isDenied = (outcome: Outcome): boolean =>
    /^(?:Denied by allowed-tools|error -32602: Unknown tool)/.test(textOf(outcome));
  let denied = 0;
  for (const name of hostile) if (isDenied(await call(session, `files__${name}`))) denied += 1;
  const entries = gateway.entries("decision").filter(({ outcome }) => outcome === "denied");
  return {
    asked: hostile.length,
    denied,
    logged: entries.length,
    reached: gateway.servers.received("files", "tools/call").slice(1),
  };
}
