/** What is said of a file before anything is started fits what would come of it, and names the way out. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { call, LIMIT, reads, Servers, startGateway, textOf } from "./kit.ts";
import { DAY, type Vouched, vouch, writeRoot } from "./vouch.ts";

const TOOLS = ["say", "sing", "shout"].map((name) => reads(name, name));

/** What check and the gateway say of a file; a gateway that starts ends with its input. */
async function said(folder: string, config: object | string, env: Record<string, string> = {}) {
  const file = join(folder, "touchstone.yml");
  writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config));
  const check = await touchstone(["policy", "check", "--config", file], { env });
  return {
    lines: check.stdout.split("\n").filter((line) => line !== ""),
    check,
    start: () => touchstone(["gateway", "--config", file], { env }),
  };
}

test("check lists the tools that can be called, and warns of names that nobody has looked at [GTW-11, POL-16]", async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.lock({ one: { tools: TOOLS } });
  const entry = { ...servers.entry("one"), locked: true };
  const listed = { allowed_tools: ["say", "sign"] };
  const cases = [
    {
      name: "in strict a list takes from what was locked",
      config: { servers: { one: { ...entry, ungraded: true } }, mcp_servers: { one: listed } },
      tools: "say",
      warnings: [
        'warning: one: allowed_tools names "sign", which was neither attested nor locked, so that nobody can call it, did you mean "sing"?',
      ],
    },
    {
      name: "in spec the list alone counts",
      config: {
        policy: "spec",
        servers: { one: { ...entry, ungraded: true } },
        mcp_servers: { one: listed },
      },
      tools: "say, sign",
      warnings: [],
    },
    {
      name: "in spec without a list all that was locked, too",
      config: { policy: "spec", servers: { one: { ...entry, ungraded: true } } },
      tools: "say, shout, sing",
      warnings: [],
    },
    {
      name: "without a list all that was locked",
      config: { servers: { one: { ...entry, ungraded: true } } },
      tools: "say, shout, sing",
      warnings: [],
    },
    {
      name: "of one that is let in, and has none that was locked and is listed, none, with the way to learn why",
      config: {
        servers: { one: { ...entry, ungraded: true } },
        mcp_servers: { one: { allowed_tools: ["other"] } },
      },
      tools: "no tool can be called: touchstone policy explain one says why",
      warnings: [
        'warning: one: allowed_tools names "other", which was neither attested nor locked, so that nobody can call it',
      ],
    },
    {
      name: "of a server that is refused none",
      config: { servers: { one: entry } },
      tools: "no tool can be called",
      warnings: [],
    },
    {
      name: "where nothing is locked, all that are listed, if they are let in",
      config: {
        servers: { one: servers.entry("one") },
        mcp_servers: { one: listed },
        modes: { admission: "warn" },
      },
      tools: "say, sign",
      warnings: [],
    },
  ];
  for (const { name, config, tools, warnings } of cases) {
    const { lines } = await said(folder.path, config);
    assert.equal(lines[0]?.split("; ").at(-1), tools, name);
    assert.deepEqual(lines.slice(1), warnings, name);
  }
});

test("what looks like a variable and is sent as it is written is warned of [GTW-1]", async () => {
  using folder = temporaryFolder();
  const of = async (more: Readonly<Record<string, unknown>>): Promise<string[]> => {
    const one = { command: "node", args: ["-e", '"${X}"'], ...more };
    const { lines } = await said(folder.path, { servers: { one } }, { KEY: "kkkkkkkkkkkkkkkk" });
    return lines.slice(1);
  };
  const env = { KEY: "Bearer ${KEY}", OTHER: "$KEY costs {KEY}" };
  const warning =
    "warning: servers.one.env.KEY: ${KEY} goes to the server as it is written: variables: true beside it puts the variable in its place, variables: false says that it is meant";
  assert.deepEqual(await of({ env }), [warning]);
  assert.deepEqual(await of({ env, variables: false }), []);
  assert.deepEqual(await of({ env, args: ["x"], variables: true }), []);
  assert.deepEqual(await of({}), []);
  const web = { servers: { one: { url: "https://a.example/mcp", headers: { "x-key": "${KEY:-none}" } } } };
  assert.match(
    (await said(folder.path, web)).lines[1] ?? "",
    /^warning: servers\.one\.headers\.x-key: \$\{KEY\} goes/,
  );
});

test("a file that the configuration names and that is not there is told where it is named [GTW-1]", async () => {
  using folder = temporaryFolder();
  const root = await said(folder.path, "servers: {}\nroot: nope.json\n");
  assert.equal(root.check.code, 2);
  assert.match(root.check.stderr, /touchstone\.yml:2:7 root: nope\.json: no such file/);
  assert.match(root.check.stderr, /touchstone attest root init/);
  const key = await said(folder.path, "servers: {}\naudit: { key: missing/x.key }\n");
  const { code, stderr } = await key.start();
  assert.equal(code, 2);
  assert.match(stderr, /touchstone\.yml:2:15 audit\.key: missing\/x\.key: no such file/);
  assert.match(stderr, /touchstone attest keygen/);
  assert.doesNotMatch(root.check.stderr + stderr, /--config/);
});

test("a trust root that cannot be used is told where it is named [GTW-1]", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "root.json"), "{}");
  const { check } = await said(folder.path, "servers: {}\nroot: root.json\n");
  assert.equal(check.code, 2);
  assert.match(check.stderr, /touchstone\.yml:2:7 root: root\.json: \S/);
});

test("a variable for the token of a server that is not set is told where it is named [GTW-1]", async () => {
  using folder = temporaryFolder();
  const text = "servers:\n  web:\n    url: https://web.example/mcp\n    auth: { bearer_env: UNSET_WEB }\n";
  const { code, stderr } = await (await said(folder.path, text)).start();
  assert.equal(code, 2);
  assert.match(
    stderr,
    /touchstone\.yml:4:25 servers\.web\.auth\.bearer_env: the variable UNSET_WEB is not set/,
  );
  assert.match(stderr, /set UNSET_WEB to the token of web where the gateway is started/);
});

test("a file without servers is warned of, by check and at the start", async () => {
  using folder = temporaryFolder();
  const WARNING = "warning: no servers: nothing is behind the gateway";
  const empty = await said(folder.path, "servers: {}\n");
  assert.deepEqual([empty.check.code, empty.lines], [0, [WARNING]]);
  assert.ok((await empty.start()).stderr.split("\n").includes(WARNING));
  const one = await said(folder.path, "servers: { one: { command: x } }\n");
  assert.ok(!one.lines.includes(WARNING));
});

const WAY =
  "a statement with a grade or an exemption would let it in, or ungraded: true beside locked: true, as it was locked";

test("who is refused is told what would let it in; callers are not [GTW-11]", LIMIT, async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  servers.set("one", { tools: TOOLS });
  servers.lock({ one: { tools: TOOLS } });
  const idle = await said(folder.path, { servers: { one: servers.entry("one") } });
  assert.match(
    String(idle.lines[0]),
    /^one {2}refused: nothing vouches for it: no statement, and touchstone\.lock, which has it, counts only with locked: true in its entry;/,
  );
  const other = await said(folder.path, { servers: { two: servers.entry("one") } });
  assert.match(String(other.lines[0]), /^two {2}refused: .*: no statement, and it is not locked;/);
  const config = { servers: { one: { ...servers.entry("one"), locked: true } } };
  const { lines } = await said(folder.path, config);
  assert.equal(String(lines[0]).split("; ")[0], `one  refused: it has no grade (${WAY})`);
  await using gateway = await startGateway(folder.path, config);
  assert.ok(gateway.told.includes(`one: refused: it has no grade (${WAY})`), gateway.told.join("\n"));
  await using session = await gateway.connect();
  assert.match(textOf(await call(session, "one__say")), /^Denied by grade: one has no grade \(decision/);
});

const statements: readonly {
  readonly name: string;
  readonly given: Vouched;
  readonly require?: object;
  readonly why: RegExp;
}[] = [
  {
    name: "too old",
    given: { ranAtMs: Date.now() - 10 * DAY },
    require: { max_age: "7d" },
    why: /refused: too-old \(the run was at \S+, wanted at most 7 days ago\);/,
  },
  {
    name: "too old by hours",
    given: { ranAtMs: Date.now() - 10 * DAY },
    require: { max_age: "36h" },
    why: /refused: too-old \(the run was at \S+, wanted at most 36 hours ago\);/,
  },
  {
    name: "by another method",
    given: { method: "litmus-v5" },
    why: /refused: method-not-accepted \(graded by litmus-v5, wanted touchstone-1\);/,
  },
];
for (const { name, given, require, why } of statements)
  test(`a statement that is refused says what was found and what is wanted: ${name} [GTW-11]`, async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    writeRoot(folder.path);
    const one = { ...vouch(servers, "one", TOOLS, given), ...(require ? { require } : {}) };
    const { lines } = await said(folder.path, { root: "root.json", servers: { one } });
    assert.match(String(lines[0]), why);
  });

const SECRET = "sk-live-abcdefghijklmnopqrst";
const secrets = [
  {
    name: "of a caller",
    where: /:1:\d+ tokens\.me\.env: want the name of an/,
    more: { tokens: { me: { env: SECRET } } },
  },
  {
    name: "of a server",
    where: /:1:\d+ servers\.one\.auth\.bearer_env: want the name of an/,
    more: { servers: { one: { url: "https://example.com/mcp", auth: { bearer_env: SECRET } } } },
  },
  {
    name: "of the collector",
    where: /:1:\d+ telemetry\.headers\.authorization\.env: want the name of an/,
    more: { telemetry: { endpoint: "https://example.com", headers: { authorization: { env: SECRET } } } },
  },
];
for (const { name, where, more } of secrets)
  test(`a token ${name} in the place of its variable's name is refused where it stands, and not repeated [GTW-1]`, async () => {
    using folder = temporaryFolder();
    const { check, start } = await said(folder.path, { servers: {}, ...more });
    for (const { code, stderr } of [check, await start()]) {
      assert.equal(code, 2);
      assert.match(stderr, where);
      assert.ok(!stderr.includes(SECRET), stderr);
    }
  });

test("what is wrong with variables in an entry is told where it stands [GTW-1]", async () => {
  using folder = temporaryFolder();
  const unset =
    "servers:\n  one:\n    command: node\n    env: { KEY: '${NOT_SET_ANYWHERE}' }\n    variables: true\n";
  assert.match((await said(folder.path, unset)).check.stderr, /touchstone\.yml:3:5 servers\.one\.env\.KEY: /);
  const host = "servers:\n  one: { url: 'https://${HOST}.example.com/', variables: true }\n";
  const { stderr } = (await said(folder.path, host, { HOST: "evil" })).check;
  assert.match(
    stderr,
    /touchstone\.yml:2:8 servers\.one\.url: no variable may stand in its host\n {2}write the host out/,
  );
});

test("an entry by URL is for the server that is reached there, whatever is filled in [POL-11] [POL-12]", async () => {
  using folder = temporaryFolder();
  const of = (url: string, entries: object): object => ({
    policy: "spec",
    servers: { one: { url, variables: true } },
    mcp_servers: entries,
  });
  const env = { WORKSPACE: "blue" };
  const url = "https://example.com/${WORKSPACE}";
  const reached = await said(
    folder.path,
    of(url, { "https://example.com/blue": { allowed_tools: ["say"] } }),
    env,
  );
  assert.deepEqual(reached.lines, ["one  let in, nothing is asked of it; answers are believed as NONE; say"]);
  // As it is written it is none that anybody reaches.
  const written = await said(folder.path, of(url, { [url]: { allowed_tools: ["say"] } }), env);
  assert.deepEqual(written.lines, [
    "one  let in, nothing is asked of it; answers are believed as NONE; any tool",
    'warning: mcp_servers: there is no server "https://example.com/$%7BWORKSPACE%7D" in this file',
  ]);
  const ascii = "https://xn--exmple-cua.com/mcp";
  const named = await said(
    folder.path,
    of("https://exämple.com/mcp", { [ascii]: { allowed_tools: ["say"] } }),
  );
  assert.deepEqual(named.lines, ["one  let in, nothing is asked of it; answers are believed as NONE; say"]);
  for (const [address, key] of [
    [url, "https://example.com/blue"],
    ["https://exämple.com/mcp", ascii],
  ] as const) {
    const { check } = await said(folder.path, of(address, { [key]: {}, one: {} }), env);
    assert.equal(check.code, 2);
    assert.ok(check.stderr.includes(`mcp_servers.one: this is the same server as "${key}"`), check.stderr);
  }
});

test("what has no effect on the kind of server that an entry names is warned of", async () => {
  using folder = temporaryFolder();
  const far = { url: "https://example.com/mcp", env: { KEY: "k" }, args: [], headers: { "x-key": "k" } };
  const near = {
    command: "node",
    env: { KEY: "k" },
    transport: "sse",
    auth: { bearer_env: "KEY" },
    headers: {},
  };
  const { lines } = await said(folder.path, { servers: { far, near } }, { KEY: "k" });
  assert.deepEqual(lines.slice(2), [
    "warning: servers.far.env has no effect: it is for a server that is started here",
    "warning: servers.near.auth has no effect: it is for a server at a URL",
    "warning: servers.near.transport has no effect: it is for a server at a URL",
  ]);
});

test("a star in allowed_tools is warned of, and is not shown as any tool [POL-5]", async () => {
  using folder = temporaryFolder();
  const servers = { one: { command: "node" } };
  const starred = { policy: "spec", servers, mcp_servers: { one: { allowed_tools: ["*"] } } };
  assert.deepEqual((await said(folder.path, starred)).lines, [
    "one  let in, nothing is asked of it; answers are believed as NONE; *",
    'warning: one: allowed_tools names "*": names are exact, and no letter of them stands for others',
  ]);
  assert.deepEqual((await said(folder.path, { policy: "spec", servers })).lines, [
    "one  let in, nothing is asked of it; answers are believed as NONE; any tool",
  ]);
});

test("that resources are believed is warned of where they are", async () => {
  using folder = temporaryFolder();
  const servers = new Servers(folder.path);
  writeRoot(folder.path);
  const warnings = async (given: Vouched): Promise<string[]> => {
    const one = vouch(servers, "one", TOOLS, given);
    const policy = { resource_trust: "tool" };
    const config = { root: "root.json", servers: { one }, mcp_servers: { one: policy } };
    return (await said(folder.path, config)).lines.slice(1);
  };
  assert.deepEqual(await warnings({ grade: "A" }), [
    "warning: one: resource_trust tool: what a server reads from elsewhere is believed",
  ]);
  // Where they are not it has no effect, and would have one.
  for (const given of [{ grade: "D" }, { method: "litmus-v5" }] as const)
    assert.deepEqual(await warnings(given), [
      "warning: one: resource_trust tool has no effect: the server is not admitted; once it is, what it reads from elsewhere is believed",
    ]);
});

test(
  "a trust root that is damaged while the gateway runs is told to callers by its name, not by where it is",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("one", { tools: TOOLS });
    writeRoot(folder.path);
    const one = vouch(servers, "one", TOOLS);
    await using gateway = await startGateway(folder.path, { root: "root.json", servers: { one } });
    await using session = await gateway.connect();
    assert.equal(textOf(await call(session, "one__say")), "say");
    writeFileSync(join(folder.path, "root.json"), "{}");
    await sleep(5_200);
    const answer = textOf(await call(session, "one__say"));
    assert.match(answer, /^Denied by admission: one is not admitted: root\.json: \S/);
    assert.ok(!answer.includes(folder.path), answer);
  },
);
