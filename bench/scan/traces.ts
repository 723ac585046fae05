/** Recall on the stack traces of the test fixtures, per runtime. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { internalsLeak } from "../../src/scan/index.ts";

const folder = fileURLToPath(new URL("../../test/fixtures/traces/", import.meta.url));

export function traceRecall(): Record<string, { n: number; fail: number }> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith(".txt"))
      .sort()
      .map((file) => {
        const traces = splitTraces(readFileSync(folder + file, "utf8"));
        const fail = traces.filter((trace) =>
          internalsLeak(trace).some(({ severity }) => severity === "fail"),
        ).length;
        return [file.replace(/\.txt$/, ""), { n: traces.length, fail }];
      }),
  );
}

/** One file holds the traces of a runtime, each after a line that names it. */
function splitTraces(text: string): string[] {
  return text
    .split(/^=== .*$/m)
    .slice(1)
    .map((trace) => trace.trim());
}
