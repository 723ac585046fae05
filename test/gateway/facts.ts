/** A span of which next to nothing is told, for tests that add to it. */
import type { Facts } from "../../src/gateway/telemetry/facts.ts";

export const NO_FACTS: Facts = {
  method: "ping",
  tool: undefined,
  prompt: undefined,
  resource: undefined,
  version: undefined,
  session: undefined,
  id: undefined,
  transport: "tcp",
  address: undefined,
  code: undefined,
  error: undefined,
  server: undefined,
  label: undefined,
  decision: undefined,
  level: undefined,
  entry: undefined,
};
