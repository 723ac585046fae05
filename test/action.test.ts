/** The step of the GitHub Action: inputs are data, and outputs are lines. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, temporaryFolder } from "./kit/paths.ts";

const timeout = 120_000;

function step(
  env: Record<string, string>,
  cwd: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) =>
    execFile(
      process.execPath,
      [join(root, "scripts/action.mjs")],
      { cwd, env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env } },
      (fault, stdout, stderr) => done({ code: Number(fault?.code ?? 0), stdout, stderr }),
    ),
  );
}

test("a hostile server fails the step, with a summary, outputs and a SARIF file", { timeout }, async () => {
  using folder = temporaryFolder();
  const [output, summary] = [join(folder.path, "output"), join(folder.path, "summary")];
  const ran = await step(
    {
      INPUT_TARGET: join(root, "examples/servers/hostile-weather/server.mjs"),
      INPUT_MIN_GRADE: "B",
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
    },
    folder.path,
  );
  assert.equal(ran.code, 1, ran.stderr);
  assert.match(readFileSync(output, "utf8"), /^grade=F\nsarif=touchstone-evidence\/grade\.sarif\n$/);
  assert.match(readFileSync(summary, "utf8"), /F/);
  const sarif = JSON.parse(readFileSync(join(folder.path, "touchstone-evidence/grade.sarif"), "utf8")) as {
    version: string;
  };
  assert.equal(sarif.version, "2.1.0");
});

test("inputs are words, whatever stands in them", { timeout }, async () => {
  using folder = temporaryFolder();
  const marks = ["$(touch made)", "; touch made", "--sandbox=none", "a\ntouch made"];
  for (const target of marks) {
    const ran = await step({ INPUT_TARGET: target }, folder.path);
    assert.notEqual(ran.code, 0, target);
  }
  const { readdirSync } = await import("node:fs");
  assert.equal(readdirSync(folder.path).includes("made"), false);
});

test("the action names no input in a command", () => {
  const text = readFileSync(join(root, "action.yml"), "utf8");
  for (const [, line = ""] of text.matchAll(/^\s*run: (.*)$/gm)) assert.doesNotMatch(line, /\$\{\{/);
});
