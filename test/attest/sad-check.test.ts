/** The second implementation, in Python, agrees on every vector: it shares nothing with the first but the specification. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../kit/paths.ts";
import { documentCases, toolCases } from "../kit/sad.ts";

test("the checker in Python agrees on every vector [SAD-29]", { timeout: 120_000 }, () => {
  const { error, status, stdout, stderr } = spawnSync("python3", ["-B", join(root, "spec/check/sad.py")], {
    encoding: "utf8",
  });
  assert.equal(
    error,
    undefined,
    `python3 (3.9 or later) has to be installed for this test: ${error?.message}`,
  );
  assert.equal(stderr, "");
  assert.equal(stdout, `${documentCases.length + toolCases.length} cases agree, 0 do not\n`);
  assert.equal(status, 0);
});
