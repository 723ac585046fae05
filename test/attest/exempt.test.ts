/** `attest exempt`, from keys to a file that verifies, is inspected, revoked, and no longer fits a server that changed. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { root, temporaryFolder } from "../kit/paths.ts";
import { touchstone } from "../kit/program.ts";

const timeout = 60_000;
const folder = temporaryFolder();
const env = { TOUCHSTONE_PASSPHRASE: "" };
const notes = join(root, "examples/servers/honest-notes/server.mjs");
const attest = (...words: string[]): ReturnType<typeof touchstone> =>
  touchstone(["attest", ...words], { env, cwd: folder.path });
async function done(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await attest(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${stderr}${stdout}`);
  return stdout;
}
const exempt = ["exempt", "notes", "--key", "operator.key", "--plain", "--sandbox", "none"];

before(
  async () => {
    mkdirSync(folder.path, { recursive: true });
    for (const name of ["root", "operator", "grader"]) await done("keygen", "--plain", `${name}.key`);
    await done("root", "init", "--key", "root.key", "--plain");
    const add = ["root", "add", "--root", "root.json", "--key", "root.key", "--plain"];
    await done(...add, "--public", "operator.key.pub", "--role", "exemption");
    await done(...add, "--public", "grader.key.pub", "--role", "grade");
    writeFileSync(
      join(folder.path, "touchstone.yml"),
      JSON.stringify({ servers: { notes: { command: process.execPath, args: [notes] } } }),
    );
    const told = await done(...exempt, "--reason", "read by Ada", "--expires", "30");
    assert.match(told, /^notes\.exemption\.json: no grade is asked of notes until \d{4}-.*Z$/m);
    assert.match(told, /for 3 tools as now: list_notes, read_note, write_note/);
  },
  { timeout },
);

const verify = ["verify", "notes.exemption.json", "--root", "root.json"];

test("it holds for the server as it is, by its name and command", { timeout }, async () => {
  const live = ["--server", "notes", "--sandbox", "none", "--", process.execPath, notes];
  const told = await done(...verify, ...live);
  assert.match(told, /^exempted {2}exemption: no grade is asked of notes until/m);
  assert.match(told, /reason: read by Ada/);
  assert.match(told, /compared: server, command, tools, fingerprint, surface/);
  assert.match(await done(...verify), /compared: nothing/);
});

const later = new Date(Date.now() + 31 * 86_400_000).toISOString();
const refusals: readonly (readonly [name: string, words: readonly string[], reason: string])[] = [
  ["another server", ["--server", "mail"], "exemption-wrong-server"],
  ["after its end", ["--now", later], "exemption-expired"],
  ["another place", ["--origin", "https://notes.example"], "exemption-wrong-origin"],
  [
    "another command",
    ["--sandbox", "none", "--", process.execPath, notes, "--more"],
    "exemption-wrong-command",
  ],
];
for (const [name, words, reason] of refusals)
  test(`verify refuses it for ${name} [EXM-10, EXM-11]`, { timeout }, async () => {
    const { code, stdout } = await attest(...verify, "--json", ...words);
    assert.deepEqual([code, (JSON.parse(stdout) as { reason: string }).reason], [1, reason]);
  });

test("inspect shows it, its code is explained, and a root takes it back [EXM-9]", { timeout }, async () => {
  const { exemption, digest } = JSON.parse(await done("inspect", "--json", "notes.exemption.json")) as {
    exemption: { server: string };
    digest: string;
  };
  assert.equal(exemption.server, "notes");
  assert.match(await done("explain", "523"), /523 exemption-expired/);
  const revoke = ["root", "revoke", "--root", "root.json", "--key", "root.key", "--plain"];
  await done(...revoke, "--statement", digest, "--out", "root-2.json");
  const { stdout } = await attest("verify", "notes.exemption.json", "--root", "root-2.json", "--json");
  assert.equal((JSON.parse(stdout) as { reason: string }).reason, "exemption-revoked");
});

test("a key that grades signs no exemption that counts, and cannot be given the role [EXM-8, ROO-16]", {
  timeout,
}, async () => {
  const words = ["exempt", "notes", "--key", "grader.key", "--plain", "--sandbox", "none", "--out", "g.json"];
  await done(...words, "--reason", "mine", "--expires", "1");
  const { stdout } = await attest("verify", "g.json", "--root", "root.json", "--json");
  assert.equal((JSON.parse(stdout) as { reason: string }).reason, "exemption-signer-not-operator");
  await done("keygen", "--plain", "both.key");
  const add = ["root", "add", "--root", "root.json", "--key", "root.key", "--plain", "--out", "no.json"];
  const both = await attest(...add, "--public", "both.key.pub", "--role", "exemption", "--role", "grade");
  assert.deepEqual([both.code, existsSync(join(folder.path, "no.json"))], [2, false]);
});

const wrong: readonly (readonly [name: string, words: readonly string[], why: RegExp])[] = [
  ["no reason", ["--expires", "30"], /--reason TEXT/],
  ["no end", ["--reason", "r"], /--expires/],
  ["an end too far away", ["--reason", "r", "--expires", "91"], /within 90 days/],
  ["a blank reason", ["--reason", " ", "--expires", "1"], /no exemption can say this: reason/],
  [
    "a part that nobody waives",
    ["--reason", "r", "--expires", "1", "--waive", "drift"],
    /want grade or clearance/,
  ],
];
for (const [name, words, why] of wrong)
  test(`nothing is written with ${name}`, { timeout }, async () => {
    const { code, stderr } = await attest(...exempt, "--out", "wrong.json", ...words);
    assert.equal(code, 2);
    assert.match(stderr, why);
    assert.equal(existsSync(join(folder.path, "wrong.json")), false);
  });
