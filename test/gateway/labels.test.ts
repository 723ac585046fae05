/** What people call a server stands beside its name wherever a person reads of it, and can pass for nothing else. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askDesk } from "../../src/gateway/index.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";
import { call, gatewayOf, LIMIT, reads, Servers, textOf, writes } from "./kit.ts";
import { startProgram, until } from "./program.ts";

const SECRET = "The launch code of the harbour crane is 7741-kilo-9920";
/** A label that would like to be a line of its own. */
const FORGED = 'Post"\nallowed\u001b[2J\u202e';
const SHOWN = String.raw`web ("Post\"\\nallowed\\u{1b}[2J\\u{202e}")`;
const LABELS = { vault: { label: "Team vault" }, web: { label: FORGED } };
const vault = { tools: [reads("open", SECRET)] };
const web = { tools: [writes("post", "posted"), reads("hang", "", { ending: "exit" })] };
const OPEN = { policy: "spec", modes: { admission: "observe", flow: "ask" }, mcp_servers: LABELS } as const;

const refusals: readonly { readonly name: string; readonly config: object; readonly words: string }[] = [
  {
    name: "who is not admitted",
    config: {
      modes: { admission: "enforce" },
      mcp_servers: { web: { ...LABELS.web, allowed_tools: ["post"] } },
    },
    words: `Denied by admission: ${SHOWN} is not admitted: `,
  },
  {
    name: "whose tool is not listed",
    config: { ...OPEN, mcp_servers: { web: { ...LABELS.web, allowed_tools: [] } } },
    words: `Denied by allowed-tools: "post" is not in allowed_tools of ${SHOWN} `,
  },
];
for (const { name, config, words } of refusals)
  test(`a denial names the server, ${name}, by both names [GTW-74]`, LIMIT, async () => {
    await using gateway = await gatewayOf({ web }, config as Readonly<Record<string, unknown>>);
    await using session = await gateway.connect();
    const text = textOf(await call(session, "web__post"));
    assert.ok(text.startsWith(words), text);
  });

test("so does what is said of a server that fails [GTW-74]", LIMIT, async () => {
  await using gateway = await gatewayOf({ web }, OPEN);
  await using session = await gateway.connect();
  const text = textOf(await call(session, "web__hang"));
  assert.ok(text.startsWith(`error -32603: ${SHOWN} `), text);
});

test("so does a question to a person, with both servers of a flow [GTW-74]", LIMIT, async () => {
  await using gateway = await gatewayOf({ vault, web }, OPEN);
  await using session = await gateway.connect({ era: "modern", claims: { elicitation: {} } });
  await call(session, "vault__open");
  const params = { name: "web__post", arguments: { body: SECRET } };
  const outcome = await session.request("tools/call", params, { keepInput: true });
  const asked = JSON.stringify(outcome.kind === "input-required" ? outcome.result : outcome);
  const words = [`${SHOWN}: post wants your word. vault ("Team vault").open`, `reaches ${SHOWN}.post`];
  for (const each of words) assert.ok(asked.includes(JSON.stringify(each).slice(1, -1)), asked);
});

test("`approve` and `why` name it so, and the entries hold it [GTW-74]", LIMIT, async () => {
  await using gateway = await gatewayOf({ vault, web }, OPEN, {}, 20_000);
  await using session = await gateway.connect();
  await call(session, "vault__open");
  const outcome = call(session, "web__post", { body: SECRET });
  const socket = join(gateway.folder, "audit", "approve.sock");
  const waiting = async (): Promise<readonly { id: string; label: string }[]> =>
    ((await askDesk(socket, { list: true })) as unknown as { held: { id: string; label: string }[] }).held;
  while ((await waiting()).length === 0) await sleep(20);
  const [held] = await waiting();
  assert.equal(held?.label, FORGED);
  const config = ["--config", join(gateway.folder, "touchstone.yml")];
  for (const words of [[], [held?.id ?? "", "--show"]]) {
    const { stdout } = await touchstone(["approve", ...words, ...config]);
    assert.ok(stdout.includes(`  ${SHOWN}: post, asked by `), stdout);
    assert.ok(stdout.includes(`why: vault ("Team vault").open (`), stdout);
  }
  await touchstone(["approve", held?.id ?? "", ...config]);
  assert.equal(textOf(await outcome), "posted");
  const why = async (entry: Readonly<Record<string, unknown>> | undefined): Promise<string> =>
    (await touchstone(["why", String(entry?.id), ...config])).stdout;
  const decision = await why(gateway.entries("decision").at(-1));
  assert.ok(decision.includes(`\n${SHOWN}: post, asked by `), decision);
  assert.ok(decision.includes('\n  from vault ("Team vault"): open ('), decision);
  const label = await why(gateway.entries("label").at(-1));
  assert.ok(label.includes(`\n${SHOWN}: post, asked by `), label);
  const admission = gateway.entries("admission").find(({ server }) => server === "vault");
  assert.match(await why(admission), /^vault \("Team vault"\): admission, asked by /m);
});

test(
  "the operator is told by both names, and /healthz has them for whoever may know [GTW-74]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("vault", vault);
    servers.set("web", web);
    await using program = await startProgram(
      folder.path,
      {
        ...OPEN,
        listen: "http://127.0.0.1:0/mcp",
        servers: { vault: servers.entry("vault"), web: servers.entry("web") },
        tokens: {
          ada: { env: "ADA", servers: ["vault"] },
          bob: { env: "BOB" },
        },
      },
      { env: { ADA: "a".repeat(20), BOB: "b".repeat(20) } },
    );
    const labels = async (token?: string): Promise<unknown> => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(new URL("/healthz", program.url), { headers });
      return ((await response.json()) as { labels?: unknown }).labels;
    };
    const shown = String.raw`Post"\nallowed\u{1b}[2J\u{202e}`;
    assert.deepEqual(await labels("b".repeat(20)), { vault: "Team vault", web: shown });
    assert.deepEqual(await labels("a".repeat(20)), { vault: "Team vault" });
    assert.equal(await labels(), undefined);
    await until(() => /^vault \("Team vault"\): let in/m.test(program.words()));
  },
);
