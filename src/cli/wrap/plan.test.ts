import assert from "node:assert/strict";
import { test } from "node:test";
import { clientById, readClientBytes } from "../../target/index.ts";
import type { Located } from "./locate.ts";
import { nameFor, type Plan, planOf } from "./plan.ts";

const names: readonly (readonly [name: string, wanted: string, used?: readonly string[]])[] = [
  ["notes", "notes"],
  ["io.github/me.notes", "io.github-me.notes"],
  ["my server", "my-server"],
  ["a__b", "a_b"],
  ["a_", "a"],
  ["__proto__", "proto"],
  ["constructor", "constructor-server"],
  ["größe", "gr-e"],
  ["日本", "unnamed-server"],
  ["", "unnamed-server"],
  ["-x", "x"],
  ["x".repeat(80), "x".repeat(40)],
  ["notes", "notes-2", ["notes"]],
  ["notes", "notes-3", ["notes", "notes-2"]],
];
for (const [name, wanted, used = []] of names)
  test(`"${name.slice(0, 20)}" is called ${wanted.slice(0, 20)}${used.length > 0 ? ", where others have its name" : ""}`, () =>
    assert.equal(nameFor(name, new Set(used)), wanted));

const environment = { PATH: "/usr/bin", KEY: "canary-key-4711", HOME: "/home/me" };

/** The plan for one entry called x. */
async function planned(
  entry: object,
  change: Partial<Located> & { readonly id?: Located["client"]["id"] } = {},
): Promise<Plan> {
  const { id = "cursor", ...rest } = change;
  const machine = { platform: "linux", home: "/home/me", folder: "/home/me/shop", environment } as const;
  const located: Located = {
    client: { ...clientById(id), id },
    isKnown: true,
    level: "user",
    file: "/c.json",
    folder: "/f",
    machine,
    ...rest,
  };
  const { client, level, file } = located;
  const text = JSON.stringify({ [client.root]: { x: entry } });
  const { entries } = await readClientBytes(Buffer.from(text), { client: client.id, level, file }, machine);
  const exchange = { format: client.format, root: [client.root], name: "touchstone", value: {} };
  return planOf(located, text, entries, { known: new Map(), used: [] }, exchange);
}

const stays: readonly {
  readonly name: string;
  readonly entry: object;
  readonly change?: Parameters<typeof planned>[1];
  readonly reason: RegExp;
  readonly isFault?: boolean;
}[] = [
  {
    name: "what is switched off",
    entry: { command: "a", disabled: true },
    reason: /^it is switched off in Cursor$/,
    isFault: false,
  },
  { name: "what has no command", entry: {}, reason: /neither a command nor a URL/ },
  { name: "a variable that is not set", entry: { command: "${env:GONE}" }, reason: /GONE is not set/ },
  { name: "an input of the editor", entry: { command: "a", args: ["${input:k}"] }, reason: /input/ },
  {
    name: "the folder of a window",
    entry: { command: "a", args: ["${workspaceFolder}/x"] },
    reason: /the folder that is open/,
  },
  { name: "a relative folder", entry: { command: "a", cwd: "sub" }, reason: /where the client runs/ },
  {
    name: "variables of nobody knows whom",
    entry: { command: "a", args: ["${KEY}"] },
    change: { id: "claude-desktop", isKnown: false },
    reason: /--client/,
  },
  {
    name: "an address without encryption",
    entry: { url: "http://other.example/mcp" },
    reason: /http is for this machine only/,
  },
  {
    name: "a list of tools that is none",
    entry: { httpUrl: "https://a.example/", includeTools: "read" },
    change: { id: "gemini" },
    reason: /includeTools: want a list/,
  },
];
for (const { name, entry, change, reason, isFault = true } of stays)
  test(`stays: ${name}`, async () => {
    const { candidates, stays: found } = await planned(entry, change);
    assert.equal(candidates.length, 0);
    assert.match(found[0]?.reason ?? "", reason);
    assert.equal(found[0]?.isFault, isFault);
  });

const written: readonly {
  readonly name: string;
  readonly entry: object;
  readonly change?: Parameters<typeof planned>[1];
  readonly server: object;
  readonly reads?: readonly string[];
}[] = [
  { name: "a command alone", entry: { command: "a" }, server: { command: "a" } },
  {
    name: "literal values as they are",
    entry: { command: "a", args: ["x"], env: { K: "v" }, cwd: "/srv" },
    server: { command: "a", args: ["x"], cwd: "/srv", env: { K: "v" } },
  },
  {
    name: "a variable by its name",
    entry: { command: "a", args: ["--k=${env:KEY}"], env: { K: "${env:KEY}" } },
    server: { command: "a", args: ["--k=${KEY:-}"], env: { K: "${KEY:-}" }, variables: true },
    reads: ["KEY"],
  },
  {
    name: "a variable in a path and a header",
    entry: { url: "https://a.example/${env:KEY}/mcp?k=${env:KEY}", headers: { A: "Bearer ${env:KEY}" } },
    server: {
      url: "https://a.example/${KEY:-}/mcp?k=${KEY:-}",
      headers: { a: "Bearer ${KEY:-}" },
      transport: "auto",
      variables: true,
    },
    reads: ["KEY"],
  },
  {
    name: "what only looks like a variable to us",
    entry: { command: "a", args: ["${KEY}", "$KEY"] },
    change: { id: "claude-desktop" },
    server: { command: "a", args: ["${KEY}", "$KEY"] },
  },
  {
    name: "the folder of a project",
    entry: { command: "a" },
    change: { id: "claude-code", level: "project" },
    server: { command: "a", cwd: "/home/me/shop" },
  },
  {
    name: "a command that is one list",
    entry: { type: "local", command: ["a", "x"], environment: { K: "{env:KEY}" } },
    change: { id: "opencode" },
    server: { command: "a", args: ["x"], env: { K: "${KEY:-}" }, variables: true },
    reads: ["KEY"],
  },
];
for (const { name, entry, change, server, reads = [] } of written)
  test(`written: ${name}`, async () => {
    const { candidates, stays: none } = await planned(entry, change);
    assert.deepEqual(none, []);
    assert.deepEqual(candidates[0]?.server, server);
    assert.deepEqual(candidates[0]?.reads, reads);
    // What stood in the environment stays there.
    assert.doesNotMatch(JSON.stringify(candidates[0]?.server), /canary/);
  });

test("tools that the client leaves out stay out, and keys without effect are named", async () => {
  const entry = { command: "a", includeTools: ["read(x)", "write"], excludeTools: ["write"], trust: true };
  const { candidates } = await planned(entry, { id: "gemini" });
  const [one] = candidates;
  assert.deepEqual(
    ["read", "write", "other"].map((tool) => one?.isWanted(tool)),
    [true, false, false],
  );
  assert.deepEqual(one?.notes, ["of no effect behind the gateway: trust"]);
});
