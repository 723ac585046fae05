/** Servers of one expression, and how they are captured. */
import { join } from "node:path";
import type { Target } from "../../src/target/index.ts";
import type { Launch } from "../../src/wire/index.ts";
import { program, root } from "../kit/paths.ts";

/** A legacy server from one expression over `m`, the message, `claims` and `send`; undefined means silence. */
export function scripted(answer: string, face = "{}", start = ""): Launch & { readonly kind: "stdio" } {
  const script = `let h = "", claims = {}; const send = (f) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...f }) + "\\n"); ${start}
  process.stdin.on("data", (d) => { h += d; for (let e; (e = h.indexOf("\\n")) >= 0; h = h.slice(e + 1)) {
    const m = JSON.parse(h.slice(0, e));
    if (m.method === "initialize") { claims = m.params.capabilities;
      send({ id: m.id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" }, ...(${face}) } }); continue; }
    const a = (${answer});
    if (a !== undefined && m.id !== undefined && m.method !== undefined) send({ id: m.id, ...a }); } });`;
  return { kind: "stdio", command: process.execPath, args: ["-e", script] };
}

export const example = (name: string): Launch & { readonly kind: "stdio" } => ({
  kind: "stdio",
  command: process.execPath,
  args: [program, "mock", join(root, "examples/servers", name, "server.yml")],
});

export const target = (launch: Launch, more: Partial<Target> = {}): Target => ({
  label: "server",
  launch,
  limits: { timeoutMs: 5_000, stopStepMs: 300 },
  secrets: [],
  ...more,
});
