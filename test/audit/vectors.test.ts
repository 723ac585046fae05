/** The cases of spec/vectors/audit: both verifiers answer each as it says, and each stands as test/kit/audit-cases.ts builds it
 *  (`GOLDEN=write` writes them anew). */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  leavesOf,
  readVerifierKey,
  type VerifierKey,
  verifyLog,
  verifyProof,
} from "../../src/audit/index.ts";
import { PROBLEMS } from "../../src/audit/problems.ts";
import { type LogCase, logCases, memoryFiles, proofCases } from "../kit/audit-cases.ts";
import { root } from "../kit/paths.ts";

const folder = join(root, "spec/vectors/audit");
const keyOf = (text: string): VerifierKey => readVerifierKey(text) as VerifierKey;

test("each case stands in its file, and no file is without its case", () => {
  const cases = { ...logCases, ...proofCases };
  for (const [name, content] of Object.entries(cases)) {
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    if (process.env.GOLDEN === "write") writeFileSync(join(folder, `${name}.json`), text);
    assert.equal(readFileSync(join(folder, `${name}.json`), "utf8"), text, name);
  }
  assert.deepEqual(
    readdirSync(folder).sort(),
    Object.keys(cases)
      .map((name) => `${name}.json`)
      .sort(),
  );
});

function filesOf({ files }: LogCase): Map<string, Buffer> {
  return new Map(
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === "string" ? Buffer.from(content) : Buffer.from(content.base64, "base64"),
    ]),
  );
}

for (const [name, one] of Object.entries(logCases))
  test(`${name}: ${one.about} [AUD-18, AUD-21]`, () => {
    const { key, anchors = [], chainOnly = false } = one;
    const verdict = verifyLog(memoryFiles(filesOf(one)), { key: keyOf(key), anchors, chainOnly });
    if (verdict.status === "problem") return assert.deepEqual(verdict, one.expect);
    const { status, entries, signed } = verdict;
    assert.deepEqual({ status, entries, signed }, one.expect);
  });

for (const [name, { about, key, proof, expect }] of Object.entries(proofCases))
  test(`${name}: ${about} [AUD-22, AUD-23]`, () =>
    assert.equal(verifyProof(proof, keyOf(key)).status, expect.status));

test("at least forty cases of tampering, and one of every problem [AUD-18]", () => {
  const found = Object.values(logCases).flatMap(({ expect }) =>
    expect.status === "problem" ? [expect.problem] : [],
  );
  assert.equal(found.length >= 40, true, `${found.length}`);
  assert.deepEqual([...new Set(found)].sort(), Object.keys(PROBLEMS).sort());
});

test("the checker in Python agrees on every case [AUD-17]", { timeout: 120_000 }, () => {
  const { error, status, stdout, stderr } = spawnSync("python3", ["-B", join(root, "spec/check/audit.py")], {
    encoding: "utf8",
  });
  assert.equal(
    error,
    undefined,
    `python3 (3.9 or later) has to be installed for this test: ${error?.message}`,
  );
  assert.equal(stderr, "");
  const count = Object.keys({ ...logCases, ...proofCases }).length;
  assert.equal(stdout, `${count} cases, 0 differ\n`);
  assert.equal(status, 0);
});

/** Where a byte may be anything: notes of others. */
test("any byte that is changed in what was signed is found [AUD-7, AUD-10]", () => {
  const one = logCases["whole-segments"] as LogCase;
  const files = filesOf(one);
  let tried = 0;
  for (const [name, bytes] of files)
    for (let at = 0; at < bytes.length; at += 11) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      const verdict = verifyLog(memoryFiles(new Map([...files, [name, changed]])), { key: keyOf(one.key) });
      assert.equal(verdict.status, "problem", `${name} byte ${at}`);
      tried += 1;
    }
  assert.equal(tried > 500, true, `${tried}`);
});

test("what a crash left behind is no leaf, with and without files of hashes [AUD-14, AUD-22]", () => {
  const one = logCases["whole-recovered-lines"] as LogCase;
  const files = filesOf(one);
  const bare = new Map([...files].filter(([name]) => !name.endsWith(".hashes")));
  const [kept, made] = [files, bare].map((each) => [...leavesOf(memoryFiles(each))(0, 9)]);
  assert.deepEqual(made, kept);
  assert.equal(made?.length, 9);
});
