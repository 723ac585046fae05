/** Servers that are let in by a clearance: one that the operator signed for them, or one that they publish. And statements that may only be
 *  replaced by later ones. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  addKey,
  draftRoot,
  generateKey,
  SAD_PATH,
  type SigningKey,
  sadDigest,
  signSad,
  signStatement,
} from "../../src/attest/index.ts";
import { rootPayload, signRoot } from "../../src/attest/root/edit.ts";
import { buildStatement } from "../../src/attest/statement/build.ts";
import { toolDigest } from "../../src/surface/index.ts";
import { serveHttp } from "../../src/wire/index.ts";
import { sampleInput } from "../kit/attest.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { call, LIMIT, namesIn, startGateway, textOf } from "./kit.ts";

const DAY = 86_400_000;
const [ROOT, OPERATOR, STRANGER, GRADER] = [generateKey(), generateKey(), generateKey(), generateKey()];

function rootText(): Uint8Array {
  const now = Date.now();
  const levels = [
    { name: "public", rank: 0 },
    { name: "internal", rank: 1 },
    { name: "secret", rank: 2 },
  ];
  let draft = draftRoot(1, { name: "example", levels });
  draft = addKey(draft, { key: ROOT, roles: ["root"] });
  draft = addKey(draft, { key: OPERATOR, roles: ["clearance"], approvedClearances: ["public", "internal"] });
  draft = addKey(draft, { key: GRADER, roles: ["grade"] });
  const term = { issuedAtMs: now - DAY, expiresAtMs: now + 30 * DAY };
  return signRoot(rootPayload(draft, 1, term), [ROOT]);
}

function assertion(
  hosts: readonly string[],
  { signer = OPERATOR, clearance = "internal", version = "1" } = {},
): string {
  const signed = signSad(
    {
      v: "1.0",
      id: "weather",
      publisher: "example",
      version,
      clearance,
      capabilities: ["mcp-server"],
      ...(hosts.length > 0 ? { netAllowedHosts: hosts } : {}),
    },
    (signer as SigningKey).privateKey,
    (signer as SigningKey).id,
  );
  if ("fault" in signed) throw new Error(signed.fault.message);
  return Buffer.from(signed.bytes).toString();
}

const TOOLS = [
  { name: "today", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  { name: "report", inputSchema: { type: "object" } },
];

/** A server of somebody else, which may publish something at its root. */
async function weather(published?: (origin: string) => string, afterMs = 0) {
  const called: string[] = [];
  const server = await serveHttp(
    {
      info: { name: "weather", version: "1" },
      capabilities: { tools: {} },
      handlers: {
        "tools/list": async () => ({ tools: TOOLS }),
        "tools/call": async ({ name }) => {
          called.push(String(name));
          return { content: [{ type: "text", text: "sunny" }] };
        },
      },
    },
    {
      beside: (path, _request, response) => {
        if (path !== SAD_PATH || !published) return false;
        setTimeout(() => {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(published(new URL(server.url).origin));
        }, afterMs);
        return true;
      },
    },
  );
  const origin = new URL(server.url).origin;
  return { server, called, origin, [Symbol.asyncDispose]: () => server.close() };
}

const files: readonly {
  readonly name: string;
  readonly file: (origin: string) => string;
  readonly require?: string;
  /** Why it is not let in; it is where this is absent. */
  readonly why?: RegExp;
}[] = [
  { name: "for this server", file: (origin) => assertion([origin]) },
  { name: "for nobody in particular", file: () => assertion([]), why: /it needs netAllowedHosts/ },
  { name: "for another server", file: () => assertion(["https://other.example"]), why: /host_not_bound/ },
  {
    name: "by a stranger",
    file: (origin) => assertion([origin], { signer: STRANGER }),
    why: /signer_not_trusted/,
  },
  {
    name: "of a lower level",
    file: (origin) => assertion([origin], { clearance: "public" }),
    why: /below_required/,
  },
  {
    name: "for a level nobody knows",
    file: (origin) => assertion([origin]),
    require: "secret",
    why: /below_required|does not reach/,
  },
  {
    name: "that was edited",
    file: (origin) => assertion([origin]).replace("weather", "wether"),
    why: /bad_signature/,
  },
  { name: "that is no document", file: () => "{", why: /its clearance is refused/ },
];
for (const { name, file, require = "internal", why } of files)
  test(`a clearance ${name} ${why ? "opens nothing" : "lets the server in"} [GTW-33]`, LIMIT, async () => {
    using folder = temporaryFolder();
    await using sky = await weather();
    const { server, called, origin } = sky;
    writeFileSync(join(folder.path, "root.json"), rootText());
    writeFileSync(join(folder.path, "weather.sad.json"), file(origin));
    await using gateway = await startGateway(folder.path, {
      root: "root.json",
      servers: {
        weather: { url: server.url, clearance: "weather.sad.json", require: { clearance: require } },
      },
      mcp_servers: { weather: { allowed_tools: ["today", "report"] } },
    });
    await using session = await gateway.connect();
    const [admission] = gateway.entries("admission");
    if (why) {
      assert.match(JSON.stringify(admission?.data), why);
      assert.deepEqual(await namesIn(session), []);
      assert.match(textOf(await call(session, "weather__today")), /^Denied by admission/);
    } else {
      assert.deepEqual(await namesIn(session), ["weather__report", "weather__today"]);
      assert.equal(textOf(await call(session, "weather__today")), "sunny");
      // Nobody has tested it: what may change something is asked about.
      assert.match(
        textOf(await call(session, "weather__report")),
        /^Denied by grade: "report" may change something/,
      );
    }
    assert.deepEqual(called, why ? [] : ["today"]);
  });

/** Says that the server at this origin has grade A, beside this assertion where there is one. */
function grade(origin: string, sad?: string): string {
  const { serverJson: _json, clearance: _clearance, ...sample } = sampleInput;
  const { bundle } = sample;
  const payload = buildStatement({
    ...sample,
    bundle: {
      ...bundle,
      target: {},
      methodologyVersion: "touchstone-1",
      grades: { "touchstone-1": { grade: "A" } },
      ranAt: new Date(Date.now() - 60_000).toISOString(),
    },
    origins: [origin],
    tools: TOOLS.map((tool) => [tool.name, toolDigest(tool)] as const),
    issuedAtMs: Date.now() - 30_000,
    ...(sad ? { clearance: { level: "internal", sad: `sha256:${sadDigest(Buffer.from(sad))}` } } : {}),
  });
  return Buffer.from(signStatement(payload, [GRADER])).toString();
}

const besides: readonly (readonly [
  name: string,
  graded: (origin: string) => string,
  want: Readonly<Record<string, unknown>>,
])[] = [
  [
    "this assertion",
    (origin) => grade(origin, assertion([origin])),
    { clearance: "internal", grade: "A", status: "admitted" },
  ],
  ["no assertion", (origin) => grade(origin), { clearance: "internal", grade: "A", status: "admitted" }],
  [
    "the assertion of another version",
    (origin) => grade(origin, assertion([origin], { version: "2" })),
    {
      reason: "its statement is refused: it was made for another clearance assertion (swapped-statement)",
      status: "refused",
    },
  ],
];
for (const [name, graded, want] of besides)
  test(`a statement that was made beside ${name}: ${want.status} [GTW-33] [VER-8]`, LIMIT, async () => {
    using folder = temporaryFolder();
    await using sky = await weather();
    writeFileSync(join(folder.path, "root.json"), rootText());
    writeFileSync(join(folder.path, "weather.sad.json"), assertion([sky.origin]));
    writeFileSync(join(folder.path, "weather.grade.json"), graded(sky.origin));
    const files = { clearance: "weather.sad.json", statement: "weather.grade.json" };
    await using gateway = await startGateway(folder.path, {
      root: "root.json",
      servers: { weather: { url: sky.server.url, ...files, require: { clearance: "internal", grade: "A" } } },
    });
    await using session = await gateway.connect();
    const [admission] = gateway.entries("admission");
    assert.deepEqual(admission?.data, { ...want, tools: 2 });
    await call(session, "weather__report");
    assert.deepEqual(sky.called, want.status === "admitted" ? ["report"] : []);
  });

for (const [name, publishes, isIn] of [
  ["publishes", true, true],
  ["does not publish", false, false],
] as const)
  test(`a clearance that the server ${name} [GTW-33]`, LIMIT, async () => {
    using folder = temporaryFolder();
    await using sky = await weather(publishes ? (origin) => assertion([origin]) : undefined, 400);
    writeFileSync(join(folder.path, "root.json"), rootText());
    await using gateway = await startGateway(folder.path, {
      root: "root.json",
      servers: { weather: { url: sky.server.url, require: { clearance: "public" } } },
      mcp_servers: { weather: { allowed_tools: ["today"] } },
    });
    const told = await touchstone(["policy", "check", "--config", join(folder.path, "touchstone.yml")]);
    assert.match(
      told.stdout,
      isIn ? /^weather {2}admitted, clearance internal/ : /it publishes no clearance/,
    );
    await using session = await gateway.connect();
    // The first list already has it.
    assert.deepEqual(await namesIn(session), isIn ? ["weather__today"] : []);
  });
