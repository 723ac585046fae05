/** A test result decides what a server may do: signed grades good and bad, and what of a server they open. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "../kit/paths.ts";
import { call, LIMIT, namesIn, reads, Servers, startGateway, type ToolState, textOf, writes } from "./kit.ts";
import { DAY, type Vouched, vouch, writeRoot } from "./vouch.ts";

const TOOLS = [reads("read", "a note"), writes("write")];

interface Given extends Vouched {
  readonly tools?: readonly ToolState[];
  readonly require?: Readonly<Record<string, unknown>>;
}

/** Notes behind a gateway, with a statement about it. */
async function vouched(folder: string, { tools = TOOLS, require, ...given }: Given = {}) {
  const servers = new Servers(folder);
  servers.set("notes", { tools: TOOLS });
  writeRoot(folder);
  const entry = vouch(servers, "notes", tools, given);
  const gateway = await startGateway(folder, {
    root: "root.json",
    servers: { notes: { ...entry, ...(require ? { require } : {}) } },
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

const locks = [
  { name: "as it is attested", locked: TOOLS, listed: ["notes__read", "notes__write"], says: /^a note$/ },
  {
    name: "as it was before the statement",
    locked: [reads("read", "a note", { description: "reads a note" }), writes("write")],
    listed: ["notes__write"],
    says: /^Denied by drift: "read" of notes is not the tool that was attested or locked/,
  },
  {
    name: "without one of the tools that are attested",
    locked: [writes("write")],
    listed: ["notes__write"],
    says: /^Denied by allowed-tools: .*"read" is neither attested nor locked/,
  },
  {
    name: "under another name",
    locked: undefined,
    listed: [],
    says: /^Denied by .*touchstone\.lock does not know it/,
  },
] as const;
for (const { name, locked, listed, says } of locks)
  test(`a server with a grade, locked ${name}, has the tools of both [GTW-12]`, LIMIT, async () => {
    using folder = temporaryFolder();
    const servers = new Servers(folder.path);
    servers.set("notes", { tools: TOOLS });
    servers.lock(locked ? { notes: { tools: locked } } : { mail: { tools: TOOLS } });
    writeRoot(folder.path);
    await using gateway = await startGateway(folder.path, {
      root: "root.json",
      servers: { notes: { ...vouch(servers, "notes", TOOLS), locked: true } },
    });
    await using session = await gateway.connect();
    assert.deepEqual(await namesIn(session), [...listed]);
    assert.match(textOf(await call(session, "notes__read")), says);
  });

// Forged, edited, expired and foreign ones are in drill.test.ts.
const refused: readonly { readonly name: string; readonly given: Given; readonly why: RegExp }[] = [
  {
    name: "of a run that is too old",
    given: { ranAtMs: Date.now() - 10 * DAY, require: { max_age: "7d" } },
    why: /its statement is refused/,
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
    assert.match(
      textOf(await call(session, "notes__read")),
      /^Denied by admission: notes is not admitted: it/,
    );
    const [admission] = running.entries("admission");
    assert.match(JSON.stringify(admission?.data), why);
    assert.equal(admission?.outcome, "denied");
    assert.deepEqual(servers.received("notes", "tools/call"), []);
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
    assert.match(textOf(await call(session, "notes__read")), /^Denied by drift/);
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
  assert.match(
    textOf(await call(session, "notes__read")),
    /^Denied by admission: notes is not admitted: there is no notes\.grade\.json/,
  );
  assert.deepEqual(
    running.entries("admission").map(({ outcome }) => outcome),
    ["allowed", "denied"],
  );
});
