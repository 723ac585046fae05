/** What is told of a span, and by which names: those of the conventions for MCP, and our own. Kept small while it waits, and given its names
 *  when it is sent. Pure. Implements spec/gateway.md, GTW-44 and GTW-47. */

/** Names are ours; what is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Facts {
  readonly method: string;
  /** By the name that this side has for it; undefined where nobody has such a one. */
  readonly tool: string | undefined;
  readonly prompt: string | undefined;
  readonly resource: string | undefined;
  readonly version: string | undefined;
  readonly session: string | undefined;
  readonly id: string | undefined;
  readonly transport: "pipe" | "tcp";
  readonly address: Address | undefined;
  /** The code of a JSON-RPC error. */
  readonly code: string | undefined;
  /** What class of failure it was. */
  readonly error: string | undefined;
  readonly server: string | undefined;
  /** What people call the server. */
  readonly label: string | undefined;
  readonly decision: Decided | undefined;
  readonly level: string | undefined;
  readonly entry: string | undefined;
}

export interface Decided {
  readonly id?: string;
  readonly kind: string;
  readonly outcome?: string | undefined;
  readonly rule?: string | undefined;
  readonly approvedBy?: string | undefined;
}

export const attributesOf = (facts: Facts): Attributes => ({
  ...common(facts),
  "mcp.resource.uri": facts.resource,
  "mcp.session.id": facts.session,
  "jsonrpc.request.id": facts.id,
  "rpc.response.status_code": facts.code,
  "error.type": facts.error,
  "touchstone.server.label": facts.label,
  "touchstone.decision.id": facts.decision?.id,
  "touchstone.decision.kind": facts.decision?.kind,
  "touchstone.decision.outcome": facts.decision?.outcome,
  "touchstone.decision.rule": facts.decision?.rule,
  "touchstone.decision.approved_by": facts.decision?.approvedBy,
  "touchstone.trust.level": facts.level,
  "touchstone.log.entry": facts.entry,
});

/** What measurements are told apart by. */
export const measuredBy = (facts: Facts): Attributes => ({
  ...common(facts),
  "rpc.response.status_code": fewer(facts.code),
  "error.type": fewer(facts.error),
});

/** The same as one word. An address belongs to a server, or to us; texts have no control characters: they were made showable. */
export const measureKey = (facts: Facts): string =>
  `${facts.method}\0${facts.tool}\0${facts.prompt}\0${facts.server}\0${facts.version}\0${facts.transport}\0${fewer(facts.code)}\0${fewer(facts.error)}`;

/** What is spoken over it; over standard streams there is no name for that. */
export const protocolOf = (transport: Facts["transport"]): string | undefined =>
  transport === "tcp" ? "http" : undefined;

const common = (facts: Facts): Attributes => ({
  "mcp.method.name": facts.method,
  "gen_ai.operation.name": facts.method === "tools/call" ? "execute_tool" : undefined,
  "gen_ai.tool.name": facts.tool,
  "gen_ai.prompt.name": facts.prompt,
  "mcp.protocol.version": facts.version,
  "network.transport": facts.transport,
  "network.protocol.name": protocolOf(facts.transport),
  "server.address": facts.address?.host,
  "server.port": facts.address?.port,
  "touchstone.server.name": facts.server,
});

/** A server chooses its codes: among measurements those count that everybody knows. */
const fewer = (word: string | undefined): string | undefined =>
  word !== undefined && CODE.test(word) && !CODES.has(word) ? "_OTHER" : word;
const CODE = /^-?\d/;
const CODES: ReadonlySet<string> = new Set(
  [-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32042].map(String),
);
