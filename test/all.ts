/** Runs every test in one process: `node --import tsx test/all.ts [part of a path …]`. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";

const root = fileURLToPath(new URL("../", import.meta.url));
const wanted = process.argv.slice(2);

const files = ["src", "test"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();

if (files.length === 0) throw new Error(`no test file matches ${wanted.join(", ")}`);

// Properties are tried with new values on every run of a person, and with the same ones in CI, so that a change is judged
// by what it changes.
if (process.env.CI) fc.configureGlobal({ seed: 20_261_115 });

// The first test waits for all files: the others queue behind it, and none is missed by a runner that stops when idle.
const loaded = Promise.all(files.map((file) => import(join(root, file))));
test(`${files.length} test files load`, { timeout: 120_000 }, async () => void (await loaded));

// A leaked handle must not hold CI for ever; it must not pass unseen either.
setTimeout(() => {
  console.error(`still running after 12 minutes: ${process.getActiveResourcesInfo().join(", ")}`);
  process.exit(1);
}, 12 * 60_000).unref();
