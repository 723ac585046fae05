/** Holds the house together: which room may import which, one public face a room, no way around it. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { root } from "./kit/paths.ts";

/** Each room may import what stands beside it. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  wire: ["core"],
  target: ["core", "wire"],
  schema: ["core"],
  mock: ["core", "schema", "wire"],
  sandbox: ["core", "wire"],
  scan: ["core"],
  surface: ["core", "wire", "target", "sandbox"],
  claims: ["core"],
  flow: ["core"],
  suite: ["core", "wire", "target", "schema", "mock", "scan", "surface", "flow", "claims", "sandbox"],
  probes: ["core", "wire", "schema", "scan", "surface", "sandbox"],
  grade: ["core", "wire", "target", "schema", "scan", "surface", "sandbox", "probes"],
  attest: ["core"],
  audit: ["core", "attest"],
  policy: ["core", "flow", "claims"],
  gateway: [
    "core",
    "wire",
    "target",
    "sandbox",
    "scan",
    "surface",
    "flow",
    "claims",
    "attest",
    "audit",
    "policy",
  ],
  report: ["core", "grade", "probes", "suite", "scan", "surface", "audit"],
  cli: [],
};

const src = join(root, "src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const sources = files.filter((file) => !file.endsWith(".test.ts"));
const roomOf = (file: string): string => file.split("/")[0] ?? "";

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), "utf8");
  return [
    ...text.matchAll(/(?:^|\n)\s*(import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/g),
  ].map(([, , isType, named, dynamic]) => ({
    from: file,
    to: named ?? dynamic ?? "",
    isTypeOnly: isType !== undefined,
  }));
}

test("every folder of src is a room of the plan, with an index that opens with what it is for", () => {
  for (const room of new Set(sources.map(roomOf))) {
    assert.ok(Object.hasOwn(ROOMS, room), `${room} is not in the table`);
    if (room === "cli") continue;
    assert.ok(existsSync(join(src, room, "index.ts")), `${room}/index.ts`);
    assert.match(
      readFileSync(join(src, room, "index.ts"), "utf8"),
      /^\/\*\* /,
      `${room}/index.ts opens with a comment`,
    );
  }
});

test("rooms import only downwards, and only each other's index", () => {
  const wrong: string[] = [];
  for (const { from, to } of sources.flatMap(importsOf)) {
    if (!to.startsWith(".")) continue;
    const target = relative(src, resolve(src, dirname(from), to));
    const [here, there] = [roomOf(from), roomOf(target)];
    if (here === there) continue;
    if (here !== "cli" && !ROOMS[here]?.includes(there)) wrong.push(`${from} -> ${there}`);
    if (target !== `${there}/index.ts`) wrong.push(`${from} reaches past the index: ${target}`);
  }
  assert.deepEqual(wrong, []);
});

test("the table itself has no way back up", () => {
  const reach = (room: string, seen = new Set<string>()): Set<string> => {
    for (const next of ROOMS[room] ?? []) if (!seen.has(next)) reach(next, seen.add(next));
    return seen;
  };
  for (const room of Object.keys(ROOMS)) assert.ok(!reach(room).has(room), `${room} reaches itself`);
});

test("only the edges touch processes, sockets and files", () => {
  const EDGES =
    /^(cli|wire|target|sandbox|mock|gateway|audit\/store|attest\/discover|surface\/lock|core\/config)/;
  const OUTSIDE = /^node:(child_process|net|http|https|tls|dgram|fs|fs\/promises|worker_threads)$/;
  const wrong = sources
    .filter((file) => !EDGES.test(file))
    .flatMap(importsOf)
    .filter(({ to }) => OUTSIDE.test(to));
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test("every source file opens by saying what it is for", () => {
  const mute = sources.filter((file) => !/^(#!.*\n)?\/\*\* /.test(readFileSync(join(src, file), "utf8")));
  assert.deepEqual(mute, []);
});

test("nothing evaluates text as code or builds a shell line", () => {
  const risky = /\beval\(|new Function\(|\bexecSync\(|\bexec\(["'`]|shell:\s*true/;
  assert.deepEqual(
    sources.filter((file) => risky.test(readFileSync(join(src, file), "utf8"))),
    [],
  );
});
