/** Builds spec/vectors/policy: what an operator writes, what is asked, and what comes of it. */

export interface PolicyCase {
  readonly about: string;
  /** Of the list of conformance (C) and of errata (E). */
  readonly of: string;
  readonly mode: "strict" | "spec";
  /** `mcp_servers` in YAML. */
  readonly mcp_servers: string;
  readonly server: { readonly name: string; readonly url?: string };
  readonly isAdmitted?: boolean;
  readonly ask:
    | { readonly tool: string; readonly hasResources?: true }
    | { readonly resource: string }
    | { readonly speech: true };
  readonly expect: {
    readonly level: string;
    readonly source: string;
    readonly metadata: Readonly<Record<string, string>>;
    readonly isAllowed?: boolean;
  };
}

const CORP = "https://mcp.internal.corp/v1";
const FRIENDLY = "https://community.example.com/mcp";
/** The example of the document, word for word in its values. */
const DOCUMENT = `"${CORP}":
  server_trust: tool
  resource_trust: none
  verified: true
  label: Internal MCP
"${FRIENDLY}":
  server_trust: none
  resource_trust: none
  verified: false
  allowed_tools:
    - search
    - calculator
  label: Community Search
`;
const one = (body: string, key = CORP): string => `"${key}": { ${body} }\n`;

interface Asked {
  readonly mode?: "strict" | "spec";
  readonly yaml?: string;
  readonly name?: string;
  readonly url?: string | null;
  readonly isAdmitted?: boolean;
}

function tool(
  of: string,
  about: string,
  called: string,
  level: string,
  isAllowed: boolean,
  asked: Asked = {},
  hasResources?: true,
): PolicyCase {
  const { server, ...rest } = base(of, about, asked);
  const mcp_server = server.url ?? server.name;
  return {
    ...rest,
    server,
    ask: { tool: called, ...(hasResources ? { hasResources } : {}) },
    expect: {
      level,
      source: `mcp:${mcp_server}:${called}`,
      metadata: { mcp_server, tool_name: called },
      isAllowed,
    },
  };
}

function resource(of: string, about: string, uri: string, level: string, asked: Asked = {}): PolicyCase {
  const { server, ...rest } = base(of, about, asked);
  const mcp_server = server.url ?? server.name;
  return {
    ...rest,
    server,
    ask: { resource: uri },
    expect: {
      level,
      source: `mcp_resource:${mcp_server}:${uri}`,
      metadata: { mcp_server, resource_uri: uri },
    },
  };
}

function base(
  of: string,
  about: string,
  { mode = "spec", yaml = DOCUMENT, name = "corp", url = CORP, isAdmitted }: Asked,
) {
  return {
    about,
    of,
    mode,
    mcp_servers: yaml,
    server: { name, ...(url === null ? {} : { url }) },
    ...(isAdmitted === undefined ? {} : { isAdmitted }),
  };
}

const full = one("server_trust: TOOL, resource_trust: tool, verified: true");
const strict = { mode: "strict" } as const;

export const policyCases: Readonly<Record<string, PolicyCase>> = {
  "c1-tool": tool("C1", "a verified server's tool answers", "lookup", "TOOL", true),
  "c1-resource": resource("C1", "a resource of the same server is another class", "file:///a", "NONE"),
  "c1-resource-raised": resource("C1", "unless the operator raised it", "file:///a", "TOOL", { yaml: full }),
  "c2-unverified": tool(
    "C2",
    "an unverified server is capped, whatever is configured",
    "lookup",
    "NONE",
    true,
    { yaml: one("server_trust: owner") },
  ),
  "c2-verified-none": tool("C2", "a verified server with NONE stays NONE", "lookup", "NONE", true, {
    yaml: one("verified: true"),
  }),
  "c3-unlisted": tool(
    "C3",
    "an unlisted server has zero trust and, nominally, all tools",
    "anything",
    "NONE",
    true,
    { url: "https://unknown.example/mcp", name: "unknown" },
  ),
  "c3-unlisted-resource": resource("C3", "its resources too", "https://x.example/", "NONE", {
    url: "https://unknown.example/mcp",
    name: "unknown",
  }),
  "c4-listed": tool("C4", "a listed tool", "search", "NONE", true, { url: FRIENDLY, name: "community" }),
  "c4-not-listed": tool("C4", "one that is not listed", "exec", "NONE", false, {
    url: FRIENDLY,
    name: "community",
  }),
  "c4-part-of-name": tool("C4", "part of a name is not the name", "sea", "NONE", false, {
    url: FRIENDLY,
    name: "community",
  }),
  "c4-other-case": tool("C4", "another case is another name", "Search", "NONE", false, {
    url: FRIENDLY,
    name: "community",
  }),
  "c4-empty": tool("C4", "an empty list allows none", "search", "NONE", false, {
    yaml: one("allowed_tools: []"),
  }),
  "c5-words": tool("C5", "words of levels in any case", "lookup", "TOOL", true, {
    yaml: one("server_trust: ToOl, verified: true"),
  }),
  "c6-by-name": tool("C6", "a server without a URL is named by its name", "search", "NONE", false, {
    yaml: "files: { allowed_tools: [read] }\n",
    name: "files",
    url: null,
  }),
  "c9-same-tool": tool(
    "C9",
    "a list does not leak to a tool of the same name elsewhere",
    "exec",
    "TOOL",
    true,
  ),
  "e1-resource-unverified": resource(
    "E1",
    "resources of an unverified server are capped too",
    "file:///a",
    "NONE",
    { yaml: one("resource_trust: owner") },
  ),
  "e2-expects": tool("E2", "strict: the word alone does not verify", "lookup", "NONE", true, strict),
  "e2-admitted": tool("E2", "strict: an admission does", "lookup", "TOOL", true, {
    ...strict,
    isAdmitted: true,
  }),
  "e2-capped": tool("E2", "strict: nobody is believed more than a tool", "lookup", "TOOL", true, {
    ...strict,
    isAdmitted: true,
    yaml: one("server_trust: owner, verified: true"),
  }),
  "e6-speech": {
    ...base("E6", "instructions, descriptions and questions are NONE", {}),
    ask: { speech: true },
    expect: { level: "NONE", source: `mcp:${CORP}`, metadata: { mcp_server: CORP } },
  },
  "e7-embedded": tool(
    "E7",
    "an answer with a resource in it is worth the least of it",
    "lookup",
    "NONE",
    true,
    {},
    true,
  ),
  "url-default-port": tool("C9", "a default port is no difference", "exec", "NONE", false, {
    url: "https://COMMUNITY.example.com:443/mcp/",
    name: "c",
  }),
  "url-dot-segments": tool("C9", "dot segments are no difference", "exec", "NONE", false, {
    url: "https://community.example.com/a/../mcp",
    name: "c",
  }),
  "url-other-scheme": tool("C9", "http is not https", "exec", "NONE", true, {
    url: "http://community.example.com/mcp",
    name: "c",
  }),
  "url-other-query": tool("C9", "a query is a difference", "exec", "NONE", true, {
    url: `${FRIENDLY}?tenant=2`,
    name: "c",
  }),
  "name-before-url": tool("C9", "the name in the configuration comes first", "search", "NONE", false, {
    yaml: `corp: { allowed_tools: [] }\n${one("server_trust: tool, verified: true")}`,
  }),
};
