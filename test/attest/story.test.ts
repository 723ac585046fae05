/** The story of docs/attest.md, run as it stands there; and what must not pass. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { before, test } from "node:test";
import { program, root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

const timeout = 120_000;
const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const ORIGIN = "https://notes.example";

/** The commands of the page between its mark and the end of the block. */
function storyOf(page: string): string {
  const [, story = ""] = /<!-- story -->\s*```sh\n([\s\S]*?)```/.exec(page) ?? [];
  assert.notEqual(story, "");
  return story;
}

let output = "";

before(
  () => {
    mkdirSync(at("bin"));
    writeFileSync(at("bin/touchstone"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
    chmodSync(at("bin/touchstone"), 0o755);
    // In the folder of its own code it imports: the example is started from where it lies.
    const server = join(root, "examples/servers/honest-notes/server.mjs");
    const story = storyOf(readFileSync(join(root, "docs/attest.md"), "utf8")).replaceAll(
      "node server.mjs",
      `node ${server}`,
    );
    output = execFileSync("bash", ["-euo", "pipefail", "-c", story], {
      cwd: folder.path,
      env: { ...process.env, PATH: `${at("bin")}:${process.env.PATH}`, NO_COLOR: "1" },
      encoding: "utf8",
    });
  },
  { timeout },
);

test("both documents are admitted elsewhere, with only the root", { timeout }, () => {
  assert.match(output, /admitted {2}assertion: internal/);
  assert.match(output, /admitted {2}statement: .*A by touchstone-1/);
  assert.match(output, /compared: .*origin.*assertion|compared: .*assertion.*origin/);
});

test("private keys are for their owner only", () => {
  assert.equal(statSync(at("root.key")).mode & 0o777, 0o600);
  assert.doesNotMatch(readFileSync(at("root.key"), "utf8"), /pkcs8/);
});

async function verdict(
  words: readonly string[],
): Promise<{ code: number | null; reason: string; admitted: boolean }> {
  const ran = await touchstone(["attest", "verify", "--json", "--root", at("root.json"), ...words]);
  assert.notEqual(ran.stdout, "", ran.stderr);
  const { reason, admitted } = JSON.parse(ran.stdout) as { reason: string; admitted: boolean };
  return { code: ran.code, reason, admitted };
}

const refusals: readonly (readonly [name: string, words: readonly string[], reason: string])[] = [
  ["another origin", ["evidence/statement.json", "--origin", "https://evil.example"], "wrong-origin"],
  ["after its end", ["evidence/statement.json", "--now", "2030-01-01T00:00:00Z"], ""],
  ["two signers", ["evidence/statement.json", "--threshold", "2"], "too-few-signatures"],
  ["another method", ["evidence/statement.json", "--method", "litmus-v9"], "method-not-accepted"],
  [
    "a higher level",
    ["evidence/attestation.json", "--origin", ORIGIN, "--require", "confidential"],
    "below_required",
  ],
  [
    "another place",
    ["evidence/attestation.json", "--origin", "https://evil.example", "--require", "internal"],
    "host_not_bound",
  ],
];
for (const [name, [file = "", ...words], reason] of refusals)
  test(`refused: ${name}`, { timeout }, async () => {
    if (name === "after its end") {
      const ran = await touchstone(["attest", "verify", "--root", at("root.json"), at(file), ...words]);
      assert.notEqual(ran.code, 0);
      return;
    }
    assert.deepEqual(await verdict([at(file), ...words]), { code: 1, reason, admitted: false });
  });

test("a changed byte, a swapped assertion and a revoked statement are refused", { timeout }, async () => {
  const statement = readFileSync(at("evidence/statement.json"), "utf8");
  writeFileSync(
    at("changed.json"),
    statement.replace(/"payload": ?"(.)/, (all, first: string) =>
      all.replace(new RegExp(`${first}$`), first === "A" ? "B" : "A"),
    ),
  );
  assert.equal((await verdict([at("changed.json")])).admitted, false);
  writeFileSync(
    at("other-sad.json"),
    readFileSync(at("evidence/attestation.json"), "utf8").replace("Example Ltd", "Another"),
  );
  const swapped = await verdict([at("evidence/statement.json"), "--sad", at("other-sad.json")]);
  assert.equal(swapped.reason, "swapped-statement");
  const inspected = await touchstone(["attest", "inspect", "--json", at("evidence/statement.json")]);
  const { digest } = JSON.parse(inspected.stdout) as { digest: string };
  copyFileSync(at("root.json"), at("root-2.json"));
  const env = { TOUCHSTONE_PASSPHRASE: "correct horse battery staple" };
  const words = [
    "attest",
    "root",
    "revoke",
    "--root",
    at("root-2.json"),
    "--key",
    at("root.key"),
    "--statement",
    digest,
  ];
  const revoked = await touchstone(words, { env });
  assert.equal(revoked.code, 0, revoked.stderr);
  const ran = await touchstone([
    "attest",
    "verify",
    "--json",
    "--root",
    at("root-2.json"),
    at("evidence/statement.json"),
  ]);
  assert.equal((JSON.parse(ran.stdout) as { reason: string }).reason, "statement-revoked");
});

test("evidence that was touched is not signed (ATT_UNUSABLE)", { timeout }, async () => {
  mkdirSync(at("forged"));
  copyFileSync(at("evidence/recording.jsonl"), at("forged/recording.jsonl"));
  writeFileSync(
    at("forged/bundle.json"),
    readFileSync(at("evidence/bundle.json"), "utf8").replace('"grade": "A"', '"grade": "B"'),
  );
  const env = { TOUCHSTONE_PASSPHRASE: "correct horse battery staple" };
  const ran = await touchstone(["attest", "sign", "--key", at("grader.key"), "--evidence", at("forged")], {
    env,
  });
  assert.deepEqual([ran.code, /does not give this bundle/.test(ran.stderr)], [2, true]);
});

test("what is published is found, and a server elsewhere is compared live", { timeout }, async () => {
  const serving = spawn(process.execPath, [program, "attest", "serve", at("evidence")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let origin = "";
  for await (const line of createInterface(serving.stdout)) {
    origin = /^(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1] ?? "";
    break;
  }
  try {
    const ran = await touchstone([
      "attest",
      "verify",
      "--json",
      "--root",
      at("root.json"),
      "--allow-loopback",
      "--require",
      "internal",
      `${origin}/mcp`,
    ]);
    const { documents } = JSON.parse(ran.stdout) as { documents: { document: string; reason: string }[] };
    // They were made for another address: that is told, and nothing else is wrong with them.
    assert.deepEqual(
      documents.map(({ document, reason }) => `${document} ${reason}`),
      ["assertion host_not_bound", "statement wrong-origin"],
    );
  } finally {
    serving.kill();
  }
  // The command that was graded, as its page starts it; another one is another server.
  const server = join(root, "examples/servers/honest-notes/server.mjs");
  const statement = [at("evidence/statement.json"), "--origin", ORIGIN];
  const live = await verdict([...statement, "--", "node", server]);
  assert.equal(live.admitted, true, live.reason);
  const other = await verdict([...statement, "--live", server.replace("honest-notes", "hostile-weather")]);
  assert.equal(other.admitted, false);
});

test("a grade is signed as it is made, and not again while it is young", { timeout }, async () => {
  const env = { TOUCHSTONE_PASSPHRASE: "correct horse battery staple" };
  const server = ["--", process.execPath, join(root, "examples/servers/honest-notes/server.mjs")];
  const words = ["grade", "--out", at("signed"), "--sign", at("grader.key"), "--if-older", "14d", ...server];
  const first = await touchstone(words, { env });
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^A {2}/);
  const again = await touchstone(words, { env });
  assert.deepEqual([again.code, /0 days old: nothing was run/.test(again.stdout)], [0, true]);
  // Bound to the command that was graded: the same words hold, others do not.
  const verify = ["attest", "verify", "--json", "--root", at("root.json"), at("signed/statement.json")];
  const same = await touchstone([...verify, ...server]);
  assert.equal(same.code, 0, same.stdout);
  const other = await touchstone([...verify, ...server, "--other"]);
  assert.equal((JSON.parse(other.stdout) as { reason: string }).reason, "wrong-command");
  const wrong = await touchstone(["grade", "--sign", at("grader.key"), ...server], { env });
  assert.deepEqual([wrong.code, /belong together/.test(wrong.stderr)], [2, true]);
});

test("a key is not made without a word about its protection", { timeout }, async () => {
  const bare = await touchstone(["attest", "keygen", at("x.key")], { env: { TOUCHSTONE_PASSPHRASE: "" } });
  assert.equal(bare.code, 2);
  const plain = await touchstone(["attest", "keygen", "--plain", at("x.key")], {
    env: { TOUCHSTONE_PASSPHRASE: "" },
  });
  assert.deepEqual([plain.code, /NOT protected/.test(plain.stdout)], [0, true]);
});
