/** The trust policy: vectors for what the document and its errata say, and everything that could be misread. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import * as v from "valibot";
import { readConfig, TrustError } from "../src/core/index.ts";
import {
  admitted,
  DEFAULT_MCP_POLICY,
  decide,
  effectiveResourceTrust,
  effectiveServerTrust,
  isToolAllowed,
  LEVELS,
  labelMixedResult,
  labelResource,
  labelSpeech,
  labelToolResult,
  lower,
  type McpServerPolicy,
  mcpServersSchema,
  type PolicyTable,
  policyFor,
  readLevel,
  type Standing,
  serverKey,
  sourceName,
  warningsFor,
} from "../src/policy/index.ts";
import { root } from "./kit/paths.ts";
import { type PolicyCase, policyCases } from "./kit/policy-cases.ts";

const folder = join(root, "spec/vectors/policy");
const schema = v.strictObject({ mcp_servers: mcpServersSchema });

async function tableOf(yaml: string): Promise<PolicyTable> {
  const text = `mcp_servers:\n${yaml.replace(/^(?=.)/gm, "  ")}`;
  return (await readConfig(text, "touchstone.yml", schema)).mcp_servers;
}

test("each case stands in its file, and no file is without its case", () => {
  for (const [name, content] of Object.entries(policyCases)) {
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    if (process.env.GOLDEN === "write") writeFileSync(join(folder, `${name}.json`), text);
    assert.equal(readFileSync(join(folder, `${name}.json`), "utf8"), text, name);
  }
  assert.deepEqual(
    readdirSync(folder).sort(),
    Object.keys(policyCases)
      .map((name) => `${name}.json`)
      .sort(),
  );
});

function labelOf({ ask, server: asked }: PolicyCase, policy: McpServerPolicy) {
  const server = sourceName(asked);
  if ("speech" in ask) return labelSpeech(server);
  if ("resource" in ask) return labelResource(policy, server, ask.resource);
  return (ask.hasResources ? labelMixedResult : labelToolResult)(policy, server, ask.tool);
}

/** What is said to a call of a tool; nothing where the case asks for none. */
function decisionOn({ ask, mode, isAdmitted = false }: PolicyCase, policy: McpServerPolicy): object {
  if (!("tool" in ask) || ask.call === undefined) return {};
  const { trigger, isReadOnly, admission, drift } = ask.call;
  const hasDrifted = drift !== undefined;
  const standing: Standing = {
    name: "server",
    policy,
    admission: isAdmitted
      ? { status: "admitted", grade: "A" }
      : { status: "refused", reason: "nothing vouches for it" },
    // What was admitted is what was looked at.
    tools: new Map([[ask.tool, { isPinned: isAdmitted && !hasDrifted, hasDrifted, isReadOnly }]]),
  };
  const rules = {
    mode,
    modes: { admission, drift: drift ?? "enforce", description: "enforce", trigger: "enforce" },
  } as const;
  const { kind, rule } = decide(
    rules,
    standing,
    { kind: "tool", name: ask.tool },
    readLevel(trigger) ?? "NONE",
  );
  return { decision: `${kind} ${rule}`.trim() };
}

for (const [name, one] of Object.entries(policyCases))
  test(`${name}: ${one.about} [POL-2, POL-3, POL-4, POL-5, POL-6, POL-7, POL-8, POL-9, POL-10, POL-13, POL-18, POL-19, POL-22]`, async () => {
    const policy = admitted(
      policyFor(await tableOf(one.mcp_servers), one.server),
      one.mode,
      one.isAdmitted ?? false,
    );
    const { trust, metadata } = labelOf(one, policy);
    const isAllowed = "tool" in one.ask ? { isAllowed: isToolAllowed(policy, one.ask.tool) } : {};
    assert.deepEqual({ ...trust, metadata, ...isAllowed, ...decisionOn(one, policy) }, one.expect);
  });

test("each point of the document and each erratum has a case", () => {
  const points = new Set(Object.values(policyCases).map(({ of }) => of));
  assert.deepEqual(
    [...points].sort(),
    "C1 C2 C3 C4 C5 C6 C7 C8 C9 E1 E2 E3 E4 E5 E6 E7 POL-18 POL-19".split(" "),
  );
});

/** A source taken apart by what POL-8 says of it. */
const SOURCE = /^(mcp|mcp_resource):(https?:\/\/[^/]*\/[^:]*|stdio:[^:]*)(?::(.*))?$/s;
const awkward = fc.string({ unit: fc.constantFrom("a", ":", "/", "%", "3A", "//", "stdio", "https", "\n") });
const urls = fc.oneof(
  awkward.map((path) => `https://a.example/${path}`),
  fc.constantFrom("https://a.example", "http://a.example:8080", "http://b:c@[::1]:80/a:b?key=c#d"),
);

test("a source can be taken apart in one way, whatever a server calls its tools [POL-8]", () =>
  fc.assert(
    fc.property(awkward, fc.option(urls), awkward, (named, url, name) => {
      const server = sourceName({ name: named, url });
      for (const { trust, metadata } of [
        labelToolResult(DEFAULT_MCP_POLICY, server, name),
        labelResource(DEFAULT_MCP_POLICY, server, name),
        labelSpeech(server),
      ]) {
        const [, kind, who = "", what] = SOURCE.exec(trust.source) ?? [];
        assert.equal(kind, "resource_uri" in metadata ? "mcp_resource" : "mcp", trust.source);
        assert.equal(
          metadata.resource_uri ?? metadata.tool_name,
          kind === "mcp" ? what && decodeURIComponent(what) : what,
        );
        const isUrl = who.startsWith("http");
        const plain = (text: string): string => (isUrl ? text.replaceAll("%3A", ":") : text);
        assert.equal(isUrl ? plain(who) : decodeURIComponent(who), plain(metadata.mcp_server));
      }
    }),
  ));

test("a server is named in a source as it was given, where nobody gives it another name", () => {
  assert.equal(labelToolResult(DEFAULT_MCP_POLICY, "files", "read").trust.source, "mcp:files:read");
  assert.equal(
    labelToolResult(DEFAULT_MCP_POLICY, "https://a.example", "read").trust.source,
    "mcp:https://a.example:read",
  );
});

test("the default of the document, member by member [POL-2]", () => {
  assert.deepEqual(DEFAULT_MCP_POLICY, {
    serverTrust: "NONE",
    resourceTrust: "NONE",
    verified: false,
    allowedTools: null,
    label: null,
  });
  assert.equal(policyFor(new Map(), { name: "unknown" }), DEFAULT_MCP_POLICY);
});

test("nobody who is given the default, or the order of levels, can change it for all [POL-1, POL-2]", () => {
  const given = policyFor(new Map(), { name: "unknown" }) as { verified: boolean; serverTrust: string };
  assert.throws(() => {
    given.verified = true;
  }, TypeError);
  assert.throws(() => {
    given.serverTrust = "OWNER";
  }, TypeError);
  assert.equal(DEFAULT_MCP_POLICY.verified, false);
  assert.throws(() => (LEVELS as unknown as string[]).reverse(), TypeError);
});

test("levels that count, for every word and both answers to verified [POL-3, POL-4]", () => {
  for (const level of LEVELS)
    for (const verified of [true, false]) {
      const policy = { ...DEFAULT_MCP_POLICY, serverTrust: level, resourceTrust: level, verified };
      const want = verified ? level : "NONE";
      assert.deepEqual([effectiveServerTrust(policy), effectiveResourceTrust(policy)], [want, want]);
    }
});

const misread: readonly (readonly [name: string, yaml: string, said: RegExp])[] = [
  ["a quoted boolean", 'files: { verified: "false" }', /:2:\d+ .*want true or false/],
  ["a word of another YAML for a boolean", "files: { verified: no }", /want true or false/],
  ["a text for a list", "files: { allowed_tools: search }", /want a list of names/],
  ["a misspelt key", "files: { allowed_tool: [a] }", /allowed_tool/],
  ["an entry without a body", "files:\n", /:2:/],
  ["no level", "files: { server_trust: null }", /want one of none, tool/],
  ["a number for a level", "files: { server_trust: 1 }", /want one of none, tool/],
  ["a level that there is not", "files: { server_trust: full }", /want one of none, tool/],
  ["an entry that stands twice", "files: {}\nfiles: {}", /stands twice/],
  [
    "two entries for one URL",
    '"https://a.example/mcp": {}\n"https://A.example:443/mcp/": {}',
    /touchstone\.yml:3:\d+ .*same server as "https:\/\/a\.example\/mcp"/,
  ],
  [
    "a URL with a user",
    '"https://me:word@a.example/": {}',
    /mcp_servers\.https:\/\/…@a\.example\/: .*no user/,
  ],
  [
    "a URL with a key that stands twice",
    '"https://a.example/?key=s3": {}\n"https://a.example/?key=s3": {}',
    /"https:\/\/a\.example\/\?…" stands twice/,
  ],
  ["another scheme", '"ftp://a.example/": {}', /want the URL/],
  ["a name with a space", '"my files": {}', /want the URL/],
  ["a tool that is no text", "files: { allowed_tools: [1] }", /want the exact name/],
  ["a list in a list", "files: { allowed_tools: [[a]] }", /want the exact name/],
];
for (const [name, yaml, said] of misread)
  test(`refused: ${name} [POL-12, POL-14, POL-15]`, () =>
    assert.rejects(tableOf(yaml), (error) => error instanceof TrustError && said.test(error.message)));

const keys: readonly (readonly [url: string, key: string | undefined])[] = [
  ["HTTPS://A.Example/MCP", "https://a.example/MCP"],
  ["https://a.example./mcp", "https://a.example/mcp"],
  ["https://a.example:8443/mcp", "https://a.example:8443/mcp"],
  ["https://a.example/%7euser/%2Fx%2f", "https://a.example/~user/%2Fx%2F"],
  ["https://a.example/./b/../mcp//", "https://a.example/mcp"],
  ["https://a.example/mcp?b=1&a=2", "https://a.example/mcp?b=1&a=2"],
  ["https://a.example/mcp#frag", "https://a.example/mcp"],
  ["https://[::1]:443/mcp", "https://[::1]/mcp"],
  ["https://a.example", "https://a.example"],
  ["https://user:pw@a.example/", undefined],
  ["https://a.example\\@evil.example/", undefined],
  ["https://exämple.com/", undefined],
  ["https://a.exa\tmple/", undefined],
  ["https:///", undefined],
  ["https://[fe80::1%25eth0]/", undefined],
  ["javascript:alert(1)", undefined],
];
for (const [url, key] of keys)
  test(`${url} is ${key ?? "no server"} [POL-11, POL-12]`, () => assert.equal(serverKey(url), key));

test("a key is its own key, and no two schemes have one [POL-11]", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const key = serverKey(url);
      if (key === undefined) return;
      assert.equal(serverKey(key), key);
      assert.notEqual(
        serverKey(url.replace(/^https?/, (scheme) => (scheme === "https" ? "http" : "https"))),
        key,
      );
    }),
  );
});

test("levels are in order, and words for them in any case [POL-1]", () => {
  for (const [rank, level] of LEVELS.entries())
    for (const [other, against] of LEVELS.entries())
      assert.equal(lower(level, against), LEVELS[Math.min(rank, other)]);
  assert.deepEqual(
    [readLevel("oWNer"), readLevel("root"), readLevel(5), readLevel("")],
    ["OWNER", undefined, undefined, undefined],
  );
});

test("what should not be is said [POL-16]", async () => {
  const said = async (body: string, mode: "strict" | "spec" = "strict"): Promise<string[]> => {
    const policy = (await tableOf(`files: { ${body} }`)).get("files") as McpServerPolicy;
    return warningsFor("files", policy, mode);
  };
  assert.equal((await said("resource_trust: tool, verified: true")).length, 1);
  assert.match((await said("server_trust: tool", "spec")).join(), /server_trust tool has no effect/);
  assert.match(
    (await said("resource_trust: owner", "spec")).join(),
    /^files: resource_trust owner has no effect[^,]*$/,
  );
  // In strict an admission decides, and not the word.
  assert.deepEqual(await said("server_trust: tool"), []);
  assert.match((await said("server_trust: owner, verified: true")).join(), /may instruct/);
  assert.deepEqual(await said("server_trust: tool, verified: true"), []);
});

test("a list without a value, and a label without one, are read as the document types them [POL-15]", async () => {
  const policy = (await tableOf("files: { allowed_tools: null, label: null }")).get(
    "files",
  ) as McpServerPolicy;
  assert.deepEqual([policy.allowedTools, policy.label], [null, null]);
  assert.deepEqual(warningsFor("files", policy, "spec"), [
    "files: allowed_tools has no value: any tool is meant",
  ]);
});

test("in spec it is said that the word alone counts [POL-6]", () => {
  const policy = { ...DEFAULT_MCP_POLICY, verified: true };
  assert.match(warningsFor("files", policy, "spec").join(), /^files: verified counts by the word alone/);
  assert.deepEqual(warningsFor("files", policy), []);
  assert.deepEqual(warningsFor("files", DEFAULT_MCP_POLICY, "spec"), []);
});
