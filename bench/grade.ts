/** How long a grade takes, in seconds and as a multiple of the server's own start and listing, in one run. */
import { fileURLToPath } from "node:url";
import { connect, list } from "../dist/wire/index.js";
import { exampleWords, gradeWords, official } from "../test/grade/kit.ts";

/** Seconds on a quiet machine with two cores, sandbox included. */
const SERVERS: readonly {
  readonly name: string;
  readonly words: readonly string[];
  /** What the operator lets it reach. */
  readonly hosts?: readonly string[];
  readonly most: number;
}[] = [
  { name: "everything", words: [official("everything"), "stdio"], most: 15 },
  { name: "filesystem", words: [official("filesystem"), "/home/dev/project"], most: 4 },
  { name: "memory", words: [official("memory")], most: 4 },
  { name: "sequential-thinking", words: [official("sequential-thinking")], most: 4 },
  { name: "context7", words: [official("context7")], hosts: ["context7.com"], most: 4 },
  { name: "a tool that never answers", words: exampleWords("hostile-never-answers"), most: 40 },
];

async function startAndList(words: readonly string[]): Promise<number> {
  const began = performance.now();
  const args = words.map((word) =>
    word === "/home/dev/project" ? fileURLToPath(new URL(".", import.meta.url)) : word,
  );
  const session = await connect({ kind: "stdio", command: process.execPath, args });
  await list(session, "tools/list");
  const seconds = (performance.now() - began) / 1000;
  await session.close();
  return seconds;
}

console.log(`grade, one run each (${process.version}, ${new Date().toISOString().slice(0, 10)})`);
for (const { name, words, hosts = [], most } of SERVERS) {
  const base = await startAndList(words);
  const began = performance.now();
  const { bundle } = await gradeWords(name, words, { hosts });
  const seconds = (performance.now() - began) / 1000;
  const isOver = seconds > most;
  if (isOver) process.exitCode = 1;
  console.log(
    `  ${isOver ? "OVER" : "ok  "} ${name}: ${seconds.toFixed(1)} s, bound ${most} s; ${(seconds / base).toFixed(0)} x start and list; ${bundle.grade}, ${bundle.coverage.calls} calls`,
  );
}
process.exit();
