/** A test result decides what a server may do: signed grades good and bad, and what of a server they open. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { addKey, draftRoot, generateKey, type SigningKey, signStatement } from "../../src/attest/index.ts";
import { rootPayload, signRoot } from "../../src/attest/root/edit.ts";
import { buildStatement, type StatementInput } from "../../src/attest/statement/build.ts";
import { toolDigest } from "../../src/surface/index.ts";
import { sampleInput } from "../kit/attest.ts";
import { temporaryFolder } from "../kit/paths.ts";
import { call, LIMIT, namesIn, reads, Servers, startGateway, type ToolState, textOf, writes } from "./kit.ts";

const TOOLS = [reads("read", "a note"), writes("write")];
const DAY = 86_400_000;
const [ROOT, GRADER, STRANGER] = [generateKey(), generateKey(), generateKey()];

interface Vouched {
  readonly grade?: "A" | "B" | "C" | "D" | "F" | null;
  readonly tools?: readonly ToolState[];
  readonly signer?: SigningKey;
  readonly method?: string;
  readonly input?: Partial<StatementInput>;
  readonly ranAtMs?: number;
  readonly require?: Readonly<Record<string, unknown>>;
}

const shownOf = ({ answer: _answer, raw: _raw, ending: _ending, ...tool }: ToolState): object => tool;

/** Notes behind a gateway, with a statement about it. */
async function vouched(folder: string, given: Vouched = {}) {
  const {
    grade = "A",
    tools = TOOLS,
    signer = GRADER,
    method = "touchstone-1",
    input,
    ranAtMs,
    require,
  } = given;
  const servers = new Servers(folder);
  servers.set("notes", { tools: TOOLS });
  const entry = servers.entry("notes");
  const now = Date.now();
  let draft = draftRoot(1, { name: "example", levels: [{ name: "public", rank: 0 }] });
  draft = addKey(draft, { key: ROOT, roles: ["root"] });
  draft = addKey(draft, { key: GRADER, roles: ["grade"] });
  const term = { issuedAtMs: now - DAY, expiresAtMs: now + 30 * DAY };
  writeFileSync(join(folder, "root.json"), signRoot(rootPayload(draft, 1, term), [ROOT]));
  const { serverJson: _json, clearance: _clearance, ...sample } = sampleInput;
  const payload = buildStatement({
    ...sample,
    bundle: {
      ...sample.bundle,
      target: {},
      methodologyVersion: method,
      grades: { [method]: { grade } },
      ranAt: new Date(ranAtMs ?? now - 60_000).toISOString(),
    },
    origins: [],
    command: [String(entry.command), ...(entry.args as string[])],
    tools: tools.map((tool) => [tool.name, toolDigest(shownOf(tool))] as const),
    issuedAtMs: now - 30_000,
    ...input,
  });
  writeFileSync(join(folder, "notes.grade.json"), signStatement(payload, [signer]));
  const gateway = await startGateway(folder, {
    root: "root.json",
    servers: { notes: { ...entry, statement: "notes.grade.json", ...(require ? { require } : {}) } },
  });
  return { gateway, servers };
}

const privileges = [
  { grade: "A", listed: ["notes__read", "notes__write"], read: /^a note$/, write: /^done$/ },
  {
    grade: "B",
    listed: ["notes__read", "notes__write"],
    read: /^a note$/,
    write: /^Denied by grade: .*has grade B/,
  },
  {
    grade: "C",
    listed: ["notes__read", "notes__write"],
    read: /^a note$/,
    write: /^Denied by grade: .*has grade C/,
  },
  { grade: "D", listed: [], read: /^Denied by grade: notes has grade D/, write: /^Denied by grade/ },
  { grade: "F", listed: [], read: /^Denied by grade: notes has grade F/, write: /^Denied by grade/ },
  { grade: null, listed: [], read: /^Denied by grade: notes has no grade/, write: /^Denied by grade/ },
] as const;
for (const { grade, listed, read, write } of privileges)
  test(`grade ${grade}: what may be done [GTW-11]`, LIMIT, async () => {
    using folder = temporaryFolder();
    const { gateway, servers } = await vouched(folder.path, { grade });
    await using running = gateway;
    await using session = await running.connect();
    assert.deepEqual(await namesIn(session), [...listed]);
    assert.match(textOf(await call(session, "notes__read")), read);
    assert.match(textOf(await call(session, "notes__write")), write);
    const reached = servers.received("notes", "tools/call").length;
    assert.equal(reached, grade === "A" ? 2 : listed.length > 0 ? 1 : 0);
  });

const refused: readonly { readonly name: string; readonly given: Vouched; readonly why: RegExp }[] = [
  { name: "signed by a stranger", given: { signer: STRANGER }, why: /its statement is refused/ },
  {
    name: "that has expired",
    given: { ranAtMs: Date.now() - 3 * DAY, input: { issuedAtMs: Date.now() - 2 * DAY, lifeMs: DAY } },
    why: /its statement is refused: expired/,
  },
  {
    name: "of a run that is too old",
    given: { ranAtMs: Date.now() - 10 * DAY, require: { max_age: "7d" } },
    why: /its statement is refused/,
  },
  {
    name: "for another command",
    given: { input: { command: ["node", "other.js"] } },
    why: /its statement is refused: wrong-command/,
  },
  { name: "by another method", given: { method: "litmus-v5" }, why: /its statement is refused/ },
  {
    name: "with a lesser grade",
    given: { grade: "B", require: { grade: "A" } },
    why: /it has grade B, wanted A/,
  },
];
for (const { name, given, why } of refused)
  test(`a statement ${name} opens nothing [GTW-11]`, LIMIT, async () => {
    using folder = temporaryFolder();
    const { gateway, servers } = await vouched(folder.path, given);
    await using running = gateway;
    await using session = await running.connect();
    assert.deepEqual(await namesIn(session), []);
    assert.match(textOf(await call(session, "notes__read")), /^Denied by (?:admission|allowed-tools)/);
    const [admission] = running.entries("admission");
    assert.match(JSON.stringify(admission?.data), why);
    assert.equal(admission?.outcome, "denied");
    assert.deepEqual(servers.received("notes", "tools/call"), []);
  });

test("bytes of a statement that were changed open nothing [GTW-11]", LIMIT, async () => {
  using folder = temporaryFolder();
  const { gateway } = await vouched(folder.path);
  await gateway[Symbol.asyncDispose]();
  writeFileSync(
    join(folder.path, "notes.grade.json"),
    '{"payload":"e30=","payloadType":"x","signatures":[]}',
  );
  const servers = new Servers(folder.path);
  await using again = await startGateway(folder.path, {
    root: "root.json",
    servers: { notes: { ...servers.entry("notes"), statement: "notes.grade.json" } },
  });
  await using session = await again.connect();
  assert.deepEqual(await namesIn(session), []);
});

test(
  "a tool that is not the one that was graded is set aside, the graded ones work [GTW-12]",
  LIMIT,
  async () => {
    using folder = temporaryFolder();
    const graded = [reads("read", "", { description: "another word" }), writes("write")];
    const { gateway, servers } = await vouched(folder.path, { tools: graded });
    await using running = gateway;
    await using session = await running.connect();
    assert.deepEqual(await namesIn(session), ["notes__write"]);
    assert.match(textOf(await call(session, "notes__read")), /^Denied by/);
    assert.equal(textOf(await call(session, "notes__write")), "done");
    assert.equal(servers.received("notes", "tools/call").length, 1);
    assert.deepEqual(
      running.entries("drift").map(({ tool }) => tool),
      ["read"],
    );
  },
);

test("a statement that is withdrawn while the gateway runs loses its effect [GTW-10]", LIMIT, async () => {
  using folder = temporaryFolder();
  const { gateway } = await vouched(folder.path);
  await using running = gateway;
  await using session = await running.connect();
  assert.equal(textOf(await call(session, "notes__read")), "a note");
  rmSync(join(folder.path, "notes.grade.json"));
  await sleep(5_200);
  assert.match(textOf(await call(session, "notes__read")), /^Denied by/);
  assert.deepEqual(
    running.entries("admission").map(({ outcome }) => outcome),
    ["allowed", "denied"],
  );
});
