/** `touchstone scan` on the example servers: those that are hostile in what they advertise are found, honest ones are not. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { program } from "../kit/paths.ts";
import { examples, machine } from "./scan-machine.ts";

interface Report {
  findings: { rule: string; severity: string; where: string }[];
}

/** The words that start an example: a program, or a file for the mock. */
function words(name: string): string[] {
  const folder = join(examples, name);
  const isProgram = readdirSync(folder).includes("server.mjs");
  return isProgram
    ? [process.execPath, join(folder, "server.mjs")]
    : [process.execPath, program, "mock", join(folder, "server.yml")];
}

for (const name of readdirSync(examples).filter((each) => each.startsWith("honest-"))) {
  test(`${name}: no finding of a scanner, exit code 0`, { timeout: 60_000 }, async () => {
    using made = machine();
    const ran = await made.scan(["--json", "--", ...words(name)]);
    const { findings } = JSON.parse(ran.stdout) as Report;
    assert.deepEqual(
      findings.filter(({ rule }) => /^(SCAN|SURF)-/.test(rule)),
      [],
    );
    assert.equal(ran.code, 0, ran.stderr);
  });
}

/** What each says before any tool is called, and where. */
const hostile = [
  ["hostile-weather", "SCAN-01", /tool "get_forecast"/],
  ["hostile-instructions", "SCAN-", /instructions/],
  ["hostile-no-tools", "SCAN-", /instructions/],
  ["hostile-titles", "SCAN-", /title/],
  ["hostile-output-schema", "SCAN-", /outputSchema/],
  ["hostile-prompts-resources", "SCAN-", /prompt|resource/],
  ["hostile-for-capable-clients", "SCAN-", /tool/],
] as const;
for (const [name, rule, where] of hostile) {
  test(`${name} is found in what it advertises, exit code 1`, { timeout: 60_000 }, async () => {
    using made = machine();
    const ran = await made.scan(["--json", "--", ...words(name)]);
    const { findings } = JSON.parse(ran.stdout) as Report;
    const found = findings.filter(
      (each) => each.rule.startsWith(rule) && each.severity === "fail" && where.test(each.where),
    );
    assert.ok(found.length > 0, JSON.stringify(findings));
    assert.equal(ran.code, 1);
    assert.equal((await made.scan(["--fail-on", "never", "--", ...words(name)])).code, 0);
  });
}

test("a server that shows more to capable clients is read as both kinds", { timeout: 60_000 }, async () => {
  using made = machine();
  const ran = await made.scan(["--json", "--", ...words("hostile-for-capable-clients")]);
  const { findings } = JSON.parse(ran.stdout) as Report;
  assert.equal(
    findings.some(({ rule }) => rule === "SURF-01"),
    true,
  );
});
