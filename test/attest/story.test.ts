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

test("both documents hold elsewhere, with only the root", { timeout }, () => {
  assert.match(output, /admitted {2}assertion: internal/);
  assert.match(output, /holds {2}statement: .*A by touchstone-1/);
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

const later = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const refusals: readonly (readonly [name: string, words: readonly string[], reason: string])[] = [
  ["another origin", ["evidence/statement.json", "--origin", "https://evil.example"], "wrong-origin"],
  ["after its end", ["evidence/statement.json", "--now", later(31)], "expired"],
  ["too old for a policy", ["evidence/statement.json", "--max-age", "3", "--now", later(5)], "too-old"],
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
    const evidence = await fetch(`${origin}/.well-known/touchstone-evidence`);
    assert.equal(await evidence.text(), readFileSync(at("evidence/bundle.json"), "utf8"));
    assert.equal((await fetch(`${origin}/.well-known/other`)).status, 404);
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
  // The same by its name in a file that is not in this folder.
  const file = at("other.yml");
  writeFileSync(file, `servers:\n  graded:\n    command: node\n    args: [${server}]\n`);
  const named = await verdict([...statement, "--live", "graded", "--config", file]);
  assert.equal(named.admitted, true, named.reason);
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

const env = { TOUCHSTONE_PASSPHRASE: "correct horse battery staple" };
/** Words of `attest`, in the folder of the story. */
const attest = (...words: string[]): ReturnType<typeof touchstone> =>
  touchstone(["attest", ...words], { env, cwd: folder.path });
async function done(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await attest(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${stderr}${stdout}`);
  return stdout;
}

test("two signers: a cosigned statement, and the same signer twice is one", { timeout }, async () => {
  await done("keygen", "second.key");
  const add = ["root", "add", "--root", "root.json", "--key", "root.key", "--role", "grade"];
  await done(...add, "--public", "second.key.pub", "--out", "root-two.json");
  const two = ["--root", "root-two.json", "--threshold", "2", "--json"];
  await done("cosign", "--key", "grader.key", "--out", "once.json", "evidence/statement.json");
  assert.match((await attest("verify", "once.json", ...two)).stdout, /too-few-signatures/);
  await done("cosign", "--key", "second.key", "--out", "twice.json", "evidence/statement.json");
  assert.match(await done("verify", "twice.json", ...two), /"admitted": ?true/);
  assert.match(
    (await attest("verify", "twice.json", "--root", "root.json", "--threshold", "2", "--json")).stdout,
    /too-few-signatures/,
  );
});

test("a key that is in the root already is named, with the way out", { timeout }, async () => {
  const again = ["root", "add", "--root", "root.json", "--key", "root.key", "--public", "grader.key.pub"];
  const { code, stderr } = await attest(...again, "--role", "exemption");
  assert.equal(code, 2);
  assert.match(stderr, /is in this root already, for grade, clearance\n.*touchstone attest keygen/s);
});

test("a root in two hands: it waits for the second, and only what the old one signed follows it", {
  timeout,
}, async () => {
  await done("keygen", "other.key");
  const init = ["root", "init", "--key", "root.key", "--public", "other.key.pub", "--threshold", "2"];
  assert.match(await done(...init, "--out", "pair.json"), /1 of 2 signatures.*cosign/s);
  const early = await attest("root", "show", "--root", "pair.json");
  assert.deepEqual([early.code, /root-too-few-signatures/.test(early.stderr)], [2, true]);
  await done("cosign", "--key", "other.key", "pair.json");
  assert.match(await done("root", "show", "--root", "pair.json"), /version 1, .* threshold 2/);

  const rotate = ["root", "rotate", "--root", "pair.json", "--days", "30", "--key", "root.key"];
  const inPlace = await attest(...rotate);
  assert.deepEqual([inPlace.code, /stays as it is/.test(inPlace.stderr)], [2, true]);
  assert.match(await done(...rotate, "--out", "pair-2.json"), /1 of 2 signatures/);
  const show = ["root", "show", "--root", "pair-2.json", "--after", "pair.json"];
  assert.match((await attest(...show)).stderr, /root-not-signed-by-old/);
  await done("cosign", "--key", "other.key", "pair-2.json");
  assert.match(await done(...show), /version 2/);
  assert.match(
    (await attest("root", "show", "--root", "pair.json", "--after", "pair-2.json")).stderr,
    /root-rollback/,
  );
  await done("root", "init", "--key", "grader.key", "--out", "stranger.json");
  assert.match(
    (await attest("root", "show", "--root", "pair-2.json", "--after", "stranger.json")).stderr,
    /root-not-signed-by-old/,
  );
});

test("a root that has ended admits nothing, and is renewed by rotation", { timeout }, async () => {
  const verify = ["verify", "evidence/statement.json", "--root"];
  const ended = await attest(...verify, "root.json", "--now", later(366));
  assert.deepEqual([ended.code, /root-expired/.test(ended.stderr)], [2, true]);
  const early = await attest(...verify, "root.json", "--now", later(-1));
  assert.deepEqual([early.code, /root-not-yet-valid/.test(early.stderr)], [2, true]);
  await done("root", "rotate", "--root", "root.json", "--key", "root.key", "--out", "renewed.json");
  assert.match(await done("root", "show", "--root", "renewed.json", "--after", "root.json"), /version 3/);
  assert.match(await done(...verify, "renewed.json", "--origin", ORIGIN), /^holds/);
});
