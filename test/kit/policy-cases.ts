/** Builds spec/vectors/policy: what an operator writes, what is asked, and what comes of it. */

export interface PolicyCase {
  readonly about: string;
  /** Of the list of conformance (C) and of errata (E), or a requirement of spec/policy.md. */
  readonly of: string;
  readonly mode: "strict" | "spec";
  /** `mcp_servers` in YAML. */
  readonly mcp_servers: string;
  readonly server: { readonly name: string; readonly url?: string };
  readonly isAdmitted?: boolean;
  readonly ask:
    | { readonly tool: string; readonly hasResources?: true; readonly call?: CallFacts }
    | { readonly resource: string }
    | { readonly speech: true };
  readonly expect: {
    readonly level: string;
    readonly source: string;
    readonly metadata: Readonly<Record<string, string>>;
    readonly isAllowed?: boolean;
    /** What is said to the call, and by which rule. */
    readonly decision?: string;
  };
}

/** A call that is decided: what led to it, what the tool says of itself, and the mode of the control `admission`. A tool of a server that was
 *  admitted is the one that was looked at, unless it has changed since. */
export interface CallFacts {
  readonly trigger: string;
  readonly isReadOnly: boolean;
  readonly admission: "observe" | "warn" | "enforce";
  /** It is another one than was attested, and this is the mode of the control `drift`. */
  readonly drift?: "observe" | "warn" | "enforce";
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
  /** How the label names the server, where that is not as it is configured. */
  readonly labelled?: string;
  /** Where that is not plainly made of its parts. */
  readonly source?: string;
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
  const mcp_server = asked.labelled ?? server.url ?? server.name;
  return {
    ...rest,
    server,
    ask: { tool: called, ...(hasResources ? { hasResources } : {}) },
    expect: {
      level,
      source: asked.source ?? `mcp:${mcp_server}:${called}`,
      metadata: { mcp_server, tool_name: called },
      isAllowed,
    },
  };
}

/** The same, and what is said to a call of it. */
function decided(asked: PolicyCase, call: CallFacts, decision: string): PolicyCase {
  return {
    ...asked,
    ask: { ...(asked.ask as { readonly tool: string }), call },
    expect: { ...asked.expect, decision },
  };
}

function resource(of: string, about: string, uri: string, level: string, asked: Asked = {}): PolicyCase {
  const { server, ...rest } = base(of, about, asked);
  const mcp_server = asked.labelled ?? server.url ?? server.name;
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
const unlisted = { url: "https://unknown.example/mcp", name: "unknown" } as const;
const ALIKE = `"${CORP}": { allowed_tools: [read] }\n"${FRIENDLY}": { allowed_tools: [send] }\n`;
const led = (trigger: string, isReadOnly = false): CallFacts => ({
  trigger,
  isReadOnly,
  admission: "enforce",
});

const attested = (about: string): PolicyCase =>
  tool("POL-19", about, "search", "TOOL", true, { ...strict, isAdmitted: true });

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
    labelled: "stdio:files",
  }),
  "c7-led-by-resource": decided(
    tool("C7", "what a resource that is not believed led to is denied", "send", "TOOL", true, {
      ...strict,
      isAdmitted: true,
    }),
    led("NONE"),
    "deny trigger",
  ),
  "c7-led-by-resource-spec": decided(
    tool("C7", "in spec a person is asked, and without a word it is denied", "send", "TOOL", true, {
      isAdmitted: true,
    }),
    led("NONE"),
    "ask trigger",
  ),
  "c7-led-by-user": decided(
    tool("C7", "what the user led to is not", "send", "TOOL", true, { ...strict, isAdmitted: true }),
    led("USER"),
    "allow",
  ),
  "c7-only-reads": decided(
    tool("C7", "nor what only reads", "search", "TOOL", true, { ...strict, isAdmitted: true }),
    led("NONE", true),
    "allow",
  ),
  "c8-nothing-said": tool("C8", "an entry that says nothing does not give TOOL", "lookup", "NONE", true, {
    yaml: `"${CORP}": {}\n`,
  }),
  "c8-level-alone": tool("C8", "nor does the level by itself", "lookup", "NONE", true, {
    yaml: one("server_trust: tool"),
  }),
  "c8-restored": tool("C8", "both words together do", "lookup", "TOOL", true, {
    yaml: one("server_trust: tool, verified: true"),
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
  "e3-unlisted-spec": decided(
    tool("E3", "spec: an unlisted server has zero trust and all tools", "anything", "NONE", true, unlisted),
    { trigger: "USER", isReadOnly: true, admission: "observe" },
    "allow",
  ),
  "e3-unlisted-strict": decided(
    tool("E3", "strict: it has none, whatever the controls do", "anything", "NONE", true, {
      ...strict,
      ...unlisted,
    }),
    { trigger: "USER", isReadOnly: true, admission: "observe" },
    "deny allowed-tools",
  ),
  "e4-list-of-one": tool(
    "E4",
    "a name that two servers have is allowed where it is listed",
    "send",
    "NONE",
    true,
    {
      yaml: ALIKE,
      url: FRIENDLY,
      name: "community",
    },
  ),
  "e4-list-of-other": tool("E4", "and not where it is not", "send", "NONE", false, { yaml: ALIKE }),
  "e5-colons": tool(
    "E5",
    "a name with colons is one part, and reads as no other server's",
    "search:8443/v1:lookup",
    "NONE",
    true,
    {
      url: "https://mcp.internal.corp:8443/v1",
      source: "mcp:https://mcp.internal.corp:8443/v1:search%3A8443/v1%3Alookup",
    },
  ),
  "e5-escaped": tool(
    "E5",
    "a name that is written as if it were escaped is another one",
    "a%3Ab",
    "NONE",
    true,
    {
      ...unlisted,
      source: "mcp:https://unknown.example/mcp:a%253Ab",
    },
  ),
  "e5-path": tool("E5", "a colon in the path of a server parts nothing", "b", "NONE", true, {
    url: "https://unknown.example/a:b",
    name: "unknown",
    source: "mcp:https://unknown.example/a%3Ab:b",
  }),
  "e5-no-path": tool("E5", "a name does not become the port of a server", "8443/v1", "NONE", true, {
    url: "https://unknown.example",
    name: "unknown",
    labelled: "https://unknown.example/",
  }),
  "e5-named-like-a-scheme": tool(
    "E5",
    "a server's name does not become a scheme",
    "//a.example/b",
    "NONE",
    true,
    {
      name: "https",
      url: null,
      labelled: "stdio:https",
    },
  ),
  "e5-resource": resource("E5", "an address comes last, and stands as it is", "note://a:b/100%25", "NONE"),
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
  "pol18-admission-first": decided(
    tool(
      "POL-18",
      "strict: where the server is not admitted, that is why it has no tools",
      "search",
      "NONE",
      true,
      {
        ...strict,
        isAdmitted: false,
      },
    ),
    led("USER", true),
    "deny admission",
  ),
  "pol18-list-first": decided(
    tool("POL-18", "what the operator's list does not have is denied by it", "exec", "NONE", false, {
      ...strict,
      url: FRIENDLY,
      name: "community",
      isAdmitted: false,
    }),
    led("USER", true),
    "deny allowed-tools",
  ),
  "pol19-drifted": decided(
    attested("strict: a tool that was attested and has changed is a matter of drift"),
    { ...led("USER", true), drift: "enforce" },
    "deny drift",
  ),
  "pol19-drifted-warn": decided(
    attested("strict: where drift warns it can be called, with a warning"),
    { ...led("USER", true), drift: "warn" },
    "warn drift",
  ),
  "pol19-drifted-observe": decided(
    attested("strict: where drift is observed it can be called"),
    { ...led("USER", true), drift: "observe" },
    "allow",
  ),
  "url-default-port": tool("C9", "a default port is no difference", "exec", "NONE", false, {
    url: "https://COMMUNITY.example.com:443/mcp/",
    name: "c",
    labelled: "https://community.example.com/mcp/",
  }),
  "url-dot-segments": tool("C9", "dot segments are no difference", "exec", "NONE", false, {
    url: "https://community.example.com/a/../mcp",
    name: "c",
    labelled: FRIENDLY,
  }),
  "url-other-scheme": tool("C9", "http is not https", "exec", "NONE", true, {
    url: "http://community.example.com/mcp",
    name: "c",
  }),
  "url-other-query": tool("C9", "a query is a difference, and in no label", "exec", "NONE", true, {
    url: `${FRIENDLY}?tenant=2`,
    name: "c",
    labelled: FRIENDLY,
  }),
  "name-before-url": tool("C9", "the name in the configuration comes first", "search", "NONE", false, {
    yaml: `corp: { allowed_tools: [] }\n${one("server_trust: tool, verified: true")}`,
  }),
};
