/** Packages as targets: a real one with and without network, and packages of our own for what goes wrong. */
import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readReference, resolveTarget, startable } from "../../src/target/index.ts";
import { program, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

const PACKAGE = "@modelcontextprotocol/server-sequential-thinking";
const VERSION = "2025.12.18";
/** Nothing listens there: whatever npm asks, nobody answers. */
const CUT = { npm_config_registry: "http://127.0.0.1:9" };

/** Part of every Linux; elsewhere the test that uses it says that it was skipped. */
const UNSHARE = "unshare";

const shared = mkdtempSync(join(tmpdir(), "test-npm-"));
after(() => rmSync(shared, { recursive: true, force: true }));

test("a real package: installed once with the network, started again without", {
  timeout: 180_000,
}, async () => {
  const env = { TOUCHSTONE_CACHE: shared };
  const first = await touchstone(["inspect", "--json", `npm:${PACKAGE}@${VERSION}`], { env });
  assert.equal(first.code, 0, first.stderr);
  const seen = JSON.parse(first.stdout) as { target: string; tools: { name: string }[] };
  assert.equal(seen.target, `npm:${PACKAGE}@${VERSION}`);
  assert.deepEqual(
    seen.tools.map(({ name }) => name),
    ["sequentialthinking"],
  );

  const exact = await touchstone(["inspect", `npm:${PACKAGE}@${VERSION}`], { env: { ...env, ...CUT } });
  assert.equal(exact.code, 0, exact.stderr);
  assert.doesNotMatch(exact.stdout, /^note:/, "an exact version needs no question");
  assert.match(exact.stdout, /nothing unusual on the wire/);

  const tagged = await touchstone(["inspect", `npm:${PACKAGE}`], { env: { ...env, ...CUT } });
  assert.equal(tagged.code, 0, tagged.stderr);
  assert.match(
    tagged.stdout,
    /^note: npm could not be asked what .*@latest is now \(ECONNREFUSED\): 2025\.12\.18 is the newest that was installed before\n/,
  );
});

test("the same in a network namespace of its own, where there is no network to fall back on", {
  timeout: 120_000,
}, () => {
  assert.equal(
    spawnSync(UNSHARE, ["-rn", "true"]).status,
    0,
    "this machine must allow network namespaces to run this test",
  );
  const alone = (reference: string): SpawnSyncReturns<string> =>
    spawnSync(UNSHARE, ["-rn", process.execPath, program, "inspect", reference], {
      encoding: "utf8",
      env: { ...process.env, TOUCHSTONE_CACHE: shared },
    });
  const exact = alone(`npm:${PACKAGE}@${VERSION}`);
  assert.equal(exact.status, 0, exact.stderr);
  assert.match(exact.stdout, /^sequential-thinking-server .*\n[\s\S]*nothing unusual on the wire/);
  const tagged = alone(`npm:${PACKAGE}@latest`);
  assert.equal(tagged.status, 0, tagged.stderr);
  assert.match(tagged.stdout, /^note: npm could not be asked/);
});

test("an exact version that is cached starts no npm at all", { timeout: 180_000 }, async () => {
  const environment = { ...process.env, TOUCHSTONE_CACHE: shared, PATH: "/nowhere" };
  const target = startable(
    await resolveTarget(readReference([`npm:${PACKAGE}@${VERSION}`], ["--flag"]), { environment }),
  );
  assert.equal(target.resolved?.version, VERSION);
  assert.match(target.resolved?.integrity ?? "", /^sha512-/);
  assert.equal(target.pinning.status, "pinned");
  const { launch } = target;
  assert.equal(launch.kind, "stdio");
  if (launch.kind !== "stdio") return;
  assert.equal(launch.command, process.execPath);
  assert.match(
    launch.args[0] ?? "",
    /server-sequential-thinking\/dist\/index\.js$/,
    "the real file, no shim",
  );
  assert.deepEqual(launch.args.slice(1), ["--flag"]);
});

test("what is not cached cannot be had without network (TGT_INSTALL_FAILED)", {
  timeout: 120_000,
}, async () => {
  using folder = temporaryFolder();
  const env = { TOUCHSTONE_CACHE: folder.path, ...CUT };
  for (const [reference, message] of [
    [
      "npm:no-such-package-of-ours@1.0.0",
      /npm:no-such-package-of-ours@1\.0\.0: npm install failed \(ECONNREFUSED\)/,
    ],
    ["npm:no-such-package-of-ours", /npm could not be asked which version that is \(ECONNREFUSED\)/],
  ] as const) {
    const ran = await touchstone(["inspect", reference], {
      env: { ...env, npm_config_fetch_retries: "0", npm_config_cache: join(folder.path, "empty") },
    });
    assert.equal(ran.code, 4, ran.stderr);
    assert.match(ran.stderr, message);
    assert.doesNotMatch(ran.stderr, /127\.0\.0\.1/, "no host is named");
  }
  assert.deepEqual(readdirSync(join(folder.path, "npm")), [], "nothing half done is left");
});

/** Stands in for npm: writes what an install would write. No shell, no network. */
function fakeNpm(folder: string, files: Readonly<Record<string, string>>, lock: object): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const script = `#!${process.execPath}
const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const words = process.argv.slice(2);
writeFileSync(${JSON.stringify(join(folder, "words.json"))}, JSON.stringify(words));
if (words[0] === "view") { console.log('"1.0.0"'); process.exit(0); }
const prefix = words[words.indexOf("--prefix") + 1];
for (const [path, text] of Object.entries(${JSON.stringify(files)})) {
  mkdirSync(dirname(join(prefix, "node_modules/fake", path)), { recursive: true });
  writeFileSync(join(prefix, "node_modules/fake", path), text);
}
writeFileSync(join(prefix, "package-lock.json"), JSON.stringify(${JSON.stringify(lock)}));
`;
  writeFileSync(join(bin, "npm"), script);
  chmodSync(join(bin, "npm"), 0o755);
  return bin;
}

const LOCK = { packages: { "node_modules/fake": { version: "1.0.0", integrity: "sha512-AAAA" } } };
const manifest = (bin: unknown): string => JSON.stringify({ name: "fake", version: "1.0.0", bin });

const programs = [
  {
    name: "a package with one program",
    files: { "package.json": manifest("./a.js"), "a.js": "1" },
    ends: "fake/a.js",
  },
  {
    name: "the program that is called like the package",
    files: { "package.json": manifest({ other: "o.js", fake: "f.js" }), "f.js": "1", "o.js": "1" },
    ends: "fake/f.js",
  },
  {
    name: "the program that is asked for",
    reference: "npm:fake@1.0.0#other",
    files: { "package.json": manifest({ other: "o.js", fake: "f.js" }), "f.js": "1", "o.js": "1" },
    ends: "fake/o.js",
  },
  {
    name: "a file without ending that names node",
    files: { "package.json": manifest("a"), a: "#!/usr/bin/env node\n1" },
    ends: "fake/a",
  },
  {
    name: "several programs and none called like the package",
    files: { "package.json": manifest({ one: "1.js", two: "2.js" }), "1.js": "", "2.js": "" },
    error: { code: "TGT_BAD_REFERENCE", message: /npm:fake has 2 programs: one, two/ },
  },
  {
    name: "a program that is not there",
    reference: "npm:fake@1.0.0#onee",
    files: { "package.json": manifest({ one: "1.js" }), "1.js": "" },
    error: { code: "TGT_BAD_REFERENCE", message: /has no program "onee", did you mean "one"\?/ },
  },
  { name: "no program", files: { "package.json": "{}" }, reason: /no program \(bin\)/ },
  { name: "a manifest that is none", files: { "package.json": "{" }, reason: /no program \(bin\)/ },
  {
    name: "a program outside the package",
    files: { "package.json": manifest("../../package.json") },
    reason: /outside the package/,
  },
  {
    name: "a program without a file",
    files: { "package.json": manifest("gone.js") },
    reason: /is not there/,
  },
  {
    name: "a program for another runtime",
    files: { "package.json": manifest("a.ts"), "a.ts": "#!/usr/bin/env bun\n" },
    reason: /not for Node/,
  },
  {
    name: "a lock file without integrity",
    files: { "package.json": manifest("a.js"), "a.js": "" },
    lock: { packages: { "node_modules/fake": { version: "1.0.0" } } },
    error: { code: "TGT_INSTALL_FAILED", message: /recorded no such version with its integrity/ },
  },
  {
    name: "a lock file with another version",
    files: { "package.json": manifest("a.js"), "a.js": "" },
    lock: { packages: { "node_modules/fake": { version: "1.0.1", integrity: "sha512-AAAA" } } },
    error: { code: "TGT_INSTALL_FAILED", message: /recorded no such version/ },
  },
];
for (const { name, reference = "npm:fake", files, lock = LOCK, ends, reason, error } of programs)
  test(`installed packages: ${name}`, { timeout: 30_000 }, async () => {
    using folder = temporaryFolder();
    const PATH = fakeNpm(folder.path, files, lock);
    const environment = { PATH, TOUCHSTONE_CACHE: join(folder.path, "cache") };
    const resolving = resolveTarget(readReference([reference], undefined), { environment });
    if (error) {
      await assert.rejects(resolving, error);
      return;
    }
    const resolution = await resolving;
    const words = JSON.parse(readFileSync(join(folder.path, "words.json"), "utf8")) as string[];
    for (const word of ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", "fake@1.0.0"])
      assert.ok(words.includes(word), `npm is told ${word}`);
    if (reason) {
      assert.equal(resolution.kind, "not-startable");
      assert.match(resolution.kind === "not-startable" ? resolution.reason : "", reason);
      assert.throws(() => startable(resolution), { code: "TGT_NOT_STARTABLE", message: /is not assessed: / });
      return;
    }
    const { launch, pinning } = startable(resolution);
    assert.ok(launch.kind === "stdio" && launch.args[0]?.endsWith(ends ?? ""), `${ends} is started`);
    assert.equal(pinning.status, reference === "npm:fake" ? "unpinned" : "pinned");
  });

test("half an install under the final name is not taken for one", { timeout: 30_000 }, async () => {
  using folder = temporaryFolder();
  const PATH = fakeNpm(folder.path, { "package.json": manifest("a.js"), "a.js": "1" }, LOCK);
  const cache = join(folder.path, "cache");
  mkdirSync(join(cache, "npm/fake@1.0.0/node_modules"), { recursive: true });
  const environment = { PATH, TOUCHSTONE_CACHE: cache };
  const all = await Promise.all(
    [1, 2, 3].map(() => resolveTarget(readReference(["npm:fake@1.0.0"], undefined), { environment })),
  );
  for (const resolution of all) assert.equal(startable(resolution).resolved?.integrity, "sha512-AAAA");
  assert.deepEqual(readdirSync(join(cache, "npm")), ["fake@1.0.0"], "no temporary folder is left");
});

test("a cache that cannot be written is said to be one (TGT_INSTALL_FAILED)", {
  timeout: 30_000,
}, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "file"), "");
  const environment = { ...process.env, TOUCHSTONE_CACHE: join(folder.path, "file") };
  await assert.rejects(resolveTarget(readReference(["npm:fake@1.0.0"], undefined), { environment }), {
    code: "TGT_INSTALL_FAILED",
    message: /npm:fake@1\.0\.0: the folder .* cannot be used \(ENOTDIR\)/,
  });
});
