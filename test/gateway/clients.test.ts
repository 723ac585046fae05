/** Real clients of both SDKs, over both transports, through the program itself, with real servers from the registry behind it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { official } from "../grade/kit.ts";
import { runClient } from "../interop/kit.ts";
import { program, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

const LIMIT = { timeout: 60_000 } as const;
const folder = temporaryFolder();
const [stdioFile, httpFile] = [join(folder.path, "stdio.yml"), join(folder.path, "http.yml")];
const node = process.execPath;
const servers = {
  everything: { command: node, args: [official("everything"), "stdio"] },
  thinking: { command: node, args: [official("sequential-thinking")] },
};
const common = {
  policy: "spec",
  modes: { admission: "observe", trigger: "observe", flow: "observe" },
  mcp_servers: { everything: { allowed_tools: ["echo", "get-sum"] } },
  servers,
};
writeFileSync(stdioFile, JSON.stringify({ ...common, audit: { folder: "audit-stdio" } }));
writeFileSync(
  httpFile,
  JSON.stringify({
    ...common,
    listen: "http://127.0.0.1:0/mcp",
    tokens: { tester: { env: "TESTER_TOKEN" } },
    audit: { folder: "audit-http" },
  }),
);
const TOKEN = "t".repeat(40);
const CALLS = JSON.stringify([
  ["everything__echo", { message: "good morning" }],
  ["everything__get-sum", { a: 2, b: 40 }],
  ["everything__get-env", {}],
  ["nobody__nothing", {}],
]);

interface Seen {
  readonly tools: readonly string[];
  readonly results: readonly {
    readonly fault?: string;
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly _meta?: Readonly<Record<string, { readonly trust: { readonly level: string } }>>;
  }[];
}

function assertSeen({ tools, results }: Seen): void {
  assert.deepEqual(tools, ["everything__echo", "everything__get-sum", "thinking__sequentialthinking"]);
  const [echo, sum, env, nobody] = results;
  assert.equal(echo?.content?.[0]?.text, "Echo: good morning");
  assert.equal(echo?._meta?.["touchstone/trust"]?.trust.level, "NONE");
  assert.match(sum?.content?.[0]?.text ?? "", /42/);
  assert.equal(env?.isError, true);
  assert.match(env?.content?.[0]?.text ?? "", /^Denied by allowed-tools/);
  assert.match(nobody?.fault ?? "", /Unknown tool/);
}

for (const client of ["v1", "legacy", "auto", "modern"])
  test(`${client} over stdio`, LIMIT, async () => {
    const words = [program, "gateway", "--config", stdioFile];
    assertSeen(
      (await runClient("gateway-client.mjs", client, CALLS, "stdio", node, ...words)) as unknown as Seen,
    );
  });

describe("over HTTP", () => {
  let url = "";
  let gateway: ReturnType<typeof spawn>;
  before(async () => {
    gateway = spawn(node, [program, "gateway", "--config", httpFile], {
      env: { ...process.env, TESTER_TOKEN: TOKEN },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for await (const line of createInterface(gateway.stderr as NodeJS.ReadableStream)) {
      url = /^listening at (\S+);/.exec(line)?.[1] ?? "";
      if (url !== "") break;
    }
    process.env.TOKEN = TOKEN;
  });
  after(async () => {
    delete process.env.TOKEN;
    gateway.kill("SIGTERM");
    await once(gateway, "exit");
  });

  for (const client of ["v1", "legacy", "auto", "modern"])
    test(client, LIMIT, async () =>
      assertSeen((await runClient("gateway-client.mjs", client, CALLS, "http", url)) as unknown as Seen),
    );

  test("nobody comes in without a token, and /healthz tells how it is [GTW-3]", LIMIT, async () => {
    const accept = "application/json, text/event-stream";
    const headers = { "content-type": "application/json", accept };
    const body = '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}';
    const refused = await fetch(url, { method: "POST", headers, body });
    assert.deepEqual([refused.status, refused.headers.get("www-authenticate")], [401, "Bearer"]);
    const health = async (own: Readonly<Record<string, string>>): Promise<unknown> => {
      const response = await fetch(new URL("/healthz", url), { headers: own });
      return [response.status, await response.json()];
    };
    // Whose token it is decides which servers it hears of.
    assert.deepEqual(await health({}), [200, { isWell: true, servers: {} }]);
    assert.deepEqual(await health({ authorization: `Bearer ${TOKEN}` }), [
      200,
      { isWell: true, servers: { everything: true, thinking: true } },
    ]);
  });

  test("a page of another origin is turned away", LIMIT, async () => {
    const headers = {
      "content-type": "application/json",
      origin: "https://evil.example",
      authorization: `Bearer ${TOKEN}`,
    };
    assert.equal((await fetch(url, { method: "POST", headers, body: "{}" })).status, 403);
  });
});

after(() => folder[Symbol.dispose]());

test("stdout belongs to the client alone", LIMIT, async () => {
  const { stdout } = await touchstone(["gateway", "--config", stdioFile]);
  assert.equal(stdout, "");
});

test("the log of the stdio sessions is whole", LIMIT, async () => {
  const { code, stdout } = await touchstone(["audit", "verify", join(folder.path, "audit-stdio")]);
  assert.deepEqual([code, /whole/.test(stdout)], [0, true]);
});
