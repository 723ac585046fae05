/** Runs every test in one process: `node --import tsx test/all.ts [part of a path …]`. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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
for (const file of files) await import(join(root, file));
