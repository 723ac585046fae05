/** Descriptors that were left open reach nobody; our own stay. Tried in a process of its own: it closes what it finds. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/kit/paths.ts";

const SOURCE = JSON.stringify(new URL("./descriptors.ts", import.meta.url).href);
/** Beyond those that Node itself looks after when it starts. */
const FAR = 40;

/** Tells what a program that it starts finds open, and that it can still read files and wait. */
const PROGRAM = (call: string): string => `
  import { execFileSync } from "node:child_process";
  import { closeForeignDescriptors } from ${SOURCE};
  import { readlinkSync } from "node:fs";
  import { readFile } from "node:fs/promises";
  ${call}
  await new Promise((done) => setTimeout(done, 1));
  const file = await readFile("/proc/self/comm", "utf8");
  const open = execFileSync("/bin/sh", ["-c", "for fd in /proc/$$/fd/*; do readlink $fd; done; :"], { encoding: "utf8" });
  const own = readlinkSync("/proc/self/fd/3");
  console.log(JSON.stringify({ file, open: open.trim().split("\\n"), own }));
`;

function run(call: string): {
  readonly open: readonly string[];
  readonly own: string;
  readonly secret: string;
} {
  using folder = temporaryFolder();
  const secret = join(folder.path, "secret.txt");
  const own = join(folder.path, "own.txt");
  for (const file of [secret, own]) writeFileSync(file, "x");
  const [secretFd, ownFd] = [openSync(secret, "r"), openSync(own, "r")];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", PROGRAM(call)],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe", ownFd, ...new Array<"ignore">(FAR - 4).fill("ignore"), secretFd],
    },
  );
  for (const fd of [secretFd, ownFd]) closeSync(fd);
  assert.equal(status, 0, stderr);
  return { ...(JSON.parse(stdout) as { open: string[]; own: string }), secret };
}

test("a descriptor that was left open would reach what we start", { timeout: 20_000 }, () => {
  const { open, secret } = run("");
  assert.ok(open.includes(secret), open.join(", "));
});

test("it is closed, and everything of our own works", { timeout: 20_000 }, () => {
  const { open, own, secret } = run("closeForeignDescriptors(3);");
  assert.ok(!open.includes(secret), open.join(", "));
  assert.match(own, /own\.txt$/);
});

test("up to the last of our own nothing is closed", { timeout: 20_000 }, () => {
  const { open, secret } = run(`closeForeignDescriptors(${FAR});`);
  assert.ok(open.includes(secret), open.join(", "));
});
